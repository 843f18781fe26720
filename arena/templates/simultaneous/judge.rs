//! The judge's side of the wire protocol: asks one player after the other, and then sends both
//! choices.
//!
//! TODO: if your contest has its own protocol, write its lines here and in `client.rs`; this one
//! works unchanged.
//!
//! | the judge writes | the player answers | meaning |
//! |---|---|---|
//! | `BOARD position` | - | where the game begins |
//! | `READY player` | `OK` | preparation; the player's number, 1 or 2 |
//! | `TURN own opponent` | `MOVE action` | milliseconds left |
//! | `ROUND first second` | - | what both have chosen, to both |
//! | `FINISH` | - | the game is over |

use std::time::Duration;

use games::notation::Reader;
use games::{Clocks, Fault, Judging, Status, TimeLimits};
use mcts_core::{Game, Turn};

use crate::game::{Rules, outcome};
use crate::rules::{Action, Position};

/// Judges one game; the seat of a player is the player's index.
#[derive(Debug, Clone)]
pub struct Judge {
    first: Position,
    position: Position,
    /// The last action, and both choices of the round if it completed one.
    last: Option<(Action, Option<[Action; 2]>)>,
}

impl Judge {
    /// A game from `position`, the beginning of a round.
    pub fn new(position: Position) -> Judge {
        let position = Position { chosen: None, ..position };
        Judge { first: position, position, last: None }
    }

    fn to_move(&self) -> Option<usize> {
        match Rules::default().turn(&self.position) {
            Turn::Player(player) => Some(player.index()),
            _ => None,
        }
    }
}

impl Judging for Judge {
    fn seats(&self) -> usize {
        Rules::PLAYERS
    }

    fn time_limits(&self) -> TimeLimits {
        // TODO: the times of your contest; these are for the whole game
        let whole_game = Duration::from_secs(5);
        TimeLimits { wall: whole_game, cpu: Some(whole_game) }
    }

    fn opening(&self, seat: usize) -> Vec<String> {
        vec![format!("BOARD {}", self.first), format!("READY {}", seat + 1)]
    }

    fn status(&self) -> Status {
        match outcome(&self.position) {
            Some(outcome) => Status::Over(outcome),
            None => Status::ToMove(self.to_move().unwrap_or(0)),
        }
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let own = self.to_move().unwrap_or(0);
        let left = |seat: usize| clocks.wall_left[seat].as_millis();
        vec![format!("TURN {} {}", left(own), left(1 - own))]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        Reader::new(line).literal("MOVE ")?;
        let action: Action = line["MOVE ".len()..].parse()?;
        if !self.position.is_legal(action) {
            return Err(Fault::Illegal(format!("{action} is not legal now")));
        }
        let round = self.position.chosen.map(|first| [first, action]);
        self.position.apply(action);
        self.last = Some((action, round));
        Ok(())
    }

    fn notice(&self, _seat: usize, _used: Duration) -> Vec<String> {
        let round = self.last.and_then(|(_, round)| round);
        round.map(|[first, second]| format!("ROUND {first} {second}")).into_iter().collect()
    }

    fn farewell(&self) -> Option<String> {
        Some("FINISH".to_string())
    }

    fn position(&self) -> String {
        self.position.to_string()
    }

    fn picture(&self) -> String {
        // TODO: several lines, drawn for people
        format!("{}\n", self.position)
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|(action, _)| format!("MOVE {action}"))
    }

    fn legal_answers(&self) -> Vec<String> {
        self.position.actions().map(|action| format!("MOVE {action}")).collect()
    }

    fn view(&self, _seat: usize) -> String {
        // TODO: without the choices made in this round
        format!("{}\n", Position { chosen: None, ..self.position })
    }
}
