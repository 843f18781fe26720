//! Tic-tac-toe, Connect Four and similar games, with an exact solver.

use mcts_core::{Game, Player, Turn, Utilities, rng};
use std::collections::HashMap;

/// Players take cells in turn; the first with `length` in a row wins, and a full board is a draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InARow {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) length: u32,
    /// Whether pieces fall to the lowest free cell of their column, as in Connect Four.
    pub(crate) falls: bool,
}

/// The pieces of the player to move and of the other one, a bit for each cell; columns of
/// `height + 1` bits, the last one always free, so that no row wraps into the next column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Board {
    own: u64,
    other: u64,
}

impl InARow {
    pub(crate) const TIC_TAC_TOE: InARow = InARow { width: 3, height: 3, length: 3, falls: false };

    pub(crate) const fn connect(width: u32, height: u32, length: u32) -> InARow {
        InARow { width, height, length, falls: true }
    }

    fn has_row(&self, pieces: u64) -> bool {
        [1, self.height, self.height + 1, self.height + 2].iter().any(|step| {
            let all = |all, nth| all & (pieces >> (step * nth));
            (1..self.length).fold(pieces, all) != 0
        })
    }

    /// Value for the player to move under best play: 1, 0 or -1.
    pub(crate) fn solve(&self, board: &Board, known: &mut HashMap<Board, i8>) -> i8 {
        if let Some(value) = known.get(board) {
            return *value;
        }
        let value = match self.turn(board) {
            Turn::Over(utilities) => utilities.of_player(self.mover(board)) as i8,
            _ => {
                let mut best = -1;
                self.actions(board, |cell| {
                    if best < 1 {
                        let mut after = *board;
                        self.apply(&mut after, cell);
                        best = best.max(-self.solve(&after, known));
                    }
                });
                best
            }
        };
        known.insert(*board, value);
        value
    }

    pub(crate) fn mover(&self, board: &Board) -> Player {
        Player(((board.own | board.other).count_ones() % 2) as u8)
    }
}

impl Game for InARow {
    type State = Board;
    type Action = u8;

    fn start(&self) -> Board {
        Board::default()
    }
    fn turn(&self, board: &Board) -> Turn {
        let mover = self.mover(board);
        let taken = board.own | board.other;
        if self.has_row(board.other) {
            Turn::Over(Utilities::win(mover.opponent()))
        } else if taken.count_ones() == self.width * self.height {
            Turn::Over(Utilities::ZERO)
        } else {
            Turn::Player(mover)
        }
    }
    fn actions(&self, board: &Board, mut visit: impl FnMut(u8)) {
        let taken = board.own | board.other;
        for column in 0..self.width {
            for row in 0..self.height {
                let cell = column * (self.height + 1) + row;
                if taken >> cell & 1 == 0 {
                    visit(cell as u8);
                    if self.falls {
                        break;
                    }
                }
            }
        }
    }
    fn apply(&self, board: &mut Board, cell: u8) {
        *board = Board { own: board.other, other: board.own | 1 << cell };
    }
    fn action_index(&self, cell: u8) -> Option<usize> {
        Some(usize::from(cell))
    }
    fn action_indices(&self) -> usize {
        (self.width * (self.height + 1)) as usize
    }
    fn hash(&self, board: &Board) -> Option<u64> {
        Some(rng::mix(board.own ^ rng::mix(board.other)))
    }
}
