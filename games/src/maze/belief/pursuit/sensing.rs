//! What is seen and heard of the chaser.

use alloc::vec::Vec;

use super::{Pursuit, place_of};
use crate::maze::belief::tables::{DEAF, LANES, Lanes, ROWS, Rows, Tables};
use crate::maze::grid::{Cell, CellSet};
use crate::maze::terrain::{Place, Terrain};

/// Share of the belief that is spread out anew over all places each turn, so that no hypothesis dies.
const FRESH: f32 = 1e-3;

/// The belief by sight alone, from which other tables start, does not fall below this share.
const LEAST_DEAF: f32 = 1e-4;

/// What Maki perceived of the chaser at the start of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Perceived<'a> {
    /// Where Maki is.
    pub maki: Place,
    /// Where she sees the chaser.
    pub chaser: Option<Cell>,
    /// Cells whose contents she sees.
    pub in_view: &'a CellSet,
    /// The level of the footsteps.
    pub level: u8,
}

impl Pursuit {
    /// How likely each distance is by sight alone, by the rows of [`Tables::likelihoods`].
    pub fn distances(&self, terrain: &Terrain, maki: Place) -> Rows {
        let mut rows = [0.0; ROWS];
        let mut total = 0.0;
        self.for_each(|_, place, mass| {
            rows[Tables::row(terrain.distance(maki, place as Place))] += mass[DEAF];
            total += mass[DEAF];
        });
        rows.map(|row| if total > 0.0 { row / total } else { 1.0 / ROWS as f32 })
    }

    /// Takes in what Maki perceived; its probability before, zero if nothing could explain it and the
    /// distribution was spread out anew.
    pub fn perceive(
        &mut self,
        terrain: &Terrain,
        perceived: &Perceived<'_>,
        tables: &Tables,
    ) -> f32 {
        let rows = tables.likelihoods(perceived.level);
        let places = self.places;
        let seen = perceived.chaser.map(|cell| usize::from(terrain.place(cell)));
        let factors: Vec<Lanes> = (0..places)
            .map(|place| {
                let possible = match seen {
                    Some(seen) => seen == place,
                    None => !perceived.in_view.contains(terrain.cell(place as Place)),
                };
                let row = Tables::row(terrain.distance(perceived.maki, place as Place));
                if possible { rows[row] } else { [0.0; LANES] }
            })
            .collect();
        let mut total = 0.0;
        for (at, mass) in self.mass.iter_mut().enumerate() {
            let factor = &factors[place_of(at, places)];
            let mut sum = 0.0;
            for (mass, factor) in mass.iter_mut().zip(factor) {
                *mass *= factor;
                sum += *mass;
            }
            total += sum;
        }
        let possible: CellSet = (0..places)
            .filter(|&place| factors[place].iter().any(|factor| *factor > 0.0))
            .map(|place| terrain.cell(place as Place))
            .filter(|cell| *cell != terrain.cell(perceived.maki))
            .collect();
        if total < 1e-12 {
            self.mass.iter_mut().for_each(|mass| *mass = [0.0; LANES]);
            self.spread(terrain, &possible, &Tables::prior());
            return 0.0;
        }
        let mut lanes = [0.0; LANES];
        let scale = (1.0 - FRESH) / total;
        for mass in &mut self.mass {
            for (mass, lane) in mass.iter_mut().zip(&mut lanes) {
                *mass *= scale;
                *lane += *mass;
            }
        }
        self.spread(terrain, &possible, &lanes.map(|lane| lane * FRESH));
        self.keep_deaf_lane(lanes[DEAF]);
        total
    }

    /// Raises the share of the belief by sight alone to the least that it can have.
    fn keep_deaf_lane(&mut self, share: f32) {
        if share > 0.0 && share < LEAST_DEAF {
            let raise = LEAST_DEAF / share;
            self.mass.iter_mut().for_each(|mass| mass[DEAF] *= raise);
        }
    }
}
