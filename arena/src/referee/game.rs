//! The course of one game, for any kind of players.

use std::time::Duration;

use games::{Clocks, Fault, Judging, Outcome, Status};

use crate::process::shown;
use crate::record::{GameRecord, SeatRecord};
use crate::verdict::{Offence, Verdict};

use super::{Occasion, Player};

/// Number of bytes of a faulty answer that a verdict shows.
const SHOWN_BYTES: usize = 200;

/// A fault and the seat that committed it.
#[derive(Debug)]
pub(super) struct Charge {
    pub seat: usize,
    pub offence: Offence,
    pub explanation: Option<String>,
    pub bytes: Option<Vec<u8>>,
}

impl Charge {
    fn faulty(seat: usize, fault: Fault, line: &str) -> Charge {
        let (offence, why) = match fault {
            Fault::Malformed(why) => (Offence::MalformedAnswer, why),
            Fault::Illegal(why) => (Offence::IllegalAction, why),
        };
        Charge { seat, offence, explanation: Some(why), bytes: Some(line.as_bytes().to_vec()) }
    }

    pub(super) fn malformed(seat: usize, why: &str, bytes: Vec<u8>) -> Charge {
        let explanation = Some(why.to_owned());
        Charge { seat, offence: Offence::MalformedAnswer, explanation, bytes: Some(bytes) }
    }
}

/// Why a game stops before its rules end it.
#[derive(Debug)]
pub(super) enum Stop {
    Charge(Charge),
    Stopped,
}

impl From<Charge> for Stop {
    fn from(charge: Charge) -> Stop {
        Stop::Charge(charge)
    }
}

/// The players of a game: programs behind pipes, or bots in this process.
pub(super) trait Players {
    /// Sends `seat` the lines and waits for its answer, on its clock.
    fn ask(&mut self, seat: usize, lines: &[String]) -> Result<String, Stop>;
    /// Sends `seat` a line that needs no answer.
    fn tell(&mut self, seat: usize, line: &str);
    /// Returns a fault if `seat` wrote more than it was asked for; only records a warning if the
    /// game is over.
    fn check_unasked(&mut self, seat: usize, is_over: bool) -> Result<(), Stop>;
    /// Wall time left, by seat.
    fn wall_left(&self) -> Vec<Duration>;
    /// Wall time of the last answer of `seat`, as sent to the others.
    fn last_took(&self, seat: usize) -> Duration;
    /// Called at the start (without a seat) and after every action.
    fn acted(&mut self, judging: &dyn Judging, seat: Option<usize>);
}

/// The course of a game.
#[derive(Debug)]
pub(super) struct Course {
    pub outcome: Outcome,
    pub charge: Option<Charge>,
    pub actions: Vec<String>,
}

/// Plays a game to its end; `None` if it was stopped from outside.
pub(super) fn run(judging: &mut dyn Judging, players: &mut impl Players) -> Option<Course> {
    let seats = judging.seats();
    let mut actions = Vec::new();
    let (outcome, charge) = match play_out(judging, players, &mut actions) {
        Ok(outcome) => (outcome, None),
        Err(Stop::Charge(charge)) => (lost_by(&charge, seats), Some(charge)),
        Err(Stop::Stopped) => return None,
    };
    if let Some(line) = judging.farewell() {
        (0..seats).for_each(|seat| players.tell(seat, &line));
    }
    Some(Course { outcome, charge, actions })
}

/// The seat at fault gets no point and the others share the point.
fn lost_by(charge: &Charge, seats: usize) -> Outcome {
    let share = 1.0 / (seats.max(2) - 1) as f64;
    let points = (0..seats).map(|seat| if seat == charge.seat { 0.0 } else { share }).collect();
    Outcome { points, description: charge.offence.to_string() }
}

fn play_out(
    judging: &mut dyn Judging,
    players: &mut impl Players,
    actions: &mut Vec<String>,
) -> Result<Outcome, Stop> {
    for seat in 0..judging.seats() {
        let line = players.ask(seat, &judging.opening(seat))?;
        if line != "OK" {
            let fault = Fault::Malformed("expected OK".to_owned());
            return Err(Charge::faulty(seat, fault, &line).into());
        }
        players.check_unasked(seat, false)?;
    }
    players.acted(judging, None);
    loop {
        let seat = match judging.status() {
            Status::Over(outcome) => return Ok(outcome),
            Status::ToMove(seat) => seat,
        };
        let clocks = Clocks { wall_left: players.wall_left() };
        let line = players.ask(seat, &judging.request(&clocks))?;
        judging.answer(&line).map_err(|fault| Charge::faulty(seat, fault, &line))?;
        actions.extend(judging.last_action());
        players.check_unasked(seat, matches!(judging.status(), Status::Over(_)))?;
        for informed in 0..judging.seats() {
            for line in judging.notice(informed, players.last_took(seat)) {
                players.tell(informed, &line);
            }
        }
        players.acted(judging, Some(seat));
    }
}

/// The record of a game, before the usage of its seats is added.
pub(super) fn record(
    course: Course,
    judging: &dyn Judging,
    players: &[Player],
    occasion: Occasion<'_>,
    start: String,
) -> GameRecord {
    let end = judging.position();
    let verdict = course.charge.map(|charge| Verdict {
        seat: charge.seat,
        offence: charge.offence,
        explanation: charge.explanation,
        bytes: charge.bytes.map(|bytes| shown(&bytes, SHOWN_BYTES)),
        asked: None,
        position: end.clone(),
        last_errors: Vec::new(),
    });
    GameRecord {
        arena: env!("CARGO_PKG_VERSION").to_owned(),
        game: occasion.game.to_owned(),
        seed: occasion.seed,
        options: Vec::new(),
        description: course.outcome.description,
        verdict,
        contended: false,
        seats: players.iter().zip(course.outcome.points).map(SeatRecord::new).collect(),
        start,
        actions: course.actions,
        end,
        took: Duration::ZERO,
        messages: Vec::new(),
    }
}
