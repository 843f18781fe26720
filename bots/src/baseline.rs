//! Players without a search, as opponents for comparison.

use crate::client_seat::{ClientSeat, Decision, Player};
use crate::parameters::{ParameterError, Parameters};
use crate::seat::Seat;
use alloc::boxed::Box;
use alloc::vec::Vec;
use games::{Client, TimeTold, own_position};
use mcts_core::{Clock, Game, SearchRng, rng};

/// A seat that plays any legal action; takes `seed` from the parameters.
///
/// # Errors
/// [`ParameterError`] if the seed cannot be read.
pub fn random<G, C>(client: C, parameters: &mut Parameters) -> Result<Box<dyn Seat>, ParameterError>
where
    G: Game,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    Ok(Box::new(ClientSeat::new(client, RandomPlayer::new(parameters.seed()?))))
}

/// A seat that plays an action with the best immediate `gain`; takes `seed` from the parameters.
///
/// # Errors
/// [`ParameterError`] if the seed cannot be read.
pub fn greedy<G, C>(
    client: C,
    gain: fn(&G, &G::State, G::Action) -> f32,
    parameters: &mut Parameters,
) -> Result<Box<dyn Seat>, ParameterError>
where
    G: Game + 'static,
    C: Client<Game = G, Position = G::State, Action = G::Action> + 'static,
{
    Ok(Box::new(ClientSeat::new(client, GreedyPlayer::new(gain, parameters.seed()?))))
}

/// Plays a uniformly random legal action.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: SearchRng,
}

impl RandomPlayer {
    /// Equal seeds play equal games.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        RandomPlayer { rng: rng::stream(seed, 0x7A) }
    }
}

impl<G, C> Player<C> for RandomPlayer
where
    G: Game,
    C: Client<Game = G, Position = G::State, Action = G::Action>,
{
    fn decide(&mut self, client: &C, _: TimeTold, _: &dyn Clock) -> Option<Decision<C::Action>> {
        let (game, state) = (client.game(), &own_position(client));
        if game.count_actions(state) == 0 {
            return None;
        }
        Some(Decision { action: game.random_action(state, &mut self.rng), report: None })
    }
}

/// Plays the action with the best immediate gain; ties are broken at random.
#[derive(Debug, Clone)]
pub struct GreedyPlayer<G: Game> {
    /// Gain of an action for the player to move.
    gain: fn(&G, &G::State, G::Action) -> f32,
    rng: SearchRng,
}

impl<G: Game> GreedyPlayer<G> {
    /// A player that maximizes `gain`. Equal seeds play equal games.
    pub fn new(gain: fn(&G, &G::State, G::Action) -> f32, seed: u64) -> Self {
        GreedyPlayer { gain, rng: rng::stream(seed, 0x6B) }
    }
}

impl<G, C> Player<C> for GreedyPlayer<G>
where
    G: Game,
    C: Client<Game = G, Position = G::State, Action = G::Action>,
{
    fn decide(&mut self, client: &C, _: TimeTold, _: &dyn Clock) -> Option<Decision<C::Action>> {
        let (game, state) = (client.game(), &own_position(client));
        let mut best = f32::NEG_INFINITY;
        let mut equals = Vec::new();
        game.actions(state, |action| {
            let gain = (self.gain)(game, state, action);
            if gain > best {
                best = gain;
                equals.clear();
            }
            if gain >= best {
                equals.push(action);
            }
        });
        if equals.is_empty() {
            return None;
        }
        let action = equals[rng::below(&mut self.rng, equals.len())];
        Some(Decision { action, report: None })
    }
}
