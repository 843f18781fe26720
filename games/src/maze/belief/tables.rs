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

/// Probability of a level where nothing is known of the table.
const NO_TABLE: f32 = 0.25;

/// The lane without a table: to it every level is as likely at any distance, so that it goes by sight alone.
pub const DEAF: usize = 0;

/// Shares of the belief that the lane without a table, and the assumed table, have at the start.
const AT_START: [f32; 2] = [0.05, 0.5];

/// The tables that are followed, and how well each possible one explains what was heard.
#[derive(Debug, Clone)]
pub struct Tables {
    /// The one of [`DEAF`] only says how chasers are heard that were drawn from there.
    tables: [Footsteps; LANES],
    /// Every table that is thought possible, with the logarithm of how much likelier it makes all that was heard than no
    /// table does, as if the distances of different turns were independent.
    possible: Vec<(Footsteps, f32)>,
}

impl Tables {
    /// The assumed table, and others drawn at random.
    #[must_use]
    pub fn new(rng: &mut SearchRng) -> Tables {
        let possible: Vec<_> = all_tables().map(|table| (table, 0.0)).collect();
        let mut tables = [Footsteps::ASSUMED; LANES];
        tables[2].reversed = true;
        for table in &mut tables[3..] {
            *table = possible[rng::below(rng, possible.len())].0;
        }
        Tables { tables, possible }
    }

    /// The tables, lane by lane.
    #[must_use]
    pub fn tables(&self) -> &[Footsteps; LANES] {
        &self.tables
    }

    /// How likely the tables are at the start.
    #[must_use]
    pub fn prior() -> Lanes {
        let rest = 1.0 - AT_START.iter().sum::<f32>();
        let mut prior = [rest / (LANES - AT_START.len()) as f32; LANES];
        prior[..AT_START.len()].copy_from_slice(&AT_START);
        prior
    }

    /// Probability of `level` at each distance from 0 on, lane by lane; the last row is for all that is farther.
    #[must_use]
    pub fn likelihoods(&self, level: u8) -> [Lanes; ROWS] {
        core::array::from_fn(|distance| {
            let mut row = self.tables.map(|table| likelihood(&table, distance, level));
            row[DEAF] = NO_TABLE;
            row
        })
    }

    /// The row of [`likelihoods`](Tables::likelihoods) for a distance.
    #[inline]
    #[must_use]
    pub fn row(distance: u8) -> usize {
        usize::from(distance.min(MOST + 1))
    }

    /// Takes in a level, and how likely each distance was by sight alone.
    pub fn hear(&mut self, level: u8, distances: &Rows) {
        for (table, evidence) in &mut self.possible {
            let shares = distances.iter().enumerate();
            let expected: f32 =
                shares.map(|(distance, share)| share * likelihood(table, distance, level)).sum();
            *evidence += libm::logf(expected.max(1e-6) / NO_TABLE);
        }
    }

    /// Replaces the table of one lane by one drawn by how well it explains what was heard; `None` if that one is
    /// followed already. Returns how well it does so relative to the lane `best`, at most 1.
    pub fn replace(&mut self, lane: usize, best: usize, rng: &mut SearchRng) -> Option<f32> {
        let most = self.possible.iter().fold(f32::MIN, |most, (_, evidence)| most.max(*evidence));
        let weight = |evidence: &f32| libm::expf(evidence - most);
        let total: f32 = self.possible.iter().map(|(_, evidence)| weight(evidence)).sum();
        let mut left = rng::unit(rng) * total;
        let (table, evidence) = *self.possible.iter().find(|(_, evidence)| {
            left -= weight(evidence);
            left < 0.0
        })?;
        if self.tables.contains(&table) {
            return None;
        }
        self.tables[lane] = table;
        Some(libm::expf((evidence - self.evidence(best)).min(0.0)))
    }

    /// How well a lane's table explains what was heard.
    fn evidence(&self, lane: usize) -> f32 {
        let mut possible = self.possible.iter();
        let found = possible.find(|(table, _)| lane != DEAF && *table == self.tables[lane]);
        found.map_or(0.0, |(_, evidence)| *evidence)
    }
}

#[inline]
fn likelihood(table: &Footsteps, distance: usize, level: u8) -> f32 {
    if table.level(Some(distance as u16)) == level { 1.0 - FLOOR } else { FLOOR / 3.0 }
}

/// All ascending thresholds up to [`MOST`], either way round.
fn all_tables() -> impl Iterator<Item = Footsteps> {
    let thresholds = (3..=MOST).flat_map(|third| {
        (2..third).flat_map(move |second| (1..second).map(move |first| [first, second, third]))
    });
    thresholds
        .flat_map(|thresholds| [false, true].map(|reversed| Footsteps { thresholds, reversed }))
}
