//! Text forms, both directions, on one line and without blanks.
//!
//! TODO: these are the placeholder's: `4/0/5/3`, points of both, rounds left and the first player's
//! choice (`-` before it); an action is its number.

use std::fmt;
use std::str::FromStr;

use games::notation::{NotationError, Reader};

use crate::rules::{Action, Position, ROUNDS};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.points;
        write!(f, "{one}/{other}/{}/", self.rounds_left)?;
        match self.chosen {
            Some(action) => action.fmt(f),
            None => f.write_str("-"),
        }
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let mut number = |most: u8, what: &str| {
            let number = reader.number()?;
            let number = u8::try_from(number).ok().filter(|number| *number <= most);
            let number = number.ok_or_else(|| reader.error(what))?;
            reader.literal("/")?;
            Ok::<u8, NotationError>(number)
        };
        let points = [number(45, "at most 45 points")?, number(45, "at most 45 points")?];
        let rounds_left = number(ROUNDS, "at most 5 rounds")?;
        let chosen = match reader.one_of("-12345")? {
            0 => None,
            number => Some(Action { number: number as u8 }),
        };
        reader.end()?;
        Ok(Position { points, rounds_left, chosen })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let number = reader.one_of("12345")? as u8 + 1;
        reader.end()?;
        Ok(Action { number })
    }
}
