//! The exact distribution as a belief.

use super::{Belief, Update};
use crate::game::{ExplicitModel, Model};
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;

/// All states consistent with the view, each with its probability (Bayes' rule; Kaelbling, Littman
/// and Cassandra, 1998, section 3.3).
#[derive(Debug, Clone)]
pub struct Exact<M: Model> {
    view: M::View,
    /// Sorted and distinct; probabilities are positive and sum to one.
    states: Vec<(M::State, f32)>,
    /// Number of states sampled from the view when the distribution is started afresh.
    draws: usize,
}

impl<M: ExplicitModel> Exact<M> {
    /// A belief with this initial distribution, which need not be normalized.
    ///
    /// # Panics
    /// If no state has a positive weight.
    pub fn new(view: M::View, states: Vec<(M::State, f32)>, draws: usize) -> Self {
        let mut belief = Exact { view, states, draws: draws.max(1) };
        assert!(belief.normalize().is_some(), "some state is possible at the start");
        belief
    }

    /// The states and their probabilities, which sum to one.
    #[must_use]
    pub fn states(&self) -> &[(M::State, f32)] {
        &self.states
    }

    /// Merges equal states and normalizes the probabilities; returns their previous sum, or `None`
    /// if no state is possible.
    fn normalize(&mut self) -> Option<f32> {
        self.states.retain(|(_, weight)| *weight > 0.0);
        self.states.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.states.dedup_by(|(state, weight), (kept, sum)| {
            let equal = state == kept;
            if equal {
                *sum += *weight;
            }
            equal
        });
        let total: f32 = self.states.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut self.states {
            *weight /= total;
        }
        (total > 0.0).then_some(total)
    }
}

impl<M: ExplicitModel> Belief<M> for Exact<M> {
    fn view(&self) -> &M::View {
        &self.view
    }

    fn draw(&mut self, _: &M, rng: &mut SearchRng) -> M::State {
        let mut left = rng::unit(rng);
        let drawn = self.states.iter().find(|(_, probability)| {
            left -= probability;
            left < 0.0
        });
        let (state, _) = drawn.unwrap_or(&self.states[self.states.len() - 1]);
        state.clone()
    }

    fn update(
        &mut self,
        model: &M,
        action: M::Action,
        observation: &M::Observation,
        rng: &mut SearchRng,
    ) -> Update {
        model.grow(&mut self.view, action, observation);
        let mut after = Vec::with_capacity(self.states.len());
        for (state, weight) in self.states.drain(..).filter(|(state, _)| !model.is_over(state)) {
            model.successors(&state, action, |next, probability| {
                let likelihood = model.likelihood(&next, action, observation);
                after.push((next, weight * probability * likelihood));
            });
        }
        self.states = after;
        if let Some(expected) = self.normalize() {
            return Update::Filtered { expected };
        }
        let draws = (0..self.draws).map(|_| (model.determinize(&self.view, rng), 1.0));
        self.states = draws.collect();
        self.normalize();
        Update::Redrawn.report()
    }
}
