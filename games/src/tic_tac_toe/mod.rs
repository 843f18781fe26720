//! Tic-tac-toe, the smallest example of a [`Game`].

mod drawing;
mod entry;
mod notation;
mod rules;

pub use entry::ENTRY;
pub use rules::Position;

use mcts_core::{Game, Player, Turn, Utilities};

/// Tic-tac-toe: the first player is X, an action is the number of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TicTacToe;

impl Game for TicTacToe {
    type State = Position;
    type Action = u8;

    fn start(&self) -> Position {
        Position::default()
    }

    fn turn(&self, position: &Position) -> Turn {
        if Position::has_line(position.x) {
            Turn::Over(Utilities::win(Player::FIRST))
        } else if Position::has_line(position.o) {
            Turn::Over(Utilities::win(Player::SECOND))
        } else if position.free().next().is_none() {
            Turn::Over(Utilities::ZERO)
        } else {
            Turn::Player(if position.is_x_to_move() { Player::FIRST } else { Player::SECOND })
        }
    }

    fn actions(&self, position: &Position, visit: impl FnMut(u8)) {
        position.free().for_each(visit);
    }

    fn apply(&self, position: &mut Position, cell: u8) {
        position.apply(cell);
    }

    fn action_index(&self, cell: u8) -> Option<usize> {
        Some(cell.into())
    }

    fn action_indices(&self) -> usize {
        9
    }
}
