//! Ratings of many players from the results of their games.
//!
//! The model of Bradley and Terry (1952) on the Elo scale, with a draw as half a win (fitted as in
//! Hunter, 2004). Every pairing gets one additional drawn game, so that a player who won or lost
//! every game has a finite rating. Intervals are those of the sandwich estimator on pairs of games
//! (Huber, 1967), since pairs are independent but their games are not.

use crate::matrix::{inverse, product};
use crate::score::Tally;

/// The results of two players against each other.
#[derive(Debug, Clone)]
pub struct Meeting {
    /// One player, by index.
    pub first: usize,
    /// The other player.
    pub second: usize,
    /// Pairs by the score of the first.
    pub tally: Tally,
}

/// A player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo above the mean of all.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Elo of one unit of the natural logistic scale.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

const NORMAL_QUANTILE_975: f64 = 1.959_963_984_540_054;

/// Additional drawn games of every pairing.
const PRIOR_GAMES: f64 = 1.0;

/// Rates the players `0..players`; a player without games has the mean and an infinite error.
#[must_use]
pub fn rate(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let meetings: Vec<&Meeting> =
        meetings.iter().filter(|meeting| meeting.tally.pairs() > 0).collect();
    let strengths = strengths(players, &meetings);
    let covariance = covariance(&strengths, &meetings);
    let rating = |player: usize| {
        let met = meetings.iter().any(|meeting| [meeting.first, meeting.second].contains(&player));
        let deviation = covariance[player][player].max(0.0).sqrt() * ELO_PER_UNIT;
        Rating {
            elo: strengths[player] * ELO_PER_UNIT,
            error: if met { NORMAL_QUANTILE_975 * deviation } else { f64::INFINITY },
        }
    };
    (0..players).map(rating).collect()
}

fn games(meeting: &Meeting) -> f64 {
    meeting.tally.pairs() as f64 * meeting.tally.games_per_pair()
}

fn expected(strengths: &[f64], meeting: &Meeting) -> f64 {
    1.0 / (1.0 + (strengths[meeting.second] - strengths[meeting.first]).exp())
}

/// Strengths on the natural logistic scale, with the mean zero, by minorization and maximization.
fn strengths(players: usize, meetings: &[&Meeting]) -> Vec<f64> {
    let mut strengths = vec![0.0f64; players];
    for _ in 0..10_000 {
        let mut won = vec![0.0; players];
        let mut weights = vec![0.0; players];
        for meeting in meetings {
            let (one, other) = (meeting.first, meeting.second);
            let score = meeting.tally.mean().unwrap_or(0.5);
            let games = games(meeting);
            won[one] += games * score + PRIOR_GAMES / 2.0;
            won[other] += games * (1.0 - score) + PRIOR_GAMES / 2.0;
            let share = (games + PRIOR_GAMES) / (strengths[one].exp() + strengths[other].exp());
            weights[one] += share;
            weights[other] += share;
        }
        let mut change: f64 = 0.0;
        for player in 0..players {
            if weights[player] > 0.0 {
                let new = (won[player] / weights[player]).ln();
                change = change.max((new - strengths[player]).abs());
                strengths[player] = new;
            }
        }
        let mean = strengths.iter().sum::<f64>() / players as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        if change < 1e-10 {
            break;
        }
    }
    strengths
}

/// Covariance of the strengths, with their mean fixed at zero: `I J I` with the pseudo-inverse `I` of the information
/// and the covariance `J` of the score.
fn covariance(strengths: &[f64], meetings: &[&Meeting]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let mut information = vec![vec![0.0; players]; players];
    let mut spread = vec![vec![0.0; players]; players];
    for meeting in meetings {
        let p = expected(strengths, meeting);
        add_difference(&mut information, meeting, (games(meeting) + PRIOR_GAMES) * p * (1.0 - p));
        add_difference(&mut spread, meeting, variance_of_points(meeting, p));
    }
    let inverse = pseudo_inverse(information);
    product(&product(&inverse, &spread), &inverse)
}

/// Variance of the points of a pairing: that of its pairs, or the model's if all pairs have the
/// same score.
fn variance_of_points(meeting: &Meeting, p: f64) -> f64 {
    let per_pair = meeting.tally.games_per_pair();
    let are_all_alike = meeting.tally.counts().contains(&meeting.tally.pairs());
    if are_all_alike {
        (games(meeting) + PRIOR_GAMES) * p * (1.0 - p)
    } else {
        let pairs = meeting.tally.pairs() as f64;
        // Pairs that repeat others are fully correlated with them.
        let repetition = pairs / meeting.tally.distinct().max(1) as f64;
        pairs * meeting.tally.variance() * per_pair.powi(2) * repetition
    }
}

fn add_difference(matrix: &mut [Vec<f64>], meeting: &Meeting, value: f64) {
    let (one, other) = (meeting.first, meeting.second);
    matrix[one][one] += value;
    matrix[other][other] += value;
    matrix[one][other] -= value;
    matrix[other][one] -= value;
}

/// The pseudo-inverse of a matrix whose rows add up to zero: `(M + E)^-1 - E` with `E` all `1/n`.
/// Players without games get a one on the diagonal.
fn pseudo_inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let even = 1.0 / n as f64;
    for (at, row) in matrix.iter_mut().enumerate() {
        if row.iter().all(|value| *value == 0.0) {
            row[at] = 1.0;
        }
        row.iter_mut().for_each(|value| *value += even);
    }
    let mut inverse = inverse(matrix);
    inverse.iter_mut().flatten().for_each(|value| *value -= even);
    inverse
}

#[cfg(test)]
mod tests {
    use mcts_core::rng;

    use super::*;
    use crate::elo::{EloEstimate, score_of_elo};

    fn meeting(first: usize, second: usize, counts: &[u64]) -> Meeting {
        Meeting { first, second, tally: Tally::from_counts(counts) }
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let counts = [2000, 3000, 8000, 5000, 4000];
        let ratings = rate(2, &[meeting(0, 1, &counts)]);
        let estimate = EloEstimate::of(&Tally::from_counts(&counts));
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - estimate.elo.expect("finite")).abs() < 0.01);
        // Each is half the difference from the mean.
        let [low, high] = estimate.elo_interval.map(|end| end.expect("finite"));
        assert!((2.0 * ratings[0].error - (high - low) / 2.0).abs() < 0.02);
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
    }

    #[test]
    fn ratings_that_explain_the_scores_exactly_are_found() {
        // 3 to 1, 3 to 1 and 9 to 1 in wins are one, one and two steps of 400 log10(3).
        let meetings = [
            meeting(0, 1, &[2500, 0, 0, 0, 7500]),
            meeting(1, 2, &[2500, 0, 0, 0, 7500]),
            meeting(0, 2, &[1000, 0, 0, 0, 9000]),
        ];
        let ratings = rate(3, &meetings);
        let step = 400.0 * 3f64.log10();
        for (rating, expected) in ratings.iter().zip([step, 0.0, -step]) {
            assert!((rating.elo - expected).abs() < 0.05, "{rating:?} {expected}");
        }
    }

    #[test]
    fn lopsided_results_and_strangers_give_no_nan() {
        let ratings = rate(4, &[meeting(0, 1, &[0, 0, 0, 0, 50]), meeting(1, 2, &[0, 0, 0, 0, 0])]);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && !rating.error.is_nan()));
        assert!(ratings[0].elo > ratings[1].elo + 300.0 && ratings[0].error > 100.0);
        let all_drawn = rate(2, &[meeting(0, 1, &[0, 0, 5, 0, 0])]);
        assert!(all_drawn[0].error > 50.0, "{all_drawn:?}");
        assert!(ratings[2].error.is_infinite() && ratings[3].error.is_infinite());
    }

    /// 95 % of 4,000 intervals (4 players, 1,000 tournaments) is 3,800; the four of a tournament depend on each
    /// other, so the count deviates by at most 28, and four deviations are allowed.
    #[test]
    fn intervals_cover_the_truth_in_95_of_100() {
        let truth = [120.0, 30.0, -40.0, -110.0];
        let mut rng = rng::stream(5, 0);
        let mut covered = 0;
        for _ in 0..1_000 {
            let mut meetings = Vec::new();
            for first in 0..4 {
                for second in first + 1..4 {
                    let p = score_of_elo(truth[first] - truth[second]);
                    let mut tally = Tally::of_pairs();
                    for _ in 0..100 {
                        let mut won = || if f64::from(rng::unit(&mut rng)) < p { 0.5 } else { 0.0 };
                        tally.add(won() + won());
                    }
                    meetings.push(Meeting { first, second, tally });
                }
            }
            let ratings = rate(4, &meetings);
            covered +=
                ratings.iter().zip(truth).filter(|(r, t)| (r.elo - t).abs() <= r.error).count();
        }
        assert!((3_688..=3_912).contains(&covered), "{covered}");
    }
}
