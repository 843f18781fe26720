//! The wire protocol: nine board lines, then `READY`, `TURN`, `OPP` and `FINISH` from the judge; `OK` and
//! `MOVE row column` back.

mod client;
mod judge;

pub use client::IcebreakingClient;
pub use judge::IcebreakingJudge;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::rules::{Board, Cell};
use crate::judging::Fault;
use crate::wire::numbers_after;

/// The nine lines of the board: scores and `#` for holes.
#[must_use]
pub fn board_lines(board: &Board) -> Vec<String> {
    let token = |cell| board.score(cell).map_or("#".to_string(), |score| score.to_string());
    let tokens: Vec<String> = Cell::all().map(token).collect();
    tokens.chunks(9).map(|row| row.join(" ")).collect()
}

/// The line that asks for an action and states the time left of the player and of the opponent.
#[must_use]
pub fn turn_line(own: Duration, opponent: Duration) -> String {
    format!("TURN {} {}", own.as_millis(), opponent.as_millis())
}

/// The line that states the opponent's action and the time it took.
#[must_use]
pub fn opponent_line(cell: Cell, used: Duration) -> String {
    format!("OPP {} {} {}", cell.row(), cell.column(), used.as_millis())
}

/// Reads an answer, strictly.
///
/// # Errors
/// Malformed unless it is `MOVE`, row and column; illegal if the cell is outside the board.
pub fn read_answer(line: &str) -> Result<Cell, Fault> {
    let [row, column] = numbers_after("MOVE", line).map_err(|e| e.of("\"MOVE row column\""))?;
    Cell::at(row, column)
        .ok_or_else(|| Fault::Illegal(format!("({row}, {column}) is outside the board")))
}
