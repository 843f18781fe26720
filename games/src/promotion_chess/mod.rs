//! Promotion Chess: chess on 5 x 5 that starts with only the kings; further pieces are placed as
//! citizens, which can be promoted as their levels rise.

pub mod attacks;
#[cfg(feature = "conformance")]
pub mod conformance;
mod drawing;
mod entry;
mod generation;
pub mod legality;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;

pub use attacks::Square;
pub use entry::ENTRY;
pub use legality::Illegal;
pub use position::{Kind, Position, Side};
pub use rules::{Action, DoubleStep, Ending, MAX_ACTIONS, MinimumLevels, Rules};

use mcts_core::rng::mix;
use mcts_core::{Game, Player, Turn, Utilities};

/// The game for the search; White is the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PromotionChess {
    /// The parameters that the rule page leaves open.
    pub rules: Rules,
}

impl PromotionChess {
    /// The game without the limit of plies, as used for perft.
    pub const ENDLESS: PromotionChess =
        PromotionChess { rules: Rules { maximum_plies: u16::MAX, ..Rules::ASSUMED } };
}

impl From<Side> for Player {
    #[inline]
    fn from(side: Side) -> Player {
        match side {
            Side::White => Player::FIRST,
            Side::Black => Player::SECOND,
        }
    }
}

impl Game for PromotionChess {
    type State = Position;
    type Action = Action;

    fn start(&self) -> Position {
        Position::start()
    }

    fn turn(&self, position: &Position) -> Turn {
        match self.rules.ending(position) {
            None => Turn::Player(position.to_move().into()),
            Some(Ending::Checkmate(winner)) => Turn::Over(Utilities::win(winner.into())),
            Some(Ending::Stalemate | Ending::PlyLimit) => Turn::Over(Utilities::ZERO),
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(Action)) {
        self.rules.legal_actions(position, visit);
    }

    fn apply(&self, position: &mut Position, action: Action) {
        self.rules.apply(position, action);
    }

    fn action_index(&self, action: Action) -> Option<usize> {
        Some(rules::action_index(action))
    }

    fn action_indices(&self) -> usize {
        rules::ACTION_INDICES
    }

    fn count_actions(&self, position: &Position) -> usize {
        self.rules.count_legal_actions(position)
    }

    fn nth_action(&self, position: &Position, n: usize) -> Action {
        let action = self.rules.nth_legal_action(position, n);
        action.expect("n is below the number of legal actions")
    }

    fn hash(&self, position: &Position) -> Option<u64> {
        let side_and_ply = u64::from(position.ply()) << 1 | position.to_move() as u64;
        let mut hash = mix(position.packed_levels() | side_and_ply << 40);
        for kind in Kind::ALL {
            let [white, black] = Side::BOTH.map(|side| u64::from(position.pieces(side, kind)));
            hash = mix(hash ^ (white | black << 32));
        }
        Some(hash)
    }
}
