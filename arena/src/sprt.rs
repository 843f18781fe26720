//! Sequential tests: stop as soon as the pairs decide between two Elo differences.
//!
//! The generalized sequential probability ratio test on pairs: the likelihoods are those of the
//! most likely distributions over pair scores with either Elo difference (Van den Bergh, 2019, "A
//! practical introduction to the GSPRT").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::elo::{NORMALIZED_ELO_PER_T, score_of_elo};
use crate::score::{Distribution, Tally};

/// The scale of the bounds of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Elo of the mean score.
    #[default]
    Logistic,
    /// The mean in standard deviations of a game's score; the length of a test does not depend on
    /// the fraction of draws (Van den Bergh, 2021, "Normalized Elo").
    Normalized,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Logistic => "logistic Elo",
            EloModel::Normalized => "normalized Elo",
        })
    }
}

/// A test of `elo0` against `elo1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis H0.
    pub elo0: f64,
    /// The difference under the alternative hypothesis H1; larger.
    pub elo1: f64,
    /// Probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 if H1 is true.
    pub beta: f64,
    /// The scale of the differences.
    pub model: EloModel,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accepted {
    /// `elo0` rather than `elo1`.
    H0,
    /// `elo1` rather than `elo0`.
    H1,
}

/// The largest Elo difference that can be tested: a score of 99.999 %.
pub const MOST_ELO: f64 = 2000.0;

/// Why a text is not a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SprtError {
    /// Not two to four numbers.
    NotNumbers(String),
    /// `elo0` is not below `elo1`.
    Order,
    /// A difference is beyond [`MOST_ELO`].
    Size,
    /// An error probability is not between 0 and one half.
    Probability,
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::NotNumbers(text) => {
                write!(f, "expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, found `{text}`")
            }
            SprtError::Order => f.write_str("ELO0 must be below ELO1, and both finite"),
            SprtError::Size => write!(f, "ELO0 and ELO1 must be from -{MOST_ELO} to {MOST_ELO}"),
            SprtError::Probability => f.write_str("ALPHA and BETA must be between 0 and 0.5"),
        }
    }
}

impl std::error::Error for SprtError {}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let malformed = || SprtError::NotNumbers(text.to_owned());
        let numbers: Vec<f64> = text
            .split(',')
            .map(|word| word.trim().parse().map_err(|_| malformed()))
            .collect::<Result<_, _>>()?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha] => (elo0, elo1, alpha, alpha),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(malformed()),
        };
        let sprt = Sprt { elo0, elo1, alpha, beta, model: EloModel::default() };
        sprt.check().map(|()| sprt)
    }
}

impl Sprt {
    /// Checks the numbers of the test.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), SprtError> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Order);
        }
        if elo0 < -MOST_ELO || elo1 > MOST_ELO {
            return Err(SprtError::Size);
        }
        if ![alpha, beta].iter().all(|p| *p > 0.0 && *p < 0.5) {
            return Err(SprtError::Probability);
        }
        Ok(())
    }

    /// The log likelihood ratio below which H0 is accepted and above which H1 is accepted (Wald,
    /// 1945).
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log of the likelihood under H1 over that under H0.
    #[must_use]
    pub fn log_likelihood_ratio(&self, tally: &Tally) -> f64 {
        if tally.pairs() == 0 {
            return 0.0;
        }
        let found = tally.regularized();
        let likelihood = |elo: f64| match self.model {
            EloModel::Logistic => found.log_likelihood_at_mean(score_of_elo(elo)),
            EloModel::Normalized => {
                let per_pair = tally.games_per_pair().sqrt();
                log_likelihood_at_t(&found, elo / NORMALIZED_ELO_PER_T * per_pair)
            }
        };
        likelihood(self.elo1) - likelihood(self.elo0)
    }

    /// The accepted hypothesis, if the pairs so far decide the test.
    #[must_use]
    pub fn decision(&self, tally: &Tally) -> Option<Accepted> {
        let [lower, upper] = self.bounds();
        let ratio = self.log_likelihood_ratio(tally);
        if ratio >= upper { Some(Accepted::H1) } else { (ratio <= lower).then_some(Accepted::H0) }
    }
}

/// Maximum log likelihood under the distributions with `(mean - 1/2) / deviation = t`, up to a
/// constant, by repeated linearization of the constraint (Van den Bergh, 2021, "Normalized Elo:
/// practical", section 4.1).
fn log_likelihood_at_t(found: &Distribution, t: f64) -> f64 {
    let kinds = found.kinds.len() as f64;
    let mut fitted = found.clone();
    fitted.kinds.iter_mut().for_each(|(_, probability)| *probability = 1.0 / kinds);
    let mut likelihood = f64::NEG_INFINITY;
    for _ in 0..10 {
        let (mean, deviation) = (fitted.mean(), fitted.variance().sqrt());
        let moment = |score: f64| {
            score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
        };
        let (next_likelihood, next) = found.log_likelihood_with_zero(&moment);
        let change =
            fitted.kinds.iter().zip(&next.kinds).map(|((_, old), (_, new))| (old - new).abs());
        let largest_change = change.fold(0.0, f64::max);
        (likelihood, fitted) = (next_likelihood, next);
        if largest_change < 1e-9 {
            break;
        }
    }
    likelihood
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(counts: &[u64], elo0: f64, elo1: f64, model: EloModel) -> f64 {
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        sprt.log_likelihood_ratio(&Tally::from_counts(counts))
    }

    /// Expected values of the test suite of fastchess (2024), sprt_test.cpp, which follow fishtest; it compares to
    /// 1 %, as here.
    #[test]
    fn ratios_agree_with_fastchess() {
        use EloModel::{Logistic, Normalized};
        for (counts, elo0, elo1, model, expected) in [
            (&[36027, 68692, 36433][..], 0.0, 2.0, Normalized, 0.92),
            (&[10650, 20431, 10871], -1.75, 0.25, Normalized, 2.30),
            (&[21184, 40708, 21404], 0.5, 2.5, Logistic, -1.57),
            (&[57030, 106_593, 57433], 0.0, 2.0, Logistic, -2.59),
            (&[365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            (&[127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            (&[223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            (&[871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let found = ratio(counts, elo0, elo1, model);
            assert!(
                (found - expected).abs() <= 0.01 * expected.abs() + 0.005,
                "{counts:?}: {found}"
            );
        }
    }

    #[test]
    fn a_run_of_wins_has_the_ratio_of_two_coins() {
        // Under t the best distribution is a coin with (p - 1/2) / sqrt(p (1 - p)) = t.
        let t = 5.0 / NORMALIZED_ELO_PER_T * 2f64.sqrt();
        let p = 0.5 + t / (2.0 * (1.0 + t * t).sqrt());
        let expected = 104.0 * (p / 0.5).ln();
        let found = ratio(&[0, 0, 0, 0, 104], 0.0, 5.0, EloModel::Normalized);
        assert!((found - expected).abs() < 0.01, "expected {expected}, found {found}");
    }

    #[test]
    fn bounds_are_walds() {
        let [lower, upper] = "0,10".parse::<Sprt>().expect("a test").bounds();
        assert!((upper - 2.944_438_979_166).abs() < 1e-9 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_decided_before_the_first_pair_nor_by_nan() {
        let sprt: Sprt = "0,5".parse().expect("a test");
        for counts in [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let tally = Tally::from_counts(&counts);
                assert_eq!(Sprt { model, ..sprt }.decision(&tally), None, "{counts:?}");
                assert!(Sprt { model, ..sprt }.log_likelihood_ratio(&tally).is_finite());
            }
        }
    }

    #[test]
    fn what_is_no_test_is_refused() {
        assert_eq!("0,5,0.1".parse::<Sprt>().map(|sprt| sprt.beta), Ok(0.1));
        for (text, error) in [
            ("", SprtError::NotNumbers(String::new())),
            ("1", SprtError::NotNumbers("1".to_owned())),
            ("0,x", SprtError::NotNumbers("0,x".to_owned())),
            ("5,0", SprtError::Order),
            ("0,inf", SprtError::Order),
            ("nan,1", SprtError::Order),
            ("-1e300,1e300", SprtError::Size),
            ("0,5,0,0.05", SprtError::Probability),
            ("0,5,0.05,0.5", SprtError::Probability),
        ] {
            assert_eq!(text.parse::<Sprt>(), Err(error), "{text}");
        }
    }
}
