//! The rules as the search sees them.

use games::Outcome;
use mcts_core::{Game, Player, Turn, Utilities};

use crate::rules::{Action, Position};

/// The game; its board is drawn from the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    pub seed: u64,
}

impl Game for Rules {
    type State = Position;
    type Action = Action;
    const PLAYERS: usize = 1;
    const UTILITY_BOUNDS: (f32, f32) = (0.0, 1.0);

    fn start(&self) -> Position {
        Position::start(self.seed)
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.ending() {
            Some(points) => {
                let share = f32::from(points) / f32::from(Position::MOST_POINTS);
                Turn::Over(Utilities::single(share))
            }
            None => Turn::Player(Player::FIRST),
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        position.actions().for_each(visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
    }
}

/// What the player gets; `None` if the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<Outcome> {
    let points = position.ending()?;
    Some(Outcome { points: vec![f64::from(points)], description: format!("{points} points") })
}
