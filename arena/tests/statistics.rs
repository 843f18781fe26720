//! Error rates and coverage by seeded random matches; each bound states the probability of a false
//! alarm.

use arena::elo::score_of_elo;
use arena::score::Tally;
use arena::sprt::{Accepted, EloModel, Sprt};
use mcts_core::rng::{self, SearchRng};

/// Samples pair scores with a given mean and spread.
struct Pairs {
    rng: SearchRng,
    /// Probability of each pair score from 0 to 1.
    probabilities: [f64; 5],
}

impl Pairs {
    /// A pair of correlated games with draws, tilted exponentially until the mean is that of the Elo difference.
    fn with_elo(elo: f64, seed: u64) -> Pairs {
        let base = [0.12, 0.2, 0.36, 0.2, 0.12];
        let tilted = |tilt: f64| {
            let weights: Vec<f64> =
                base.iter().enumerate().map(|(at, p)| p * (tilt * at as f64).exp()).collect();
            let total: f64 = weights.iter().sum();
            std::array::from_fn(|at| weights[at] / total)
        };
        let mean =
            |p: &[f64; 5]| p.iter().enumerate().map(|(at, p)| p * at as f64 / 4.0).sum::<f64>();
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..100 {
            let tilt = f64::midpoint(low, high);
            if mean(&tilted(tilt)) < score_of_elo(elo) { low = tilt } else { high = tilt }
        }
        Pairs { rng: rng::stream(seed, 0), probabilities: tilted(f64::midpoint(low, high)) }
    }

    fn draw(&mut self) -> f64 {
        let mut left = f64::from(rng::unit(&mut self.rng));
        let kind = self.probabilities.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        kind.unwrap_or(4) as f64 / 4.0
    }
}

/// Fraction of 2,000 random matches in which the test accepts this hypothesis.
fn share_accepting(accepted: Accepted, sprt: &Sprt, true_elo: f64, seed: u64) -> f64 {
    let mut pairs = Pairs::with_elo(true_elo, seed);
    let mut accepting = 0;
    for _ in 0..2_000 {
        let mut tally = Tally::of_pairs();
        let decision = loop {
            tally.add(pairs.draw());
            if let Some(decision) = sprt.decision(&tally) {
                break decision;
            }
        };
        accepting += u32::from(decision == accepted);
    }
    f64::from(accepting) / 2_000.0
}

/// An error rate of 5 % shows more than 6.5 % in 2,000 matches with probability 0.001; far below 5 % the test would
/// be wasteful.
fn is_an_error_rate_of_5_percent(share: f64) {
    assert!((0.02..=0.065).contains(&share), "{share}");
}

#[test]
fn the_logistic_test_errs_as_often_as_it_says() {
    let sprt = sprt_0_80();
    is_an_error_rate_of_5_percent(share_accepting(Accepted::H1, &sprt, 0.0, 1));
    is_an_error_rate_of_5_percent(share_accepting(Accepted::H0, &sprt, 80.0, 2));
}

#[test]
fn the_normalized_test_errs_as_often_as_it_says() {
    let sprt = Sprt { model: EloModel::Normalized, ..sprt_0_80() };
    is_an_error_rate_of_5_percent(share_accepting(Accepted::H1, &sprt, 0.0, 3));
    let pairs = Pairs::with_elo(0.0, 0).probabilities;
    let variance: f64 =
        pairs.iter().enumerate().map(|(at, p)| p * (at as f64 / 4.0 - 0.5).powi(2)).sum();
    let score = 0.5 + 80.0 / arena::elo::NORMALIZED_ELO_PER_T * (2.0 * variance).sqrt();
    is_an_error_rate_of_5_percent(share_accepting(
        Accepted::H0,
        &sprt,
        arena::elo::elo_of_score(score),
        4,
    ));
}

fn sprt_0_80() -> Sprt {
    "0,80".parse().expect("a test")
}

#[test]
fn other_error_rates_are_kept_too() {
    let sprt: Sprt = "-40,20,0.1,0.02".parse().expect("a test");
    let first = share_accepting(Accepted::H1, &sprt, -40.0, 5);
    let second = share_accepting(Accepted::H0, &sprt, 20.0, 6);
    assert!((0.05..=0.122).contains(&first), "{first}");
    assert!((0.005..=0.031).contains(&second), "{second}");
}

/// 95 % of 2,000 intervals is 1,900 with a deviation of 10; a discrete likelihood interval of few pairs may be off by
/// one or two in a hundred.
#[test]
fn intervals_cover_the_truth_in_95_of_100_matches() {
    for (elo, length, seed) in
        [(0.0, 20, 7), (0.0, 200, 8), (100.0, 50, 9), (400.0, 100, 10), (-300.0, 40, 11)]
    {
        let mut pairs = Pairs::with_elo(elo, seed);
        let truth = score_of_elo(elo);
        let covers = |_: &u32| {
            let mut tally = Tally::of_pairs();
            (0..length).for_each(|_| tally.add(pairs.draw()));
            let [low, high] = tally.interval();
            low <= truth && truth <= high
        };
        let covered = (0..2_000).filter(covers).count();
        assert!((1_860..=1_940).contains(&covered), "{elo} Elo, {length} pairs: {covered}");
    }
}

#[test]
fn superiority_is_right_as_often_as_it_says() {
    // Of matches between equals, 10 % have a superiority above 90 %: 200 of 2,000 with a deviation
    // of 13.
    let mut pairs = Pairs::with_elo(0.0, 12);
    let confident = |_: &u32| {
        let mut tally = Tally::of_pairs();
        (0..100).for_each(|_| tally.add(pairs.draw()));
        tally.superiority() > 0.9
    };
    let count = (0..2_000).filter(confident).count();
    assert!((150..=250).contains(&count), "{count}");
}
