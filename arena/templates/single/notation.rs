//! Text forms, both directions, on one line and without blanks.
//!
//! TODO: these are the placeholder's: `314159265358/0/12/0`, the row, from, to and the points; an
//! action is `L` or `R`.

use std::fmt;
use std::str::FromStr;

use games::notation::{NotationError, Reader};

use crate::rules::{Action, LENGTH, Position};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.row.iter().try_for_each(|number| write!(f, "{number}"))?;
        write!(f, "/{}/{}/{}", self.from, self.to, self.points)
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let mut row = [0; LENGTH];
        for number in &mut row {
            *number = reader.one_of("0123456789")? as u8;
        }
        let mut place = |most: usize| {
            reader.literal("/")?;
            let number = usize::try_from(reader.number()?).ok().filter(|number| *number <= most);
            number.ok_or_else(|| reader.error(&format!("a number up to {most} before this")))
        };
        let (from, to) = (place(LENGTH)?, place(LENGTH)?);
        let points = place(usize::from(Position::MOST_POINTS))?;
        if from > to {
            return Err(reader.error("a row that does not end before it begins"));
        }
        reader.end()?;
        Ok(Position { row, from: from as u8, to: to as u8, points: points as u16 })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Action::Left { "L" } else { "R" })
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let side = reader.one_of("LR")?;
        reader.end()?;
        Ok([Action::Left, Action::Right][side])
    }
}
