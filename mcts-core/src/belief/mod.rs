//! What a player believes of the hidden state: drawn from, and updated by what she does and sees.
//!
//! Beliefs know a [`Model`] and no search. Each keeps the player's view, so that it can start afresh from
//! everything that was ever seen.

mod exact;
mod from_view;
mod particles;

pub use exact::Exact;
pub use from_view::FromView;
pub use particles::Particles;

use crate::game::Model;
use crate::rng::SearchRng;

/// A distribution over states that agree with a view; never empty.
pub trait Belief<M: Model> {
    /// The view that the belief is about.
    fn view(&self) -> &M::View;

    /// Draws a state.
    fn draw(&mut self, model: &M, rng: &mut SearchRng) -> M::State;

    /// Draws a state in place of another, whose memory it can use.
    fn draw_into(&mut self, model: &M, state: &mut M::State, rng: &mut SearchRng) {
        *state = self.draw(model, rng);
    }

    /// Takes in that the player did `action` and then saw `observation`.
    fn update(
        &mut self,
        model: &M,
        action: M::Action,
        observation: &M::Observation,
        rng: &mut SearchRng,
    ) -> Update;
}

/// How a belief took in an observation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub enum Update {
    /// The belief had expected it with this probability.
    Filtered {
        /// Probability of the observation before it was made, as far as the belief can tell.
        expected: f32,
    },
    /// No state of the belief could explain it: all were drawn afresh from the view.
    Redrawn,
}

impl Update {
    /// Tells whoever listens that the belief was redrawn.
    fn report(self) -> Update {
        if self == Update::Redrawn {
            tracing::warn!("no state explains the observation; drawn afresh from the view");
        }
        self
    }
}
