//! What a search on beliefs knows before it begins.

use super::Uniform;
use crate::game::Model;
use crate::rng::SearchRng;

/// Playouts that an action is credited with before its first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prior {
    /// How many; 0 for an action of which nothing is known.
    pub playouts: u32,
    /// Their mean return, on the scale of the model's returns.
    pub value: f32,
}

/// Knowledge of a [`Model`]: how rollouts are played on, what actions are worth at first sight, and what is beyond
/// the horizon.
pub trait Knowledge<M: Model> {
    /// The action that a rollout takes in `state`, which is not over.
    ///
    /// It should go by what the player knows there: rollouts that use the hidden part of the state promise what
    /// no player can reach.
    fn choose(&mut self, model: &M, state: &M::State, rng: &mut SearchRng) -> M::Action;

    /// What is known of `action` in a node that a playout reaches in `state`; `expected` is the mean return from there
    /// on in the playouts before, `None` at the root of a fresh tree.
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

    /// The return that can be expected from `state` on, where a playout reaches the horizon.
    fn beyond(&mut self, model: &M, state: &M::State) -> f32 {
        let _ = (model, state);
        0.0
    }
}

/// Every legal action equally often, and nothing known beforehand.
impl<M: Model> Knowledge<M> for Uniform {
    #[inline]
    fn choose(&mut self, model: &M, state: &M::State, rng: &mut SearchRng) -> M::Action {
        model.random_action(state, rng)
    }
}
