//! Text forms, both directions, on one line and without blanks.
//!
//! TODO: these are the placeholder's: `15/1`, counters and the player to move; an action is the
//! number taken.

use std::fmt;
use std::str::FromStr;

use games::notation::{NotationError, Reader};

use crate::rules::{Action, Position};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.counters, if self.first_to_move { 1 } else { 2 })
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let number = reader.number()?;
        let counters = u8::try_from(number).map_err(|_| reader.error("at most 255 counters"))?;
        reader.literal("/")?;
        let first_to_move = reader.one_of("12")? == 0;
        reader.end()?;
        Ok(Position { counters, first_to_move })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.taken)
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let taken = reader.one_of("123")? as u8 + 1;
        reader.end()?;
        Ok(Action { taken })
    }
}
