//! Text form of a position: six rows of seven of `.`, `X`, `O` from the top, joined by `/`. X moves
//! first; the side to move follows from the number of discs.

use core::fmt;
use core::str::FromStr;

use super::rules::{COLUMNS, Position, ROWS};
use crate::notation::{NotationError, Reader};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let cell = 7 * column + row;
                f.write_str(match (self.first() >> cell & 1, self.all() >> cell & 1) {
                    (1, _) => "X",
                    (_, 1) => "O",
                    _ => ".",
                })?;
            }
            if row > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        let mut discs = [0u64; 3];
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let here = reader.clone();
                let disc = reader.one_of(".XO")?;
                let above = 1 << (7 * column + row + 1);
                if disc == 0 && (discs[1] | discs[2]) & above != 0 {
                    return Err(here.error("a disc under a disc"));
                }
                discs[disc] |= 1 << (7 * column + row);
            }
            if row > 0 {
                reader.literal("/")?;
            }
        }
        reader.end()?;
        let [_, first, second] = discs;
        Position::new(first, second)
            .ok_or_else(|| reader.error("the same number of X as of O, or one more"))
    }
}
