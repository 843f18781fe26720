//! The distribution of footstep tables.

use alloc::vec::Vec;

use mcts_core::rng::{self, SearchRng};

use crate::maze::rules::Footsteps;

/// Number of classes of tables.
pub const LANES: usize = 16;

/// One number for each class.
pub type Lanes = [f32; LANES];

/// Distances 0 to `MOST`, and one row for all larger ones.
pub const ROWS: usize = MOST as usize + 2;

/// One number for each distance and class; the last row stands for all larger distances.
pub type Rows = [Lanes; ROWS];

/// The largest threshold with positive prior.
const MOST: u8 = 15;

/// Probability of a level that does not fit the table; covers wrong assumptions about the maze.
const FLOOR: f32 = 0.03;

/// Probability of each level without a table.
const NO_TABLE: f32 = 0.25;

/// The class without a table: every level is equally likely at any distance, so only sight counts.
pub const DEAF: usize = 0;

/// The class that contains only the assumed table.
pub const ASSUMED: usize = 1;

/// Prior of [`DEAF`] and [`ASSUMED`]. The other tables share the rest equally.
const AT_START: [f32; 2] = [0.05, 0.5];

/// Minimum probability of a table within its class.
const LEAST_SHARE: f32 = 1e-6;

/// The distribution of the footstep table, by classes of similar tables.
///
/// The joint probability of class and chaser is stored in the chaser's distribution. Within a
/// class, table and chaser are assumed independent (Boyen and Koller, 1998), so that every possible
/// table is tracked at the cost of a few classes.
#[derive(Debug, Clone)]
pub struct Tables {
    possible: Vec<Possible>,
}

#[derive(Debug, Clone, Copy)]
struct Possible {
    table: Footsteps,
    lane: usize,
    /// Prior probability.
    prior: f32,
    /// Probability within its class.
    share: f32,
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

impl Tables {
    /// The prior.
    #[must_use]
    pub fn new() -> Tables {
        let others = all_tables().filter(|table| *table != Footsteps::ASSUMED).count();
        let rest = (1.0 - AT_START.iter().sum::<f32>()) / others as f32;
        let possible = all_tables()
            .map(|table| {
                let lane = lane_of(&table);
                let prior = if lane == ASSUMED { AT_START[ASSUMED] } else { rest };
                Possible { table, lane, prior, share: prior }
            })
            .collect();
        let mut tables = Tables { possible };
        tables.normalize();
        tables
    }

    /// Prior of the classes.
    #[must_use]
    pub fn prior(&self) -> Lanes {
        let mut prior = [0.0; LANES];
        prior[DEAF] = AT_START[DEAF];
        self.possible.iter().for_each(|one| prior[one.lane] += one.prior);
        prior
    }

    /// Samples a table of a class; the assumed table for the class without one.
    #[must_use]
    pub fn draw(&self, lane: usize, rng: &mut SearchRng) -> Footsteps {
        let mut left = rng::unit(rng);
        let mut members = self.possible.iter().filter(|one| one.lane == lane);
        let drawn = members.find(|one| {
            left -= one.share;
            left < 0.0
        });
        drawn.map_or(Footsteps::ASSUMED, |one| one.table)
    }

    /// Probability of `level` by distance and class.
    #[must_use]
    pub fn likelihoods(&self, level: u8) -> Rows {
        let mut rows = [[0.0; LANES]; ROWS];
        for one in &self.possible {
            for (distance, row) in rows.iter_mut().enumerate() {
                row[one.lane] += one.share * likelihood(&one.table, distance, level);
            }
        }
        rows.iter_mut().for_each(|row| row[DEAF] = NO_TABLE);
        rows
    }

    /// The row of [`Rows`] for a distance.
    #[inline]
    #[must_use]
    pub fn row(distance: u8) -> usize {
        usize::from(distance.min(MOST + 1))
    }

    /// Updates on a level, given the probability of each distance in each class before it, up to a
    /// factor.
    pub fn hear(&mut self, level: u8, distances: &Rows) {
        let mut totals = [0.0; LANES];
        for row in distances {
            totals.iter_mut().zip(row).for_each(|(total, share)| *total += share);
        }
        for one in self.possible.iter_mut().filter(|one| totals[one.lane] > 0.0) {
            let rows = distances.iter().enumerate();
            let expected: f32 = rows
                .map(|(distance, row)| row[one.lane] * likelihood(&one.table, distance, level))
                .sum();
            one.share *= expected / totals[one.lane];
        }
        self.normalize();
    }

    /// Normalizes the tables of each class to sum one.
    fn normalize(&mut self) {
        let mut totals = [0.0; LANES];
        self.possible.iter().for_each(|one| totals[one.lane] += one.share);
        for one in &mut self.possible {
            one.share = (one.share / totals[one.lane]).max(LEAST_SHARE);
        }
    }
}

/// The class of a table: by its first two thresholds and the direction.
fn lane_of(table: &Footsteps) -> usize {
    if *table == Footsteps::ASSUMED {
        return ASSUMED;
    }
    let class = match table.thresholds {
        [..=2, ..=5, _] => 0,
        [..=2, ..=9, _] => 1,
        [..=2, ..] => 2,
        [..=5, ..=8, _] => 3,
        [..=5, ..] => 4,
        [_, ..=10, _] => 5,
        _ => 6,
    };
    2 + class + if table.reversed { 7 } else { 0 }
}

#[inline]
fn likelihood(table: &Footsteps, distance: usize, level: u8) -> f32 {
    if table.level(Some(distance as u16)) == level { 1.0 - FLOOR } else { FLOOR / 3.0 }
}

/// All ascending thresholds up to [`MOST`], in both directions.
fn all_tables() -> impl Iterator<Item = Footsteps> {
    let thresholds = (3..=MOST).flat_map(|third| {
        (2..third).flat_map(move |second| (1..second).map(move |first| [first, second, third]))
    });
    thresholds
        .flat_map(|thresholds| [false, true].map(|reversed| Footsteps { thresholds, reversed }))
}
