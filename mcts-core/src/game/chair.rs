//! A game of several players as the decision problem of one: a [`Model`] in which the other players
//! are part of the environment.

use super::{Game, InformationSets, Model, Player, Turn};
use crate::rng::SearchRng;
use alloc::vec::Vec;

/// The decision problem of the player to move in a game of hidden information, while the other
/// players play uniformly at random. It lets searches for one player, such as
/// [`Pomcp`](crate::Pomcp), play games of several players.
///
/// A step is the player's own action and everything until she is to move again. She receives the
/// rewards of all these actions and, at the end, her utility; [`Game::discount`] counts once a
/// step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chair<G>(pub G);

/// A state, the player, and her observations since her last action.
#[derive(Debug, Clone, PartialEq)]
pub struct ChairState<S, O> {
    state: S,
    player: Player,
    seen: Vec<O>,
}

/// A player's observations from her action to her next decision.
#[derive(Debug, Clone, PartialEq)]
pub struct ChairObservation<O> {
    seen: Vec<O>,
    /// The key of her information set at the next decision.
    key: u64,
}

impl<G: InformationSets> Chair<G> {
    /// Applies an action of any player; returns the reward of the player in the chair.
    fn apply(&self, to: &mut ChairState<G::State, G::Observation>, action: G::Action) -> f32 {
        let mut earned = 0.0;
        if G::HAS_REWARDS {
            let rewards = self.0.apply_with_rewards(&mut to.state, action);
            earned = rewards.of_player(to.player);
        } else {
            self.0.apply(&mut to.state, action);
        }
        to.seen.push(self.0.observe(&to.state, action, to.player));
        earned
    }
}

impl<G: InformationSets> Model for Chair<G> {
    type State = ChairState<G::State, G::Observation>;
    type Action = G::Action;
    type Observation = ChairObservation<G::Observation>;
    type View = G::View;

    fn return_bounds(&self) -> (f32, f32) {
        G::UTILITY_BOUNDS
    }

    fn is_over(&self, at: &Self::State) -> bool {
        matches!(self.0.turn(&at.state), Turn::Over(_))
    }

    fn actions(&self, at: &Self::State, visit: impl FnMut(G::Action)) {
        self.0.actions(&at.state, visit);
    }

    fn step(&self, at: &mut Self::State, action: G::Action, rng: &mut SearchRng) -> f32 {
        at.seen.clear();
        let mut earned = self.apply(at, action);
        loop {
            let action = match self.0.turn(&at.state) {
                Turn::Over(utilities) => return earned + utilities.of_player(at.player),
                Turn::Player(player) if player == at.player => return earned,
                Turn::Player(_) => self.0.random_action(&at.state, rng),
                Turn::Chance => self.0.random_outcome(&at.state, rng),
            };
            earned += self.apply(at, action);
        }
    }

    fn observe(&self, at: &Self::State, _: G::Action, _: &mut SearchRng) -> Self::Observation {
        let key = self.0.information_key(&at.state, at.player);
        ChairObservation { seen: at.seen.clone(), key }
    }

    fn likelihood(&self, at: &Self::State, _: G::Action, seen: &Self::Observation) -> f32 {
        f32::from(u8::from(at.seen == seen.seen))
    }

    fn observation_key(&self, observation: &Self::Observation) -> u64 {
        observation.key
    }

    fn grow(&self, view: &mut G::View, action: G::Action, observation: &Self::Observation) {
        let mut own = Some(action);
        for seen in &observation.seen {
            self.0.grow(view, own.take(), seen);
        }
    }

    fn determinize(&self, view: &G::View, rng: &mut SearchRng) -> Self::State {
        let state = self.0.determinize(view, rng);
        let player = match self.0.turn(&state) {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over(_) => Player::FIRST,
        };
        ChairState { state, player, seen: Vec::new() }
    }

    fn discount(&self) -> f32 {
        Game::discount(&self.0)
    }

    fn count_actions(&self, at: &Self::State) -> usize {
        self.0.count_actions(&at.state)
    }

    fn random_action(&self, at: &Self::State, rng: &mut SearchRng) -> G::Action {
        self.0.random_action(&at.state, rng)
    }
}
