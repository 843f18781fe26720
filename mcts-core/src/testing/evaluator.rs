//! Checks the contract of [`Evaluator`].

use super::check::text::{list, short};
use super::check::{
    CheckOptions, Violation, check_numbers, check_sum, legal_actions, play, random_action,
};
use crate::evaluation::Evaluator;
use crate::game::{Game, Turn, Utilities};
use crate::rng;
use crate::trace::Untraced;
use alloc::format;
use alloc::string::String;
use alloc::vec;

/// Plays seeded random games and evaluates every state: values must be finite and within the bounds
/// of the game, separately and in a batch, exactly the utilities if the game is over, and priors
/// must be finite with at least one that is not zero.
///
/// Negative priors pass, since their meaning depends on the selection policy.
///
/// Returns the number of states.
///
/// # Errors
/// The first [`Violation`].
pub fn check_evaluator<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &mut E,
    options: &CheckOptions,
) -> Result<u64, Violation> {
    let mut rng = rng::stream(options.seed, 0x45_56_41_4C);
    let mut leaf_rng = rng::stream(options.seed, 0x4C_45_41_46);
    let mut states = 0;
    for _ in 0..options.games {
        play(game, options, &mut rng, |state, rng| {
            states += 1;
            let value = evaluator.evaluate(game, state, &mut Untraced, &mut leaf_rng);
            check_value::<G>(game, state, &value, "`evaluate`")?;
            let mut copies = [state.clone(), state.clone()];
            let mut results = [Utilities::ZERO; 2];
            evaluator.evaluate_all(game, &mut copies, &mut leaf_rng, &mut results);
            for result in &results {
                check_value::<G>(game, state, result, "`evaluate_all`")?;
            }
            if matches!(game.turn(state), Turn::Player(_)) {
                if let Some(exact) = evaluator.exact(game, state) {
                    check_value::<G>(game, state, &exact.utilities, "`exact`")?;
                }
                check_priors(game, state, evaluator)?;
            }
            Ok(random_action(game, state, rng))
        })?;
    }
    Ok(states)
}

fn check_value<G: Game>(
    game: &G,
    state: &G::State,
    value: &Utilities,
    source: &str,
) -> Result<(), String> {
    check_numbers::<G>(value, source)?;
    if let Turn::Over(utilities) = game.turn(state) {
        return if utilities == *value {
            Ok(())
        } else {
            Err(format!(
                "{source} gives {value:?} where the game is over with {utilities:?}; return the utilities of `turn` there"
            ))
        };
    }
    let (lowest, highest) = G::UTILITY_BOUNDS;
    for (player, value) in value.0.iter().enumerate().take(G::PLAYERS) {
        if !(lowest..=highest).contains(value) {
            return Err(format!(
                "{source} gives player {player} {value}, outside `UTILITY_BOUNDS` {lowest} to {highest}; scale or clamp it"
            ));
        }
    }
    check_sum::<G>(value, source)
}

fn check_priors<G: Game, E: Evaluator<G>>(
    game: &G,
    state: &G::State,
    evaluator: &mut E,
) -> Result<(), String> {
    let actions = legal_actions(game, state);
    let mut priors = vec![1.0 / actions.len() as f32; actions.len()];
    evaluator.priors(game, state, &actions, &mut priors);
    if let Some(at) = priors.iter().position(|prior| !prior.is_finite()) {
        return Err(format!(
            "`priors` gives {} {}, which is not a number; write a finite one for each action",
            short(&actions[at]),
            priors[at]
        ));
    }
    if priors.iter().all(|prior| *prior == 0.0) {
        return Err(format!(
            "`priors` gives 0 to each of {}; leave the priors as they are on entry where all actions are equal",
            list(&actions)
        ));
    }
    Ok(())
}
