//! Sets of cells of the 9 x 9 board as bits of a `u128`, and their connected components.
//!
//! Rows are ten bits apart, so the bit after each row is never set and a shift by one cannot cross
//! into the next row. The first cell is bit 11, so every neighbour of a cell is inside the number.

use arrayvec::ArrayVec;

use super::rules::Cell;

/// A set of cells.
pub(super) type Cells = u128;

const FIRST: u32 = 11;
const ROW: u32 = 10;

/// The bit of a cell.
#[inline]
pub(super) fn bit_of(cell: Cell) -> u32 {
    let cell = u32::from(cell.index());
    FIRST + cell + cell / 9
}

/// The cell of a bit.
#[inline]
pub(super) fn cell_at(bit: u32) -> Cell {
    let place = bit - FIRST;
    Cell::new((place - place / ROW) as u8)
}

/// The set of one cell.
#[inline]
pub(super) fn only(cell: Cell) -> Cells {
    1 << bit_of(cell)
}

/// Index: the eight neighbours of a cell as bits (three above, left, right, three below, lowest
/// first). Entry: one bit for each group of side neighbours that are connected around the cell, or
/// none if there is at most one group. The bits stand for the side neighbours above, left, right
/// and below.
const GROUPS: [u8; 256] = {
    // Around the cell: side neighbours at odd indices, corners between them.
    const AROUND: [u32; 8] = [0, 1, 2, 4, 7, 6, 5, 3];
    const SIDES: [u8; 4] = [1, 4, 8, 2];
    let mut groups = [0; 256];
    let mut pattern = 0;
    while pattern < 256 {
        let mut first_of_group = 0u8;
        let mut side = 0;
        while side < 4 {
            let here = pattern >> AROUND[2 * side + 1] & 1 == 1;
            let corner_before = pattern >> AROUND[2 * side] & 1 == 1;
            let side_before = pattern >> AROUND[(2 * side + 7) % 8] & 1 == 1;
            if here && !(corner_before && side_before) {
                first_of_group |= SIDES[side];
            }
            side += 1;
        }
        if first_of_group.count_ones() > 1 {
            groups[pattern] = first_of_group;
        }
        pattern += 1;
    }
    groups
};

/// One side neighbour from each group of `set` that only the cell at `bit` may connect; empty if
/// removing the cell surely splits nothing.
#[inline]
fn seeds_around(set: Cells, bit: u32) -> Cells {
    let window = (set >> (bit - FIRST)) as u32;
    let pattern =
        window & 0b111 | window >> 7 & 0b1000 | window >> 8 & 0b1_0000 | window >> 15 & 0b1110_0000;
    let groups = u128::from(GROUPS[pattern as usize]);
    if groups == 0 {
        return 0;
    }
    let around = (groups & 1) << 1 | (groups & 2) << 9 | (groups & 4) << 10 | (groups & 8) << 18;
    around << (bit - FIRST)
}

/// The connected component of `seed` in `set`, or a part of it that contains all of `goal`.
#[inline]
fn fill(set: Cells, seed: Cells, goal: Cells) -> Cells {
    let mut filled = seed;
    loop {
        let mut next = filled;
        for _ in 0..2 {
            next |= (next << 1 | next >> 1) & set;
            next |= (next << ROW | next >> ROW) & set;
        }
        if next == filled || goal & !next == 0 {
            return next;
        }
        filled = next;
    }
}

/// The components into which the region of the cell at `bit` splits in `rest`, which no longer
/// contains the cell; none if the region does not split.
#[inline]
pub(super) fn components(rest: Cells, bit: u32) -> Components {
    let mut components = Components { parts: [0; 4], count: 0 };
    let mut seeds = seeds_around(rest, bit);
    while seeds != 0 {
        let goal = if components.count == 0 { seeds } else { !0 };
        let part = fill(rest, seeds & seeds.wrapping_neg(), goal);
        seeds &= !part;
        if components.count == 0 && seeds == 0 {
            break;
        }
        components.parts[components.count] = part;
        components.count += 1;
    }
    components
}

/// The sizes of the parts of the region of the cell at `bit` without the cell, also for one part or
/// none; largest first.
pub(super) fn component_sizes(set: Cells, bit: u32) -> ArrayVec<u32, 4> {
    let rest = set & !(1 << bit);
    let cell: Cells = 1 << bit;
    let mut seeds = (cell << 1 | cell >> 1 | cell << ROW | cell >> ROW) & rest;
    let mut sizes = ArrayVec::new();
    while seeds != 0 {
        let part = fill(rest, seeds & seeds.wrapping_neg(), !0);
        seeds &= !part;
        sizes.push(part.count_ones());
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// Two to four components, or none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Components {
    parts: [Cells; 4],
    count: usize,
}

impl Components {
    /// The union of the components that are strictly smaller than the largest.
    #[inline]
    pub(super) fn all_but_the_largest(&self) -> Cells {
        let sizes = self.parts.map(Cells::count_ones);
        let largest = sizes.into_iter().max().unwrap_or(0);
        let mut smaller = 0;
        for (part, size) in self.parts.into_iter().zip(sizes) {
            if size < largest {
                smaller |= part;
            }
        }
        smaller
    }
}
