//! Text forms: `board side` for a position (64 characters of `.`, `B`, `W` row by row, a space, `B` or `W`), and
//! `MOVE row column` (counted from 1) or `PASS` for an action.

use core::fmt;
use core::str::FromStr;

use super::rules::{Action, CELLS, Position, Side};
use crate::notation::{NotationError, Reader};

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "B",
            Side::White => "W",
        })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell() {
            Some(cell) => write!(f, "MOVE {} {}", cell / 8 + 1, cell % 8 + 1),
            None => f.write_str("PASS"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        if text.starts_with('P') {
            reader.literal("PASS")?;
            reader.end()?;
            return Ok(Action::PASS);
        }
        reader.literal("MOVE ")?;
        let row = reader.one_of("12345678")?;
        reader.literal(" ")?;
        let column = reader.one_of("12345678")?;
        reader.end()?;
        Ok(Action::on((8 * row + column) as u32))
    }
}

/// The board of a position as 64 characters.
pub(super) struct Board<'a>(pub(super) &'a Position);

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = (self.0.discs(Side::Black), self.0.discs(Side::White));
        for cell in 0..CELLS {
            f.write_str(match (black >> cell & 1, white >> cell & 1) {
                (0, 0) => ".",
                (1, _) => "B",
                _ => "W",
            })?;
        }
        Ok(())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Board(self), self.side())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        let mut discs = [0u64; 3];
        for cell in 0..CELLS {
            discs[reader.one_of(".BW")?] |= 1 << cell;
        }
        reader.literal(" ")?;
        let side = [Side::Black, Side::White][reader.one_of("BW")?];
        reader.end()?;
        Ok(Position::new(discs[1], discs[2], side))
    }
}
