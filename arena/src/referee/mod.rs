//! Judges one game between processes: who is asked what, and what an answer is worth.
//!
//! Knows [`Judging`] and no single game.

mod seat;
mod table;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::{Clocks, Fault, Judging, Outcome, Status};

use crate::clock::TimeUsed;
use crate::process::{BotProcess, shown};
use crate::record::{GameRecord, SeatRecord};
use crate::verdict::{Offence, Verdict};
use table::{Charge, Stop, Table};

/// How long a bot may take to leave by itself once the game is over and its input closed.
const LEAVING: Duration = Duration::from_millis(100);

/// Bytes of a faulty answer that a verdict shows.
const SHOWN_BYTES: usize = 200;

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
    /// Whether the record holds every line.
    pub keep_messages: bool,
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
    /// Somebody asked to stop.
    Stopped,
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
    let mut game = Game {
        table: Table::new(start_all(players, occasion)?, judging.time_limits(), *conduct),
        judging,
        watcher,
        actions: Vec::new(),
    };
    let ending = match game.run() {
        Ok(outcome) => Ending { outcome, charge: None },
        Err(Stop::Charge(charge)) => Ending::by_fault(charge, players.len()),
        Err(Stop::Stopped) => return Err(PlayError::Stopped),
    };
    Ok(game.close(ending, players, occasion, start))
}

fn start_all(players: &[Player], occasion: Occasion<'_>) -> Result<Vec<BotProcess>, PlayError> {
    let start = |(seat, player): (usize, &Player)| {
        let environment = [
            ("ARENA_GAME", occasion.game.to_owned()),
            ("ARENA_SEAT", seat.to_string()),
            ("ARENA_SEED", player.seed.to_string()),
        ];
        BotProcess::start(&player.command, &environment)
            .map_err(|source| PlayError::CannotStart { command: player.command.clone(), source })
    };
    players.iter().enumerate().map(start).collect()
}

/// How the game ended, by its rules or by a fault.
struct Ending {
    outcome: Outcome,
    charge: Option<Charge>,
}

impl Ending {
    /// Whoever is at fault gets nothing and the others share the point.
    fn by_fault(charge: Charge, seats: usize) -> Ending {
        let share = 1.0 / (seats.max(2) - 1) as f64;
        let points = (0..seats).map(|seat| if seat == charge.seat { 0.0 } else { share }).collect();
        let description = charge.offence.to_string();
        Ending { outcome: Outcome { points, description }, charge: Some(charge) }
    }
}

struct Game<'a> {
    table: Table<'a>,
    judging: &'a mut dyn Judging,
    watcher: &'a mut dyn Watcher,
    actions: Vec<String>,
}

impl Game<'_> {
    fn run(&mut self) -> Result<Outcome, Stop> {
        for seat in 0..self.judging.seats() {
            let line = self.table.ask(seat, &self.judging.opening(seat))?;
            if line != "OK" {
                let fault = Fault::Malformed("expected OK".to_owned());
                return Err(Charge::faulty(seat, fault, &line).into());
            }
            self.table.check_unasked(seat)?;
        }
        self.show(None);
        loop {
            match self.judging.status() {
                Status::Over(outcome) => return Ok(outcome),
                Status::ToMove(seat) => self.turn(seat)?,
            }
        }
    }

    fn turn(&mut self, seat: usize) -> Result<(), Stop> {
        let before = self.table.seats[seat].clock.used().wall;
        let clocks =
            Clocks { wall_left: self.table.seats.iter().map(|s| s.clock.wall_left()).collect() };
        let line = self.table.ask(seat, &self.judging.request(&clocks))?;
        self.table.seats[seat].has_acted = true;
        self.judging.answer(&line).map_err(|fault| Charge::faulty(seat, fault, &line))?;
        self.actions.extend(self.judging.last_action());
        if let Status::ToMove(_) = self.judging.status() {
            self.table.check_unasked(seat)?;
        } else if !self.table.seats[seat].process.untaken().is_empty() {
            self.table.seats[seat].warn("wrote more after its last answer");
        }
        let used = self.table.seats[seat].clock.used().wall.saturating_sub(before);
        for other in (0..self.judging.seats()).filter(|other| *other != seat) {
            if let Some(line) = self.judging.notice(other, used) {
                self.table.tell(other, &line);
            }
        }
        self.show(Some(seat));
        Ok(())
    }

    fn show(&mut self, seat: Option<usize>) {
        if self.watcher.is_present() {
            let seats = &self.table.seats;
            self.watcher.see(&Moment {
                judging: self.judging,
                seat,
                used: seats.iter().map(|seat| seat.clock.used()).collect(),
                last_errors: seats.iter().map(|seat| seat.process.last_errors(1).pop()).collect(),
            });
        }
    }

    /// Ends all bots and writes the record.
    fn close(
        mut self,
        ending: Ending,
        players: &[Player],
        occasion: Occasion<'_>,
        start: String,
    ) -> GameRecord {
        let took = self.table.now();
        let contended = ending.charge.as_ref().is_some_and(|charge| {
            matches!(charge.offence, Offence::WallTimeout { .. })
                && self.table.seats[charge.seat].clock.is_explained_by_machine()
        });
        if let Some(line) = self.judging.farewell() {
            for seat in 0..players.len() {
                self.table.tell(seat, &line);
            }
        }
        let points = ending.outcome.points;
        let culprit = ending.charge.as_ref().map(|charge| charge.seat);
        let mut seats: Vec<SeatRecord> = players.iter().zip(points).map(SeatRecord::new).collect();
        for seat in self.table.end_all(culprit, LEAVING) {
            seats[seat.number].complete(seat);
        }
        let position = self.judging.position();
        let verdict = ending.charge.map(|charge| Verdict {
            seat: charge.seat,
            offence: charge.offence,
            explanation: charge.explanation,
            bytes: charge.bytes.map(|bytes| shown(&bytes, SHOWN_BYTES)),
            asked: self.table.seats[charge.seat].asked.take(),
            position: position.clone(),
            last_errors: seats[charge.seat].last_errors.clone(),
        });
        GameRecord {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            game: occasion.game.to_owned(),
            seed: occasion.seed,
            description: ending.outcome.description,
            verdict,
            contended,
            seats,
            start,
            actions: self.actions,
            end: position,
            took,
            messages: std::mem::take(&mut self.table.messages),
        }
    }
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
