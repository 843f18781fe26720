//! Rollouts against the default ones.

use super::CheckOptions;
use crate::game::{Game, MAX_PLAYERS, Player, Turn, Utilities};
use crate::rng::SearchRng;
use alloc::format;
use alloc::string::String;

/// Only the default methods of a game, to compare its own with.
#[derive(Debug, Clone, Copy)]
pub struct Defaults<'a, G>(
    /// The game.
    pub &'a G,
);

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

const WRONG_MEAN: &str = "another mean than the default: an override must choose every legal action equally often and \
     give the utilities of `turn`";

pub(super) fn check<G: Game>(
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
            return Err(format!("`rollout` gives {player_name:?} {WRONG_MEAN}"));
        }
        if calls > 0 && default[player].differs(&several[player]) {
            return Err(format!("`rollouts` gives {player_name:?} {WRONG_MEAN}"));
        }
    }
    Ok(())
}
