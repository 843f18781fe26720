//! Mean scores as Elo differences, and the number of games that a difference needs.

use serde::{Deserialize, Serialize};

use crate::score::{Tally, normal_quantile};

/// Elo of a mean score by the logistic model (Elo, 1978): 400 log10(s / (1 - s)); infinite for 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The mean score of an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo of one standard deviation of a game's score (Van den Bergh, 2021, "Normalized Elo").
pub const NORMALIZED_ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// The estimated difference between two players, from the view of the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EloEstimate {
    /// Number of pairs.
    pub pairs: u64,
    /// Mean score in [0, 1]; one half without pairs.
    pub score: f64,
    /// The 95 % interval of the mean score.
    pub score_interval: [f64; 2],
    /// Logistic Elo of the mean score; `None` where it is infinite.
    pub elo: Option<f64>,
    /// Logistic Elo of the interval's ends; `None` where infinite.
    pub elo_interval: [Option<f64>; 2],
    /// Normalized Elo: the mean in standard deviations of a game; `None` where all pairs are equal, and so the deviation
    /// is unknown.
    pub normalized_elo: Option<f64>,
    /// Probability that the first player is the stronger one.
    pub superiority: f64,
}

impl EloEstimate {
    /// The estimate of this tally.
    #[must_use]
    pub fn of(tally: &Tally) -> EloEstimate {
        let score = tally.mean().unwrap_or(0.5);
        let score_interval = tally.interval();
        let finite = |score: f64| Some(elo_of_score(score)).filter(|elo| elo.is_finite());
        let deviation = (tally.games_per_pair() * tally.variance()).sqrt();
        EloEstimate {
            pairs: tally.pairs(),
            score,
            score_interval,
            elo: finite(score),
            elo_interval: score_interval.map(finite),
            normalized_elo: (!tally.is_uniform())
                .then(|| (score - 0.5) / deviation * NORMALIZED_ELO_PER_T),
            superiority: tally.superiority(),
        }
    }

    /// Elo with its interval, for people: `+12.3 [-4.5, +29.1]`.
    #[must_use]
    pub fn text(&self) -> String {
        let shown = |elo: Option<f64>, score: f64| match elo {
            Some(elo) => format!("{elo:+.1}"),
            None if score > 0.5 => "+inf".to_owned(),
            None => "-inf".to_owned(),
        };
        let [low, high] = self.elo_interval;
        let [low_score, high_score] = self.score_interval;
        let elo = shown(self.elo, self.score);
        format!("{elo} [{}, {}]", shown(low, low_score), shown(high, high_score))
    }
}

/// The difference that a match should detect, with its error probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// The true difference, in logistic Elo.
    pub elo: f64,
    /// Variance of the score of a pair.
    pub pair_variance: f64,
    /// Probability of detecting a difference in this direction although there is none.
    pub alpha: f64,
    /// Probability of detecting the difference if it exists.
    pub power: f64,
}

impl Wanted {
    /// Variance of a pair's score if the games of a pair are independent and this fraction of games
    /// is drawn.
    #[must_use]
    pub fn pair_variance(draws: f64) -> f64 {
        (1.0 - draws) / 8.0
    }

    /// The largest possible difference with this fraction of draws: all other games are won.
    #[must_use]
    pub fn most_elo(draws: f64) -> f64 {
        elo_of_score(1.0 - draws / 2.0)
    }

    /// Number of pairs of a match of fixed length: `((z_alpha + z_power) sigma / (s - 1/2))^2`.
    #[must_use]
    pub fn pairs(&self) -> f64 {
        let needed = normal_quantile(1.0 - self.alpha) + normal_quantile(self.power);
        let gap = score_of_elo(self.elo) - 0.5;
        needed.powi(2) * self.pair_variance / gap.powi(2)
    }

    /// Mean number of pairs of an SPRT of 0 against `elo`, if the difference is 0 and if it is
    /// `elo` (Wald, 1945, for a random walk with the drift of the log likelihood ratio).
    #[must_use]
    pub fn sprt_pairs(&self) -> [f64; 2] {
        let beta = 1.0 - self.power;
        let lower = (beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - beta) / self.alpha).ln();
        let drift = (score_of_elo(self.elo) - 0.5).powi(2) / (2.0 * self.pair_variance);
        let end_of_null = self.alpha * upper + (1.0 - self.alpha) * lower;
        let end_of_other = (1.0 - beta) * upper + beta * lower;
        [-end_of_null / drift, end_of_other / drift]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "expected {expected}, found {found}");
    }

    #[test]
    fn elo_and_score_are_inverse_and_have_known_values() {
        is_near(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
        is_near(score_of_elo(elo_of_score(0.3)), 0.3, 1e-12);
    }

    /// Expected values of the test suite of fastchess (2024), elo_test.cpp. Its errors are those of
    /// the normal approximation, so the ends of this likelihood interval are compared to 2 %.
    #[test]
    fn estimates_agree_with_fastchess() {
        for (counts, elo, error, normalized, superiority) in [
            (&[34, 54, 63, 64, 75][..], 55.58, 27.65, 57.94, 1.0),
            (&[332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 0.0505),
            (&[7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 0.0),
            (&[96, 111, 136], 40.70, 30.43, 49.77, 0.9960),
        ] {
            let estimate = EloEstimate::of(&Tally::from_counts(counts));
            let [low, high] = estimate.elo_interval.map(|end| end.expect("finite"));
            is_near(estimate.elo.expect("finite"), elo, 0.01);
            is_near((high - low) / 2.0, error, 0.02 * error);
            is_near(estimate.normalized_elo.expect("pairs differ"), normalized, 0.01);
            is_near(estimate.superiority, superiority, 1e-3);
        }
    }

    #[test]
    fn lopsided_results_are_told_without_nan() {
        let text = |counts: &[u64]| EloEstimate::of(&Tally::from_counts(counts)).text();
        assert_eq!(text(&[0, 0, 0, 0, 100]), "+inf [+684.0, +inf]");
        assert_eq!(text(&[100, 0, 0, 0, 0]), "-inf [-inf, -684.0]");
        assert_eq!(text(&[0, 0, 0, 0, 0]), "+0.0 [-inf, +inf]");
        let one_sided = EloEstimate::of(&Tally::from_counts(&[0, 0, 0, 0, 100]));
        assert!(one_sided.superiority > 0.999_999 && one_sided.normalized_elo.is_none());
    }

    #[test]
    fn the_number_of_pairs_is_the_textbooks() {
        let elo = elo_of_score(0.55);
        let wanted =
            Wanted { elo, pair_variance: Wanted::pair_variance(0.0), alpha: 0.05, power: 0.95 };
        // ((1.645 + 1.645) * sqrt(1/8) / 0.05)^2
        is_near(wanted.pairs(), 541.1, 0.1);
        let [if_equal, if_better] = wanted.sprt_pairs();
        is_near(if_equal, if_better, 1e-9);
        assert!(if_better < wanted.pairs());
    }
}
