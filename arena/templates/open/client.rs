//! The bot's side of the wire protocol; see `judge.rs` for the lines.

use std::time::Duration;

use games::{Client, Received, TimeTold};

use crate::game::Rules;
use crate::rules::{Action, Position};

/// Follows a game and applies the actions of all players itself.
#[derive(Debug, Clone, Default)]
pub struct PlayerClient {
    rules: Rules,
    position: Position,
}

impl PlayerClient {
    /// Reads a line; an error is logged and changes nothing.
    fn read(&mut self, line: &str) -> Result<Received, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => Ok(Received::Noted),
            "BOARD" => {
                self.position = rest.parse().map_err(|error| format!("{line}: {error}"))?;
                Ok(Received::Noted)
            }
            "READY" => Ok(Received::Reply("OK".to_string())),
            "TURN" if self.position.ending().is_none() => {
                let mut times = rest.split(' ').map(|word| word.parse().ok());
                let mut told = || times.next().flatten().map(Duration::from_millis);
                Ok(Received::Act(TimeTold { own: told(), opponent: told() }))
            }
            "OPP" => {
                let text = rest.rsplit_once(' ').map_or(rest, |(action, _)| action);
                let action: Action = text.parse().map_err(|error| format!("{line}: {error}"))?;
                if !self.position.is_legal(action) {
                    return Err(format!("{line}: not legal in {}", self.position));
                }
                self.position.apply(action);
                Ok(Received::Noted)
            }
            "FINISH" => Ok(Received::Finish),
            _ => Err(format!("{line}: not expected now")),
        }
    }
}

impl Client for PlayerClient {
    type Game = Rules;
    type Position = Position;
    type Action = Action;

    fn receive(&mut self, line: &str) -> Received {
        self.read(line).unwrap_or_else(Received::Skipped)
    }

    fn game(&self) -> &Rules {
        &self.rules
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn name(&self, action: &Action) -> Option<String> {
        Some(action.to_string())
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = text.parse().map_err(|error| format!("{text}: {error}"))?;
        Ok(())
    }

    fn act(&mut self, action: Action) -> String {
        self.position.apply(action);
        format!("MOVE {action}")
    }
}
