//! Everything that the rules say of one state, compared with everything else.

use super::{Totals, legal_actions};
use crate::game::{Game, Turn, Utilities};
use crate::rng::SearchRng;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Checks everything about one state; a random action, or `None` if the game is over.
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
    if let Turn::Player(player) = turn
        && player.index() >= G::PLAYERS
    {
        return Err(format!(
            "`turn` names {player:?}, but there are {} players; set `PLAYERS`",
            G::PLAYERS
        ));
    }
    let actions = legal_actions(game, state);
    totals.actions += actions.len() as u64;
    totals.most_actions = totals.most_actions.max(actions.len());
    if actions.is_empty() {
        return Err("there is no legal action although the game is not over; \
                    a player who cannot act passes, and the pass is an action"
            .into());
    }
    check_lists(game, state, &actions)?;
    check_applying(game, state, &actions)?;
    let action = if turn == Turn::Chance {
        check_outcomes(game, state, &actions)?;
        game.random_outcome(state, rng)
    } else {
        check_indices(game, &actions)?;
        game.random_action(state, rng)
    };
    if !actions.contains(&action) {
        return Err(format!(
            "a random action, {action:?}, is not among the legal {actions:?}; leave `random_action` and \
             `random_outcome` at their defaults unless they are faster"
        ));
    }
    Ok(Some(action))
}

/// Asks twice for everything that should depend on the state alone; whose turn it is.
fn check_answers<G: Game>(game: &G, state: &G::State) -> Result<Turn, String> {
    let turn = game.turn(state);
    if let Turn::Over(utilities) = turn {
        check_utilities::<G>(&utilities)?;
    }
    if turn != game.turn(state) {
        return Err("`turn` says two different things of the same state; let it depend on \
                    nothing else"
            .into());
    }
    let is_over = matches!(turn, Turn::Over(_));
    if !is_over && legal_actions(game, state) != legal_actions(game, state) {
        return Err("`actions` gives another list or order when asked again; \
                    no random numbers and no hash maps there"
            .into());
    }
    Ok(turn)
}

fn check_utilities<G: Game>(utilities: &Utilities) -> Result<(), String> {
    let (lowest, highest) = G::UTILITY_BOUNDS;
    for (player, utility) in utilities.0.iter().enumerate() {
        let in_bounds = player >= G::PLAYERS || (lowest..=highest).contains(utility);
        if !in_bounds {
            return Err(format!(
                "player {player} gets {utility}, outside `UTILITY_BOUNDS` {lowest} to {highest}; widen \
                 them or scale the utilities"
            ));
        }
    }
    let sum: f32 = utilities.0.iter().sum();
    if G::PLAYERS == 2 && G::ZERO_SUM && sum.abs() > 1e-6 {
        return Err(format!(
            "utilities {utilities:?} do not add up to zero; set `ZERO_SUM` to false"
        ));
    }
    Ok(())
}

/// What is said of a game that is over stays said.
fn check_end<G: Game>(
    game: &G,
    state: &G::State,
    utilities: &Utilities,
    rng: &mut SearchRng,
) -> Result<(), String> {
    let mut results = [Utilities::ZERO; 2];
    game.rollouts(&mut [state.clone(), state.clone()], rng, &mut results);
    for result in [game.rollout(state.clone(), rng), results[0], results[1]] {
        if result != *utilities {
            return Err(format!(
                "the game is over with {utilities:?}, but a rollout from there gives {result:?}; look whether it is \
                 over before the first action of a rollout"
            ));
        }
    }
    Ok(())
}

fn check_lists<G: Game>(game: &G, state: &G::State, actions: &[G::Action]) -> Result<(), String> {
    for (place, action) in actions.iter().enumerate() {
        if actions[..place].contains(action) {
            return Err(format!("`actions` gives {action:?} twice; give each choice once"));
        }
        let nth = game.nth_action(state, place);
        if nth != *action {
            return Err(format!(
                "`nth_action` says {nth:?} at {place} where `actions` says {action:?}; keep one order"
            ));
        }
    }
    let count = game.count_actions(state);
    if count != actions.len() {
        return Err(format!(
            "`count_actions` says {count}, `actions` gives {}; leave the default unless it is faster",
            actions.len()
        ));
    }
    Ok(())
}

fn check_indices<G: Game>(game: &G, actions: &[G::Action]) -> Result<(), String> {
    let mut indices = Vec::new();
    for action in actions {
        let Some(index) = game.action_index(*action) else { continue };
        if index >= game.action_indices() {
            return Err(format!(
                "`action_index` of {action:?} is {index}, not below `action_indices` {}; raise that",
                game.action_indices()
            ));
        }
        if indices.contains(&index) {
            return Err(format!(
                "two actions of one state have the `action_index` {index}, {action:?} one of them; number them apart, or \
                 give `None`"
            ));
        }
        indices.push(index);
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
                "applying {action:?} twice to the same state gives two results; `apply` and `apply_with_rewards` must \
                 do the same and draw nothing (outcomes of chance are actions too)"
            ));
        }
        if !G::HAS_REWARDS && rewards != Utilities::ZERO {
            return Err(format!("{action:?} brings {rewards:?}; set `HAS_REWARDS` to true"));
        }
        if game.turn(state) != turn
            || game.hash(state) != hash
            || legal_actions(game, state) != actions
        {
            return Err(format!(
                "applying {action:?} to a copy changed the state that it was copied from; `clone` must copy everything"
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
    let mut total = 0.0;
    game.outcomes(state, |action, probability| {
        listed.push(action);
        total += probability;
    });
    if listed != actions {
        return Err(format!(
            "`outcomes` lists {listed:?} where `actions` lists {actions:?}; list the same in the same order"
        ));
    }
    if (total - 1.0).abs() > 1e-3 {
        return Err(format!("the probabilities of `outcomes` add up to {total}; they must to 1"));
    }
    Ok(())
}
