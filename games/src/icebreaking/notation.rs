//! Text forms: `cells side scoreA scoreB` for a position with its board, `MOVE row column` (counted
//! from 0) for an action.
//!
//! `cells` are 81 characters row by row: `#` hole, `a` and `b` taken, ice as one of `=` (-2), `-`
//! (-1), `0`, `1`, `2`. The scores of taken cells are not written and read as 0.

use core::fmt;
use core::str::FromStr;

use super::cells;
use super::rules::{Board, CELLS, Cell, Content, Position, Side};
use crate::notation::{NotationError, Reader};

/// A position with its board, as one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagram {
    /// Holes and scores.
    pub board: Board,
    /// The position on the board.
    pub position: Position,
}

impl Diagram {
    /// The start position: all ice is left.
    #[must_use]
    pub fn start(board: Board) -> Self {
        Diagram { board, position: board.start() }
    }

    /// The board with taken cells as holes.
    #[must_use]
    pub fn remaining_board(&self) -> Board {
        self.board.with_only(self.position.ice())
    }
}

const ICE: [&str; 5] = ["=", "-", "0", "1", "2"];

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "a",
            Side::B => "b",
        })
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            match self.position.content(&self.board, cell) {
                Content::Taken(side) => write!(f, "{side}")?,
                Content::Ice => {
                    let score = self.board.score(cell).expect("ice has a score");
                    f.write_str(ICE[(score + 2) as usize])?;
                }
                Content::Hole => f.write_str("#")?,
            }
        }
        let [a, b] = [Side::A, Side::B].map(|side| self.position.total(side));
        write!(f, " {} {a} {b}", self.position.side())
    }
}

impl FromStr for Diagram {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        let mut scores = [Some(0); CELLS];
        let mut taken = [0; 2];
        for cell in Cell::all() {
            match reader.one_of("#ab=-012")? {
                0 => scores[usize::from(cell.index())] = None,
                side @ (1 | 2) => taken[side - 1] |= cells::only(cell),
                ice => scores[usize::from(cell.index())] = Some(ice as i8 - 5),
            }
        }
        reader.literal(" ")?;
        let side = [Side::A, Side::B][reader.one_of("ab")?];
        let mut totals = [0; 2];
        for total in &mut totals {
            reader.literal(" ")?;
            let before = reader.clone();
            let number = reader.number()?;
            // Scores of -2 to 2 on 81 cells.
            if !(-162..=162).contains(&number) {
                return Err(before.error("a total of -162 to 162"));
            }
            *total = number as i16;
        }
        reader.end()?;
        let board = Board::new(&scores);
        Ok(Diagram { board, position: Position::new(&board, taken, totals, side) })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MOVE {} {}", self.row(), self.column())
    }
}

impl FromStr for Cell {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        reader.literal("MOVE ")?;
        let row = reader.one_of("012345678")?;
        reader.literal(" ")?;
        let column = reader.one_of("012345678")?;
        reader.end()?;
        Ok(Cell::new((9 * row + column) as u8))
    }
}
