//! Tuning by a model: points are drawn where the fit so far trusts itself (after CLOP; Coulom, 2011).

use mcts_core::{SearchRng, rng};

use super::{Duel, Model, Played, Side, Space, Tuner, normal};

/// Duels in each batch.
const BATCH: usize = 16;

/// Of those, duels against the default.
const AGAINST_DEFAULT: usize = 2;

/// And duels against the best point so far: mirror images are equally far from it, so they say nothing of how fast the
/// strength falls, and without that the interval of the best stays as wide as the box.
const AGAINST_BEST: usize = 5;

/// Steps of the chain from one drawn point to the next.
const STEPS: usize = 30;

/// Draws points by the weight that the model gives them, and has each play its mirror image about the best point so far;
/// a few play the default or the best point itself.
///
/// CLOP has all points play one opponent. Two points on opposite sides of the best that play each other tell four times
/// as much about where it is.
#[derive(Debug)]
pub struct Clop {
    space: Space,
    played: Vec<Played>,
    model: Model,
    /// Duels that the model is fitted to.
    fitted: usize,
    at: Vec<f64>,
}

impl Clop {
    /// Begins with points from all over the box.
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

    /// A point with a probability in proportion to its weight, by a Metropolis chain.
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

    /// The mirror image of a point about the best one, or another point where that lies outside the box.
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
        // a fit to little more than before says little more
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
