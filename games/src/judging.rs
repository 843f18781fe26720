//! The referee's side of a game, apart from processes and clocks: what is written to whom, and what an answer
//! does. One value judges one game.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::time::Duration;

/// Time that a seat may use in the whole game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// Time during which the referee waits for this seat.
    pub wall: Duration,
    /// Processor time of the program and its children over their whole life, where it is limited.
    pub cpu: Option<Duration>,
}

/// Time left of each seat, by seat, when a request is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clocks {
    /// Wall time left of each seat.
    pub wall_left: Vec<Duration>,
}

/// Whom the referee waits for, or how the game ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// This seat, counted from 0, has to act.
    ToMove(usize),
    /// The game ended by its own rules.
    Over(Outcome),
}

/// How a game ended by its own rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Points of each seat in a match: 1, 0.5 or 0 for a win, a draw or a loss; a one-player game gives what
    /// it counts (candies).
    pub points: Vec<f64>,
    /// The ending in a few words, such as `checkmate` or `38 to 26`.
    pub description: String,
}

impl Outcome {
    /// The end of a game of two seats, by how the first one compares with the second.
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

/// Why an answer loses the game. The text says what was expected and what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The line is not an answer of this protocol.
    Malformed(String),
    /// The line is an action, but not one that is legal now.
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

/// One game under a referee.
///
/// Lines are without their line feed. The referee writes [`opening`](Judging::opening) to each seat in turn and
/// waits for `OK` after its last line; then, while [`status`](Judging::status) names a seat, it writes
/// [`request`](Judging::request), hands the answer to [`answer`](Judging::answer) and writes
/// [`notice`](Judging::notice) to every seat; at the end it writes [`farewell`](Judging::farewell).
///
/// # Errors
/// A faulty answer changes nothing: status and position stay as they were.
pub trait Judging: fmt::Debug {
    /// Number of programs at the table.
    fn seats(&self) -> usize;

    /// The whole-game budget of each seat.
    fn time_limits(&self) -> TimeLimits;

    /// What is written to `seat` before the first turn; the last line asks for `OK`.
    fn opening(&self, seat: usize) -> Vec<String>;

    /// Whom the referee waits for, or how the game ended.
    fn status(&self) -> Status;

    /// The lines that ask the seat to move for its action.
    fn request(&self, clocks: &Clocks) -> Vec<String>;

    /// Reads the answer of the seat to move and applies it; a faulty one changes nothing.
    ///
    /// The referee has already taken off the line feed, and blanks at the end where it tolerates them.
    ///
    /// # Errors
    /// [`Fault`] if the line is no answer of the protocol or no legal action.
    fn answer(&mut self, line: &str) -> Result<(), Fault>;

    /// The lines that inform `seat` of the action that was last applied, which took its player `used`. Every seat is
    /// informed, the one that acted included: of dice that were rolled after the action, of the outcome of a round. Empty
    /// if this protocol has no message for this seat.
    fn notice(&self, seat: usize, used: Duration) -> Vec<String>;

    /// What is written to every seat at the end, if anything.
    fn farewell(&self) -> Option<String>;

    /// The position in the game's one-line (maze: several lines) text form.
    fn position(&self) -> String;

    /// The position for a person to look at; several lines, no escape sequences.
    fn picture(&self) -> String;

    /// The action that was last applied, as its player wrote it.
    fn last_action(&self) -> Option<String>;

    /// Every answer that is legal now, as its player would write it; empty where the game does not list them.
    fn legal_answers(&self) -> Vec<String> {
        Vec::new()
    }

    /// The score as it stands, such as `12 to 9`, where the game has one.
    fn score(&self) -> Option<String> {
        None
    }

    /// What the player of `seat` may see, several lines: the whole [`picture`](Judging::picture) unless information is
    /// hidden.
    fn view(&self, _seat: usize) -> String {
        self.picture()
    }
}
