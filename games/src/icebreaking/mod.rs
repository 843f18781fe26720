//! Icebreaking for the search.

mod cells;
#[cfg(feature = "conformance")]
pub mod conformance;
mod drawing;
mod entry;
mod notation;
pub mod protocol;
mod rules;

pub use entry::ENTRY;
pub use notation::Diagram;
pub use rules::{Board, CELLS, Cell, Content, HOLES, Illegal, Position, Side};

use mcts_core::{Game, Margin, Player, Turn, Utilities, rng};

/// Icebreaking on one board as a [`Game`]: A is the first player, cells are the actions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Icebreaking {
    /// Holes and scores.
    pub board: Board,
    /// Utility of the margin in points at the end.
    pub margin: Margin,
}

impl Icebreaking {
    /// On this board, with utility for the win only.
    #[must_use]
    pub fn new(board: Board) -> Self {
        Icebreaking { board, margin: Margin::default() }
    }

    /// On the board of a seed.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Icebreaking::new(Board::random(&mut rng::stream(seed, BOARD)))
    }
}

/// The random stream that boards are sampled from.
const BOARD: u64 = 0;

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::A => Player::FIRST,
            Side::B => Player::SECOND,
        }
    }
}

impl Game for Icebreaking {
    type State = Position;
    type Action = Cell;

    fn start(&self) -> Position {
        self.board.start()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.is_over() {
            Turn::Over(Utilities::zero_sum(self.margin.utility(position.margin())))
        } else {
            Turn::Player(position.side().into())
        }
    }

    #[inline]
    fn actions(&self, position: &Position, visit: impl FnMut(Cell)) {
        position.cells().for_each(visit);
    }

    #[inline]
    fn apply(&self, position: &mut Position, cell: Cell) {
        position.apply(&self.board, cell);
    }

    #[inline]
    fn action_index(&self, cell: Cell) -> Option<usize> {
        Some(usize::from(cell.index()))
    }

    fn action_indices(&self) -> usize {
        CELLS
    }

    #[inline]
    fn count_actions(&self, position: &Position) -> usize {
        position.ice_left() as usize
    }

    #[inline]
    fn nth_action(&self, position: &Position, n: usize) -> Cell {
        position.nth_cell(n as u32)
    }

    fn hash(&self, position: &Position) -> Option<u64> {
        let ice = position.ice();
        let sides = rng::mix(position.side() as u64 ^ (position.margin() as u64) << 1);
        Some(rng::mix(ice as u64 ^ rng::mix((ice >> 64) as u64 ^ sides)))
    }
}
