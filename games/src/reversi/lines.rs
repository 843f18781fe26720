//! Bit-board arithmetic of Reversi: four directions and their opposites as plain arrays, which the
//! compiler vectorizes. Independent of sides and turns.
//!
//! Cell (row, column) counted from 0 is bit `8 * row + column`.

/// Distances between neighbouring cells: along a row, a column and both diagonals. Opposite
/// directions are stored separately, since a vector shift has one direction.
const STEPS: [u32; 4] = [1, 8, 7, 9];

const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Cells that a line in the direction of the same index in [`STEPS`] crosses without leaving the
/// board. Along a column the shift itself leaves the board.
const CROSSED: [u64; 4] = [INNER_COLUMNS, !0, INNER_COLUMNS, INNER_COLUMNS];

/// The opponent's discs in an unbroken run next to a disc of the side to move, by the direction of
/// the run: up, to higher bits, or down. They turn when a disc of the side to move closes the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    ups: [u64; 4],
    downs: [u64; 4],
}

impl Lines {
    /// By parallel prefix fills (Kogge and Stone, 1973): three steps reach the at most six cells of
    /// a run.
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

    /// The cells among `empty` where a disc closes at least one run.
    #[inline]
    pub(super) fn ends(&self, empty: u64) -> u64 {
        let mut ends = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            ends |= self.ups[direction] << step | self.downs[direction] >> step;
        }
        ends & empty
    }

    /// The discs that turn when a disc is placed on the one cell of `disc`; none for no cell.
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
