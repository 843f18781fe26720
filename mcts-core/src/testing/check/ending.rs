//! Checks small endings: plain recursion against a search with proven values.

use super::CheckOptions;
use super::rollouts::Defaults;
use crate::budget::{Budget, NoClock};
use crate::game::{Game, Turn, Utilities};
use crate::search::{Search, Uct};
use alloc::format;
use alloc::string::String;

/// Playouts of a search for each position of its ending; more than enough for a proof.
const PLAYOUTS_PER_POSITION: u64 = 100;

/// Solves the longest small ending of a game, if there is one; returns the number of endings
/// solved, or what is wrong and the number of actions before it.
pub(super) fn check<G: Game>(
    game: &G,
    options: &CheckOptions,
    passed: &[G::State],
) -> Result<u32, (String, usize)> {
    if G::HAS_REWARDS || G::PLAYERS > 2 || (G::PLAYERS == 2 && !G::ZERO_SUM) {
        return Ok(0);
    }
    let mut ending = None;
    for (at, state) in passed.iter().enumerate().rev().skip(1) {
        let mut left = options.ending_positions;
        let Some(utilities) = solve(game, state, &mut left) else { break };
        ending = Some((at, utilities, options.ending_positions - left));
    }
    let Some((at, utilities, positions)) = ending else { return Ok(0) };
    let (state, wrong) = (&passed[at], |what| (what, at));
    let Turn::Player(player) = game.turn(state) else { return Ok(0) };
    let mut search = Uct::<crate::Ucb1, crate::Rollout>::default().search(Defaults(game), 1);
    let budget = Budget::playouts(PLAYOUTS_PER_POSITION * u64::from(positions)).to_the_end();
    let report = search.run_with_clock(state, &budget, &NoClock).map_err(|error| {
        wrong(format!("a search rejects the state: {error}; check `turn` and `actions` there"))
    })?;
    let Some(proof) = report.best_action().and_then(|action| action.proven) else { return Ok(0) };
    let value = utilities.of_player(player);
    if (proof.utility - value).abs() > 1e-6 {
        return Err(wrong(format!(
            "{player:?} gets {value} with best play, but a search proves {}; utilities and turns must depend on \
             nothing but the state",
            proof.utility
        )));
    }
    Ok(1)
}

/// The utilities under best play; `None` with chance, or with more than `left` positions.
fn solve<G: Game>(game: &G, state: &G::State, left: &mut u32) -> Option<Utilities> {
    *left = left.checked_sub(1)?;
    let player = match game.turn(state) {
        Turn::Over(utilities) => return Some(utilities),
        Turn::Chance => return None,
        Turn::Player(player) => player,
    };
    let mut best: Option<Utilities> = None;
    for action in super::legal_actions(game, state) {
        let mut after = state.clone();
        game.apply(&mut after, action);
        let utilities = solve(game, &after, left)?;
        if best.is_none_or(|best| utilities.of_player(player) > best.of_player(player)) {
            best = Some(utilities);
        }
    }
    best
}
