//! Tuning by gradient steps: simultaneous perturbation stochastic approximation (Spall, 1992).

use mcts_core::{SearchRng, rng};

use super::{Duel, Played, Side, Space, Tuner};

/// Duels in each step; the step follows the mean of their gradients.
const BATCH: usize = 8;

/// Number of them in which the point itself plays the default, for the model only.
const AGAINST_DEFAULT: usize = 1;

/// Exponents of the gains, as Spall (1998) advises.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// Initial perturbation, as a fraction of the range.
const PERTURBATION: f64 = 0.15;

/// The first step, as a fraction of the range, if one side wins all games of a batch.
const FIRST_STEP: f64 = 0.15;

/// Moves a point along the score difference of two opposite perturbations of all parameters, by
/// decreasing steps. The best point is the mean of the second half of the path (Polyak and
/// Juditsky, 1992).
#[derive(Debug)]
pub struct Spsa {
    space: Space,
    at: Vec<f64>,
    /// Steps taken, and steps planned.
    step: usize,
    steps: usize,
    /// Signs of the perturbation of each duel of the batch.
    signs: Vec<Vec<f64>>,
    way: Vec<Vec<f64>>,
}

impl Spsa {
    /// Starts in the middle of the box; `pairs` are planned.
    #[must_use]
    pub fn new(space: &Space, pairs: u64) -> Spsa {
        let at = vec![0.5; space.dimensions()];
        let steps = usize::try_from(pairs).unwrap_or(usize::MAX).div_ceil(BATCH).max(1);
        Spsa { space: space.clone(), at, step: 0, steps, signs: Vec::new(), way: Vec::new() }
    }

    fn perturbation(&self) -> f64 {
        PERTURBATION / (self.step as f64 + 1.0).powf(GAMMA)
    }

    /// The gain of a step; roughly constant during the first tenth of all steps.
    fn gain(&self) -> f64 {
        let stability = 0.1 * self.steps as f64;
        let first = FIRST_STEP * PERTURBATION / 0.5;
        first * ((stability + 1.0) / (stability + self.step as f64 + 1.0)).powf(ALPHA)
    }
}

impl Tuner for Spsa {
    fn propose(&mut self, rng: &mut SearchRng) -> Vec<Duel> {
        let by = self.perturbation();
        self.signs.clear();
        let mut duels = Vec::with_capacity(BATCH);
        for at in 0..BATCH {
            if at < AGAINST_DEFAULT {
                self.signs.push(Vec::new());
                duels.push(Duel { a: Side::Point(self.space.point(&self.at)), b: Side::Default });
                continue;
            }
            let sign = |_: &f64| if rng::below(rng, 2) == 0 { 1.0 } else { -1.0 };
            let signs: Vec<f64> = self.at.iter().map(sign).collect();
            let side = |direction: f64| {
                let moved = self.at.iter().zip(&signs);
                let places: Vec<f64> = moved.map(|(at, sign)| at + direction * by * sign).collect();
                Side::Point(self.space.point(&places))
            };
            duels.push(Duel { a: side(1.0), b: side(-1.0) });
            self.signs.push(signs);
        }
        duels
    }

    fn learn(&mut self, batch: &[Played]) {
        let (gain, by) = (self.gain(), self.perturbation());
        let mut gradient = vec![0.0; self.at.len()];
        let mut counted: f64 = 0.0;
        for (played, signs) in batch.iter().zip(&self.signs) {
            if let (Some(score), false) = (played.score, signs.is_empty()) {
                counted += 1.0;
                gradient
                    .iter_mut()
                    .zip(signs)
                    .for_each(|(part, sign)| *part += (score - 0.5) / by * sign);
            }
        }
        for (at, part) in self.at.iter_mut().zip(gradient) {
            *at = (*at + gain * part / counted.max(1.0)).clamp(0.0, 1.0);
        }
        self.step += 1;
        self.way.push(self.at.clone());
    }

    fn best(&self) -> Vec<f64> {
        let late = &self.way[self.way.len() / 2..];
        let mean = |axis: usize| late.iter().map(|at| at[axis]).sum::<f64>() / late.len() as f64;
        if late.is_empty() { self.at.clone() } else { (0..self.at.len()).map(mean).collect() }
    }
}
