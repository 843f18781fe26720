//! The bot's side of the wire protocol: from lines to a view. See `judge.rs` for the lines.

use std::time::Duration;

use games::{Client, Received, TimeTold};

use crate::game::Rules;
use crate::rules::Action;
use crate::view::{Observation, View};

/// Follows a game by the lines for its player.
#[derive(Debug, Clone, Default)]
pub struct PlayerClient {
    view: View,
}

impl PlayerClient {
    /// Reads a line; an error is logged and changes nothing.
    fn read(&mut self, line: &str) -> Result<Received, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => Ok(Received::Noted),
            "CARD" => {
                // TODO: what a player is dealt, as the judge writes it
                let (player, card) = rest.split_once(' ').ok_or("CARD without a card")?;
                let player: u8 = player.parse().map_err(|error| format!("{line}: {error}"))?;
                let card: u8 = card.parse().map_err(|error| format!("{line}: {error}"))?;
                if !(1..=2).contains(&player) || !(1..=crate::rules::CARDS).contains(&card) {
                    return Err(format!("{line}: no such player or card"));
                }
                self.view = View::first(player - 1);
                self.view.add(Observation::OwnCard(card));
                self.view.add(Observation::OtherCard);
                Ok(Received::Noted)
            }
            "READY" => Ok(Received::Reply("OK".to_string())),
            "TURN" if self.is_own_turn() => {
                let mut times = rest.split(' ').map(|word| word.parse().ok());
                let mut told = || times.next().flatten().map(Duration::from_millis);
                Ok(Received::Act(TimeTold { own: told(), opponent: told() }))
            }
            "OPP" => {
                let text = rest.rsplit_once(' ').map_or(rest, |(action, _)| action);
                let action: Action = text.parse().map_err(|error| format!("{line}: {error}"))?;
                self.check(action).ok_or_else(|| format!("{line}: not expected now"))?;
                Ok(Received::Noted)
            }
            "FINISH" => Ok(Received::Finish),
            _ => Err(format!("{line}: not expected now")),
        }
    }

    /// Whether the player herself is next, by her view.
    fn is_own_turn(&self) -> bool {
        let next = self.view.fill(|_| 0).next();
        next == crate::rules::Next::Player(self.view.player)
    }

    /// Adds a choice if it is legal now.
    fn check(&mut self, action: Action) -> Option<()> {
        self.view.fill(|_| 0).is_legal(action).then(|| self.view.add(Observation::Choice(action)))
    }
}

impl Client for PlayerClient {
    type Game = Rules;
    type Position = View;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        self.read(line).unwrap_or_else(Received::Skipped)
    }

    fn game(&self) -> &Rules {
        &Rules
    }

    fn position(&self) -> &View {
        &self.view
    }

    fn act(&mut self, action: Action) -> String {
        self.view.add(Observation::Choice(action));
        format!("MOVE {action}")
    }
}
