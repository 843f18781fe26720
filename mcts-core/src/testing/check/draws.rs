//! Checks the frequencies of random actions and outcomes.

use super::legal_actions;
use super::text::{list, short};
use crate::game::{Game, Turn};
use crate::rng::SearchRng;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Samples for each action, and the minimum and maximum for each state.
const DRAWS: (usize, usize, usize) = (100, 2_000, 4_000);

/// Samples many times in one state and compares the frequency of each action with its probability;
/// a correct game fails with a probability below one in a million.
pub(super) fn check<G: Game>(
    game: &G,
    state: &G::State,
    rng: &mut SearchRng,
) -> Result<(), String> {
    let is_chance = match game.turn(state) {
        Turn::Over(_) => return Ok(()),
        Turn::Chance => true,
        Turn::Player(_) => false,
    };
    let actions = legal_actions(game, state);
    let mut probabilities = vec![1.0 / actions.len() as f32; actions.len()];
    if is_chance {
        let mut listed = Vec::new();
        game.outcomes(state, |_, probability| listed.push(probability));
        if listed.len() == actions.len() {
            probabilities = listed;
        }
    }
    let (by, mend) = if is_chance {
        ("random_outcome", "use the default unless it samples by the probabilities of `outcomes`")
    } else {
        ("random_action", "use the default unless it samples every legal action equally often")
    };
    let draws = (DRAWS.0 * actions.len()).clamp(DRAWS.1, DRAWS.2);
    let mut counts = vec![0_u32; actions.len()];
    for _ in 0..draws {
        let drawn = if is_chance {
            game.random_outcome(state, rng)
        } else {
            game.random_action(state, rng)
        };
        let Some(place) = actions.iter().position(|action| *action == drawn) else {
            let drawn = short(&drawn);
            return Err(format!(
                "`{by}` gives {drawn}, not one of the legal {}; {mend}",
                list(&actions)
            ));
        };
        counts[place] += 1;
    }
    for ((action, count), probability) in actions.iter().zip(counts).zip(probabilities) {
        let expected = draws as f32 * probability;
        let error = libm::sqrtf(expected * (1.0 - probability).max(0.0));
        // six standard errors, and a few samples for the tails of rare outcomes
        if (count as f32 - expected).abs() > 6.0 * error + 6.0 {
            return Err(format!(
                "`{by}` gives {} in {count} of {draws} draws, not in about {expected:.0}; {mend}",
                short(action)
            ));
        }
    }
    Ok(())
}
