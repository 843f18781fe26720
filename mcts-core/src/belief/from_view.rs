//! A belief that stores only its view.

use super::{Belief, Update};
use crate::game::Model;
use crate::rng::SearchRng;

/// Samples a state from the view each time: as exact as the model's
/// [`determinize`](Model::determinize), and never empty.
#[derive(Debug, Clone)]
pub struct FromView<M: Model> {
    view: M::View,
}

impl<M: Model> FromView<M> {
    /// Number of samples by which an update estimates the probability of an observation.
    const DRAWS: usize = 64;

    /// The belief of a player with this view.
    pub fn new(view: M::View) -> Self {
        FromView { view }
    }
}

impl<M: Model> Belief<M> for FromView<M> {
    fn view(&self) -> &M::View {
        &self.view
    }

    fn draw(&mut self, model: &M, rng: &mut SearchRng) -> M::State {
        model.determinize(&self.view, rng)
    }

    fn update(
        &mut self,
        model: &M,
        action: M::Action,
        observation: &M::Observation,
        rng: &mut SearchRng,
    ) -> Update {
        let mut expected = 0.0;
        for _ in 0..Self::DRAWS {
            let mut state = model.determinize(&self.view, rng);
            if !model.is_over(&state) {
                model.step(&mut state, action, rng);
                expected += model.likelihood(&state, action, observation);
            }
        }
        model.grow(&mut self.view, action, observation);
        Update::Filtered { expected: expected / Self::DRAWS as f32 }
    }
}
