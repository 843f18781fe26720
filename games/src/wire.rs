//! Shared parts of the wire protocols: keywords, the judge's strict reading of answers, the bot's
//! tolerant reading of times.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use mcts_core::{Game, Turn};

use crate::judging::Fault;
use crate::notation::{NotationError, Reader};

/// Asks for preparation.
pub(crate) const READY: &str = "READY";

/// The answer to [`READY`].
pub(crate) const OK: &str = "OK";

/// Ends the program.
pub(crate) const FINISH: &str = "FINISH";

impl From<NotationError> for Fault {
    fn from(error: NotationError) -> Fault {
        Fault::Malformed(error.to_string())
    }
}

/// Reads `keyword` and `N` whole numbers, separated by single spaces, and nothing else.
pub(crate) fn numbers_after<const N: usize>(
    keyword: &str,
    line: &str,
) -> Result<[i32; N], NotationError> {
    let mut reader = Reader::new(line);
    reader.literal(keyword)?;
    let mut numbers = [0; N];
    for number in &mut numbers {
        reader.literal(" ")?;
        *number = reader.number()?;
    }
    reader.end()?;
    Ok(numbers)
}

/// Reads a number of milliseconds.
pub(crate) fn told_millis(word: &str) -> Option<Duration> {
    word.parse().ok().map(Duration::from_millis)
}

/// The legal answers in `state`, written by `line`; none if no player is to move.
pub(crate) fn legal_answers<G: Game>(
    game: &G,
    state: &G::State,
    line: impl Fn(G::Action) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    if matches!(game.turn(state), Turn::Player(_)) {
        game.actions(state, |action| lines.push(line(action)));
    }
    lines
}

/// The name of an action from its answer, as [`Client::name`](crate::Client::name) gives it.
pub(crate) fn without_blanks(answer: &str) -> String {
    answer.strip_prefix("MOVE ").unwrap_or(answer).replace(' ', ",")
}
