//! The rules as the search sees them.

use games::Outcome;
use mcts_core::{Game, Player, Simultaneous, Turn, Utilities};
use std::cmp::Ordering;

use crate::rules::{Action, Ending, Position};

/// The game; its board is drawn from the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    pub seed: u64,
}

impl Game for Rules {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        Position::start(self.seed)
    }

    fn turn(&self, position: &Position) -> Turn {
        match position.ending() {
            Some(Ending::FirstWins) => Turn::Over(Utilities::win(Player::FIRST)),
            Some(Ending::SecondWins) => Turn::Over(Utilities::win(Player::SECOND)),
            Some(Ending::Draw) => Turn::Over(Utilities::ZERO),
            None if position.chosen.is_none() => Turn::Player(Player::FIRST),
            None => Turn::Player(Player::SECOND),
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        position.actions().for_each(visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        position.apply(action);
    }
}

impl Simultaneous for Rules {
    /// The rules let one player choose after the other; the second must not know what the first one chose.
    fn is_same_moment(&self, position: &Position) -> bool {
        position.chosen.is_some()
    }
}

/// What the players get in a match; `None` if the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<Outcome> {
    let [one, other] = position.points;
    let first = match position.ending()? {
        Ending::FirstWins => Ordering::Greater,
        Ending::SecondWins => Ordering::Less,
        Ending::Draw => Ordering::Equal,
    };
    Some(Outcome::of_two(first, format!("{one} to {other}")))
}
