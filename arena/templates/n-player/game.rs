//! The rules as the search sees them.

use games::Outcome;
use mcts_core::{Game, Player, Turn, Utilities};

use crate::rules::{Action, Ending, PLAYERS, Position};

/// The game; its board is drawn from the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    pub seed: u64,
}

impl Game for Rules {
    type State = Position;
    type Action = Action;

    const PLAYERS: usize = PLAYERS;

    fn start(&self) -> Position {
        Position::start(self.seed)
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.ending() {
            Some(Ending::Won(winner)) => Turn::Over(utilities(winner)),
            None => Turn::Player(Player(position.to_move)),
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        position.actions().for_each(visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
    }
}

/// The winner gets 1 and everybody else -1.
fn utilities(winner: u8) -> Utilities {
    let mut utilities = [-1.0; PLAYERS];
    utilities[usize::from(winner)] = 1.0;
    Utilities::of(&utilities)
}

/// What the players get in a match, one point to share; `None` if the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<Outcome> {
    let Ending::Won(winner) = position.ending()?;
    let points = (0..PLAYERS).map(|seat| if seat == usize::from(winner) { 1.0 } else { 0.0 });
    Some(Outcome { points: points.collect(), description: format!("player {} wins", winner + 1) })
}
