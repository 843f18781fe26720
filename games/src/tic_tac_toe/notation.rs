//! Text form of a position: nine characters of `.`, `X`, `O`, row by row, rows joined by `/`. The
//! side to move follows from the number of marks.

use core::fmt;
use core::str::FromStr;

use super::rules::Position;
use crate::notation::{NotationError, Reader};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..9 {
            if cell == 3 || cell == 6 {
                f.write_str("/")?;
            }
            f.write_str(match (self.x >> cell & 1, self.o >> cell & 1) {
                (0, 0) => ".",
                (1, _) => "X",
                _ => "O",
            })?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::new(text);
        let mut marks = [0u16; 3];
        for cell in 0..9 {
            if cell == 3 || cell == 6 {
                reader.literal("/")?;
            }
            marks[reader.one_of(".XO")?] |= 1 << cell;
        }
        reader.end()?;
        let [_, x, o] = marks;
        let more = x.count_ones() as i32 - o.count_ones() as i32;
        if more != 0 && more != 1 {
            return Err(reader.error("the same number of X as of O, or one more"));
        }
        Ok(Position { x, o })
    }
}
