//! Samples mazes and worlds. **Assumed**: the rule page does not specify their distribution.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use super::grid::{Cell, CellSet, Direction};
use super::rules::candy_count;
use super::world::{Maze, Walker, World};

/// Bounds of the fraction of walls between neighbouring junctions that are opened after the
/// spanning tree; the fraction of a maze is uniform between them.
pub const OPENED: (f32, f32) = (0.1, 0.5);

/// The lattice of junctions of a maze: every second row and column, starting at the second or
/// third.
///
/// Junctions are always passages. A cell between two junctions, or between a junction and the ring,
/// may be a passage. The other inner cells, the pillars, are always walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lattice {
    /// Number of rows and columns of the maze.
    pub size: usize,
    /// The first row with junctions, 2 or 3.
    pub row: usize,
    /// The first column with junctions, 2 or 3.
    pub column: usize,
}

impl Lattice {
    /// The four lattices of a size.
    #[must_use]
    pub fn all(size: usize) -> [Lattice; 4] {
        [(2, 2), (2, 3), (3, 2), (3, 3)].map(|(row, column)| Lattice { size, row, column })
    }

    /// The junctions.
    #[must_use]
    pub fn junctions(&self) -> CellSet {
        self.inner_cells(0)
    }

    /// The inner cells between two junctions, or between one and the ring.
    #[must_use]
    pub fn links(&self) -> CellSet {
        self.inner_cells(1)
    }

    /// The inner cells that are in no junction's row and column.
    #[must_use]
    pub fn pillars(&self) -> CellSet {
        self.inner_cells(2)
    }

    /// Inner cells with `off` coordinates off the lattice.
    fn inner_cells(&self, off: usize) -> CellSet {
        CellSet::inner(self.size)
            .iter()
            .filter(|cell| (cell.row() + self.row) % 2 + (cell.column() + self.column) % 2 == off)
            .collect()
    }
}

/// Samples a maze: a random spanning tree over the junctions of a random lattice (Kruskal, 1956,
/// with random weights), then a fraction of the other links and at least one link to the ring.
#[must_use]
pub fn maze(size: usize, rng: &mut SearchRng) -> Maze {
    let lattice = Lattice::all(size)[rng::below(rng, 4)];
    let share = OPENED.0 + (OPENED.1 - OPENED.0) * rng::unit(rng);
    let ring = CellSet::ring(size);
    let mut passages = lattice.junctions();
    let mut links: Vec<Cell> = lattice.links().iter().collect();
    shuffle(&mut links, rng);
    let mut parts = Parts::new();
    let (mut between, mut outward) = (Vec::new(), Vec::new());
    for link in links {
        let [one, other] = ends(link, &passages.union(&ring));
        if ring.contains(one) || ring.contains(other) {
            outward.push(link);
        } else if parts.join(one, other) {
            passages.insert(link);
        } else {
            between.push(link);
        }
    }
    let touches = !passages.neighbours().intersection(&ring).is_empty();
    if let Some(link) = outward.pop_if(|_| !touches) {
        passages.insert(link);
    }
    for link in between.into_iter().chain(outward) {
        if rng::unit(rng) < share {
            passages.insert(link);
        }
    }
    Maze { size: size as u8, passages: passages.union(&ring) }
}

/// Samples a maze and a start in it: Maki and the chaser on different inner passages, candies on
/// others.
#[must_use]
pub fn world(size: usize, rng: &mut SearchRng) -> World {
    let maze = maze(size, rng);
    let mut inner: Vec<Cell> = maze.inner_passages().iter().collect();
    let count = candy_count(inner.len());
    shuffle(&mut inner, rng);
    let facing = |rng: &mut SearchRng| Direction::ALL[rng::below(rng, 4)];
    let maki = Walker { cell: inner[0], facing: facing(rng) };
    let chaser = Walker { cell: inner[1], facing: facing(rng) };
    let free = maze.passages.without(maki.cell).without(chaser.cell);
    let mut free: Vec<Cell> = free.iter().collect();
    shuffle(&mut free, rng);
    let candies = free.into_iter().take(count).collect();
    World { maze, candies, maki, chaser, turn: 1 }
}

/// The two cells that a link joins: those on opposite sides that are in `open`.
pub(super) fn ends(link: Cell, open: &CellSet) -> [Cell; 2] {
    let upright =
        open.contains(link.step(Direction::Up)) && open.contains(link.step(Direction::Down));
    let way = if upright { Direction::Up } else { Direction::Left };
    [link.step(way), link.step(way.back())]
}

/// Shuffles `items` (Fisher and Yates, 1938).
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut SearchRng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng::below(rng, at + 1));
    }
}

/// Disjoint sets of cells (Galler and Fischer, 1964).
#[derive(Debug)]
pub(super) struct Parts(Vec<u16>);

impl Parts {
    /// Every cell in its own set.
    pub(super) fn new() -> Parts {
        Parts((0..super::grid::CELL_INDICES as u16).collect())
    }

    /// The representative of the set of this cell.
    fn root(&mut self, mut at: u16) -> u16 {
        while self.0[usize::from(at)] != at {
            let above = self.0[usize::from(at)];
            self.0[usize::from(at)] = self.0[usize::from(above)];
            at = above;
        }
        at
    }

    /// Joins the sets of both cells; false if they were the same.
    pub(super) fn join(&mut self, one: Cell, other: Cell) -> bool {
        let (one, other) = (self.root(one.index() as u16), self.root(other.index() as u16));
        self.0[usize::from(one)] = other;
        one != other
    }
}
