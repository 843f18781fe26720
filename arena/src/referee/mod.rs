//! Judges one game between processes: who is asked what, and what an answer is worth.
//!
//! Knows [`Judging`] and no single game.

mod game;
mod in_process;
mod seat;
mod table;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::Judging;

use crate::clock::TimeUsed;
use crate::contest::{Changed, CoreUse};
use crate::process::{self, BotProcess, Launch};
use crate::record::{GameRecord, SeatRecord};
pub use in_process::{play_in_process, record_in_process};
use table::Table;

/// How long a bot may take to leave by itself once the game is over and its input closed.
const LEAVING: Duration = Duration::from_millis(100);

/// Lines of standard error that a record keeps.
const KEPT_ERRORS: usize = 20;

/// A program that takes a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// What it is called in records and tables.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its seed, in `ARENA_SEED` of its environment.
    pub seed: u64,
}

/// How strictly and under what limits a game is judged, beyond the rules of the game.
#[derive(Debug, Clone, Copy)]
pub struct Conduct<'a> {
    /// Whether blanks or a carriage return at the end of an answer lose.
    pub strict: bool,
    /// Most memory that a bot and its descendants may use.
    pub memory_limit_bytes: Option<u64>,
    /// Whether each bot runs in a sandbox.
    pub sandbox: bool,
    /// Whether the record holds every line.
    pub keep_messages: bool,
    /// What the game may take at most; what its clocks allow without it.
    pub longest_game: Option<Duration>,
    /// Where the bots run; anywhere without it.
    pub cores: Option<CoreUse>,
    /// Set by anybody who wants the game to stop.
    pub stop: &'a AtomicBool,
}

/// Which game is being played; only for the record.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// The game's seed.
    pub seed: u64,
}

/// Why there is no record.
#[derive(Debug)]
pub enum PlayError {
    /// A program could not be started.
    CannotStart {
        /// The program and its arguments.
        command: Vec<String>,
        /// Why.
        source: std::io::Error,
    },
    /// As many players as seats are needed.
    WrongNumberOfPlayers {
        /// Seats of the game.
        seats: usize,
        /// Players given.
        players: usize,
    },
    /// A program is not the one that the match began with.
    Changed(Changed),
    /// Somebody asked to stop.
    Stopped,
}

impl From<Changed> for PlayError {
    fn from(changed: Changed) -> PlayError {
        PlayError::Changed(changed)
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::CannotStart { command, .. } => {
                write!(f, "cannot start `{}`", command.join(" "))
            }
            PlayError::WrongNumberOfPlayers { seats, players } => {
                write!(f, "the game has {seats} seats, but there are {players} players")
            }
            PlayError::Changed(Changed { bot, file }) => write!(
                f,
                "`{bot}` is no longer the program that the match began with: {} was changed; what was played until \
                 then is kept and counts; restore the file and repeat the command to go on, or begin anew in \
                 another directory",
                file.display()
            ),
            PlayError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for PlayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PlayError::CannotStart { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// A moment of a game, for whoever watches it.
#[derive(Debug)]
pub struct Moment<'a> {
    /// The game as it stands.
    pub judging: &'a dyn Judging,
    /// The seat that acted last; `None` at the start.
    pub seat: Option<usize>,
    /// Time used, by seat.
    pub used: Vec<TimeUsed>,
    /// The last line of standard error, by seat.
    pub last_errors: Vec<Option<String>>,
}

/// Whoever watches a game.
pub trait Watcher {
    /// Whether it wants to be shown the game at all.
    fn is_present(&self) -> bool {
        true
    }

    /// Called at the start and after every action.
    fn see(&mut self, moment: &Moment<'_>);
}

/// Nobody watches.
impl Watcher for () {
    fn is_present(&self) -> bool {
        false
    }

    fn see(&mut self, _: &Moment<'_>) {}
}

/// Plays one game to its end. A bot that misbehaves loses it by a verdict; nothing that a bot does is an error.
///
/// # Errors
/// If a program cannot be started, or the game is stopped from outside.
pub fn play(
    judging: &mut dyn Judging,
    players: &[Player],
    occasion: Occasion<'_>,
    conduct: &Conduct<'_>,
    watcher: &mut dyn Watcher,
) -> Result<GameRecord, PlayError> {
    if players.len() != judging.seats() {
        return Err(PlayError::WrongNumberOfPlayers {
            seats: judging.seats(),
            players: players.len(),
        });
    }
    let start = judging.position();
    let reports = conduct.keep_messages || watcher.is_present();
    let bots = start_all(players, occasion, reports, conduct.sandbox)?;
    let mut table = Table::new(bots, judging.time_limits(), *conduct, watcher);
    let course = game::run(judging, &mut table).ok_or(PlayError::Stopped)?;
    let took = table.now();
    let charge = course.charge.as_ref();
    let culprit = charge.map(|charge| charge.seat);
    let is_spoilt = table.is_spoilt(charge);
    let mut record = game::record(course, judging, players, occasion, start);
    record.took = took;
    record.contended = is_spoilt;
    for left in table.end_all(culprit, LEAVING) {
        record.seats[left.number].complete(left);
    }
    if let Some(verdict) = &mut record.verdict {
        verdict.asked = table.seats[verdict.seat].asked.take();
        verdict.last_errors = record.seats[verdict.seat].last_errors.clone();
    }
    record.messages = std::mem::take(&mut table.messages);
    Ok(record)
}

/// Starts all programs; with `reports` they are asked to tell about their searches on standard error.
fn start_all(
    players: &[Player],
    occasion: Occasion<'_>,
    reports: bool,
    is_sandboxed: bool,
) -> Result<Vec<BotProcess>, PlayError> {
    let start = |(seat, player): (usize, &Player)| {
        let variable = |name: &str, value: String| (name.to_owned(), value);
        let mut environment = vec![
            variable("ARENA_GAME", occasion.game.to_owned()),
            variable("ARENA_SEAT", seat.to_string()),
            variable("ARENA_SEED", player.seed.to_string()),
        ];
        if reports {
            environment.push(variable(bots::stdio::REPORT_VARIABLE, "1".to_owned()));
        }
        let executable = player.command.first().and_then(|program| process::own_image(program));
        let launch = Launch { command: &player.command, executable, environment, is_sandboxed };
        BotProcess::start(&launch)
            .map_err(|source| PlayError::CannotStart { command: player.command.clone(), source })
    };
    players.iter().enumerate().map(start).collect()
}

impl SeatRecord {
    fn new((player, points): (&Player, f64)) -> SeatRecord {
        SeatRecord {
            name: player.name.clone(),
            command: player.command.clone(),
            seed: player.seed,
            points,
            used: TimeUsed::default(),
            exit: None,
            warnings: Vec::new(),
            last_errors: Vec::new(),
        }
    }

    fn complete(&mut self, seat: table::Left) {
        self.used = seat.used;
        self.exit = seat.exit;
        self.warnings = seat.warnings;
        self.last_errors = seat.last_errors;
    }
}
