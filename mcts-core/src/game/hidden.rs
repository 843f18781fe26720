//! Hidden information: what each player sees, apart from the truth by type.

use super::{Game, Player};
use crate::rng::SearchRng;

/// A game in which players do not see everything.
///
/// The truth is a [`State`](Game::State). What one player has seen and done is a [`View`](Self::View), her
/// information set. Views grow by observations alone, and states that agree with a view are drawn from the view
/// alone, so whoever owns nothing but observations can search; the value that implements this trait must not
/// know the true state either.
///
/// `testing::check_hidden_information` compares all that is said here with itself.
pub trait HiddenInformation: Game {
    /// What a player sees of one action and of the state that it leads to; also that she sees nothing.
    type Observation: Clone + PartialEq + core::fmt::Debug;

    /// A player's information set: everything that she has seen and done.
    type View: Clone + PartialEq + core::fmt::Debug;

    /// What `observer` knows in a state in which a game begins.
    fn first_view(&self, start: &Self::State, observer: Player) -> Self::View;

    /// What `observer` sees after `action`, by whomever, has led to `state`.
    fn observe(
        &self,
        state: &Self::State,
        action: Self::Action,
        observer: Player,
    ) -> Self::Observation;

    /// Adds an observation to its observer's view, and the action that it follows if it was her own.
    fn grow(
        &self,
        view: &mut Self::View,
        own_action: Option<Self::Action>,
        observation: &Self::Observation,
    );

    /// Draws a state that agrees with all of `view`: one in which its owner may be for all that she has seen.
    ///
    /// Every state that agrees has a positive probability, as far as the game can tell the one that the chances of
    /// the game and reasonable players would lead to.
    fn determinize(&self, view: &Self::View, rng: &mut SearchRng) -> Self::State;

    /// Probability that `observer` sees `observation` after `action` has led to `state`.
    ///
    /// The default is for games where the state and the action decide it.
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
