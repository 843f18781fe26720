//! Bit-board arithmetic of Reversi for one board: all eight directions at once, as plain arrays that a compiler turns
//! into vector instructions. Knows no sides and no turns.
//!
//! Cell (row, column) counted from 0 is bit `8 * row + column`.

use core::hint::black_box;

/// The neighbours of a cell by rotation to the left: along a row, a column and both diagonals, then the other way.
const ROTATIONS: [u32; 8] = [1, 8, 7, 9, 63, 56, 57, 55];

const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
const INNER_ROWS: u64 = 0x00FF_FFFF_FFFF_FF00;
const INNER: u64 = INNER_COLUMNS & INNER_ROWS;

/// Cells that a line in the direction of the same place in [`ROTATIONS`] crosses without leaving the board. A rotation
/// from there never wraps.
static CROSSED: [u64; 8] =
    [INNER_COLUMNS, INNER_ROWS, INNER, INNER, INNER_COLUMNS, INNER_ROWS, INNER, INNER];

/// The opponent's discs that stand in an unbroken run next to an own disc, by the direction that leads away from it.
/// They turn when an own disc closes the run at its far end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines([u64; 8]);

impl Lines {
    /// By parallel prefix fills (Kogge and Stone, 1973): three steps reach the six cells a run can have.
    #[inline]
    pub(super) fn new(own: u64, opponent: u64) -> Self {
        // Were the masks known, the compiler would see that nothing wraps and replace each rotation by two shifts and
        // a blend: 40 % fewer random games with AVX-512, 10 % fewer with AVX2.
        let crossed: &[u64; 8] = black_box(&CROSSED);
        let mut lines = [0; 8];
        for direction in 0..8 {
            let rotation = ROTATIONS[direction];
            let twice = 2 * rotation % 64;
            let inner = opponent & crossed[direction];
            let pairs = inner & inner.rotate_left(rotation);
            let mut line = inner & own.rotate_left(rotation);
            line |= inner & line.rotate_left(rotation);
            line |= pairs & line.rotate_left(twice);
            line |= pairs & line.rotate_left(twice);
            lines[direction] = line;
        }
        Lines(lines)
    }

    /// The cells among `empty` where an own disc closes at least one run.
    #[inline]
    pub(super) fn ends(&self, empty: u64) -> u64 {
        let mut ends = 0;
        for (line, rotation) in self.0.into_iter().zip(ROTATIONS) {
            ends |= line.rotate_left(rotation);
        }
        ends & empty
    }

    /// The discs that turn when an own disc is put on the one cell of `disc`; none for no cell.
    #[inline]
    pub(super) fn turned_by(&self, disc: u64) -> u64 {
        let mut turned = 0;
        for (line, rotation) in self.0.into_iter().zip(ROTATIONS) {
            let twice = 2 * rotation % 64;
            let pairs = line & line.rotate_right(rotation);
            let mut back = line & disc.rotate_right(rotation);
            back |= line & back.rotate_right(rotation);
            back |= pairs & back.rotate_right(twice);
            back |= pairs & back.rotate_right(twice);
            turned |= back;
        }
        turned
    }
}
