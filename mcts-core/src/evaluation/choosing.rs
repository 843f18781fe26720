//! Chooses a legal action by a value or a weight of each.

use crate::game::Game;
use crate::rng::{self, SearchRng};
use rand::Rng;

/// The action with the greatest value, ties broken uniformly. `None` if there is no legal action.
#[inline]
pub(super) fn best<G: Game>(
    game: &G,
    state: &G::State,
    rng: &mut SearchRng,
    mut number: impl FnMut(G::Action) -> f32,
) -> Option<G::Action> {
    let mut best = None;
    let mut most = f32::NEG_INFINITY;
    let mut equals = 0;
    game.actions(state, |action| {
        let number = number(action);
        if number > most {
            (best, most, equals) = (Some(action), number, 1);
        } else if number >= most {
            equals += 1;
            if rng::below(rng, equals) == 0 {
                best = Some(action);
            }
        }
    });
    best
}

/// An action sampled in proportion to its weight, which must be positive. `None` if there is no
/// legal action.
#[inline]
pub(super) fn weighted<G: Game>(
    game: &G,
    state: &G::State,
    rng: &mut SearchRng,
    mut weight: impl FnMut(G::Action) -> f32,
) -> Option<G::Action> {
    let mut drawn = None;
    let mut total = 0.0;
    // one random number is enough: the remainder after a comparison is uniform again
    let mut left = (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
    game.actions(state, |action| {
        let weight = f64::from(weight(action));
        total += weight;
        let share = weight / total;
        if left < share {
            drawn = Some(action);
            left /= share;
        } else {
            left = (left - share) / (1.0 - share);
        }
    });
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Position, TreeGame};
    use alloc::vec;

    fn three_actions() -> TreeGame {
        TreeGame::new(Position::first(vec![Position::over(0.0); 3]))
    }

    fn counts(mut draw: impl FnMut(&TreeGame, &mut SearchRng) -> Option<u16>) -> [u32; 3] {
        let mut counts = [0; 3];
        let mut rng = rng::stream(3, 0);
        for _ in 0..10_000 {
            counts[usize::from(draw(&three_actions(), &mut rng).unwrap())] += 1;
        }
        counts
    }

    #[test]
    fn equals_are_drawn_equally_often() {
        let worth = |action| if action == 1 { 0.0 } else { 1.0 };
        let counts = counts(|game, rng| best(game, &game.start(), rng, worth));
        assert_eq!(counts[1], 0);
        // standard deviation 50; a deviation of six has a probability of 5e-8 or less
        assert!(counts[0].abs_diff(5000) < 300, "{counts:?}");
    }

    #[test]
    fn actions_are_drawn_by_their_weights() {
        let weight = |action| [1.0, 5.0, 4.0][usize::from(action)];
        let counts = counts(|game, rng| weighted(game, &game.start(), rng, weight));
        assert!(counts[0].abs_diff(1000) < 180, "{counts:?}");
        assert!(counts[1].abs_diff(5000) < 300, "{counts:?}");
        assert!(counts[2].abs_diff(4000) < 300, "{counts:?}");
    }
}
