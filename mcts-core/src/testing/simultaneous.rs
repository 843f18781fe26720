//! Does a game keep the contract of [`Simultaneous`]?

use super::check::{Violation, legal_actions, random_action, texts};
use crate::game::{Simultaneous, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::vec::Vec;

/// Plays seeded random games and looks whether anything in a moment tells what was chosen in it: whether who acts next
/// or the legal actions would be others after another action.
///
/// # Errors
/// The first [`Violation`].
pub fn check_simultaneous<G: Simultaneous>(
    game: &G,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    let mut rng = rng::stream(seed, 0x53_49_4D);
    for _ in 0..games {
        let mut state = game.start();
        let mut played: Vec<G::Action> = Vec::new();
        while let Some(action) = random_action(game, &state, &mut rng) {
            let is_choice = matches!(game.turn(&state), Turn::Player(_));
            let mut after = state.clone();
            game.apply(&mut after, action);
            for other in legal_actions(game, &state).into_iter().filter(|_| is_choice) {
                let mut instead = state.clone();
                game.apply(&mut instead, other);
                if shows_choice(game, [after.clone(), instead], &mut rng) {
                    let what =
                        format!("what follows in the moment tells {action:?} from {other:?}");
                    return Err(Violation { what, actions: texts(&played) });
                }
            }
            played.push(action);
            state = after;
        }
    }
    Ok(())
}

/// Whether the rest of a moment tells two states apart in which one choice was another.
fn shows_choice<G: Simultaneous>(game: &G, mut states: [G::State; 2], rng: &mut SearchRng) -> bool {
    loop {
        let [first, second] = &states;
        if is_hidden(game, first) != is_hidden(game, second) {
            return true;
        }
        if !is_hidden(game, first) {
            return false;
        }
        if game.turn(first) != game.turn(second)
            || legal_actions(game, first) != legal_actions(game, second)
        {
            return true;
        }
        let Some(action) = random_action(game, first, rng) else { return false };
        states.iter_mut().for_each(|state| game.apply(state, action));
    }
}

/// Whether somebody decides in `state` who does not know the last action.
fn is_hidden<G: Simultaneous>(game: &G, state: &G::State) -> bool {
    matches!(game.turn(state), Turn::Player(_)) && game.is_same_moment(state)
}
