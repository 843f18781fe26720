//! Checks that all methods of the rules agree in one state.

use super::claims::{check_numbers, check_sum};
use super::legal_actions;
use super::text::{list, short};
use crate::game::{Game, Turn, Utilities};
use crate::rng::SearchRng;
use crate::trace::Untraced;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Statistics of the states so far.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) states: u64,
    pub(super) actions: u64,
    pub(super) length: u64,
    pub(super) most_actions: usize,
}

/// Checks one state; returns a random action, or `None` if the game is over.
pub(super) fn check<G: Game>(
    game: &G,
    state: &G::State,
    totals: &mut Totals,
    rng: &mut SearchRng,
) -> Result<Option<G::Action>, String> {
    let turn = check_answers(game, state)?;
    totals.states += 1;
    if let Turn::Over(utilities) = turn {
        return check_end(game, state, &utilities, rng).map(|()| None);
    }
    let actions = legal_actions(game, state);
    totals.actions += actions.len() as u64;
    totals.most_actions = totals.most_actions.max(actions.len());
    check_lists(game, state, &actions)?;
    if turn == Turn::Chance {
        check_outcomes(game, state, &actions)?;
    } else {
        check_indices(game, &actions)?;
    }
    check_applying(game, state, &actions)?;
    check_idle(game, state, &actions)?;
    let (by, action) = if turn == Turn::Chance {
        ("random_outcome", game.random_outcome(state, rng))
    } else {
        ("random_action", game.random_action(state, rng))
    };
    if !actions.contains(&action) {
        return Err(format!(
            "a random action, {}, is not among the legal {}; leave `{by}` at its default unless it is faster",
            short(&action),
            list(&actions)
        ));
    }
    Ok(Some(action))
}

/// Calls every function of the state twice and compares; returns the turn.
fn check_answers<G: Game>(game: &G, state: &G::State) -> Result<Turn, String> {
    let turn = game.turn(state);
    match turn {
        Turn::Over(utilities) => check_utilities::<G>(&utilities)?,
        Turn::Player(player) if player.index() >= G::PLAYERS => {
            let players = G::PLAYERS;
            return Err(format!(
                "`turn` names {player:?}, but there are {players} players; set `PLAYERS`"
            ));
        }
        _ => {}
    }
    if turn != game.turn(state) {
        return Err("`turn` says two different things of the same state; let it depend on \
                    nothing else"
            .into());
    }
    if game.hash(state) != game.hash(state) || game.hash(state) != game.hash(&state.clone()) {
        return Err("`hash` gives two numbers for the same state; compute it from the state \
                    alone, without addresses, counters or a random hasher"
            .into());
    }
    if matches!(turn, Turn::Over(_)) {
        return Ok(turn);
    }
    let actions = legal_actions(game, state);
    if actions != legal_actions(game, state) {
        return Err("`actions` gives another list or order when asked again; \
                    no random numbers and no hash maps there"
            .into());
    }
    if actions.is_empty() && turn == Turn::Chance {
        return Err("`turn` is chance, but `actions` gives no outcome; list at least one, or let \
                    `turn` name who is next"
            .into());
    }
    if actions.is_empty() {
        return Err("there is no legal action although the game is not over; \
                    a player who cannot act passes, and the pass is an action"
            .into());
    }
    Ok(turn)
}

fn check_utilities<G: Game>(utilities: &Utilities) -> Result<(), String> {
    check_numbers::<G>(utilities, "`turn`")?;
    let (lowest, highest) = G::UTILITY_BOUNDS;
    for (player, utility) in utilities.0.iter().enumerate().take(G::PLAYERS) {
        if !(lowest..=highest).contains(utility) {
            return Err(format!(
                "player {player} gets {utility}, outside `UTILITY_BOUNDS` {lowest} to {highest}; widen \
                 them or scale the utilities"
            ));
        }
    }
    check_sum::<G>(utilities, "`turn`")
}

/// Checks that a game that is over stays over.
fn check_end<G: Game>(
    game: &G,
    state: &G::State,
    utilities: &Utilities,
    rng: &mut SearchRng,
) -> Result<(), String> {
    let mut results = [Utilities::ZERO; 2];
    game.rollouts(&mut [state.clone(), state.clone()], rng, &mut results);
    for result in [game.rollout(state.clone(), &mut Untraced, rng), results[0], results[1]] {
        if result != *utilities {
            return Err(format!(
                "the game is over with {utilities:?}, but a rollout from there gives {result:?}; look whether it is \
                 over before the first action of a rollout"
            ));
        }
    }
    Ok(())
}

pub(in crate::testing) fn check_lists<G: Game>(
    game: &G,
    state: &G::State,
    actions: &[G::Action],
) -> Result<(), String> {
    let count = game.count_actions(state);
    if count != actions.len() {
        return Err(format!(
            "`count_actions` says {count}, `actions` gives {}; leave the default unless it is faster",
            actions.len()
        ));
    }
    for (place, action) in actions.iter().enumerate() {
        if actions[..place].contains(action) {
            return Err(format!("`actions` gives {} twice; give each choice once", short(action)));
        }
    }
    // a default `nth_action` lists all actions for each index, so only some are checked if there
    // are many
    let step = 1 + actions.len() / 500;
    for (place, action) in actions.iter().enumerate().step_by(step) {
        let nth = game.nth_action(state, place);
        if nth != *action {
            return Err(format!(
                "`nth_action` says {} at {place} where `actions` says {}; keep one order",
                short(&nth),
                short(action)
            ));
        }
    }
    Ok(())
}

fn check_indices<G: Game>(game: &G, actions: &[G::Action]) -> Result<(), String> {
    let mut indices = Vec::new();
    for action in actions {
        let (index, again) = (game.action_index(*action), game.action_index(*action));
        if index != again {
            return Err(format!(
                "`action_index` of {} is {index:?}, then {again:?}; let it depend on the action alone",
                short(action)
            ));
        }
        let Some(index) = index else { continue };
        let all = game.action_indices();
        if all != game.action_indices() {
            return Err("`action_indices` gives two numbers; it must stay the same".into());
        }
        if index >= all {
            return Err(format!(
                "`action_index` of {} is {index}, not below `action_indices` {all}; raise that",
                short(action)
            ));
        }
        if let Some((_, other)) = indices.iter().find(|(found, _)| *found == index) {
            return Err(format!(
                "two actions of one state, {} and {}, have the `action_index` {index}; number them apart, or give `None`",
                short(other),
                short(action)
            ));
        }
        indices.push((index, *action));
    }
    Ok(())
}

fn check_applying<G: Game>(
    game: &G,
    state: &G::State,
    actions: &[G::Action],
) -> Result<(), String> {
    let (turn, hash) = (game.turn(state), game.hash(state));
    for action in actions {
        let (mut once, mut again) = (state.clone(), state.clone());
        game.apply(&mut once, *action);
        let rewards = game.apply_with_rewards(&mut again, *action);
        let turn_after = check_answers(game, &once)?;
        let same = turn_after == game.turn(&again)
            && (matches!(turn_after, Turn::Over(_))
                || legal_actions(game, &once) == legal_actions(game, &again));
        if !same || game.hash(&once) != game.hash(&again) {
            return Err(format!(
                "applying {} twice to the same state gives two results; `apply` and `apply_with_rewards` must \
                 do the same and draw nothing (outcomes of chance are actions too)",
                short(action)
            ));
        }
        check_numbers::<G>(&rewards, "`apply_with_rewards`")?;
        if !G::HAS_REWARDS && rewards != Utilities::ZERO {
            return Err(format!("{action:?} brings {rewards:?}; set `HAS_REWARDS` to true"));
        }
        check_sum::<G>(&rewards, "`apply_with_rewards`")?;
        if game.turn(state) != turn
            || game.hash(state) != hash
            || legal_actions(game, state) != actions
        {
            return Err(format!(
                "applying {} to a copy changed the state that it was copied from; `clone` must copy everything",
                short(action)
            ));
        }
    }
    Ok(())
}

/// Finds an action of a player that changes nothing. In games with rewards that may be intended: it
/// costs time.
fn check_idle<G: Game>(game: &G, state: &G::State, actions: &[G::Action]) -> Result<(), String> {
    if G::HAS_REWARDS || !matches!(game.turn(state), Turn::Player(_)) {
        return Ok(());
    }
    for action in actions {
        let mut after = state.clone();
        game.apply(&mut after, *action);
        if after == *state {
            return Err(format!(
                "`apply` of {} leaves the state as it was; change `state` in place, and do not list an action that does \
                 nothing",
                short(action)
            ));
        }
    }
    Ok(())
}

fn check_outcomes<G: Game>(
    game: &G,
    state: &G::State,
    actions: &[G::Action],
) -> Result<(), String> {
    let mut listed = Vec::new();
    let mut probabilities = Vec::new();
    game.outcomes(state, |action, probability| {
        listed.push(action);
        probabilities.push(probability);
    });
    if listed.is_empty() {
        return Err(
            "`outcomes` gives no outcome although chance is next; visit each one with its \
                    probability"
                .into(),
        );
    }
    if listed != actions {
        return Err(format!(
            "`outcomes` lists {} where `actions` lists {}; list the same in the same order",
            list(&listed),
            list(actions)
        ));
    }
    for (action, probability) in listed.iter().zip(&probabilities) {
        let what = match *probability {
            p if !p.is_finite() => "is not a number (divided by a count of zero?)",
            p if p < 0.0 => "is negative",
            0.0 => "is zero; leave it out of `outcomes` and `actions`",
            p if p > 1.001 => "is above 1",
            _ => continue,
        };
        return Err(format!("the probability of {}, {probability}, {what}", short(action)));
    }
    let total: f32 = probabilities.iter().sum();
    if (total - 1.0).abs() > 1e-3 {
        return Err(format!(
            "the probabilities of `outcomes` add up to {total}, not to 1; divide weights by their sum"
        ));
    }
    Ok(())
}
