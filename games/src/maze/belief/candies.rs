//! The distribution of unseen candies.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use crate::maze::grid::{Cell, CellSet};
use crate::maze::memory::Memory;

/// Assumed fraction of passages among unknown inner cells.
const UNKNOWN_OPEN: f32 = 0.6;

/// A candy that may have reappeared out of sight.
#[derive(Debug, Clone, Copy)]
struct Reappeared {
    /// Where it can be: the cells out of sight since then.
    cells: CellSet,
    /// Probability that it exists.
    expected: f32,
}

/// The unseen candies: those of the start on cells never seen, and reappeared ones on cells out of
/// sight since.
#[derive(Debug, Clone)]
pub struct Candies {
    size: usize,
    /// Cells whose contents were never seen.
    fresh: CellSet,
    reappeared: Vec<Reappeared>,
}

impl Candies {
    /// The distribution before the first observation.
    #[must_use]
    pub fn new(size: usize) -> Candies {
        Candies { size, fresh: CellSet::square(size), reappeared: Vec::new() }
    }

    /// Cells whose contents were never seen.
    #[must_use]
    pub fn fresh(&self) -> &CellSet {
        &self.fresh
    }

    /// Expected number of candies that reappeared out of sight.
    #[must_use]
    pub fn reappeared(&self) -> f32 {
        self.reappeared.iter().map(|one| one.expected).sum()
    }

    /// Updates on Maki's arrival on `cell`; `hidden` is the number of unseen candies.
    ///
    /// A candy remembered there was eaten; otherwise a candy was eaten with some probability.
    pub fn arrive(&mut self, cell: Cell, before: &Memory, hidden: f32) {
        let eaten = if before.candies.contains(cell) {
            1.0
        } else {
            let originals = (hidden - self.reappeared()).max(0.0);
            let of_start = self.share(&self.fresh, before, cell) * originals;
            let mut absent = (1.0 - of_start).max(0.0);
            for one in &self.reappeared {
                absent *= 1.0 - one.expected * self.share(&one.cells, before, cell);
            }
            1.0 - absent
        };
        if eaten > 0.001 {
            let taken = before.candies.union(&before.walls);
            let cells = CellSet::square(self.size).difference(&taken).without(cell);
            self.reappeared.push(Reappeared { cells, expected: eaten });
        }
    }

    /// Updates on a look at the contents of `seen`, which showed new candies at `found`.
    pub fn look(&mut self, seen: &CellSet, found: &CellSet, memory: &Memory, hidden: f32) {
        for cell in found.iter() {
            self.attribute(cell, memory, hidden);
        }
        for one in &mut self.reappeared {
            let all = count(&one.cells, memory);
            let left = one.cells.difference(seen);
            let missed = 1.0 - count(&left, memory) / all.max(1.0);
            one.cells = left;
            let lost = one.expected * missed.clamp(0.0, 1.0);
            one.expected = (one.expected - lost) / (1.0 - lost).max(1e-3);
        }
        self.fresh = self.fresh.difference(seen);
        self.reappeared.retain(|one| one.expected > 0.001 && !one.cells.is_empty());
    }

    /// Attributes a candy found at `cell` to the start or to a reappearance.
    fn attribute(&mut self, cell: Cell, memory: &Memory, hidden: f32) {
        let originals = (hidden - self.reappeared()).max(0.0);
        let of_start = self.share(&self.fresh, memory, cell) * originals;
        let shares: Vec<f32> = self
            .reappeared
            .iter()
            .map(|one| one.expected * self.share(&one.cells, memory, cell))
            .collect();
        let total = of_start + shares.iter().sum::<f32>();
        if total > 0.0 {
            for (one, share) in self.reappeared.iter_mut().zip(shares) {
                one.expected = (one.expected - share / total).max(0.0);
            }
        }
    }

    /// Probability that a candy somewhere in `cells` is at `cell`.
    fn share(&self, cells: &CellSet, memory: &Memory, cell: Cell) -> f32 {
        if cells.contains(cell) { 1.0 / count(cells, memory).max(1.0) } else { 0.0 }
    }

    /// Samples unseen candies on `passages`, for `total` candies including the `known` ones.
    pub fn draw(
        &self,
        passages: &CellSet,
        total: usize,
        known: &CellSet,
        rng: &mut SearchRng,
    ) -> CellSet {
        let mut drawn = *known;
        let mut left = total.saturating_sub(known.len());
        for one in &self.reappeared {
            if left > 0 && rng::unit(rng) < one.expected {
                let free = one.cells.intersection(passages).difference(&drawn);
                if let Some(cell) = one_of(&free, rng) {
                    drawn.insert(cell);
                    left -= 1;
                }
            }
        }
        let mut free = self.fresh.intersection(passages).difference(&drawn);
        for _ in 0..left {
            let Some(cell) = one_of(&free, rng) else { break };
            free.remove(cell);
            drawn.insert(cell);
        }
        drawn
    }
}

fn one_of(cells: &CellSet, rng: &mut SearchRng) -> Option<Cell> {
    let count = cells.len();
    if count == 0 { None } else { cells.nth(rng::below(rng, count)) }
}

/// Expected number of passages among `cells`.
fn count(cells: &CellSet, memory: &Memory) -> f32 {
    let open = cells.intersection(&memory.passages).len() as f32;
    let unknown = cells.difference(&memory.passages).difference(&memory.walls).len() as f32;
    open + UNKNOWN_OPEN * unknown
}
