//! Compares the behaviour of states, without access to their fields.

use super::legal_actions;
use super::text::{list, short};
use crate::game::{Game, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Write};

/// The extent of a comparison of two states.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct Comparison {
    /// Number of random games played from both states by the same actions.
    pub(in crate::testing) games: u32,
    /// Maximum number of actions of each.
    pub(in crate::testing) longest: u32,
}

/// The first difference that random games from two states show, if any. Subtracts its steps from
/// `left`.
pub(in crate::testing) fn difference<G: Game>(
    game: &G,
    states: [&G::State; 2],
    comparison: Comparison,
    (rng, left): (&mut SearchRng, &mut u64),
) -> Option<String> {
    for _ in 0..comparison.games {
        let mut pair = states.map(Clone::clone);
        for step in 0..comparison.longest {
            if let Some(what) = differs_here(game, &pair) {
                let later = format!("{what} after the same {step} actions from both");
                return Some(if step == 0 { what } else { later });
            }
            if *left == 0 {
                return None;
            }
            *left -= 1;
            let action = match game.turn(&pair[0]) {
                Turn::Over(_) => break,
                Turn::Chance => game.random_outcome(&pair[0], rng),
                Turn::Player(_) => {
                    let actions = legal_actions(game, &pair[0]);
                    if actions.is_empty() {
                        break;
                    }
                    actions[rng::below(rng, actions.len())]
                }
            };
            let [one, other] = &mut pair;
            let rewards =
                [game.apply_with_rewards(one, action), game.apply_with_rewards(other, action)];
            if rewards[0] != rewards[1] {
                return Some(format!("rewards for {} ({rewards:?})", short(&action)));
            }
        }
    }
    None
}

/// The immediate difference of two states: turns, results, legal actions, probabilities.
pub(in crate::testing) fn differs_here<G: Game>(game: &G, pair: &[G::State; 2]) -> Option<String> {
    let turns = [game.turn(&pair[0]), game.turn(&pair[1])];
    match turns {
        [Turn::Over(one), Turn::Over(other)] if one != other => {
            return Some(format!("results ({one:?} and {other:?})"));
        }
        [Turn::Over(_), Turn::Over(_)] => return None,
        [one, other] if one != other => return Some(format!("turns ({one:?} and {other:?})")),
        _ => {}
    }
    let actions = [legal_actions(game, &pair[0]), legal_actions(game, &pair[1])];
    if !same_items(&actions[0], &actions[1]) {
        return Some(format!("legal actions ({} and {})", list(&actions[0]), list(&actions[1])));
    }
    if turns[0] == Turn::Chance {
        let outcomes = [outcomes(game, &pair[0]), outcomes(game, &pair[1])];
        let close = |(action, probability): &(G::Action, f32)| {
            let found = outcomes[1].iter().find(|(other, _)| other == action);
            found.is_some_and(|(_, other)| (other - probability).abs() < 1e-4)
        };
        if let Some((action, _)) = outcomes[0].iter().find(|outcome| !close(outcome)) {
            return Some(format!("probabilities of {}", short(action)));
        }
    }
    None
}

/// The outcomes of a chance node with their probabilities.
fn outcomes<G: Game>(game: &G, state: &G::State) -> Vec<(G::Action, f32)> {
    let mut outcomes = Vec::new();
    game.outcomes(state, |action, probability| outcomes.push((action, probability)));
    outcomes
}

/// Whether two lists without repetitions have the same items, in any order.
fn same_items<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one == other || (one.len() == other.len() && one.iter().all(|item| other.contains(item)))
}

/// A hash of a text, computed without storing the text.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct TextHash(pub(in crate::testing) u64);

impl TextHash {
    pub(in crate::testing) fn of(value: &impl Debug) -> u64 {
        let mut hash = TextHash(0xCBF2_9CE4_8422_2325);
        hash.add(value);
        hash.0
    }

    pub(in crate::testing) fn add(&mut self, value: &impl Debug) {
        // writing to a number cannot fail; a failing `Debug` adds what it wrote
        let _ = write!(self, "{value:?};");
    }
}

impl fmt::Write for TextHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // FNV-1a (Fowler, Noll and Vo)
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}

/// Number of random games of a signature, and their maximum number of actions.
const SIGNATURE: Comparison = Comparison { games: 8, longest: 40 };

/// A hash of the behaviour of a state in a few random games, the same ones for each state: states
/// with different signatures behave differently. `seen` adds further observations after an action.
pub(in crate::testing) fn signature<G: Game>(
    game: &G,
    start: &G::State,
    mut seen: impl FnMut(&mut TextHash, &G::State, G::Action),
) -> u64 {
    let mut hash = TextHash(0);
    for number in 0..SIGNATURE.games {
        let mut rng = rng::stream(u64::from(number), 0x5349_474E);
        let mut state = start.clone();
        for _ in 0..SIGNATURE.longest {
            let turn = game.turn(&state);
            hash.add(&turn);
            if matches!(turn, Turn::Over(_)) {
                break;
            }
            // in an order independent of that of the state, which may come from a shuffled list
            let mut actions: Vec<(u64, G::Action)> = Vec::new();
            game.actions(&state, |action| actions.push((TextHash::of(&action), action)));
            actions.sort_by_key(|(text, _)| *text);
            hash.0 = actions.iter().fold(hash.0, |sum, (text, _)| rng::mix(sum ^ text));
            if actions.is_empty() {
                break;
            }
            let (_, action) = actions[rng::below(&mut rng, actions.len())];
            hash.add(&game.apply_with_rewards(&mut state, action));
            seen(&mut hash, &state, action);
        }
    }
    hash.0
}
