//! What a walker in the maze sees.

use super::grid::{Cell, CellSet, Direction};
use super::world::Walker;

/// The cells seen in one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sight {
    /// Cells whose contents are seen: terrain, candy and chaser.
    pub contents: CellSet,
    /// Cells whose terrain is seen, those of `contents` included; may include cells of the rim
    /// outside.
    pub terrain: CellSet,
}

/// The view straight ahead: up to and including the first wall, or to the edge of the maze. Of the
/// cells beside the path and the cell behind, only the terrain is seen.
#[must_use]
pub fn ahead(passages: &CellSet, from: Walker) -> Sight {
    let mut sight = Sight::default();
    let sides = [from.facing.turned(1), from.facing.turned(3)];
    let mut at = from.cell;
    sight.terrain.insert(at.step(from.facing.back()));
    while passages.contains(at) {
        sight.contents.insert(at);
        for side in sides {
            sight.terrain.insert(at.step(side));
        }
        at = at.step(from.facing);
    }
    sight.contents.insert(at);
    sight.terrain = sight.terrain.union(&sight.contents);
    sight
}

/// The union of the four views from `cell`.
#[must_use]
pub fn around(passages: &CellSet, cell: Cell) -> Sight {
    let mut all = Sight::default();
    for facing in Direction::ALL {
        let one = ahead(passages, Walker { cell, facing });
        all.contents = all.contents.union(&one.contents);
        all.terrain = all.terrain.union(&one.terrain);
    }
    all
}

/// Whether `from` sees the passage `target`: the same cell, or straight ahead before any wall.
#[inline]
#[must_use]
pub fn sees(passages: &CellSet, from: Walker, target: Cell) -> bool {
    let mut at = from.cell;
    while at != target {
        if !passages.contains(at) {
            return false;
        }
        at = at.step(from.facing);
    }
    true
}

/// Whether a walker on `from` who looks all around sees the passage `target`.
#[must_use]
pub fn sees_around(passages: &CellSet, from: Cell, target: Cell) -> bool {
    Direction::ALL.into_iter().any(|facing| sees(passages, Walker { cell: from, facing }, target))
}
