//! The distribution of unseen walls: mazes consistent with the memory.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use crate::maze::generator::{Lattice, OPENED, Parts, ends, shuffle};
use crate::maze::grid::{Cell, CellSet, Direction, flood};
use crate::maze::memory::Memory;
use crate::maze::world::Maze;

/// Prior weight of mazes without a lattice.
const PLAIN: f32 = 0.1;

/// Fraction of passages among the inner cells of mazes without a lattice.
const PLAIN_OPEN: f32 = 0.55;

/// Fraction of open links in mazes of the generator.
const LINKS_OPEN: f32 = 0.62;

/// Samples mazes consistent with a memory: on the generator's lattices where one fits the known
/// cells, otherwise cell by cell.
#[derive(Debug, Clone)]
pub struct Walls {
    size: usize,
    lattices: [Lattice; 4],
    /// Weights of the lattices, then of a maze without one.
    weights: [f32; 5],
}

impl Walls {
    /// The posterior given this memory.
    #[must_use]
    pub fn new(size: usize, memory: &Memory) -> Walls {
        let lattices = Lattice::all(size);
        let open = memory.passages.intersection(&CellSet::inner(size));
        let mut weights = [PLAIN; 5];
        for (weight, lattice) in weights.iter_mut().zip(&lattices) {
            *weight = (1.0 - PLAIN) / 4.0 * likelihood(lattice, &open, &memory.walls);
        }
        if weights[..4].iter().all(|weight| *weight == 0.0) {
            weights[4] = 1.0;
        }
        Walls { size, lattices, weights }
    }

    /// Samples a maze consistent with the memory.
    #[must_use]
    pub fn draw(&self, memory: &Memory, rng: &mut SearchRng) -> Maze {
        let mut left = rng::unit(rng) * self.weights.iter().sum::<f32>();
        for (lattice, weight) in self.lattices.iter().zip(self.weights) {
            left -= weight;
            if left < 0.0 {
                return self.on_lattice(lattice, memory, rng);
            }
        }
        self.plain(memory, rng)
    }

    /// A spanning tree over the unknown junctions and a fraction of the other links, as in the
    /// generator.
    fn on_lattice(&self, lattice: &Lattice, memory: &Memory, rng: &mut SearchRng) -> Maze {
        let ring = CellSet::ring(self.size);
        let mut passages = lattice.junctions().union(&memory.passages);
        let open = passages.union(&ring);
        let mut parts = Parts::new();
        let links = lattice.links();
        for link in links.intersection(&memory.passages).iter() {
            let [one, other] = ends(link, &open);
            parts.join(one, other);
        }
        let unknown = links.difference(&memory.passages).difference(&memory.walls);
        let mut unknown: Vec<Cell> = unknown.iter().collect();
        shuffle(&mut unknown, rng);
        let share = OPENED.0 + (OPENED.1 - OPENED.0) * rng::unit(rng);
        for link in unknown {
            let [one, other] = ends(link, &open);
            let outward = ring.contains(one) || ring.contains(other);
            if (!outward && parts.join(one, other)) || rng::unit(rng) < share {
                passages.insert(link);
            }
        }
        self.connected(passages, memory, rng)
    }

    /// Every unknown cell independently.
    fn plain(&self, memory: &Memory, rng: &mut SearchRng) -> Maze {
        let unknown =
            CellSet::inner(self.size).difference(&memory.passages).difference(&memory.walls);
        let drawn = unknown.iter().filter(|_| rng::unit(rng) < PLAIN_OPEN);
        let passages = drawn.collect::<CellSet>().union(&memory.passages);
        self.connected(passages, memory, rng)
    }

    /// Connects all passages through cells that may be passages; closes passages that cannot be
    /// connected.
    fn connected(&self, passages: CellSet, memory: &Memory, rng: &mut SearchRng) -> Maze {
        let mut passages = passages.union(&CellSet::ring(self.size));
        let may_be = CellSet::square(self.size).difference(&memory.walls);
        loop {
            let reached = reachable(&passages, Cell::new(1, 1));
            let cut_off = passages.difference(&reached);
            if cut_off.is_empty() {
                break;
            }
            let start = cut_off.nth(rng::below(rng, cut_off.len())).expect("it is not empty");
            match way_to(&may_be, start, &reached) {
                Some(way) => passages = passages.union(&way),
                None => passages = reached.union(&memory.passages.intersection(&passages)),
            }
            if reachable(&passages, Cell::new(1, 1)).union(&memory.passages) == passages {
                break;
            }
        }
        Maze { size: self.size as u8, passages }
    }
}

fn likelihood(lattice: &Lattice, open: &CellSet, walls: &CellSet) -> f32 {
    let fits = lattice.junctions().intersection(walls).is_empty()
        && lattice.pillars().intersection(open).is_empty();
    if !fits {
        return 0.0;
    }
    // relative to a maze without a lattice, for the same cells
    let links = lattice.links();
    let mut ratio = 1.0_f32;
    let mut times = |factor: f32, count: usize| {
        (0..count).for_each(|_| ratio = (ratio * factor).min(1e20));
    };
    times(1.0 / PLAIN_OPEN, lattice.junctions().intersection(open).len());
    times(1.0 / (1.0 - PLAIN_OPEN), lattice.pillars().intersection(walls).len());
    times(LINKS_OPEN / PLAIN_OPEN, links.intersection(open).len());
    times((1.0 - LINKS_OPEN) / (1.0 - PLAIN_OPEN), links.intersection(walls).len());
    ratio
}

fn reachable(area: &CellSet, from: Cell) -> CellSet {
    let mut reached = CellSet::EMPTY;
    flood(area, from, |_, layer| {
        reached = reached.union(layer);
        true
    });
    reached
}

/// The cells of a shortest path through `area` from `start` to any of `goals`.
fn way_to(area: &CellSet, start: Cell, goals: &CellSet) -> Option<CellSet> {
    let mut layers = Vec::new();
    let mut met = CellSet::EMPTY;
    flood(area, start, |_, layer| {
        layers.push(*layer);
        met = layer.intersection(goals);
        met.is_empty()
    });
    let mut at = met.iter().next()?;
    let mut way = CellSet::EMPTY;
    way.insert(at);
    for layer in layers.iter().rev().skip(1) {
        let steps = Direction::ALL.into_iter().map(|direction| at.step(direction));
        at = steps.into_iter().find(|&cell| layer.contains(cell))?;
        way.insert(at);
    }
    Some(way)
}
