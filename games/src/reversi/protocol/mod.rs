//! The wire protocol: `READY` and `TURN number board` from the judge, `OK`, `MOVE row column` and `PASS` back.

mod client;
mod judge;

pub use client::ReversiClient;
pub use judge::ReversiJudge;

use alloc::format;
use alloc::string::String;

use super::notation::Board;
use super::rules::{Action, Position, Side};
use crate::judging::Fault;
use crate::wire::numbers_after;

/// The line that asks for an action; `number` counts the actions of both sides from 1 and is odd for Black.
#[must_use]
pub fn turn_line(number: u32, position: &Position) -> String {
    format!("TURN {number} {}", Board(position))
}

/// The side to move in the turn of this number.
fn side_of_turn(number: u32) -> Side {
    if number % 2 == 1 { Side::Black } else { Side::White }
}

/// Reads an answer, strictly.
///
/// # Errors
/// Malformed unless it is `MOVE`, row and column, or `PASS`; illegal if the cell is outside the
/// board.
pub fn read_answer(line: &str) -> Result<Action, Fault> {
    if line == "PASS" {
        return Ok(Action::PASS);
    }
    let [row, column] =
        numbers_after("MOVE", line).map_err(|e| e.of("\"MOVE row column\" or \"PASS\""))?;
    if (1..=8).contains(&row) && (1..=8).contains(&column) {
        Ok(Action::on((8 * (row - 1) + column - 1) as u32))
    } else {
        Err(Fault::Illegal(format!("({row}, {column}) is outside the board")))
    }
}
