//! The judge's side of the wire protocol: stores the true state, and sends each player what she
//! sees.
//!
//! TODO: the lines of your contest, here and in `client.rs`; what players are dealt and see depends
//! on the game.
//!
//! | the judge writes | the player answers | meaning |
//! |---|---|---|
//! | `CARD player card` | - | her number, 1 or 2, and her card |
//! | `READY` | `OK` | preparation |
//! | `TURN own opponent` | `MOVE action` | milliseconds left |
//! | `OPP action time` | - | the opponent's action and the milliseconds it took |
//! | `FINISH` | - | the game is over |

use std::time::Duration;

use games::notation::Reader;
use games::{Clocks, Fault, Judging, Status, TimeLimits};
use mcts_core::{Game, Turn, rng};

use crate::game::{Rules, outcome};
use crate::rules::{Action, Position};

/// Judges one game; the seat of a player is the player's index.
#[derive(Debug, Clone)]
pub struct Judge {
    position: Position,
    chance: mcts_core::SearchRng,
    last: Option<(usize, Action)>,
}

impl Judge {
    /// A game from `position`; chance is sampled from `seed`.
    pub fn new(position: Position, seed: u64) -> Judge {
        let mut judge = Judge { position, chance: rng::stream(seed, 0), last: None };
        judge.play_chance();
        judge
    }

    fn play_chance(&mut self) {
        while Rules.turn(&self.position) == Turn::Chance {
            let outcome = Rules.random_outcome(&self.position, &mut self.chance);
            self.position.apply(outcome);
        }
    }

    fn to_move(&self) -> Option<usize> {
        match Rules.turn(&self.position) {
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
        // TODO: what each player is dealt
        vec![format!("CARD {} {}", seat + 1, self.position.cards[seat]), "READY".to_string()]
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
        let Some(seat) = self.to_move().filter(|_| self.position.is_legal(action)) else {
            return Err(Fault::Illegal(format!("{action} is not legal now")));
        };
        self.position.apply(action);
        self.play_chance();
        self.last = Some((seat, action));
        Ok(())
    }

    fn notice(&self, seat: usize, used: Duration) -> Vec<String> {
        // TODO: only what this player sees of it, and of the chance events after it; also called
        // for the player who moved
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
}
