//! Checks the contract of [`Simultaneous`].

use super::check::text::{list, short};
use super::check::{Violation, check_lists, legal_actions, random_action};
use crate::game::{Game, MAX_PLAYERS, Player, Simultaneous, Turn};
use crate::rng;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Choices of one moment, in order.
type Choices<G> = Vec<(Player, <G as Game>::Action)>;

/// Maximum number of joint choices of one moment that are tried.
const MOST_CHOICES: usize = 10_000;

/// Plays seeded random games and tries the joint choices of each moment: the players of a moment
/// and their legal actions must not depend on the other choices in it. No player chooses twice in a
/// moment, no choice is listed twice, and some moment has at least two players.
///
/// # Errors
/// The first [`Violation`].
pub fn check_simultaneous<G: Simultaneous>(
    game: &G,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    let mut rng = rng::stream(seed, 0x53_49_4D);
    let (mut moments, mut shared) = (0_u64, 0_u64);
    for _ in 0..games {
        let mut state = game.start();
        let mut played: Vec<G::Action> = Vec::new();
        let here = |what, played: &[G::Action]| Violation::at(what, played);
        let mut is_first = true;
        loop {
            let is_choice = matches!(game.turn(&state), Turn::Player(_));
            if is_choice && is_first && game.is_same_moment(&state) {
                let what = "`is_same_moment` is true although no player has acted just before (at the start or \
                            after chance); return false where a moment begins";
                return Err(here(what.into(), &played));
            }
            if is_choice && !game.is_same_moment(&state) {
                moments += 1;
                let players = check_moment(game, &state).map_err(|what| here(what, &played))?;
                shared += u64::from(players > 1);
            }
            let Some(action) = random_action(game, &state, &mut rng) else { break };
            is_first = !is_choice;
            game.apply(&mut state, action);
            played.push(action);
        }
    }
    if shared == 0 && moments > 0 {
        let what = format!(
            "no players chose simultaneously in any of {moments} moments; `is_same_moment` must be true for \
             every player of a moment but the first (without such moments the game is not simultaneous)"
        );
        return Err(Violation::at::<G::Action>(what, &[]));
    }
    Ok(())
}

/// Tries the joint choices of the moment that begins in `start`, up to a limit; returns the number
/// of its players.
fn check_moment<G: Simultaneous>(game: &G, start: &G::State) -> Result<usize, String> {
    // the states after the first choices of the moment, each with those choices
    let mut layer = vec![(start.clone(), Vec::new())];
    let mut acted = [false; MAX_PLAYERS];
    let mut players = 0;
    let mut tried = 0;
    loop {
        let (player, actions) = check_layer(game, &layer)?;
        if core::mem::replace(&mut acted[player.index() % MAX_PLAYERS], true) {
            return Err(format!(
                "{player:?} chooses twice in one moment; a moment has one choice per player, so `is_same_moment` must \
                 be false at the second"
            ));
        }
        players += 1;
        let mut next = Vec::new();
        for (state, line) in &layer {
            for action in &actions {
                let mut after = state.clone();
                game.apply(&mut after, *action);
                let mut line: Choices<G> = line.clone();
                line.push((player, *action));
                next.push((after, line));
            }
            tried += actions.len();
            if tried > MOST_CHOICES {
                break;
            }
        }
        let (first, first_line) = &next[0];
        let goes_on = is_hidden(game, first);
        if let Some((_, line)) = next.iter().find(|(state, _)| is_hidden(game, state) != goes_on) {
            return Err(format!(
                "after {} the moment {}, but not after {}; who chooses in a moment must not depend on the choices in it",
                short(first_line),
                if goes_on { "goes on" } else { "is over" },
                short(line)
            ));
        }
        if !goes_on || tried > MOST_CHOICES {
            return Ok(players);
        }
        layer = next;
    }
}

/// Checks that the same player has the same choices in all states; returns the player and the
/// choices.
fn check_layer<G: Simultaneous>(
    game: &G,
    layer: &[(G::State, Choices<G>)],
) -> Result<(Player, Vec<G::Action>), String> {
    let (first, first_line) = &layer[0];
    let Turn::Player(player) = game.turn(first) else {
        return Err("a moment without a player to choose; chance and the end are moments of \
                    their own"
            .into());
    };
    if player.index() >= G::PLAYERS {
        return Err(format!("`turn` names {player:?}, but `PLAYERS` is {}", G::PLAYERS));
    }
    let actions = legal_actions(game, first);
    if actions.is_empty() {
        return Err(format!("{player:?} has no choice; a player who cannot act passes"));
    }
    check_lists(game, first, &actions)?;
    for (state, line) in &layer[1..] {
        if game.turn(state) != Turn::Player(player) {
            return Err(format!(
                "{player:?} is next after {}, but {:?} after {}; who chooses in a moment must not depend on the choices \
                 in it",
                short(first_line),
                game.turn(state),
                short(line)
            ));
        }
        let others = legal_actions(game, state);
        if others != actions {
            return Err(format!(
                "{player:?} may choose {} after {}, but {} after {}; options in a moment must not depend on the choices \
                 in it: decide what is possible when all have chosen",
                list(&actions),
                short(first_line),
                list(&others),
                short(line)
            ));
        }
    }
    Ok((player, actions))
}

/// Whether a player decides in `state` without having seen the last action.
fn is_hidden<G: Simultaneous>(game: &G, state: &G::State) -> bool {
    matches!(game.turn(state), Turn::Player(_)) && game.is_same_moment(state)
}
