//! The rules of Connect Four: seven columns of six, four in a line win.

use core::fmt;

/// Columns of the board.
pub const COLUMNS: u32 = 7;

/// Rows of the board.
pub const ROWS: u32 = 6;

/// Bits of a column: six rows and one bit that is never set, so that lines do not wrap.
const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;

/// The highest cell of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);

/// Why a disc cannot be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// The column holds six discs.
    Full,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Illegal::Over => "the game is over",
            Illegal::Full => "the column is full",
        })
    }
}

impl core::error::Error for Illegal {}

/// The discs on the board. Cell (row, column), counted from the lowest left one, is bit `7 * column + row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// The discs of the side to move.
    own: u64,
    /// All discs.
    all: u64,
}

impl Position {
    /// The position with these discs, or `None` if it cannot occur: a disc floats, or the first
    /// side has neither the same number of discs as the second nor one more.
    #[must_use]
    pub fn new(first: u64, second: u64) -> Option<Self> {
        let all = first | second;
        let floats = (all & !BOTTOM) >> 1 & !all != 0;
        let outside = all & !(BOTTOM * ((1 << ROWS) - 1)) != 0;
        let more = first.count_ones().wrapping_sub(second.count_ones());
        if first & second != 0 || floats || outside || more > 1 {
            return None;
        }
        Some(Position { own: if more == 0 { first } else { second }, all })
    }

    /// The number of discs on the board.
    #[inline]
    #[must_use]
    pub fn plies(self) -> u32 {
        self.all.count_ones()
    }

    /// Whether the side that moved first is to move.
    #[inline]
    #[must_use]
    pub fn is_first_to_move(self) -> bool {
        self.plies().is_multiple_of(2)
    }

    /// The discs of the side to move.
    #[inline]
    #[must_use]
    pub fn own(self) -> u64 {
        self.own
    }

    /// The discs of both sides.
    #[inline]
    #[must_use]
    pub fn all(self) -> u64 {
        self.all
    }

    /// The discs of the side that moved first.
    #[must_use]
    pub fn first(self) -> u64 {
        if self.is_first_to_move() { self.own } else { self.all ^ self.own }
    }

    /// The lowest free cell of every column that is not full.
    #[inline]
    #[must_use]
    pub fn landings(self) -> u64 {
        (self.all + BOTTOM) & (BOTTOM * ((1 << ROWS) - 1))
    }

    /// Whether the side that moved last has four in a line.
    #[inline]
    #[must_use]
    pub fn is_won(self) -> bool {
        has_four(self.all ^ self.own)
    }

    /// Whether all columns are full.
    #[inline]
    #[must_use]
    pub fn is_full(self) -> bool {
        self.all & TOP == TOP
    }

    /// Drops a disc of the side to move into a column, counted from 0, that is not full.
    #[inline]
    pub fn apply(&mut self, column: u8) {
        let cells = ((1 << ROWS) - 1) << (STRIDE * u32::from(column));
        let landing = (self.all + BOTTOM) & cells;
        debug_assert!(landing != 0, "the column is not full");
        self.own ^= self.all;
        self.all |= landing;
    }

    /// The position after a disc of the side to move on one of the [`landings`](Position::landings).
    #[inline]
    #[must_use]
    pub(super) fn after(self, landing: u64) -> Self {
        Position { own: self.own ^ self.all, all: self.all | landing }
    }

    /// Drops a disc if the rules allow it.
    ///
    /// # Errors
    /// The reason why the action is illegal; the position is unchanged.
    ///
    /// # Panics
    /// If `column` is not below [`COLUMNS`].
    pub fn try_apply(&mut self, column: u8) -> Result<(), Illegal> {
        assert!(u32::from(column) < COLUMNS, "columns are 0 to 6");
        if self.is_won() || self.is_full() {
            return Err(Illegal::Over);
        }
        if self.all >> (STRIDE * u32::from(column) + ROWS - 1) & 1 == 1 {
            return Err(Illegal::Full);
        }
        self.apply(column);
        Ok(())
    }
}

/// Whether `discs` contain four in a line.
#[inline]
pub(super) fn has_four(discs: u64) -> bool {
    lines_of_four(discs) != 0
}

/// The first cells of all lines of four in `discs`, in all directions.
#[inline]
pub(super) fn lines_of_four(discs: u64) -> u64 {
    let line = |step: u32| {
        let pairs = discs & (discs >> step);
        pairs & (pairs >> (2 * step))
    };
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1)
}

/// The column of a cell.
#[inline]
pub(super) fn column_of(cell: u64) -> u8 {
    (cell.trailing_zeros() / STRIDE) as u8
}
