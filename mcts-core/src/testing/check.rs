//! Checks the contract of [`Game`].

pub(super) mod behaviour;
mod claims;
mod draws;
mod ending;
mod hashes;
mod rollouts;
mod state;
pub(super) mod text;

pub use hashes::check_transpositions;
pub use rollouts::Defaults;

pub(super) use claims::{check_numbers, check_sum};
use state::Totals;
pub(super) use state::check_lists;

use crate::game::{Game, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The extent of [`check_game`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOptions {
    /// Number of random games.
    pub games: u32,
    /// A game with more actions than this is reported as endless.
    pub longest_game: u32,
    /// Number of rollouts by which overridden rollouts are compared with the default.
    pub rollouts: u32,
    /// Number of random games whose endings are searched and solved.
    pub endings: u32,
    /// Maximum number of positions of an ending that is solved.
    pub ending_positions: u32,
    /// Seed of the random games.
    pub seed: u64,
}

impl Default for CheckOptions {
    /// About a second for a small game.
    fn default() -> Self {
        CheckOptions {
            games: 100,
            longest_game: 10_000,
            rollouts: 2_000,
            endings: 20,
            ending_positions: 1_000,
            seed: 1,
        }
    }
}

/// Statistics of the random games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// Number of states checked.
    pub states: u64,
    /// Maximum number of legal actions.
    pub most_actions: usize,
    /// Mean number of legal actions.
    pub mean_actions: f64,
    /// Mean actions of a game.
    pub mean_length: f64,
    /// Endings for which a plain recursion and the search agree; none in games with chance, with
    /// rewards, or of players without opposite interests.
    pub endings: u32,
    /// Number of states with the [`hash`](Game::hash) of an earlier one, each compared with it.
    pub hashes_met_again: u64,
}

/// The first violation of the contract: what is wrong, where, and what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong and what to change.
    pub what: String,
    /// The actions from the start to the state with the violation.
    pub actions: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (after {} actions: {})",
            self.what,
            self.actions.len(),
            text::line(&self.actions)
        )
    }
}

impl core::error::Error for Violation {}

/// Plays seeded random games and checks that all methods of [`Game`] agree: actions with their
/// counts, indices and probabilities, `apply` with itself and with copies of the state, utilities
/// and rewards with their bounds, random actions with their probabilities, states of equal hash
/// with each other, the end of a game with rollouts from there, each overridden method with its
/// default, and the search of small endings with a plain recursion.
///
/// Rollouts are compared by their mean; a correct game fails that comparison with a probability
/// below one in a million. In games with a hash, [`check_transpositions`] is included.
///
/// # Errors
/// The first [`Violation`].
pub fn check_game<G: Game>(game: &G, options: &CheckOptions) -> Result<Checked, Violation> {
    let nowhere = |what| Violation::at::<G::Action>(what, &[]);
    claims::check(game).map_err(nowhere)?;
    let mut rng = rng::stream(options.seed, 0x43_48_45_43_4B);
    // a separate stream for later checks, so that the games of a seed stay the same
    let mut extra_rng = rng::stream(options.seed, 0x45_58_54_52_41);
    let mut totals = Totals::default();
    let mut shares = claims::Shares::default();
    let mut games: Vec<hashes::Played<G>> = Vec::new();
    for _ in 0..options.games {
        let mut passed = Vec::new();
        let played = play(game, options, &mut rng, |state, rng| {
            passed.push(state.clone());
            state::check(game, state, &mut totals, rng)
        })?;
        totals.length += played.len() as u64;
        claims::check_returns(game, &played, &mut shares)
            .map_err(|(what, at)| Violation::at(what, &played[..at]))?;
        if totals.states < MOST_STATES {
            games.push((passed, played));
        }
    }
    // checks that look ahead come after those of single states, whose violations they would report
    // as their own
    for (passed, played) in games.iter().take(STATES_TO_DRAW_IN) {
        for place in [0, rng::below(&mut extra_rng, passed.len())] {
            draws::check(game, &passed[place], &mut extra_rng)
                .map_err(|what| Violation::at(what, &played[..place]))?;
        }
    }
    let hashes_met_again = hashes::check(game, &games, &mut extra_rng)?;
    if game.hash(&game.start()).is_some() {
        let games = options.games.min(TRANSPOSITION_GAMES);
        check_transpositions(game, &CheckOptions { games, ..*options })?;
    }
    let mut endings = 0;
    for (passed, played) in games.iter().take(options.endings as usize) {
        endings += ending::check(game, options, passed)
            .map_err(|(what, at)| Violation::at(what, &played[..at]))?;
    }
    shares.check::<G>().map_err(nowhere)?;
    rollouts::check(game, options, &mut rng).map_err(nowhere)?;
    Ok(Checked {
        states: totals.states,
        most_actions: totals.most_actions,
        mean_actions: totals.actions as f64 / (totals.states.max(2) - 1) as f64,
        mean_length: totals.length as f64 / f64::from(options.games.max(1)),
        endings,
        hashes_met_again,
    })
}

/// Maximum number of states kept for checks that look ahead.
const MOST_STATES: u64 = 50_000;
/// Number of games in which equal states are searched for.
const TRANSPOSITION_GAMES: u32 = 20;
/// Number of games in which random actions are sampled many times in one state.
const STATES_TO_DRAW_IN: usize = 8;

/// Plays a random game, calls `look` in each state, and returns the actions; `look` returns the
/// next action, or `None` at the end.
pub(super) fn play<G: Game>(
    game: &G,
    options: &CheckOptions,
    rng: &mut SearchRng,
    mut look: impl FnMut(&G::State, &mut SearchRng) -> Result<Option<G::Action>, String>,
) -> Result<Vec<G::Action>, Violation> {
    let mut state = game.start();
    let mut played = Vec::new();
    while let Some(action) = look(&state, rng).map_err(|what| Violation::at(what, &played))? {
        if played.len() >= options.longest_game as usize {
            return Err(Violation::at(endless(game, &state, played.len()), &played));
        }
        game.apply(&mut state, action);
        played.push(action);
    }
    Ok(played)
}

/// Why a game does not end.
fn endless<G: Game>(game: &G, state: &G::State, length: usize) -> String {
    let is_idle = legal_actions(game, state).into_iter().all(|action| {
        let mut after = state.clone();
        game.apply(&mut after, action);
        after == *state
    });
    if is_idle {
        return format!(
            "`apply` does nothing: turn and legal actions are the same after every action, and the game goes on after \
             {length}; change `state` in place"
        );
    }
    format!(
        "a random game goes on after {length} actions; end it by a rule (a limit of actions, a repetition), or raise \
         `longest_game` if games are that long"
    )
}

/// A random action of a player or of chance; `None` if the game is over.
pub(super) fn random_action<G: Game>(
    game: &G,
    state: &G::State,
    rng: &mut SearchRng,
) -> Option<G::Action> {
    match game.turn(state) {
        Turn::Over(_) => None,
        Turn::Chance => Some(game.random_outcome(state, rng)),
        Turn::Player(_) => Some(game.random_action(state, rng)),
    }
}

impl Violation {
    pub(super) fn at<A: fmt::Debug>(what: String, played: &[A]) -> Violation {
        Violation { what, actions: texts(played) }
    }
}

pub(super) fn texts<A: fmt::Debug>(actions: &[A]) -> Vec<String> {
    actions.iter().map(|action| format!("{action:?}")).collect()
}

pub(super) fn legal_actions<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(state, |action| actions.push(action));
    actions
}
