//! Exact margins of Reversi positions with few empty cells.

use arrayvec::ArrayVec;
use games::reversi::{legal_cells, turned_by};

/// With this number of empty cells or fewer, moves are not generated: each empty cell is tried.
const TRIED: u32 = 4;

/// From this number of empty cells on, actions are ordered by the number of replies.
const ORDERED: u32 = 6;

/// Maximum number of actions of a position with at most [`MOST_EMPTY`] empty cells.
const MOST_ACTIONS: usize = MOST_EMPTY as usize;

/// Positions with more empty cells are rejected, since they take too long.
pub const MOST_EMPTY: u32 = 16;

/// The quarters of the board: in a region with an odd number of empty cells, the side to move plays
/// last.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// The side that gets the cells that are empty when neither side can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmptyCells {
    /// Neither side, as in the contest.
    #[default]
    CountForNeither,
    /// The winner, as in tournaments and in published problems.
    CountForTheWinner,
}

/// A solver by alpha-beta with fail-soft bounds; actions in odd regions and with few replies come
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Endgame {
    /// How empty cells count in a game that ends early.
    pub empty_cells: EmptyCells,
}

/// The discs of the side to move, and those of the other side.
#[derive(Debug, Clone, Copy)]
struct Board {
    own: u64,
    opponent: u64,
}

impl Board {
    #[inline]
    fn empty(self) -> u64 {
        !(self.own | self.opponent)
    }

    #[inline]
    fn passed(self) -> Board {
        Board { own: self.opponent, opponent: self.own }
    }

    #[inline]
    fn after(self, disc: u64, turned: u64) -> Board {
        Board { own: self.opponent & !turned, opponent: self.own | turned | disc }
    }
}

impl Endgame {
    /// Final disc difference under best play for the side to move; exact within `window`, otherwise
    /// a bound on the same side of it.
    ///
    /// # Panics
    /// If more than [`MOST_EMPTY`] cells are empty.
    #[must_use]
    pub fn margin(&self, own: u64, opponent: u64, window: (i32, i32)) -> i32 {
        let board = Board { own, opponent };
        assert!(board.empty().count_ones() <= MOST_EMPTY, "few cells are empty");
        self.search(board, window)
    }

    fn search(&self, board: Board, window: (i32, i32)) -> i32 {
        let empty = board.empty();
        if empty.count_ones() <= TRIED {
            return self.search_few(board, window, false);
        }
        let moves = legal_cells(board.own, board.opponent);
        if moves == 0 {
            if legal_cells(board.opponent, board.own) == 0 {
                return self.count(board);
            }
            return -self.search(board.passed(), (-window.1, -window.0));
        }
        let (mut alpha, beta) = window;
        let mut best = -64;
        let mut candidates = candidates(board, moves);
        while let Some((_, after)) = take_first(&mut candidates) {
            let value = -self.search(after, (-beta, -alpha));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Tries each empty cell, those of odd regions first.
    fn search_few(&self, board: Board, window: (i32, i32), has_passed: bool) -> i32 {
        let empty = board.empty();
        if empty & empty.wrapping_sub(1) == 0 {
            return self.last(board, empty);
        }
        let odd = odd_regions(empty);
        let (mut alpha, beta) = window;
        let mut best = None;
        for cells in [empty & odd, empty & !odd] {
            let mut left = cells;
            while left != 0 {
                let disc = left & left.wrapping_neg();
                left ^= disc;
                let turned = turned_by(board.own, board.opponent, disc);
                if turned == 0 {
                    continue;
                }
                let value = -self.search_few(board.after(disc, turned), (-beta, -alpha), false);
                best = Some(best.map_or(value, |best: i32| best.max(value)));
                alpha = alpha.max(value);
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        match best {
            Some(best) => best,
            None if has_passed => self.count(board),
            None => -self.search_few(board.passed(), (-window.1, -window.0), true),
        }
    }

    /// Positions with at most one empty cell.
    fn last(&self, board: Board, disc: u64) -> i32 {
        for (board, sign) in [(board, 1), (board.passed(), -1)] {
            let turned = if disc == 0 { 0 } else { turned_by(board.own, board.opponent, disc) };
            if turned != 0 {
                return -sign * self.count(board.after(disc, turned));
            }
        }
        self.count(board)
    }

    /// The margin of a game that is over.
    fn count(&self, board: Board) -> i32 {
        let margin = board.own.count_ones() as i32 - board.opponent.count_ones() as i32;
        match self.empty_cells {
            EmptyCells::CountForNeither => margin,
            EmptyCells::CountForTheWinner => {
                margin + margin.signum() * board.empty().count_ones() as i32
            }
        }
    }
}

/// The quarters with an odd number of empty cells.
#[inline]
pub(super) fn odd_regions(empty: u64) -> u64 {
    QUARTERS.iter().filter(|quarter| (empty & **quarter).count_ones() % 2 == 1).sum()
}

/// The positions after each of `moves`, with their keys in the search order: lower first.
fn candidates(board: Board, moves: u64) -> ArrayVec<(i32, Board), MOST_ACTIONS> {
    let empty = board.empty();
    let odd = odd_regions(empty);
    let mut candidates = ArrayVec::new();
    let mut left = moves;
    while left != 0 {
        let disc = left & left.wrapping_neg();
        left ^= disc;
        let after = board.after(disc, turned_by(board.own, board.opponent, disc));
        let parity = if disc & odd == 0 { 1 } else { 0 };
        let order = if empty.count_ones() < ORDERED {
            parity
        } else {
            let replies = legal_cells(after.own, after.opponent);
            let corner = if disc & CORNERS == 0 { 0 } else { 4 };
            2 * replies.count_ones() as i32 + 2 * (replies & CORNERS).count_ones() as i32 + parity
                - corner
        };
        candidates.push((order, after));
    }
    candidates
}

fn take_first(candidates: &mut ArrayVec<(i32, Board), MOST_ACTIONS>) -> Option<(i32, Board)> {
    let (place, _) = candidates.iter().enumerate().min_by_key(|(_, (order, _))| *order)?;
    Some(candidates.swap_remove(place))
}
