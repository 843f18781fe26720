//! Bit-board arithmetic of Reversi: four directions and their opposites, as plain arrays that a compiler turns into vector
//! instructions. Knows no sides and no turns.
//!
//! Cell (row, column) counted from 0 is bit `8 * row + column`.

/// Distances between neighbouring cells: along a row, a column and both diagonals. Directions and their opposites are
/// apart because vectors are shifted in one direction at a time.
const STEPS: [u32; 4] = [1, 8, 7, 9];

const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Cells that a line in the direction of the same place in [`STEPS`] crosses without leaving the board. Along a column
/// a shift leaves the board by itself.
const CROSSED: [u64; 4] = [INNER_COLUMNS, !0, INNER_COLUMNS, INNER_COLUMNS];

/// The opponent's discs that stand in an unbroken run next to an own disc, by the direction that leads away from it:
/// up, to higher bits, or down. They turn when an own disc closes the run at its far end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    ups: [u64; 4],
    downs: [u64; 4],
}

impl Lines {
    /// By parallel prefix fills (Kogge and Stone, 1973): three steps reach the six cells a run can have.
    #[inline]
    pub(super) fn new(own: u64, opponent: u64) -> Self {
        let mut lines = Lines { ups: [0; 4], downs: [0; 4] };
        for (direction, step) in STEPS.into_iter().enumerate() {
            let inner = opponent & CROSSED[direction];
            let pairs_up = inner & (inner << step);
            let pairs_down = pairs_up >> step;
            let mut up = inner & (own << step);
            let mut down = inner & (own >> step);
            up |= inner & (up << step);
            down |= inner & (down >> step);
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
            (lines.ups[direction], lines.downs[direction]) = (up, down);
        }
        lines
    }

    /// The cells among `empty` where an own disc closes at least one run.
    #[inline]
    pub(super) fn ends(&self, empty: u64) -> u64 {
        let mut ends = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            ends |= self.ups[direction] << step | self.downs[direction] >> step;
        }
        ends & empty
    }

    /// The discs that turn when an own disc is put on the one cell of `disc`; none for no cell.
    #[inline]
    pub(super) fn turned_by(&self, disc: u64) -> u64 {
        let mut turned = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (up, down) = (self.ups[direction], self.downs[direction]);
            let (pairs_up, pairs_down) = (up & (up >> step), down & (down << step));
            let mut back = up & (disc >> step);
            let mut forth = down & (disc << step);
            back |= up & (back >> step);
            forth |= down & (forth << step);
            back |= pairs_up & (back >> (2 * step));
            forth |= pairs_down & (forth << (2 * step));
            back |= pairs_up & (back >> (2 * step));
            forth |= pairs_down & (forth << (2 * step));
            turned |= back | forth;
        }
        turned
    }
}
