//! The judge's side of a game without processes and clocks: which lines are written to which seat,
//! and the effect of an answer. One value judges one game.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

use crate::svg::BoardCell;

/// Time that a seat may use in the whole game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// Wall time during which the referee waits for this seat.
    pub wall: Duration,
    /// Processor time of the program and its children over their whole lifetime, if limited.
    pub cpu: Option<Duration>,
}

/// Time left of each seat when a request is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clocks {
    /// Wall time left of each seat.
    pub wall_left: Vec<Duration>,
}

/// The seat that has to act, or how the game ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// The seat that has to act, counted from 0.
    ToMove(usize),
    /// The game ended by its own rules.
    Over(Outcome),
}

/// How a game ended by its own rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Points of each seat in a match: 1, 0.5 or 0 for a win, a draw or a loss; in a one-player
    /// game the score (candies).
    pub points: Vec<f64>,
    /// The ending in a few words, such as `checkmate` or `38 to 26`.
    pub description: String,
}

impl Outcome {
    /// The end of a game of two seats; `first` compares the first seat with the second.
    #[must_use]
    pub fn of_two(first: Ordering, description: String) -> Outcome {
        let points = match first {
            Ordering::Greater => vec![1.0, 0.0],
            Ordering::Equal => vec![0.5, 0.5],
            Ordering::Less => vec![0.0, 1.0],
        };
        Outcome { points, description }
    }
}

/// Why an answer loses the game. The text names what was read, where, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The line is not an answer of this protocol.
    Malformed(String),
    /// The line is an action that is not legal now.
    Illegal(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed(why) => write!(f, "malformed answer: {why}"),
            Fault::Illegal(why) => write!(f, "illegal action: {why}"),
        }
    }
}

impl core::error::Error for Fault {}

/// The judge of one game.
///
/// Lines are without their line feed. The referee writes [`opening`](Judging::opening) to each seat
/// in turn and waits for `OK` after its last line. While [`status`](Judging::status) names a seat,
/// the referee writes [`request`](Judging::request), passes the answer to
/// [`answer`](Judging::answer) and writes [`notice`](Judging::notice) to every seat. At the end it
/// writes [`farewell`](Judging::farewell).
///
/// # Errors
/// A faulty answer changes neither status nor position.
pub trait Judging: fmt::Debug {
    /// Number of seats.
    fn seats(&self) -> usize;

    /// The budget of each seat for the whole game.
    fn time_limits(&self) -> TimeLimits;

    /// The lines for `seat` before the first turn; the last one asks for `OK`.
    fn opening(&self, seat: usize) -> Vec<String>;

    /// The seat that has to act, or how the game ended.
    fn status(&self) -> Status;

    /// The lines that ask the seat to move for its action.
    fn request(&self, clocks: &Clocks) -> Vec<String>;

    /// Reads the answer of the seat to move and applies it; a faulty answer changes nothing.
    ///
    /// The referee has already removed the line feed, and trailing blanks where it tolerates them.
    ///
    /// # Errors
    /// [`Fault`] if the line is not an answer of the protocol or not a legal action.
    fn answer(&mut self, line: &str) -> Result<(), Fault>;

    /// The lines that inform `seat` of the last action, which took its player the time `used`.
    /// Every seat is informed, also the one that acted: about dice rolled after the action, or the
    /// result of a round. Empty if the protocol has no message for this seat.
    fn notice(&self, seat: usize, used: Duration) -> Vec<String>;

    /// The line that is written to every seat at the end, if any.
    fn farewell(&self) -> Option<String>;

    /// The position in the game's text form (one line; several lines for the maze).
    fn position(&self) -> String;

    /// The position drawn for people: several lines, no escape sequences.
    fn picture(&self) -> String;

    /// The last action, as its player wrote it.
    fn last_action(&self) -> Option<String>;

    /// All answers that are legal now, as their player would write them; empty if the game does not
    /// list them.
    fn legal_answers(&self) -> Vec<String> {
        Vec::new()
    }

    /// The current score, such as `12 to 9`, if the game has one.
    fn score(&self) -> Option<String> {
        None
    }

    /// The position as an SVG picture in which a cell is ten units wide and the board begins at the origin; `None` if the
    /// game draws none.
    fn drawing(&self) -> Option<String> {
        None
    }

    /// What the player of `seat` may see, as [`drawing`](Judging::drawing).
    fn drawing_of_view(&self, _seat: usize) -> Option<String> {
        self.drawing()
    }

    /// The cells of the drawing that an answer names, in its order: what a person clicks on to give it.
    fn cells(&self, _answer: &str) -> Vec<BoardCell> {
        Vec::new()
    }

    /// What the player of `seat` may see, in several lines: the whole [`picture`](Judging::picture)
    /// unless information is hidden.
    fn view(&self, _seat: usize) -> String {
        self.picture()
    }
}
