//! Bit-board arithmetic of Reversi: all eight directions at once, as plain arrays that a compiler turns into
//! vector instructions. Knows no sides and no turns.
//!
//! Cell (row, column) counted from 0 is bit `8 * row + column`.

/// Distances between neighbouring cells: along a row, along a column and along both diagonals.
const STEPS: [u32; 4] = [1, 8, 7, 9];

/// Cells that a line in the direction of the same place in [`STEPS`] can cross without leaving the board.
const INNER: [u64; 4] = [0x7E7E_7E7E_7E7E_7E7E, !0, 0x7E7E_7E7E_7E7E_7E7E, 0x7E7E_7E7E_7E7E_7E7E];

/// The opponent's discs that stand in an unbroken run next to an own disc, by the direction that leads away
/// from it. They turn when an own disc closes the run at its far end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    /// Towards higher bits, by direction as in [`STEPS`].
    up: [u64; 4],
    /// Towards lower bits.
    down: [u64; 4],
}

impl Lines {
    /// By parallel prefix fills (Kogge and Stone, 1973): three steps reach the six cells a run can have.
    #[inline]
    pub(super) fn new(own: u64, opponent: u64) -> Self {
        let (mut ups, mut downs) = ([0; 4], [0; 4]);
        for direction in 0..4 {
            let step = STEPS[direction];
            let inner = opponent & INNER[direction];
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
            ups[direction] = up;
            downs[direction] = down;
        }
        Lines { up: ups, down: downs }
    }

    /// The cells among `empty` where an own disc closes at least one run.
    #[inline]
    pub(super) fn ends(&self, empty: u64) -> u64 {
        let mut ends = [0; 4];
        for direction in 0..4 {
            let step = STEPS[direction];
            ends[direction] = (self.up[direction] << step) | (self.down[direction] >> step);
        }
        (ends[0] | ends[1] | ends[2] | ends[3]) & empty
    }

    /// The discs that turn when an own disc is put on the one cell of `disc`; none for no cell.
    #[inline]
    pub(super) fn turned_by(&self, disc: u64) -> u64 {
        let mut turned = [0; 4];
        for direction in 0..4 {
            let step = STEPS[direction];
            let (up, down) = (self.up[direction], self.down[direction]);
            let up_pairs = up & (up >> step);
            let down_pairs = down & (down << step);
            let mut back = up & (disc >> step);
            let mut forth = down & (disc << step);
            back |= up & (back >> step);
            forth |= down & (forth << step);
            back |= up_pairs & (back >> (2 * step));
            forth |= down_pairs & (forth << (2 * step));
            back |= up_pairs & (back >> (2 * step));
            forth |= down_pairs & (forth << (2 * step));
            turned[direction] = back | forth;
        }
        turned[0] | turned[1] | turned[2] | turned[3]
    }
}
