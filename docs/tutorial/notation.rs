//! Text forms: a position is its rows from the top, `x` and `o` for the stones of the first and the second player,
//! and who is to move, as in `xoxox/oxoxo/xoxox/oxoxo/xoxox/oxoxo-x`; an action is two cells, as in `a6b6`.

use std::fmt;
use std::str::FromStr;

use games::notation::{NotationError, Reader};

use crate::rules::{Action, COLUMNS, Position, ROWS};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..COLUMNS * ROWS {
            if cell > 0 && cell % COLUMNS == 0 {
                f.write_str("/")?;
            }
            f.write_str(match (self.first >> cell & 1, self.second >> cell & 1) {
                (0, 0) => ".",
                (1, _) => "x",
                _ => "o",
            })?;
        }
        f.write_str(if self.first_to_move { "-x" } else { "-o" })
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let mut stones = [0; 3];
        for cell in 0..COLUMNS * ROWS {
            if cell > 0 && cell % COLUMNS == 0 {
                reader.literal("/")?;
            }
            stones[reader.one_of(".xo")?] |= 1 << cell;
        }
        reader.literal("-")?;
        let first_to_move = reader.one_of("xo")? == 0;
        reader.end()?;
        let [_, first, second] = stones;
        Ok(Position { first, second, first_to_move })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in [self.from, self.to] {
            let (row, column) = (cell / COLUMNS, cell % COLUMNS);
            write!(f, "{}{}", char::from(b'a' + column), ROWS - row)?;
        }
        Ok(())
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let mut cell = || {
            let column = reader.one_of("abcde")? as u8;
            let row = reader.one_of("654321")? as u8;
            Ok(row * COLUMNS + column)
        };
        let action = Action { from: cell()?, to: cell()? };
        reader.end()?;
        Ok(action)
    }
}
