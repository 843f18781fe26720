//! Runs one game between processes: requests, answers and verdicts.
//!
//! Depends on [`Judging`] and no single game.

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

/// Time limit for a bot to exit once the game is over and its input closed.
const LEAVING: Duration = Duration::from_millis(100);

/// Number of lines of standard error in a record.
const KEPT_ERRORS: usize = 20;

/// The program of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Its name in records and tables.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its seed, in the environment variable `ARENA_SEED`.
    pub seed: u64,
}

/// Strictness and limits of a game, in addition to its rules.
#[derive(Debug, Clone, Copy)]
pub struct Conduct<'a> {
    /// Whether blanks or a carriage return at the end of an answer lose the game.
    pub strict: bool,
    /// Memory limit of a bot and its descendants.
    pub memory_limit_bytes: Option<u64>,
    /// Whether each bot runs in a sandbox.
    pub sandbox: bool,
    /// Whether the record has every line.
    pub keep_messages: bool,
    /// Time limit of the game; by default derived from its clocks.
    pub longest_game: Option<Duration>,
    /// The cores of the bots; all cores by default.
    pub cores: Option<CoreUse>,
    /// Set to stop the game.
    pub stop: &'a AtomicBool,
}

/// Identifies the game in the record.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// The game's seed.
    pub seed: u64,
}

/// Why a game has no record.
#[derive(Debug)]
pub enum PlayError {
    /// A program could not be started.
    CannotStart {
        /// The program and its arguments.
        command: Vec<String>,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The number of players differs from the number of seats.
    WrongNumberOfPlayers {
        /// Seats of the game.
        seats: usize,
        /// Players given.
        players: usize,
    },
    /// A program was changed since the start of the match.
    Changed(Changed),
    /// The game was stopped from outside.
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

/// The state of a game, for a watcher.
#[derive(Debug)]
pub struct Moment<'a> {
    /// The judge with the current position.
    pub judging: &'a dyn Judging,
    /// The seat that acted last; `None` at the start.
    pub seat: Option<usize>,
    /// Time used, by seat.
    pub used: Vec<TimeUsed>,
    /// The last line of standard error, by seat.
    pub last_errors: Vec<Option<String>>,
}

/// Observes a game.
pub trait Watcher {
    /// Whether it needs to be called at all.
    fn is_present(&self) -> bool {
        true
    }

    /// Called at the start and after every action.
    fn see(&mut self, moment: &Moment<'_>);
}

/// No observer.
impl Watcher for () {
    fn is_present(&self) -> bool {
        false
    }

    fn see(&mut self, _: &Moment<'_>) {}
}

/// Plays one game to its end. A bot that misbehaves loses by a verdict; the behaviour of a bot is
/// never an error.
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

/// Starts all programs; with `reports` they write search reports to standard error.
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
