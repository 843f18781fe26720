//! The model of duels: strength as a quadratic function of the parameters, by logistic regression.

use mcts_core::SearchRng;

use super::{Played, Side, normal};
use crate::matrix::{cholesky, dot, inverse, times};

/// Variance of the prior of each coefficient, in squared logits over the whole range: wide compared
/// with differences between bots.
const PRIOR_VARIANCE: f64 = 400.0;

/// How far below the mean strength points keep their full weight, in standard errors of that mean.
/// Coulom (2011) uses 3; on a skewed curve 5 had the smallest error (rms error 1.9 % after 6,000
/// pairs, against 2.7 % for 3, 2.0 % for 10 and 5.4 % for 20).
const TRUST: f64 = 5.0;

/// The same for the fit of the intervals: the narrower limit of the best point leaves too few games
/// to estimate the curvature, and the interval would be as wide as the box.
const TRUST_OF_INTERVALS: f64 = 9.0;

/// Rounds of weighting and fitting.
const ROUNDS: usize = 8;

/// Number of sampled coefficients for the intervals.
const DRAWS: usize = 400;

/// A fit: strength in logits of a game, relative to the middle of the box.
///
/// The score of `a` against `b` is `1 / (1 + exp(strength(b) - strength(a)))` (Bradley and Terry,
/// 1952), with a strength that is quadratic in the parameters and a separate one for the default.
/// Points that the model itself rates weak have less weight (CLOP; Coulom, 2011), so that the fit
/// is accurate near the best point.
#[derive(Debug, Clone)]
pub struct Model {
    dimensions: usize,
    coefficients: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    /// The strength below which points lose weight, and the scale of the decrease; `None` before
    /// the first duel.
    trusted: Option<(f64, f64)>,
}

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The interval.
    pub interval: [f64; 2],
}

impl Model {
    /// The fit to these duels; without duels, constant strength.
    #[must_use]
    pub fn fit(dimensions: usize, played: &[Played]) -> Model {
        Model::trusting(TRUST, dimensions, played)
    }

    /// The fit for [intervals](Self::best_intervals), which gives weak points more weight.
    #[must_use]
    pub fn fit_for_intervals(dimensions: usize, played: &[Played]) -> Model {
        Model::trusting(TRUST_OF_INTERVALS, dimensions, played)
    }

    fn trusting(trust: f64, dimensions: usize, played: &[Played]) -> Model {
        let size = features(&vec![0.0; dimensions]).len() + 1;
        let duels: Vec<Row> =
            played.iter().filter_map(|duel| Row::new(dimensions, size, duel)).collect();
        let mut model = Model {
            dimensions,
            coefficients: vec![0.0; size],
            covariance: diagonal(size, PRIOR_VARIANCE),
            trusted: None,
        };
        let mut weights = vec![1.0; duels.len()];
        for _ in 0..ROUNDS {
            model.regress(&duels, &weights);
            if !model.trust(trust, &duels, &mut weights) {
                break;
            }
        }
        model
    }

    /// Strength at coordinates from 0 to 1.
    #[must_use]
    pub fn strength(&self, places: &[f64]) -> f64 {
        dot(&features(places), &self.coefficients)
    }

    /// The weight of these coordinates in the fit, from 0 to 1.
    #[must_use]
    pub fn weight(&self, places: &[f64]) -> f64 {
        self.trusted.map_or(1.0, |(mean, distance)| {
            ((self.strength(places) - mean) / distance).min(0.0).exp()
        })
    }

    /// The coordinates of the greatest strength in the box.
    #[must_use]
    pub fn best(&self) -> Vec<f64> {
        highest(self.dimensions, &self.coefficients)
    }

    /// Strength at these coordinates minus that of the default, in logits, with its interval.
    #[must_use]
    pub fn against_default(&self, places: &[f64]) -> Estimate {
        let mut direction = features(places);
        direction.push(-1.0);
        let value = dot(&direction, &self.coefficients);
        let error = dot(&direction, &times(&self.covariance, &direction)).max(0.0).sqrt();
        Estimate { value, interval: [value - 1.96 * error, value + 1.96 * error] }
    }

    /// The 95 % interval of the best coordinate of each parameter: quantiles of the maximum over
    /// coefficients sampled from their posterior.
    #[must_use]
    pub fn best_intervals(&self, rng: &mut SearchRng) -> Vec<[f64; 2]> {
        let lower = cholesky(&self.covariance);
        let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(DRAWS); self.dimensions];
        for _ in 0..DRAWS {
            let noise: Vec<f64> = (0..self.coefficients.len()).map(|_| normal(rng)).collect();
            let moved = times(&lower, &noise);
            let coefficients: Vec<f64> =
                self.coefficients.iter().zip(moved).map(|(mean, moved)| mean + moved).collect();
            let best = highest(self.dimensions, &coefficients);
            drawn.iter_mut().zip(best).for_each(|(all, place)| all.push(place));
        }
        let interval = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            [all[DRAWS / 40], all[DRAWS - 1 - DRAWS / 40]]
        };
        drawn.into_iter().map(interval).collect()
    }

    /// Newton's steps to the most probable coefficients, and their covariance.
    fn regress(&mut self, duels: &[Row], weights: &[f64]) {
        let size = self.coefficients.len();
        let mut precision = diagonal(size, 1.0 / PRIOR_VARIANCE);
        for _ in 0..50 {
            precision = diagonal(size, 1.0 / PRIOR_VARIANCE);
            let mut slope: Vec<f64> =
                self.coefficients.iter().map(|value| -value / PRIOR_VARIANCE).collect();
            for (duel, weight) in duels.iter().zip(weights) {
                let p = logistic(dot(&duel.difference, &self.coefficients));
                let games = 2.0 * weight;
                for (row, one) in duel.difference.iter().enumerate() {
                    slope[row] += games * (duel.score - p) * one;
                    for (column, other) in duel.difference.iter().enumerate() {
                        precision[row][column] += games * p * (1.0 - p) * one * other;
                    }
                }
            }
            let step = times(&inverse(precision.clone()), &slope);
            let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            let scale = (10.0 / longest.max(1e-300)).min(1.0);
            self.coefficients
                .iter_mut()
                .zip(&step)
                .for_each(|(value, part)| *value += scale * part);
            if longest < 1e-9 {
                break;
            }
        }
        let dispersion = self.dispersion(duels, weights);
        self.covariance = inverse(precision);
        self.covariance.iter_mut().flatten().for_each(|value| *value *= dispersion);
    }

    /// Dispersion: the variance of the scores relative to independent games that are won or lost;
    /// draws decrease it, swapped seats may increase it.
    fn dispersion(&self, duels: &[Row], weights: &[f64]) -> f64 {
        let (mut sum, mut total) = (1.0, 1.0);
        for (duel, weight) in duels.iter().zip(weights) {
            let p = logistic(dot(&duel.difference, &self.coefficients)).clamp(1e-3, 1.0 - 1e-3);
            sum += weight * 2.0 * (duel.score - p).powi(2) / (p * (1.0 - p));
            total += weight;
        }
        sum / total
    }

    /// Decreases the weight of duels of weak points; returns whether a weight changed.
    fn trust(&mut self, trust: f64, duels: &[Row], weights: &mut [f64]) -> bool {
        let total: f64 = weights.iter().sum();
        let points = || duels.iter().flat_map(|duel| &duel.points);
        if total < 1.0 {
            return false;
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for point in points() {
            let weight = self.weight(point);
            sum += weight * self.strength(point);
            count += weight;
        }
        self.trusted = Some((sum / count, trust * (2.0 / total).sqrt()));
        let mut changed = false;
        for (duel, weight) in duels.iter().zip(weights) {
            let of_points = duel.points.iter().map(|point| self.weight(point));
            let trusted = of_points.fold(1.0, f64::min);
            // weights only decrease, so the rounds end
            if trusted < *weight * 0.999 {
                *weight = trusted;
                changed = true;
            }
        }
        changed
    }
}

/// A duel as a row of the regression.
struct Row {
    /// Coordinates of its points.
    points: Vec<Vec<f64>>,
    /// Features of the first side minus those of the second.
    difference: Vec<f64>,
    /// Mean score of the first side.
    score: f64,
}

impl Row {
    fn new(dimensions: usize, size: usize, played: &Played) -> Option<Row> {
        let score = played.score?;
        let sides = [&played.duel.a, &played.duel.b];
        let of = |side: &Side| match side {
            Side::Default => (0..size).map(|at| f64::from(u8::from(at + 1 == size))).collect(),
            Side::Point(point) => {
                let mut all = features(&point.places());
                all.push(0.0);
                all
            }
        };
        let [a, b]: [Vec<f64>; 2] = sides.map(of);
        let difference = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let points = sides.into_iter().filter_map(|side| match side {
            Side::Point(point) => Some(point.places()),
            Side::Default => None,
        });
        let points: Vec<_> = points.collect();
        debug_assert!(points.iter().all(|point| point.len() == dimensions));
        Some(Row { points, difference, score })
    }
}

/// Linear and quadratic terms about the middle of the box.
fn features(places: &[f64]) -> Vec<f64> {
    let centred: Vec<f64> = places.iter().map(|place| place - 0.5).collect();
    let mut all = centred.clone();
    for (at, one) in centred.iter().enumerate() {
        all.extend(centred[at..].iter().map(|other| one * other));
    }
    all
}

/// The coordinates of the maximum of a quadratic function in the box, by coordinate ascent from
/// several starts.
fn highest(dimensions: usize, coefficients: &[f64]) -> Vec<f64> {
    let value = |places: &[f64]| dot(&features(places), coefficients);
    let corners = (0..1_usize << dimensions.min(6)).map(|corner| {
        (0..dimensions).map(|axis| [0.25, 0.75][corner >> axis & 1]).collect::<Vec<f64>>()
    });
    let climbed = corners.map(|mut places| {
        for _ in 0..50 {
            for axis in 0..dimensions {
                // three values determine the parabola along this axis
                let at = |place: f64| {
                    let mut other = places.clone();
                    other[axis] = place;
                    value(&other)
                };
                let [low, middle, high] = [0.0, 0.5, 1.0].map(at);
                let (bend, slope) = (2.0 * (low - 2.0 * middle + high), high - low);
                places[axis] = if bend < 0.0 {
                    (0.5 - slope / (2.0 * bend)).clamp(0.0, 1.0)
                } else {
                    f64::from(u8::from(high > low))
                };
            }
        }
        places
    });
    climbed.max_by(|one, other| value(one).total_cmp(&value(other))).unwrap_or_default()
}

fn diagonal(size: usize, value: f64) -> Vec<Vec<f64>> {
    (0..size).map(|row| (0..size).map(|at| if at == row { value } else { 0.0 }).collect()).collect()
}

/// The score for a difference of strength.
#[must_use]
pub fn logistic(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}
