//! Update step of the filter: what Maki sees and hears of the chaser.

use alloc::vec::Vec;

use super::{Pursuit, place_of};
use crate::maze::belief::tables::{LANES, Lanes, ROWS, Rows, Tables};
use crate::maze::grid::{Cell, CellSet};
use crate::maze::terrain::{Place, Terrain};

/// Fraction of the probability that is redistributed over all places each turn, so that no
/// hypothesis reaches zero.
const FRESH: f32 = 1e-3;

/// Minimum probability of a class of tables.
const LEAST_LANE: f32 = 1e-4;

/// What Maki sees of the chaser at the start of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// Maki's place.
    pub maki: Place,
    /// The cell of the visible chaser.
    pub chaser: Option<Cell>,
    /// Cells whose contents she sees.
    pub in_view: &'a CellSet,
}

impl Sight<'_> {
    /// Whether `cell` is consistent with the sight.
    fn allows(&self, cell: Cell) -> bool {
        self.chaser.map_or_else(|| !self.in_view.contains(cell), |seen| seen == cell)
    }
}

impl Pursuit {
    /// Conditions on what Maki sees; returns the remaining probability of each distance.
    pub fn see(&mut self, terrain: &Terrain, sight: &Sight<'_>) -> Rows {
        let rows = self.rows(terrain, sight.maki);
        let allowed: Vec<bool> =
            (0..self.places).map(|place| sight.allows(terrain.cell(place as Place))).collect();
        let mut left = [[0.0; LANES]; ROWS];
        for (at, mass) in self.mass.iter_mut().enumerate() {
            let place = place_of(at, self.places);
            if allowed[place] {
                super::add(&mut left[rows[place]], mass, 1.0);
            } else {
                *mass = [0.0; LANES];
            }
        }
        left
    }

    /// Conditions on what Maki hears, by the probability of its level. Returns the probability of
    /// the whole observation; zero if no hypothesis explained it, and then the distribution was
    /// reset with the prior of the classes.
    pub fn hear(
        &mut self,
        terrain: &Terrain,
        sight: &Sight<'_>,
        (level, start): (&Rows, &Lanes),
    ) -> f32 {
        let rows = self.rows(terrain, sight.maki);
        let mut lanes = [0.0; LANES];
        for (at, mass) in self.mass.iter_mut().enumerate() {
            let factors = &level[rows[place_of(at, self.places)]];
            for ((mass, factor), lane) in mass.iter_mut().zip(factors).zip(&mut lanes) {
                *mass *= factor;
                *lane += *mass;
            }
        }
        let passages = terrain.maze.passages.without(terrain.cell(sight.maki));
        let allowed: CellSet = passages.iter().filter(|cell| sight.allows(*cell)).collect();
        let total: f32 = lanes.iter().sum();
        if total < 1e-12 {
            self.mass.iter_mut().for_each(|mass| *mass = [0.0; LANES]);
            self.spread(terrain, &allowed, start);
            return 0.0;
        }
        let factors = lanes.map(|lane| {
            let raised = if lane > 0.0 { (LEAST_LANE * total / lane).max(1.0) } else { 0.0 };
            (1.0 - FRESH) / total * raised
        });
        for mass in &mut self.mass {
            mass.iter_mut().zip(factors).for_each(|(mass, factor)| *mass *= factor);
        }
        self.spread(terrain, &allowed, &lanes.map(|lane| FRESH * lane / total));
        total
    }

    /// The distance of each place as a row of [`Rows`].
    fn rows(&self, terrain: &Terrain, maki: Place) -> Vec<usize> {
        let row = |place| Tables::row(terrain.distance(maki, place));
        (0..self.places as Place).map(row).collect()
    }
}
