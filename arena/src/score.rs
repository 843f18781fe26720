//! Counts of pair results, and statistics of their mean.
//!
//! A pair is two games with the same seed and swapped seats; its score is one of 0, 1/4, ..., 1.
//! The games of a pair are not independent, but pairs are, so all statistics are based on pairs
//! (Van den Bergh, 2019, "A practical introduction to the GSPRT"). In games of one seat a pair
//! compares two runs on the same seed: 0, 1/2 or 1.

use serde::{Deserialize, Serialize};

/// Number of pairs with each score, evenly spaced from 0 to 1: five scores for two-seat games,
/// three for one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    counts: Vec<u64>,
    /// Pairs that repeat another pair, game by game: they carry no information.
    #[serde(default)]
    repeated: u64,
    /// Games of a pair, if other than two, or one of each player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
}

/// Count of a score that never occurred, so that likelihoods stay finite (as in fishtest).
const REGULARIZATION: f64 = 1e-3;

/// Half of the 95 % quantile of chi squared with one degree of freedom.
const HALF_CHI_SQUARED_95: f64 = 1.920_729_410_347_062;

impl Tally {
    /// No pairs of a two-seat game.
    #[must_use]
    pub fn of_pairs() -> Tally {
        Tally { counts: vec![0; 5], repeated: 0, games: None }
    }

    /// No comparisons of a one-seat game.
    #[must_use]
    pub fn of_comparisons() -> Tally {
        Tally { counts: vec![0; 3], repeated: 0, games: None }
    }

    /// No rounds of a game of more than two seats: each round has `comparisons` comparisons of two
    /// seats over `games` games.
    #[must_use]
    pub fn of_tables(comparisons: usize, games: usize) -> Tally {
        let games = Some(u32::try_from(games).unwrap_or(u32::MAX));
        Tally { counts: vec![0; 2 * comparisons + 1], repeated: 0, games }
    }

    /// These counts, by score from 0 to 1.
    ///
    /// # Panics
    /// If there are fewer than two kinds.
    #[must_use]
    pub fn from_counts(counts: &[u64]) -> Tally {
        assert!(counts.len() >= 2, "a score has at least two values");
        Tally { counts: counts.to_vec(), repeated: 0, games: None }
    }

    /// The same pairs from the other player's view.
    #[must_use]
    pub fn reversed(&self) -> Tally {
        Tally {
            counts: self.counts.iter().rev().copied().collect(),
            repeated: self.repeated,
            games: self.games,
        }
    }

    /// Adds a pair by its score, from 0 to 1.
    pub fn add(&mut self, score: f64) {
        let last = self.counts.len() - 1;
        let kind = (score * last as f64).round() as usize;
        self.counts[kind.min(last)] += 1;
    }

    /// Adds a pair that repeats an earlier one: it counts for the mean, but not for intervals and
    /// tests.
    pub fn add_repeated(&mut self, score: f64) {
        self.add(score);
        self.repeated += 1;
    }

    /// Pairs that are not repetitions.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.pairs().saturating_sub(self.repeated)
    }

    /// Pairs by score, from 0 to 1.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether all pairs have the same score, or there are none.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.counts.iter().filter(|count| **count > 0).count() <= 1
    }

    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of games of each player that the score of a pair averages over.
    #[must_use]
    pub fn games_per_pair(&self) -> f64 {
        match self.games {
            Some(games) => f64::from(games),
            None if self.counts.len() == 3 => 1.0,
            None => 2.0,
        }
    }

    /// Mean score, in [0, 1]; `None` without pairs.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| Distribution::of(self, 0.0).mean())
    }

    /// Variance of the score of a pair; scores that never occurred are regularized.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.regularized().variance()
    }

    pub(crate) fn regularized(&self) -> Distribution {
        let mut found = Distribution::of(self, REGULARIZATION);
        if self.repeated > 0 {
            found.pairs *= self.distinct().max(1) as f64 / self.pairs() as f64;
        }
        found
    }

    /// The 95 % interval of the mean score: all means that a likelihood ratio test does not reject.
    /// `[0, 1]` without pairs; reaches 0 or 1 only if every pair was lost or won.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        let all_at = |kind: usize| self.counts[kind] == self.pairs();
        let found = self.regularized();
        let is_inside = |mean: f64| -found.log_likelihood_at_mean(mean) <= HALF_CHI_SQUARED_95;
        let edge = |outside: f64| {
            let (mut inside, mut outside) = (found.mean(), outside);
            for _ in 0..50 {
                let middle = f64::midpoint(inside, outside);
                if is_inside(middle) { inside = middle } else { outside = middle }
            }
            inside
        };
        let low = if all_at(0) { 0.0 } else { edge(0.0) };
        let high = if all_at(self.counts.len() - 1) { 1.0 } else { edge(1.0) };
        [low, high]
    }

    /// Likelihood of superiority: the probability that the true mean is above one half, by the
    /// signed root of the likelihood ratio. 0.5 without pairs.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        let found = self.regularized();
        let evidence = (-2.0 * found.log_likelihood_at_mean(0.5)).max(0.0).sqrt();
        normal_distribution(if found.mean() >= 0.5 { evidence } else { -evidence })
    }
}

/// A distribution over evenly spaced scores from 0 to 1, estimated from a number of pairs.
#[derive(Debug, Clone)]
pub(crate) struct Distribution {
    /// Number of pairs, regularization included.
    pub pairs: f64,
    /// Score and probability of each kind.
    pub kinds: Vec<(f64, f64)>,
}

impl Distribution {
    fn of(tally: &Tally, for_none: f64) -> Distribution {
        let count = |count: &u64| if *count == 0 { for_none } else { *count as f64 };
        let counts: Vec<f64> = tally.counts.iter().map(count).collect();
        let pairs: f64 = counts.iter().sum();
        let last = (counts.len() - 1) as f64;
        let kind = |(at, count): (usize, &f64)| (at as f64 / last, count / pairs);
        Distribution { pairs, kinds: counts.iter().enumerate().map(kind).collect() }
    }

    pub(crate) fn mean(&self) -> f64 {
        self.kinds.iter().map(|(score, probability)| score * probability).sum()
    }

    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.kinds.iter().map(|(score, probability)| probability * (score - mean).powi(2)).sum()
    }

    /// Maximum log likelihood of the pairs under distributions with this mean, minus the maximum
    /// under any distribution; minus infinity for an impossible mean.
    pub(crate) fn log_likelihood_at_mean(&self, mean: f64) -> f64 {
        if mean <= 0.0 || mean >= 1.0 {
            return f64::NEG_INFINITY;
        }
        self.log_likelihood_with_zero(&|score| score - mean).0
    }

    /// Maximum log likelihood under the distributions that give `moment` the expectation zero,
    /// minus the maximum under any distribution, and the maximizing distribution: its probabilities
    /// are `p / (1 + x moment)` (Van den Bergh, 2019, proposition 1.1).
    ///
    /// `moment` must take both signs.
    pub(crate) fn log_likelihood_with_zero(
        &self,
        moment: &dyn Fn(f64) -> f64,
    ) -> (f64, Distribution) {
        let moments: Vec<(f64, f64)> =
            self.kinds.iter().map(|(score, p)| (moment(*score), *p)).collect();
        let x = secular_root(&moments);
        let kinds =
            self.kinds.iter().zip(&moments).map(|((score, p), (m, _))| (*score, p / (1.0 + x * m)));
        let change = moments.iter().map(|(m, p)| p * (x * m).ln_1p()).sum::<f64>();
        (-self.pairs * change, Distribution { pairs: self.pairs, kinds: kinds.collect() })
    }
}

/// The root of `sum p m / (1 + x m)`, which decreases between its poles: Newton's steps, halved if
/// they leave the interval.
fn secular_root(moments: &[(f64, f64)]) -> f64 {
    let lowest = moments.iter().map(|(m, _)| *m).fold(f64::INFINITY, f64::min);
    let highest = moments.iter().map(|(m, _)| *m).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut value, mut fall) = (0.0, 0.0);
        for (m, p) in moments {
            let share = m / (1.0 + x * m);
            value += p * share;
            fall += p * share * share;
        }
        if value > 0.0 {
            low = x
        } else {
            high = x
        }
        let step = x + value / fall;
        let next = if step > low && step < high { step } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-13 * x.abs() {
            return next;
        }
        x = next;
    }
    x
}

/// The probability that a standard normal variable is below `x`.
#[must_use]
pub fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The `x` such that a standard normal variable is below `x` with this probability.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if normal_distribution(middle) < probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The 97.5 % quantile of Student's t with this many degrees of freedom, at least one, to 1e-3: from a table, or by the
/// expansion of Abramowitz and Stegun (1964, 26.7.5).
pub(crate) fn student_quantile_975(degrees: u64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    const FIRST: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
    if let Some(quantile) = usize::try_from(degrees).ok().and_then(|at| FIRST.get(at - 1)) {
        return *quantile;
    }
    let n = degrees as f64;
    let terms = [
        (Z.powi(3) + Z) / 4.0,
        (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0,
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n) + Z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_into_their_kinds() {
        let mut tally = Tally::of_pairs();
        for score in [0.0, 0.25, 0.5, 0.5, 0.75, 1.0] {
            tally.add(score);
        }
        assert_eq!(tally.counts(), [1, 1, 2, 1, 1]);
        assert_eq!(tally.mean(), Some(0.5));
    }

    #[test]
    fn pairs_that_repeat_others_narrow_no_interval() {
        let (mut once, mut twice) = (Tally::of_pairs(), Tally::of_pairs());
        for score in [0.25, 0.5, 0.5, 0.75, 1.0, 1.0] {
            once.add(score);
            twice.add(score);
            twice.add_repeated(score);
        }
        let ends = once.interval().into_iter().zip(twice.interval());
        assert!(ends.clone().all(|(one, other)| (one - other).abs() < 1e-3), "{ends:?}");
        assert_eq!((once.mean(), once.distinct()), (twice.mean(), twice.distinct()));
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        assert!((normal_distribution(1.959_963_984_540_054) - 0.975).abs() < 1e-12);
        assert!((normal_quantile(0.95) - 1.644_853_626_951_472).abs() < 1e-12);
    }

    #[test]
    fn the_constrained_distribution_has_its_mean_and_fits_worse() {
        let found = Tally::from_counts(&[3, 10, 20, 14, 6]).regularized();
        let (loss, fitted) = found.log_likelihood_with_zero(&|score| score - 0.3);
        assert!((fitted.mean() - 0.3).abs() < 1e-9);
        assert!((fitted.kinds.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(loss < 0.0);
        assert!(found.log_likelihood_at_mean(found.mean()).abs() < 1e-9);
    }

    #[test]
    fn all_pairs_won_give_the_interval_of_a_run_of_successes() {
        // Ten of ten: every mean with m^10 >= exp(-1.92) stays, up to the regularization.
        let [low, high] = Tally::from_counts(&[0, 0, 0, 0, 10]).interval();
        assert!((low - (-HALF_CHI_SQUARED_95 / 10.0).exp()).abs() < 2e-3, "{low}");
        assert!((high - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn no_tally_gives_nan() {
        for counts in
            [[0, 0, 0, 0, 0], [0, 0, 0, 0, 9], [7, 0, 0, 0, 0], [0, 0, 1, 0, 0], [1, 0, 0, 0, 1]]
        {
            let tally = Tally::from_counts(&counts);
            let [low, high] = tally.interval();
            assert!((0.0..=1.0).contains(&low) && (low..=1.0).contains(&high), "{counts:?}");
            assert!((0.0..=1.0).contains(&tally.superiority()), "{counts:?}");
            assert!(tally.variance().is_finite());
        }
    }

    /// Expected values of Abramowitz and Stegun (1964, table 26.10).
    #[test]
    fn students_quantiles_are_those_of_the_table() {
        for (degrees, expected) in [(1, 12.706), (9, 2.262), (10, 2.228), (20, 2.086), (120, 1.980)]
        {
            let found = student_quantile_975(degrees);
            assert!((found - expected).abs() < 1e-3, "{degrees}: {found}");
        }
        assert!((student_quantile_975(u64::MAX) - 1.959_964).abs() < 1e-6);
    }
}
