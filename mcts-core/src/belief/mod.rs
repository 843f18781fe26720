//! Distributions over hidden states: sampled, and updated by actions and observations.
//!
//! Beliefs use a [`Model`] and no search. Each stores the player's view, so that it can be sampled
//! afresh when no state explains an observation.

mod exact;
mod from_view;
mod particles;

pub use exact::Exact;
pub use from_view::FromView;
pub use particles::Particles;

use crate::game::Model;
use crate::rng::SearchRng;

/// A distribution over states consistent with a view; never empty.
pub trait Belief<M: Model> {
    /// The view that the belief is conditioned on.
    fn view(&self) -> &M::View;

    /// Samples a state.
    fn draw(&mut self, model: &M, rng: &mut SearchRng) -> M::State;

    /// Samples a state into another one, whose memory it can reuse.
    fn draw_into(&mut self, model: &M, state: &mut M::State, rng: &mut SearchRng) {
        *state = self.draw(model, rng);
    }

    /// Updates on the player's `action` and the `observation` after it.
    fn update(
        &mut self,
        model: &M,
        action: M::Action,
        observation: &M::Observation,
        rng: &mut SearchRng,
    ) -> Update;
}

/// The result of an update.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub enum Update {
    /// The belief was conditioned on the observation.
    Filtered {
        /// Estimated probability of the observation before it was made.
        expected: f32,
    },
    /// No state of the belief explained the observation: all states were sampled afresh from the
    /// view.
    Redrawn,
}

impl Update {
    /// Logs a resampling.
    fn report(self) -> Update {
        if self == Update::Redrawn {
            tracing::warn!("no state explains the observation; drawn afresh from the view");
        }
        self
    }
}
