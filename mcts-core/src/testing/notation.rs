//! Checks that text forms read back what they wrote.

use super::check::behaviour::{Comparison, difference};
use super::check::text::list;
use super::check::{CheckOptions, Violation, legal_actions, play, random_action};
use crate::game::{Game, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use core::fmt::Display;

/// Plays seeded random games and reads back the text of every state: it must write the same text
/// again and have the same turn, actions and hash. Truncated texts must be rejected or read,
/// without a panic.
///
/// Returns the number of states that were written.
///
/// # Errors
/// The first [`Violation`].
pub fn check_state_notation<G: Game, E: Display>(
    game: &G,
    options: &CheckOptions,
    write: impl Fn(&G::State) -> String,
    read: impl Fn(&str) -> Result<G::State, E>,
) -> Result<u64, Violation> {
    let mut rng = rng::stream(options.seed, 0x54_45_58_54);
    let mut written = 0;
    let mut steps_left = 100_000;
    for _ in 0..options.games {
        play(game, options, &mut rng, |state, rng| {
            written += 1;
            let text = write(state);
            let back = read(&text).map_err(|error| {
                format!(
                    "{text:?} is not read back: {error}; let `FromStr` read every text of `Display`"
                )
            })?;
            if let Some(what) = differs(game, state, &back, (rng, &mut steps_left)) {
                return Err(format!(
                    "{text:?} reads as another state ({what}); write everything that the future depends on"
                ));
            }
            let again = write(&back);
            if again != text {
                return Err(format!(
                    "{text:?} reads as a state that is written {again:?}; write each state in one form only"
                ));
            }
            for (cut, _) in text.char_indices() {
                let _ = read(&text[..cut]);
            }
            Ok(random_action(game, state, rng))
        })?;
    }
    Ok(written)
}

/// Plays seeded random games and reads back the text of every legal action in the state where it is legal; no two of
/// them may have the same text.
///
/// Returns the number of actions that were written.
///
/// # Errors
/// The first [`Violation`].
pub fn check_action_notation<G: Game, E: Display>(
    game: &G,
    options: &CheckOptions,
    write: impl Fn(&G::State, G::Action) -> String,
    read: impl Fn(&G::State, &str) -> Result<G::Action, E>,
) -> Result<u64, Violation> {
    let mut rng = rng::stream(options.seed, 0x54_45_58_54);
    let mut written = 0;
    for _ in 0..options.games {
        play(game, options, &mut rng, |state, rng| {
            let is_choice = matches!(game.turn(state), Turn::Player(_));
            for action in is_choice.then(|| legal_actions(game, state)).into_iter().flatten() {
                written += 1;
                let text = write(state, action);
                let back = read(state, &text)
                    .map_err(|error| format!("{text:?}, an action, is not read back: {error}; let `FromStr` read every text of `Display`"))?;
                if back != action {
                    return Err(format!(
                        "{text:?} is written for {action:?} and reads as {back:?}; give each action its own text"
                    ));
                }
                for (cut, _) in text.char_indices() {
                    let _ = read(state, &text[..cut]);
                }
            }
            Ok(random_action(game, state, rng))
        })?;
    }
    Ok(written)
}

/// The first difference of two states, if any.
fn differs<G: Game>(
    game: &G,
    one: &G::State,
    other: &G::State,
    (rng, left): (&mut SearchRng, &mut u64),
) -> Option<String> {
    let (turn, of_other) = (game.turn(one), game.turn(other));
    if turn != of_other {
        return Some(format!("their turns differ: {turn:?}, {of_other:?}"));
    }
    let is_over = matches!(turn, Turn::Over(_));
    let (actions, of_other) = (legal_actions(game, one), legal_actions(game, other));
    if !is_over && actions != of_other {
        return Some(format!("their actions differ: {}, {}", list(&actions), list(&of_other)));
    }
    if game.hash(one) != game.hash(other) {
        return Some("their hashes differ".into());
    }
    let comparison = Comparison { games: 1, longest: 100 };
    difference(game, [one, other], comparison, (rng, left)).map(|what| format!("different {what}"))
}
