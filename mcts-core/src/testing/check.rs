//! Does a game keep the contract of [`Game`]?

mod ending;
mod rollouts;
mod state;

pub use rollouts::Defaults;

use crate::game::{Game, Turn};
use crate::rng::{self, SearchRng};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// How thoroughly [`check_game`] looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOptions {
    /// Random games to play.
    pub games: u32,
    /// A game that goes on longer than this many actions is reported as endless.
    pub longest_game: u32,
    /// Rollouts by which overridden rollouts are compared with the default.
    pub rollouts: u32,
    /// Random games whose endings are searched and solved.
    pub endings: u32,
    /// Positions of the largest ending that is solved.
    pub ending_positions: u32,
    /// Seed of the random games.
    pub seed: u64,
}

impl Default for CheckOptions {
    /// A second or so for a small game.
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

/// What the random games were like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// States looked at.
    pub states: u64,
    /// Most legal actions of one state.
    pub most_actions: usize,
    /// Mean number of legal actions.
    pub mean_actions: f64,
    /// Mean actions of a game.
    pub mean_length: f64,
    /// Endings that were solved by plain recursion and by search alike; none in games of chance, with rewards along
    /// the way, or of players who do not play for opposite ends.
    pub endings: u32,
}

/// The first breach of the contract that was found, where, and what to mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong and what to mend.
    pub what: String,
    /// The actions from the start to the state where it showed.
    pub actions: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (after {} actions: {})",
            self.what,
            self.actions.len(),
            self.actions.join(", ")
        )
    }
}

impl core::error::Error for Violation {}

/// Plays seeded random games and compares everything that [`Game`] says with everything else that it says:
/// actions with their counts, indices and probabilities, `apply` with itself and with copies of the state, utilities
/// with their bounds, the end of a game with rollouts from there, each overridden method with its default, and small
/// endings as a search sees them with a plain recursion.
///
/// Rollouts are compared by their mean; a correct game fails that comparison with a chance below one in a million.
///
/// # Errors
/// The first [`Violation`].
pub fn check_game<G: Game>(game: &G, options: &CheckOptions) -> Result<Checked, Violation> {
    let mut rng = rng::stream(options.seed, 0x43_48_45_43_4B);
    let mut totals = Totals::default();
    let mut endings = 0;
    for number in 0..options.games {
        let mut passed = Vec::new();
        let played = play(game, options, &mut rng, |state, rng| {
            passed.push(state.clone());
            state::check(game, state, &mut totals, rng)
        })?;
        totals.length += played.len() as u64;
        if number < options.endings {
            let solved = ending::check(game, options, &passed);
            endings += solved.map_err(|(what, at)| Violation::at(what, &played[..at]))?;
        }
    }
    rollouts::check(game, options, &mut rng)
        .map_err(|what| Violation::at::<G::Action>(what, &[]))?;
    Ok(Checked {
        states: totals.states,
        most_actions: totals.most_actions,
        mean_actions: totals.actions as f64 / (totals.states.max(2) - 1) as f64,
        mean_length: totals.length as f64 / f64::from(options.games.max(1)),
        endings,
    })
}

/// Plays a random game, looks at each of its states, and returns its actions; `look` gives the action to go on
/// with, or `None` at the end.
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
            let what = format!(
                "a random game goes on after {} actions; end it by a rule (a limit of actions, a repetition), or \
                 raise `longest_game` if games are that long",
                played.len()
            );
            return Err(Violation::at(what, &played));
        }
        game.apply(&mut state, action);
        played.push(action);
    }
    Ok(played)
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

#[derive(Default)]
struct Totals {
    states: u64,
    actions: u64,
    length: u64,
    most_actions: usize,
}

pub(super) fn texts<A: fmt::Debug>(actions: &[A]) -> Vec<String> {
    actions.iter().map(|action| format!("{action:?}")).collect()
}

pub(super) fn legal_actions<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(state, |action| actions.push(action));
    actions
}
