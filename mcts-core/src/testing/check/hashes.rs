//! Checks that equal hashes mean equal futures.

use super::behaviour::{Comparison, difference};
use super::{CheckOptions, Violation, legal_actions, play, random_action};
use crate::game::{Game, Turn};
use crate::rng::{self, SearchRng};
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of states kept for comparison.
const MOST_STATES: usize = 50_000;
/// Steps of all random games from pairs of states together.
const MOST_STEPS: u64 = 200_000;
/// Number of states around a position that are visited.
const NEIGHBOURS: usize = 2_000;
/// Number of thorough comparisons of states of one hash.
const THOROUGHLY: u32 = 3;

/// A played game: its states, and the actions between them.
pub(super) type Played<G> = (Vec<<G as Game>::State>, Vec<<G as Game>::Action>);

/// Compares states of equal hash in played games and around some of their states; returns the
/// number of comparisons.
pub(super) fn check<G: Game>(
    game: &G,
    games: &[Played<G>],
    rng: &mut SearchRng,
) -> Result<u64, Violation> {
    let mut hashes = Hashes::default();
    for (number, (states, actions)) in games.iter().enumerate() {
        if game.hash(&states[0]).is_none() {
            continue;
        }
        if number < EXPLORED {
            let place = if number == 0 { 0 } else { rng::below(rng, states.len()) };
            let explored = hashes.explore(game, &states[place], rng);
            explored.map_err(|(what, line)| {
                Violation::at(what, &[&actions[..place], &line].concat())
            })?;
        }
        for (at, state) in states.iter().enumerate() {
            let here = |what| Violation::at(what, &actions[..at]);
            hashes.meet(game, state, rng).map_err(here)?;
            if matches!(game.turn(state), Turn::Over(_)) {
                continue;
            }
            for action in legal_actions(game, state) {
                let mut after = state.clone();
                game.apply(&mut after, action);
                let met = hashes.meet(game, &after, rng);
                met.map_err(|what| Violation::at(what, &[&actions[..at], &[action]].concat()))?;
            }
        }
    }
    Ok(hashes.met_again)
}

/// Number of games of which the neighbours of a state are visited.
const EXPLORED: usize = 4;

/// The first state of each hash.
#[derive(Debug)]
struct Hashes<S> {
    first: BTreeMap<u64, (S, u32)>,
    steps_left: u64,
    /// Number of states with the hash of an earlier one.
    met_again: u64,
}

impl<S> Default for Hashes<S> {
    fn default() -> Self {
        Hashes { first: BTreeMap::new(), steps_left: MOST_STEPS, met_again: 0 }
    }
}

impl<S: Clone> Hashes<S> {
    /// Compares a state with the first one of the same hash; returns whether its hash is new.
    fn meet<G: Game<State = S>>(
        &mut self,
        game: &G,
        state: &S,
        rng: &mut SearchRng,
    ) -> Result<bool, String> {
        let Some(hash) = game.hash(state) else { return Ok(false) };
        let is_full = self.first.len() >= MOST_STATES;
        let Some((first, times)) = self.first.get_mut(&hash) else {
            if !is_full {
                self.first.insert(hash, (state.clone(), 0));
            }
            return Ok(!is_full);
        };
        self.met_again += 1;
        *times += 1;
        let games = if *times <= THOROUGHLY { 8 } else { 1 };
        let comparison = Comparison { games, longest: 500 };
        let spent = (rng, &mut self.steps_left);
        match difference(game, [&*first, state], comparison, spent) {
            None => Ok(false),
            Some(what) => Err(format!(
                "two states have the hash {hash:#x} but different {what}; `hash` must cover everything that the future \
                 depends on, the side to move included"
            )),
        }
    }

    /// Visits the states around `start` by distance.
    fn explore<G: Game<State = S>>(
        &mut self,
        game: &G,
        start: &S,
        rng: &mut SearchRng,
    ) -> Result<(), (String, Vec<G::Action>)> {
        let mut open = VecDeque::from([(start.clone(), Vec::new())]);
        let mut visited = 0;
        while let Some((state, line)) = open.pop_front() {
            if matches!(game.turn(&state), Turn::Over(_)) {
                continue;
            }
            for action in legal_actions(game, &state) {
                visited += 1;
                if visited > NEIGHBOURS {
                    return Ok(());
                }
                let mut after = state.clone();
                game.apply(&mut after, action);
                let mut line = line.clone();
                line.push(action);
                let is_new = self.meet(game, &after, rng);
                if is_new.map_err(|what| (what, line.clone()))? {
                    open.push_back((after, line));
                }
            }
        }
        Ok(())
    }
}

/// Plays seeded random games and compares states that are equal by `==`, regardless of the actions
/// that led to them: they must have equal hashes, as graph search requires, and equal futures.
///
/// Returns the number of states that were equal to an earlier one; 0 means that the games had no
/// transposition.
///
/// # Errors
/// The first [`Violation`].
pub fn check_transpositions<G: Game>(game: &G, options: &CheckOptions) -> Result<u64, Violation> {
    let mut rng = rng::stream(options.seed, 0x5452_414E_5350);
    let mut known = Known::<G> { buckets: BTreeMap::new(), states: 0, equal: 0 };
    for _ in 0..options.games {
        play(game, options, &mut rng, |state, rng| {
            known.meet(game, state, rng)?;
            Ok(random_action(game, state, rng))
        })?;
    }
    // near the start, every order of the first actions: most transpositions are there
    let mut open = VecDeque::from([(game.start(), Vec::new())]);
    let mut visited = 0;
    while let Some((state, line)) = open.pop_front().filter(|_| visited < NEIGHBOURS) {
        if matches!(game.turn(&state), Turn::Over(_)) {
            continue;
        }
        for action in legal_actions(game, &state) {
            visited += 1;
            let mut after = state.clone();
            game.apply(&mut after, action);
            let mut line = line.clone();
            line.push(action);
            let equal = known.equal;
            known.meet(game, &after, &mut rng).map_err(|what| Violation::at(what, &line))?;
            if known.equal == equal {
                open.push_back((after, line));
            }
        }
    }
    Ok(known.equal)
}

/// States in buckets by turns and numbers of actions a few steps ahead.
struct Known<G: Game> {
    buckets: BTreeMap<u64, Vec<G::State>>,
    states: usize,
    equal: u64,
}

impl<G: Game> Known<G> {
    fn meet(&mut self, game: &G, state: &G::State, rng: &mut SearchRng) -> Result<(), String> {
        let bucket = self.buckets.entry(summary(game, state)).or_default();
        let Some(earlier) = bucket.iter().find(|earlier| *earlier == state) else {
            if self.states < MOST_STATES && bucket.len() < 200 {
                self.states += 1;
                bucket.push(state.clone());
            }
            return Ok(());
        };
        self.equal += 1;
        let hashes = [game.hash(earlier), game.hash(state)];
        if hashes[0] != hashes[1] {
            return Err(format!(
                "two equal states have the hashes {hashes:x?}; compute `hash` from the state alone, and update a hash \
                 that is kept in it for every change"
            ));
        }
        if self.equal > 1_000 {
            return Ok(());
        }
        let comparison = Comparison { games: 1, longest: 500 };
        match difference(game, [earlier, state], comparison, (rng, &mut 500)) {
            None => Ok(()),
            Some(what) => Err(format!(
                "two states are equal by `==` but have different {what}; `PartialEq` must compare everything that the \
                 future depends on"
            )),
        }
    }
}

/// A hash that is equal for equal states: turns and numbers of actions along a fixed line.
fn summary<G: Game>(game: &G, state: &G::State) -> u64 {
    let mut state = state.clone();
    let mut sum = 0;
    for step in 0..6 {
        let turn = match game.turn(&state) {
            Turn::Over(_) => return rng::mix(sum ^ 1),
            Turn::Chance => 0,
            Turn::Player(player) => 1 + player.index(),
        };
        let count = game.count_actions(&state);
        sum = rng::mix(sum ^ (turn + 16 * count) as u64);
        if count == 0 {
            break;
        }
        let action = game.nth_action(&state, (7 * step + 3) % count);
        game.apply(&mut state, action);
    }
    sum
}
