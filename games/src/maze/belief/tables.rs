//! Which footstep tables are thought possible.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use crate::maze::rules::Footsteps;

/// How many tables are followed side by side.
pub const LANES: usize = 16;

/// One number for each table.
pub type Lanes = [f32; LANES];

/// Distances 0 to `MOST`, and all that is farther.
pub const ROWS: usize = MOST as usize + 2;

/// One number for each distance, the last one for all that is farther.
pub type Rows = [f32; ROWS];

/// The largest threshold of a table that is thought possible.
const MOST: u8 = 15;

/// Probability that a level does not fit the table, for mazes that are not what they are thought to be.
const FLOOR: f32 = 0.03;

/// Share of the belief that the assumed table has at the start.
const ASSUMED: f32 = 0.5;

/// The tables that are followed, and what was heard so far.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: [Footsteps; LANES],
    /// For each turn: the level, and how likely each distance was before it was heard.
    heard: Vec<(u8, Rows)>,
}

impl Tables {
    /// The assumed table, and others drawn at random.
    #[must_use]
    pub fn new(rng: &mut SearchRng) -> Tables {
        let mut tables = [Footsteps::ASSUMED; LANES];
        for (at, table) in tables.iter_mut().enumerate().skip(1) {
            *table = if at == 1 {
                Footsteps { reversed: true, ..Footsteps::ASSUMED }
            } else {
                random_table(rng)
            };
        }
        Tables { tables, heard: Vec::new() }
    }

    /// The tables, lane by lane.
    #[must_use]
    pub fn tables(&self) -> &[Footsteps; LANES] {
        &self.tables
    }

    /// How likely the tables are at the start.
    #[must_use]
    pub fn prior() -> Lanes {
        let mut prior = [(1.0 - ASSUMED) / (LANES - 1) as f32; LANES];
        prior[0] = ASSUMED;
        prior
    }

    /// Probability of `level` at each distance from 0 on, lane by lane; the last row is for all that is farther.
    #[must_use]
    pub fn likelihoods(&self, level: u8) -> [Lanes; ROWS] {
        core::array::from_fn(|distance| {
            self.tables.map(|table| likelihood(&table, distance as u16, level))
        })
    }

    /// The row of [`likelihoods`](Tables::likelihoods) for a distance.
    #[inline]
    #[must_use]
    pub fn row(distance: u8) -> usize {
        usize::from(distance.min(MOST + 1))
    }

    /// Notes a level, and how likely each distance was before it was heard.
    pub fn hear(&mut self, level: u8, distances: Rows) {
        self.heard.push((level, distances));
    }

    /// Replaces the table of one lane by one that explains well what was heard: a variation of the lane `parent`, or
    /// any other, whichever is better. Returns its probability relative to the parent's table.
    pub fn replace(&mut self, lane: usize, parent: usize, rng: &mut SearchRng) -> f32 {
        let base = self.tables[parent];
        let mut best = (f32::NEG_INFINITY, base);
        for attempt in 0..24 {
            let table = if attempt < 12 { variation(base, rng) } else { random_table(rng) };
            if self.tables.contains(&table) {
                continue;
            }
            let score = self.log_evidence(&table);
            if score > best.0 {
                best = (score, table);
            }
        }
        if best.0 == f32::NEG_INFINITY {
            return 0.0;
        }
        self.tables[lane] = best.1;
        let ratio = best.0 - self.log_evidence(&base);
        libm::expf(ratio.clamp(-12.0, 0.0))
    }

    /// Logarithm of the probability of all that was heard, as if the distances of different turns were independent.
    fn log_evidence(&self, table: &Footsteps) -> f32 {
        let mut sum = 0.0;
        for (level, distances) in &self.heard {
            let expected: f32 = distances
                .iter()
                .enumerate()
                .map(|(distance, share)| share * likelihood(table, distance as u16, *level))
                .sum();
            sum += libm::logf(expected.max(1e-6));
        }
        sum
    }
}

fn likelihood(table: &Footsteps, distance: u16, level: u8) -> f32 {
    if table.level(Some(distance)) == level { 1.0 - FLOOR } else { FLOOR / 3.0 }
}

fn random_table(rng: &mut SearchRng) -> Footsteps {
    loop {
        let mut thresholds = [0; 3].map(|_: u8| 1 + rng::below(rng, MOST.into()) as u8);
        thresholds.sort_unstable();
        if thresholds[0] < thresholds[1] && thresholds[1] < thresholds[2] {
            return Footsteps { thresholds, reversed: rng::below(rng, 2) == 1 };
        }
    }
}

/// The same table with one or two thresholds moved a little.
fn variation(table: Footsteps, rng: &mut SearchRng) -> Footsteps {
    let mut new = table;
    for _ in 0..=rng::below(rng, 2) {
        let at = rng::below(rng, 3);
        let by = 1 + rng::below(rng, 2) as u8;
        let up = rng::below(rng, 2) == 1;
        let moved = new.thresholds[at];
        new.thresholds[at] = if up { moved + by } else { moved.saturating_sub(by) };
    }
    let ascends = new.thresholds[0] < new.thresholds[1] && new.thresholds[1] < new.thresholds[2];
    if ascends && new.thresholds[0] >= 1 && new.thresholds[2] <= MOST { new } else { table }
}
