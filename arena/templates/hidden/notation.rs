//! Text forms, both directions, on one line and without blanks.
//!
//! TODO: these are the placeholder's: `73/pb`, the cards (`0` before they are dealt) and the
//! choices; an action is `pass` or `bet`.

use std::fmt;
use std::str::FromStr;

use games::notation::{NotationError, Reader};

use crate::rules::{Action, Next, Position};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/", self.cards[0], self.cards[1])?;
        let choices = &self.bets[..usize::from(self.choices)];
        choices.iter().try_for_each(|bet| f.write_str(if *bet { "b" } else { "p" }))
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new(text);
        let mut position = Position::default();
        for card in &mut position.cards {
            *card = reader.one_of("0123456789")? as u8;
        }
        let [first, second] = position.cards;
        if first == second && first != 0 || first == 0 && second != 0 {
            return Err(reader.error("two different cards, the first one dealt first, before this"));
        }
        reader.literal("/")?;
        while reader.end().is_err() {
            let Next::Player(_) = position.next() else {
                return Err(reader.error("the end, since no choice is left"));
            };
            position.apply([Action::Pass, Action::Bet][reader.one_of("pb")?]);
        }
        Ok(position)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal(card) => write!(f, "{card}"),
            Action::Pass => f.write_str("pass"),
            Action::Bet => f.write_str("bet"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    /// Reads an action of a player.
    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut reader = Reader::new(text);
        let (action, rest) = [(Action::Pass, "ass"), (Action::Bet, "et")][reader.one_of("pb")?];
        reader.literal(rest)?;
        reader.end()?;
        Ok(action)
    }
}
