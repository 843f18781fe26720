//! Prior knowledge of a search on beliefs.

use super::Uniform;
use crate::game::Model;
use crate::rng::SearchRng;

/// Playouts credited to an action before its first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prior {
    /// Their number; 0 without prior knowledge of the action.
    pub playouts: u32,
    /// Their mean return, on the scale of the model's returns.
    pub value: f32,
}

/// Prior knowledge of a [`Model`]: the rollout policy, initial values of actions, and the value
/// beyond the horizon.
pub trait Knowledge<M: Model> {
    /// The action of a rollout in `state`, which is not over.
    ///
    /// It should depend only on the player's view: rollouts that use the hidden part of the state
    /// have returns that no player can reach.
    fn choose(&mut self, model: &M, state: &M::State, rng: &mut SearchRng) -> M::Action;

    /// The prior of `action` in a node that a playout reaches in `state`; `expected` is the mean
    /// return from there on in earlier playouts, `None` at the root of a new tree.
    fn prior(
        &mut self,
        model: &M,
        state: &M::State,
        action: M::Action,
        expected: Option<f32>,
    ) -> Prior {
        let _ = (model, state, action, expected);
        Prior::default()
    }

    /// The expected return from `state`, used where a playout reaches the horizon.
    fn beyond(&mut self, model: &M, state: &M::State) -> f32 {
        let _ = (model, state);
        0.0
    }
}

/// Uniformly random legal actions, without priors.
impl<M: Model> Knowledge<M> for Uniform {
    #[inline]
    fn choose(&mut self, model: &M, state: &M::State, rng: &mut SearchRng) -> M::Action {
        model.random_action(state, rng)
    }
}
