//! Hidden information: views, of another type than states.

use super::{Game, Player};
use crate::rng::SearchRng;

/// A game in which players do not see everything.
///
/// The truth is a [`State`](Game::State). Everything that one player has seen and done is a
/// [`View`](Self::View), her information set. Views grow only by observations, and states
/// consistent with a view are sampled from the view alone, so a bot with observations alone can
/// search. The value that implements this trait must not store the true state.
///
/// `testing::check_hidden_information` checks these laws.
pub trait HiddenInformation: Game {
    /// What a player sees of one action and of the resulting state; "nothing" is an observation,
    /// too.
    type Observation: Clone + PartialEq + core::fmt::Debug;

    /// A player's information set: everything that she has seen and done.
    type View: Clone + PartialEq + core::fmt::Debug;

    /// The view of `observer` in a start state.
    fn first_view(&self, start: &Self::State, observer: Player) -> Self::View;

    /// What `observer` sees after `action`, of any player, has led to `state`.
    fn observe(
        &self,
        state: &Self::State,
        action: Self::Action,
        observer: Player,
    ) -> Self::Observation;

    /// Adds an observation to its observer's view, with the action before it if it was her own.
    fn grow(
        &self,
        view: &mut Self::View,
        own_action: Option<Self::Action>,
        observation: &Self::Observation,
    );

    /// Samples a state consistent with `view`.
    ///
    /// Every consistent state has a positive probability, ideally its posterior given the view,
    /// under the chance of the game and reasonable play.
    fn determinize(&self, view: &Self::View, rng: &mut SearchRng) -> Self::State;

    /// Probability that `observer` sees `observation` after `action` has led to `state`.
    ///
    /// The default is for games in which state and action determine the observation.
    fn likelihood(
        &self,
        state: &Self::State,
        action: Self::Action,
        observer: Player,
        observation: &Self::Observation,
    ) -> f32 {
        f32::from(u8::from(self.observe(state, action, observer) == *observation))
    }
}
