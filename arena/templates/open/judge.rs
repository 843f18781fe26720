//! The judge's side of the wire protocol.
//!
//! TODO: if your contest has its own protocol, write its lines here and in `client.rs`; this one
//! works unchanged.
//!
//! | the judge writes | the player answers | meaning |
//! |---|---|---|
//! | `BOARD position` | - | where the game begins |
//! | `READY` | `OK` | preparation |
//! | `TURN own [opponent]` | `MOVE action` | milliseconds left |
//! | `OPP action time` | - | the opponent's action and the milliseconds it took |
//! | `FINISH` | - | the game is over |

use std::time::Duration;

use games::notation::Reader;
use games::{Clocks, Fault, Judging, Status, TimeLimits};
use mcts_core::{Game, Player, Turn};

use crate::game::{Rules, outcome};
use crate::rules::{Action, Position};

/// Judges one game; the seat of a player is the player's index.
#[derive(Debug, Clone)]
pub struct Judge {
    first: Position,
    position: Position,
    last: Option<(usize, Action)>,
}

impl Judge {
    /// A game from `position`.
    pub fn new(position: Position) -> Judge {
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

    fn opening(&self, _seat: usize) -> Vec<String> {
        vec![format!("BOARD {}", self.first), "READY".to_string()]
    }

    fn status(&self) -> Status {
        match (outcome(&self.position), self.to_move()) {
            (Some(outcome), _) => Status::Over(outcome),
            (None, seat) => Status::ToMove(seat.unwrap_or(Player::FIRST.index())),
        }
    }

    fn request(&self, clocks: &Clocks) -> Vec<String> {
        let own = self.to_move().unwrap_or(0);
        let others = (0..clocks.wall_left.len()).filter(|seat| *seat != own);
        let line = std::iter::once(own).chain(others).fold("TURN".to_string(), |line, seat| {
            format!("{line} {}", clocks.wall_left[seat].as_millis())
        });
        vec![line]
    }

    fn answer(&mut self, line: &str) -> Result<(), Fault> {
        Reader::new(line).literal("MOVE ")?;
        let action: Action = line["MOVE ".len()..].parse()?;
        let Some(seat) = self.to_move().filter(|_| self.position.is_legal(action)) else {
            return Err(Fault::Illegal(format!("{action} is not legal in {}", self.position)));
        };
        self.position.apply(action);
        self.last = Some((seat, action));
        Ok(())
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        let told = self.last.filter(|(mover, _)| *mover != seat);
        let line = |(_, action)| format!("OPP {action} {}", used.as_millis());
        told.map(line).into_iter().collect()
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
        self.last.map(|(_, action)| format!("MOVE {action}"))
    }

    fn legal_answers(&self) -> Vec<String> {
        self.position.actions().map(|action| format!("MOVE {action}")).collect()
    }
}
