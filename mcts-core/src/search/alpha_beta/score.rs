//! Values of positions as integers that order a quicker win before a slower one.

use super::descent::Window;
use crate::game::Utilities;

/// A value for one player: `2048 * utility + distance`, the utility scaled to -1,000,000..=1,000,000.
///
/// The distance is `1000 - plies` for an end of the game that lies `plies` below the root, with the sign of the
/// utility; 0 for draws and for estimates. So a quicker win is larger than a slower one, and a slower loss larger
/// than a quicker one, for utilities of any size.
pub(super) type Score = i32;

/// The score of the middle of the utility bounds.
pub(super) const MIDDLE: Score = 0;

const UTILITY: i32 = 1_000_000;
const STEP: i32 = 2048;
const LONGEST: i32 = 1000;

/// Larger than every score, and its negative smaller.
pub(super) const INFINITE: Score = i32::MAX;

/// Maps utilities within the bounds of a game to scores and back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    middle: f32,
    half: f32,
}

impl Scale {
    pub(super) fn new((lowest, highest): (f32, f32)) -> Self {
        Scale { middle: f32::midpoint(lowest, highest), half: (highest - lowest) / 2.0 }
    }

    /// The score for `player` of an end of the game `ply` plies below the root.
    pub(super) fn ended(&self, utilities: &Utilities, player: usize, ply: usize) -> Score {
        let scaled = self.scaled(utilities.0[player]);
        let distance = (LONGEST - ply as i32).max(1);
        STEP * scaled + distance * scaled.signum()
    }

    /// The score of an estimate: always between a certain loss and a certain win. NaN counts as the middle.
    pub(super) fn estimated(&self, utility: f32) -> Score {
        STEP * self.scaled(utility).clamp(1 - UTILITY, UTILITY - 1)
    }

    /// The score of a utility that is known exactly, of an end at an unknown distance.
    pub(super) fn exact(&self, utility: f32) -> Score {
        STEP * self.scaled(utility)
    }

    /// The utilities between which a value without distance lies inside `window`: half a unit beside the last ones that
    /// do not.
    pub(super) fn utilities(&self, window: Window) -> (f32, f32) {
        let beside = |part: i32, half: f64| {
            let scaled = (f64::from(part) + half) / f64::from(UTILITY);
            self.middle + self.half * scaled as f32
        };
        let Window { lower, upper } = window;
        let above = if distance_part(lower) >= 0 { 0.5 } else { -0.5 };
        let below = if distance_part(upper) <= 0 { -0.5 } else { 0.5 };
        (beside(utility_part(lower), above), beside(utility_part(upper), below))
    }

    /// Half the width of a window in scores.
    pub(super) fn width(&self, utility: f32) -> Score {
        (STEP as f32 * UTILITY as f32 * (utility / self.half).clamp(0.0, 1.0)) as Score
    }

    fn scaled(&self, utility: f32) -> i32 {
        let scaled = f64::from(utility - self.middle) / f64::from(self.half);
        libm::round(scaled.clamp(-1.0, 1.0) * f64::from(UTILITY)) as i32
    }

    /// The utility of a score, up to a rounding of a millionth of the bounds.
    pub(super) fn utility(&self, score: Score) -> f32 {
        self.middle + self.half * (utility_part(score) as f32 / UTILITY as f32)
    }
}

fn utility_part(score: Score) -> i32 {
    (i64::from(score) + i64::from(STEP / 2)).div_euclid(i64::from(STEP)) as i32
}

fn distance_part(score: Score) -> i32 {
    score - STEP * utility_part(score)
}

/// The score as a number that may be averaged over outcomes of chance: its utility alone.
pub(super) fn without_distance(score: Score) -> f64 {
    f64::from(STEP) * f64::from(utility_part(score))
}

/// The score of an average of [`without_distance`].
pub(super) fn rounded(expected: f64) -> Score {
    STEP * libm::round(expected / f64::from(STEP)).clamp(f64::from(-UTILITY), f64::from(UTILITY))
        as i32
}

/// Whether the score is the highest utility of the game, reached by an end of the game.
pub(super) fn is_won(score: Score) -> bool {
    utility_part(score) == UTILITY
}

/// Whether the score is the lowest utility of the game, reached by an end of the game.
pub(super) fn is_lost(score: Score) -> bool {
    utility_part(score) == -UTILITY
}

/// Plies from the root to the end of the game that the score stands for; `None` for draws and estimates.
pub(super) fn plies_to_end(score: Score) -> Option<u32> {
    let distance = distance_part(score).unsigned_abs();
    (distance != 0).then(|| (LONGEST as u32).saturating_sub(distance))
}

/// A score seen from the root as seen from a position `ply` plies below it, as the table stores it.
pub(super) fn from_root(score: Score, ply: usize) -> Score {
    score + distance_part(score).signum() * ply as i32
}

/// The inverse of [`from_root`].
pub(super) fn to_root(score: Score, ply: usize) -> Score {
    score - distance_part(score).signum() * ply as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quicker_wins_and_slower_losses_are_larger_at_every_utility() {
        let scale = Scale::new((-10.0, 10.0));
        let end = |utility, ply| scale.ended(&Utilities::zero_sum(utility), 0, ply);
        for utility in [0.1, 1.0, 10.0] {
            assert!(end(utility, 3) > end(utility, 5));
            assert!(end(-utility, 5) > end(-utility, 3));
            assert!(end(utility, 999) > scale.estimated(utility - 0.01));
        }
        assert_eq!(end(0.0, 3), end(0.0, 5));
    }

    #[test]
    fn an_estimate_is_never_a_certain_win() {
        let scale = Scale::new((-1.0, 1.0));
        for utility in [1.0, 7.0, f32::INFINITY] {
            assert!(!is_won(scale.estimated(utility)));
            assert!(scale.estimated(utility) < scale.ended(&Utilities::zero_sum(1.0), 0, 999));
        }
        assert_eq!(scale.estimated(f32::NAN), 0);
    }

    #[test]
    fn a_stored_score_comes_back_and_keeps_its_distance() {
        let scale = Scale::new((-1.0, 1.0));
        for utility in [-1.0, -0.3, 0.0, 0.3, 1.0] {
            let score = scale.ended(&Utilities::zero_sum(utility), 0, 17);
            let stored = from_root(score, 12);
            assert_eq!(to_root(stored, 12), score);
            assert_eq!(plies_to_end(stored), (utility != 0.0).then_some(5), "{utility}");
            assert!((scale.utility(score) - utility).abs() < 2e-6);
        }
        assert_eq!(plies_to_end(scale.estimated(0.3)), None);
    }
}
