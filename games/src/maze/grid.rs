//! Cells, directions and sets of cells of a square grid.

use core::fmt;

/// The largest number of rows and columns.
pub const MAX_SIZE: usize = 23;
/// The smallest number of rows and columns.
pub const MIN_SIZE: usize = 11;
/// One past the largest [`Cell::index`], the rim around the grid included.
pub const CELL_INDICES: usize = ROWS << COLUMN_BITS;

const COLUMN_BITS: u32 = 5;
/// Rows 1 to 23 and an empty row on each side, so that a step never leaves the array.
const ROWS: usize = MAX_SIZE + 2;

/// A cell by row from the top and column from the left, both from 1; 0 and `size + 1` are the rim outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// The cell in this row and column, each at most 24.
    #[inline]
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Cell {
        debug_assert!(
            row < ROWS && column < ROWS,
            "the row and the column are on the grid or its rim"
        );
        Cell(((row << COLUMN_BITS) | column) as u16)
    }

    /// Row from the top, from 1.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        self.0 as usize >> COLUMN_BITS
    }

    /// Column from the left, from 1.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        self.0 as usize & ((1 << COLUMN_BITS) - 1)
    }

    /// A number below [`CELL_INDICES`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell next to this one, which may be on the rim. This one must not be.
    #[inline]
    #[must_use]
    pub const fn step(self, direction: Direction) -> Cell {
        let by = match direction {
            Direction::Up => -(1 << COLUMN_BITS),
            Direction::Right => 1,
            Direction::Down => 1 << COLUMN_BITS,
            Direction::Left => -1,
        };
        Cell(self.0.wrapping_add_signed(by))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row(), self.column())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row(), self.column())
    }
}

/// One of the four directions, clockwise from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
    /// To the previous column.
    Left,
}

impl Direction {
    /// All four, clockwise.
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// The direction after `quarters` quarter turns clockwise.
    #[inline]
    #[must_use]
    pub const fn turned(self, quarters: u8) -> Direction {
        Direction::ALL[(self as usize + quarters as usize) % 4]
    }

    /// The opposite direction.
    #[inline]
    #[must_use]
    pub const fn back(self) -> Direction {
        self.turned(2)
    }
}

/// A set of cells, one bit a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet([u32; ROWS]);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet([0; ROWS]);

    /// All cells of a grid of this size.
    #[must_use]
    pub fn square(size: usize) -> CellSet {
        CellSet::inner(size).union(&CellSet::ring(size))
    }

    /// The outer ring of a grid of this size.
    #[must_use]
    pub fn ring(size: usize) -> CellSet {
        let mut ring = CellSet::EMPTY;
        for at in 1..=size {
            for cell in [(1, at), (size, at), (at, 1), (at, size)] {
                ring.insert(Cell::new(cell.0, cell.1));
            }
        }
        ring
    }

    /// All cells except the outer ring.
    #[must_use]
    pub fn inner(size: usize) -> CellSet {
        let mut inner = CellSet::EMPTY;
        for row in 2..size {
            inner.0[row] = (1 << size) - 4;
        }
        inner
    }

    /// Whether `cell` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.row()] >> cell.column() & 1 == 1
    }

    /// Puts `cell` into the set.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.row()] |= 1 << cell.column();
    }

    /// Takes `cell` out of the set.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.row()] &= !(1 << cell.column());
    }

    /// The set without `cell`.
    #[inline]
    #[must_use]
    pub const fn without(mut self, cell: Cell) -> CellSet {
        self.remove(cell);
        self
    }

    /// Number of cells in the set.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether no cell is in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; ROWS]
    }

    /// Cells in either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &CellSet) -> CellSet {
        self.zip(other, |mine, theirs| mine | theirs)
    }

    /// Cells in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &CellSet) -> CellSet {
        self.zip(other, |mine, theirs| mine & theirs)
    }

    /// Cells in this set but not in `other`.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &CellSet) -> CellSet {
        self.zip(other, |mine, theirs| mine & !theirs)
    }

    /// Cells one step from a cell of the set, the rim included.
    #[inline]
    #[must_use]
    pub fn neighbours(&self) -> CellSet {
        let mut next = CellSet::EMPTY;
        for row in 0..ROWS {
            next.0[row] = self.0[row] << 1 | self.0[row] >> 1;
        }
        for row in 1..ROWS {
            next.0[row] |= self.0[row - 1];
            next.0[row - 1] |= self.0[row];
        }
        next
    }

    /// The cells of the set by rows, then columns.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let mut rows = self.0;
        let mut row = 0;
        core::iter::from_fn(move || {
            while rows[row] == 0 {
                row += 1;
                if row == ROWS {
                    row = 0;
                    return None;
                }
            }
            let column = rows[row].trailing_zeros() as usize;
            rows[row] &= rows[row] - 1;
            Some(Cell::new(row, column))
        })
    }

    /// The `n`-th cell by rows, then columns, from zero; `None` if there are no more than `n`.
    #[must_use]
    pub fn nth(&self, mut n: usize) -> Option<Cell> {
        for (row, &bits) in self.0.iter().enumerate() {
            let count = bits.count_ones() as usize;
            if n < count {
                let mut bits = bits;
                for _ in 0..n {
                    bits &= bits - 1;
                }
                return Some(Cell::new(row, bits.trailing_zeros() as usize));
            }
            n -= count;
        }
        None
    }

    #[inline]
    fn zip(&self, other: &CellSet, join: impl Fn(u32, u32) -> u32) -> CellSet {
        let mut joined = *self;
        for (mine, theirs) in joined.0.iter_mut().zip(other.0) {
            *mine = join(*mine, theirs);
        }
        joined
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Calls `visit` with the cells of `area` at walking distance 0, 1, ... from `from` until it
/// returns false or no more can be reached. `from` itself need not be in `area`.
pub fn flood(area: &CellSet, from: Cell, mut visit: impl FnMut(u16, &CellSet) -> bool) {
    let mut layer = CellSet::EMPTY;
    layer.insert(from);
    let mut left = area.without(from);
    let mut distance = 0;
    while !layer.is_empty() && visit(distance, &layer) {
        layer = layer.neighbours().intersection(&left);
        left = left.difference(&layer);
        distance += 1;
    }
}

/// Length of the shortest path from `from` to `to` through `area`; `None` if there is none.
#[must_use]
pub fn walking_distance(area: &CellSet, from: Cell, to: Cell) -> Option<u16> {
    let mut found = None;
    flood(area, from, |distance, layer| {
        if layer.contains(to) {
            found = Some(distance);
        }
        found.is_none()
    });
    found
}

/// The directions of the first steps of all shortest paths from `from` to `to`, clockwise from the
/// top; none if `from` is `to` or cannot reach it.
pub fn shortest_steps(
    area: &CellSet,
    from: Cell,
    to: Cell,
) -> impl Iterator<Item = Direction> + use<> {
    let mut before = CellSet::EMPTY;
    let mut reached = CellSet::EMPTY;
    flood(area, to, |_, layer| {
        before = reached;
        reached = *layer;
        !layer.contains(from)
    });
    if !reached.contains(from) {
        before = CellSet::EMPTY;
    }
    Direction::ALL.into_iter().filter(move |&direction| before.contains(from.step(direction)))
}
