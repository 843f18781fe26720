//! The bot's side of the wire protocol; see `judge.rs` for the lines.

use std::time::Duration;

use games::{Client, Received, TimeTold, own_position};
use mcts_core::Player;

use crate::game::Rules;
use crate::rules::{Action, Position};

/// Follows a game round by round.
#[derive(Debug, Clone, Default)]
pub struct PlayerClient {
    rules: Rules,
    /// The position at the start of the round.
    position: Position,
    player: Option<Player>,
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
            "READY" => {
                self.player = match rest {
                    "1" => Some(Player::FIRST),
                    "2" => Some(Player::SECOND),
                    _ => None,
                };
                Ok(Received::Reply("OK".to_string()))
            }
            "TURN" if self.position.ending().is_none() => {
                let mut times = rest.split(' ').map(|word| word.parse().ok());
                let mut told = || times.next().flatten().map(Duration::from_millis);
                Ok(Received::Act(TimeTold { own: told(), opponent: told() }))
            }
            "ROUND" => {
                let (first, second) = rest.split_once(' ').ok_or("ROUND without two choices")?;
                let read = |text: &str| -> Result<Action, String> {
                    text.parse().map_err(|error| format!("{line}: {error}"))
                };
                let choices = [read(first)?, read(second)?];
                if !choices.iter().all(|choice| self.position.is_legal(*choice)) {
                    return Err(format!("{line}: not legal in {}", self.position));
                }
                choices.into_iter().for_each(|choice| self.position.apply(choice));
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

    fn player(&self) -> Option<Player> {
        self.player
    }

    fn decision_position(&self) -> Position {
        own_position(self)
    }

    fn name(&self, action: &Action) -> Option<String> {
        Some(action.to_string())
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let position: Position = text.parse().map_err(|error| format!("{text}: {error}"))?;
        self.position = Position { chosen: None, ..position };
        Ok(())
    }

    /// The choice is applied together with the opponent's, when the round is shown.
    fn act(&mut self, action: Action) -> String {
        format!("MOVE {action}")
    }
}
