//! Tuning by a model: points are sampled where the fit so far predicts strength (after CLOP;
//! Coulom, 2011).

use mcts_core::{SearchRng, rng};

use super::{Duel, Model, Played, Side, Space, Tuner, normal};

/// Duels in each batch.
const BATCH: usize = 16;

/// Number of them against the default.
const AGAINST_DEFAULT: usize = 2;

/// Number of them against the best point so far. Mirror images have equal predicted strength, so
/// they carry no information on the curvature; without these duels the interval of the best point
/// would stay as wide as the box.
const AGAINST_BEST: usize = 5;

/// Steps of the Markov chain from one sampled point to the next.
const STEPS: usize = 30;

/// Samples points by the weight of the model; each plays its mirror image about the best point so
/// far, and a few play the default or the best point itself.
///
/// CLOP has all points play one opponent. Duels between points on opposite sides of the best carry
/// four times as much information about its location.
#[derive(Debug)]
pub struct Clop {
    space: Space,
    played: Vec<Played>,
    model: Model,
    /// Number of duels in the last fit.
    fitted: usize,
    at: Vec<f64>,
}

impl Clop {
    /// Starts with points from the whole box.
    #[must_use]
    pub fn new(space: &Space) -> Clop {
        let dimensions = space.dimensions();
        let model = Model::fit(dimensions, &[]);
        Clop {
            space: space.clone(),
            played: Vec::new(),
            model,
            fitted: 0,
            at: vec![0.5; dimensions],
        }
    }

    /// A point with a probability proportional to its weight, by a Metropolis chain.
    fn draw(&mut self, rng: &mut SearchRng) -> Vec<f64> {
        for _ in 0..STEPS {
            let anywhere = rng::unit(rng) < 0.3;
            let place = |at: &f64| {
                if anywhere { f64::from(rng::unit(rng)) } else { at + 0.15 * normal(rng) }
            };
            let next: Vec<f64> = self.at.iter().map(place).collect();
            let is_inside = next.iter().all(|place| (0.0..=1.0).contains(place));
            let ratio = self.model.weight(&next) / self.model.weight(&self.at);
            if is_inside && f64::from(rng::unit(rng)) < ratio {
                self.at = next;
            }
        }
        self.at.clone()
    }

    /// The mirror image of a point about the best one, or another point if that is outside the box.
    fn opposite(&mut self, places: &[f64], rng: &mut SearchRng) -> Vec<f64> {
        let best = self.model.best();
        let mirrored: Vec<f64> =
            places.iter().zip(&best).map(|(place, best)| 2.0 * best - place).collect();
        let is_inside = mirrored.iter().all(|place| (0.0..=1.0).contains(place));
        if is_inside { mirrored } else { self.draw(rng) }
    }
}

impl Tuner for Clop {
    fn propose(&mut self, rng: &mut SearchRng) -> Vec<Duel> {
        let duel = |at: usize| {
            let a = self.draw(rng);
            let b = match at {
                _ if at < AGAINST_DEFAULT => None,
                _ if at < AGAINST_DEFAULT + AGAINST_BEST => Some(self.model.best()),
                _ => Some(self.opposite(&a, rng)),
            };
            let side = |places: &Vec<f64>| Side::Point(self.space.point(places));
            Duel { a: side(&a), b: b.as_ref().map_or(Side::Default, side) }
        };
        (0..BATCH).map(duel).collect()
    }

    fn learn(&mut self, batch: &[Played]) {
        self.played.extend_from_slice(batch);
        // refit only when there are enough new duels
        if self.played.len() >= self.fitted + self.fitted / 16 {
            self.fitted = self.played.len();
            self.model = Model::fit(self.space.dimensions(), &self.played);
        }
        self.at = self.model.best();
    }

    fn best(&self) -> Vec<f64> {
        Model::fit(self.space.dimensions(), &self.played).best()
    }
}
