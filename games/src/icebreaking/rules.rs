//! The rules of Icebreaking: take a cell, and capture what your cell cuts off.

use core::fmt;

use arrayvec::ArrayVec;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::cells::{self, Cells};
use crate::bits::nth_bit;

/// Cells of the board, holes included.
pub const CELLS: usize = 81;

/// Holes of a board as drawn for a game.
pub const HOLES: usize = 9;

/// A cell, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell of this number: `9 * row + column`.
    ///
    /// # Panics
    /// If the number is not below [`CELLS`].
    #[inline]
    #[must_use]
    pub fn new(index: u8) -> Cell {
        assert!(usize::from(index) < CELLS, "cells are 0 to 80");
        Cell(index)
    }

    /// The cell in this row and column, or `None` outside the board.
    #[must_use]
    pub fn at(row: i32, column: i32) -> Option<Cell> {
        let inside = (0..9).contains(&row) && (0..9).contains(&column);
        inside.then(|| Cell((9 * row + column) as u8))
    }

    /// The number of the cell: `9 * row + column`.
    #[inline]
    #[must_use]
    pub fn index(self) -> u8 {
        self.0
    }

    /// The row, from 0.
    #[must_use]
    pub fn row(self) -> u8 {
        self.0 / 9
    }

    /// The column, from 0.
    #[must_use]
    pub fn column(self) -> u8 {
        self.0 % 9
    }

    /// All cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..CELLS as u8).map(Cell)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row(), self.column())
    }
}

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first.
    A,
    /// Moves second.
    B,
}

impl Side {
    /// The other side.
    #[inline]
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// What does not change during a game: the holes and the scores of all other cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    ice: Cells,
    /// The scores in two's complement: the cells whose score has bit 0, bit 1 and the sign.
    planes: [Cells; 3],
}

impl Board {
    /// The board of these scores, `None` for a hole; any number of holes.
    ///
    /// # Panics
    /// If a score is not in -2..=2.
    #[must_use]
    pub fn new(scores: &[Option<i8>; CELLS]) -> Self {
        let mut board = Board { ice: 0, planes: [0; 3] };
        for cell in Cell::all() {
            if let Some(score) = scores[usize::from(cell.0)] {
                assert!((-2..=2).contains(&score), "scores are -2 to 2");
                let bit = cells::only(cell);
                board.ice |= bit;
                for (place, plane) in board.planes.iter_mut().enumerate() {
                    *plane |= bit * Cells::from(score as u8 >> place & 1);
                }
            }
        }
        board
    }

    /// Nine distinct cells as holes, scores uniform and independent. **Assumed**: how the official judge draws
    /// boards is not known.
    #[must_use]
    pub fn random(rng: &mut impl Rng) -> Self {
        let mut scores = [None; CELLS];
        for score in &mut scores[HOLES..] {
            *score = Some(rng.random_range(-2..=2));
        }
        scores.shuffle(rng);
        Board::new(&scores)
    }

    /// The score of a cell; `None` for a hole.
    #[must_use]
    pub fn score(&self, cell: Cell) -> Option<i8> {
        let bit = cells::only(cell);
        (self.ice & bit != 0).then(|| self.total(bit) as i8)
    }

    /// The board on which all cells outside `set` are holes.
    pub(super) fn with_only(&self, set: Cells) -> Board {
        Board { ice: self.ice & set, planes: self.planes.map(|plane| plane & set) }
    }

    /// The sum of the scores of `set`.
    #[inline]
    pub(super) fn total(&self, set: Cells) -> i32 {
        let [ones, twos, minus_fours] = self.planes.map(|plane| (plane & set).count_ones() as i32);
        ones + 2 * twos - 4 * minus_fours
    }

    /// The start of a game: all ice is left, A moves, both totals are zero.
    #[must_use]
    pub fn start(&self) -> Position {
        Position { ice: self.ice, taken_by_a: 0, totals: [0; 2], side: Side::A }
    }
}

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Never was ice.
    Hole,
    /// Can be taken.
    Ice,
    /// Was taken or captured.
    Taken(Side),
}

/// Why a cell cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// It is a hole.
    Hole,
    /// It was taken before.
    Taken,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Hole => "the cell is a hole",
            Illegal::Taken => "the cell is taken",
        })
    }
}

impl core::error::Error for Illegal {}

/// Everything that changes during a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    ice: Cells,
    taken_by_a: Cells,
    totals: [i16; 2],
    side: Side,
}

impl Position {
    /// A position on `board` with these cells taken, in order; the rest is ice or hole.
    pub(super) fn new(board: &Board, taken: [Cells; 2], totals: [i16; 2], side: Side) -> Self {
        Position { ice: board.ice & !(taken[0] | taken[1]), taken_by_a: taken[0], totals, side }
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The points of a side.
    #[inline]
    #[must_use]
    pub fn total(&self, side: Side) -> i16 {
        self.totals[side as usize]
    }

    /// Points of A minus points of B.
    #[inline]
    #[must_use]
    pub fn margin(&self) -> i32 {
        i32::from(self.totals[0]) - i32::from(self.totals[1])
    }

    /// The number of cells that can be taken.
    #[inline]
    #[must_use]
    pub fn ice_left(&self) -> u32 {
        self.ice.count_ones()
    }

    /// The number of cells that can be taken, by their score on `board`: -2, -1, 0, 1, 2.
    #[must_use]
    pub fn ice_by_score(&self, board: &Board) -> [u32; 5] {
        let [ones, twos, negatives] = board.planes;
        let count = |cells: Cells| (self.ice & cells).count_ones();
        [
            count(negatives & twos & !ones),
            count(negatives & twos & ones),
            count(!negatives & !twos & !ones),
            count(!negatives & !twos & ones),
            count(!negatives & twos & !ones),
        ]
    }

    /// Whether no ice is left.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ice == 0
    }

    /// The cells that can be taken, as bits.
    #[inline]
    pub(super) fn ice(&self) -> Cells {
        self.ice
    }

    /// The cells that can be taken, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let mut ice = self.ice;
        core::iter::from_fn(move || {
            let bit = ice.trailing_zeros();
            ice &= ice.wrapping_sub(1);
            (bit < Cells::BITS).then(|| cells::cell_at(bit))
        })
    }

    /// The `n`-th of [`cells`](Position::cells), from zero; there must be more than `n`.
    #[inline]
    #[must_use]
    pub fn nth_cell(&self, n: u32) -> Cell {
        debug_assert!(n < self.ice_left(), "there are more than n cells");
        let (low, high) = (self.ice as u64, (self.ice >> 64) as u64);
        let in_low = low.count_ones();
        let bit = if n < in_low {
            nth_bit(low, n).trailing_zeros()
        } else {
            64 + nth_bit(high, n - in_low).trailing_zeros()
        };
        cells::cell_at(bit)
    }

    /// What a cell of `board` is now.
    #[must_use]
    pub fn content(&self, board: &Board, cell: Cell) -> Content {
        let bit = cells::only(cell);
        if self.ice & bit != 0 {
            Content::Ice
        } else if self.taken_by_a & bit != 0 {
            Content::Taken(Side::A)
        } else if board.ice & bit != 0 {
            Content::Taken(Side::B)
        } else {
            Content::Hole
        }
    }

    /// The cells that are captured when the side to move takes `cell`, which must be ice; without that cell.
    #[inline]
    pub(super) fn captured_by(&self, cell: Cell) -> Cells {
        let bit = cells::bit_of(cell);
        cells::components(self.ice & !(1 << bit), bit).all_but_the_largest()
    }

    /// The sizes of the parts into which the region of `cell`, which must be ice, falls without it; largest first.
    #[must_use]
    pub fn component_sizes(&self, cell: Cell) -> ArrayVec<u32, 4> {
        cells::component_sizes(self.ice, cells::bit_of(cell))
    }

    /// What the side to move gains by taking `cell`, which must be ice.
    #[must_use]
    pub fn gain(&self, board: &Board, cell: Cell) -> i32 {
        board.total(cells::only(cell) | self.captured_by(cell))
    }

    /// Takes a cell that is known to be ice.
    #[inline]
    pub fn apply(&mut self, board: &Board, cell: Cell) {
        debug_assert!(self.ice & cells::only(cell) != 0, "only ice can be taken");
        let taken = cells::only(cell) | self.captured_by(cell);
        self.ice &= !taken;
        if self.side == Side::A {
            self.taken_by_a |= taken;
        }
        self.totals[self.side as usize] += board.total(taken) as i16;
        self.side = self.side.opponent();
    }

    /// Takes a cell if it is ice.
    ///
    /// # Errors
    /// The reason why it is not; then nothing has changed.
    pub fn try_apply(&mut self, board: &Board, cell: Cell) -> Result<(), Illegal> {
        match self.content(board, cell) {
            Content::Ice => {
                self.apply(board, cell);
                Ok(())
            }
            Content::Taken(_) => Err(Illegal::Taken),
            Content::Hole => Err(Illegal::Hole),
        }
    }
}
