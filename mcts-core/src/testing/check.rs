//! Does a game keep the contract of [`Game`]?

use crate::game::{Game, MAX_PLAYERS, Player, Turn, Utilities};
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
    /// Seed of the random games.
    pub seed: u64,
}

impl Default for CheckOptions {
    /// A second or so for a small game.
    fn default() -> Self {
        CheckOptions { games: 100, longest_game: 10_000, rollouts: 2_000, seed: 1 }
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
/// actions with their counts, indices and probabilities, `apply` with itself, utilities with their bounds, and
/// each overridden method with its default.
///
/// Rollouts are compared by their mean; a correct game fails that comparison with a chance below one in a million.
///
/// # Errors
/// The first [`Violation`].
pub fn check_game<G: Game>(game: &G, options: &CheckOptions) -> Result<Checked, Violation> {
    let mut rng = rng::stream(options.seed, 0x43_48_45_43_4B);
    let mut totals = Totals::default();
    for _ in 0..options.games {
        let mut state = game.start();
        let mut played = Vec::new();
        loop {
            let here = |what| Violation { what, actions: texts(&played) };
            if played.len() > options.longest_game as usize {
                return Err(here(format!("a random game goes on after {} actions", played.len())));
            }
            let action = check_state(game, &state, &mut totals, &mut rng).map_err(here)?;
            let Some(action) = action else { break };
            game.apply(&mut state, action);
            played.push(action);
        }
        totals.length += played.len() as u64;
    }
    check_rollouts(game, options, &mut rng)
        .map_err(|what| Violation { what, actions: Vec::new() })?;
    Ok(Checked {
        states: totals.states,
        most_actions: totals.most_actions,
        mean_actions: totals.actions as f64 / (totals.states.max(2) - 1) as f64,
        mean_length: totals.length as f64 / f64::from(options.games.max(1)),
    })
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

/// Checks everything about one state; a random action, or `None` if the game is over.
fn check_state<G: Game>(
    game: &G,
    state: &G::State,
    totals: &mut Totals,
    rng: &mut SearchRng,
) -> Result<Option<G::Action>, String> {
    let turn = game.turn(state);
    totals.states += 1;
    if turn != game.turn(state) {
        return Err("`turn` says two different things of the same state".into());
    }
    if let Turn::Over(utilities) = turn {
        return check_utilities::<G>(&utilities).map(|()| None);
    }
    if let Turn::Player(player) = turn
        && player.index() >= G::PLAYERS
    {
        return Err(format!("`turn` names {player:?}, but there are {} players", G::PLAYERS));
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
        return Err(format!("a random action, {action:?}, is not among the legal {actions:?}"));
    }
    Ok(Some(action))
}

fn check_utilities<G: Game>(utilities: &Utilities) -> Result<(), String> {
    let (lowest, highest) = G::UTILITY_BOUNDS;
    for (player, utility) in utilities.0.iter().enumerate() {
        let in_bounds = player >= G::PLAYERS || (lowest..=highest).contains(utility);
        if !in_bounds {
            return Err(format!(
                "player {player} gets {utility}, outside `UTILITY_BOUNDS` {lowest} to {highest}"
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

fn check_lists<G: Game>(game: &G, state: &G::State, actions: &[G::Action]) -> Result<(), String> {
    if legal_actions(game, state) != actions {
        return Err("`actions` gives another list or order when asked again".into());
    }
    for (place, action) in actions.iter().enumerate() {
        if actions[..place].contains(action) {
            return Err(format!("`actions` gives {action:?} twice"));
        }
        let nth = game.nth_action(state, place);
        if nth != *action {
            return Err(format!(
                "`nth_action` says {nth:?} at {place} where `actions` says {action:?}"
            ));
        }
    }
    let count = game.count_actions(state);
    if count != actions.len() {
        return Err(format!("`count_actions` says {count}, `actions` gives {}", actions.len()));
    }
    Ok(())
}

fn check_indices<G: Game>(game: &G, actions: &[G::Action]) -> Result<(), String> {
    let mut indices = Vec::new();
    for action in actions {
        let Some(index) = game.action_index(*action) else { continue };
        if index >= game.action_indices() {
            return Err(format!(
                "`action_index` of {action:?} is {index}, not below `action_indices` {}",
                game.action_indices()
            ));
        }
        if indices.contains(&index) {
            return Err(format!("two actions of one state have the `action_index` {index}"));
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
    for action in actions {
        let (mut once, mut again) = (state.clone(), state.clone());
        game.apply(&mut once, *action);
        let rewards = game.apply_with_rewards(&mut again, *action);
        let same = game.turn(&once) == game.turn(&again)
            && (matches!(game.turn(&once), Turn::Over(_))
                || legal_actions(game, &once) == legal_actions(game, &again));
        if !same || game.hash(&once) != game.hash(&again) {
            return Err(format!("applying {action:?} twice to the same state gives two results"));
        }
        if !G::HAS_REWARDS && rewards != Utilities::ZERO {
            return Err(format!("{action:?} brings {rewards:?}; set `HAS_REWARDS` to true"));
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
        return Err(format!("`outcomes` lists {listed:?} where `actions` lists {actions:?}"));
    }
    if (total - 1.0).abs() > 1e-3 {
        return Err(format!("the probabilities of `outcomes` add up to {total}"));
    }
    Ok(())
}

/// Only the default methods of a game, to compare its own with.
struct Defaults<'a, G>(&'a G);

impl<G: Game> Game for Defaults<'_, G> {
    type State = G::State;
    type Action = G::Action;
    const PLAYERS: usize = G::PLAYERS;
    const ZERO_SUM: bool = G::ZERO_SUM;
    const UTILITY_BOUNDS: (f32, f32) = G::UTILITY_BOUNDS;
    const HAS_REWARDS: bool = G::HAS_REWARDS;

    fn start(&self) -> G::State {
        self.0.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, state: &G::State, visit: impl FnMut(G::Action)) {
        self.0.actions(state, visit);
    }
    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.0.apply(state, action);
    }
    fn action_index(&self, action: G::Action) -> Option<usize> {
        self.0.action_index(action)
    }
    fn action_indices(&self) -> usize {
        self.0.action_indices()
    }
    fn apply_with_rewards(&self, state: &mut G::State, action: G::Action) -> Utilities {
        self.0.apply_with_rewards(state, action)
    }
    fn discount(&self) -> f32 {
        self.0.discount()
    }
    fn outcomes(&self, state: &G::State, visit: impl FnMut(G::Action, f32)) {
        self.0.outcomes(state, visit);
    }
}

/// Mean and variance of the mean, for each player.
#[derive(Default, Clone, Copy)]
struct Mean {
    sum: f64,
    square: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.square += f64::from(value) * f64::from(value);
        self.count += 1.0;
    }

    fn differs(&self, other: &Mean) -> bool {
        let variance = |mean: &Mean| {
            let value = mean.sum / mean.count;
            ((mean.square / mean.count - value * value) / mean.count).max(0.0)
        };
        let difference = (self.sum / self.count - other.sum / other.count).abs();
        // six standard errors; the small addition covers rare outcomes that one side has not met
        difference > 6.0 * libm::sqrt(variance(self) + variance(other)) + 10.0 / self.count
    }
}

fn check_rollouts<G: Game>(
    game: &G,
    options: &CheckOptions,
    rng: &mut SearchRng,
) -> Result<(), String> {
    const LANES: usize = 5;
    let calls = options.rollouts as usize / LANES;
    let (mut default, mut own, mut several) = (
        [Mean::default(); MAX_PLAYERS],
        [Mean::default(); MAX_PLAYERS],
        [Mean::default(); MAX_PLAYERS],
    );
    let add = |means: &mut [Mean; MAX_PLAYERS], utilities: &Utilities| {
        means.iter_mut().zip(utilities.0).for_each(|(mean, value)| mean.add(value));
    };
    for _ in 0..calls {
        let mut results = [Utilities::ZERO; LANES];
        let mut states: [G::State; LANES] = core::array::from_fn(|_| game.start());
        game.rollouts(&mut states, rng, &mut results);
        for result in &results {
            add(&mut default, &Defaults(game).rollout(game.start(), rng));
            add(&mut own, &game.rollout(game.start(), rng));
            add(&mut several, result);
        }
    }
    for player in 0..G::PLAYERS.min(MAX_PLAYERS) {
        let player_name = Player(player as u8);
        if calls > 0 && default[player].differs(&own[player]) {
            return Err(format!("`rollout` gives {player_name:?} another mean than the default"));
        }
        if calls > 0 && default[player].differs(&several[player]) {
            return Err(format!("`rollouts` gives {player_name:?} another mean than the default"));
        }
    }
    Ok(())
}
