//! A belief by sampled states (particles).

use super::{Belief, Update};
use crate::game::Model;
use crate::rng::{self, SearchRng};
use alloc::vec::Vec;

/// Equally weighted states, weighted by importance and resampled at each update (the bootstrap
/// filter; Gordon, Salmond and Smith, 1993).
///
/// Some of them are sampled afresh from the view each time (reinvigoration; Silver and Veness,
/// 2010, perturb particles instead), so that a state that was lost by chance can return.
#[derive(Debug, Clone)]
pub struct Particles<M: Model> {
    view: M::View,
    states: Vec<M::State>,
    /// States of the previous update, kept for their memory.
    spare: Vec<M::State>,
    weights: Vec<f32>,
    fresh: usize,
}

impl<M: Model> Particles<M> {
    /// A belief of `count` states (at least one), of which `fresh` are sampled from the view at
    /// each update.
    pub fn new(model: &M, view: M::View, count: usize, fresh: usize, rng: &mut SearchRng) -> Self {
        let count = count.max(1);
        let states: Vec<_> = (0..count).map(|_| model.determinize(&view, rng)).collect();
        Particles {
            view,
            spare: states.clone(),
            states,
            weights: Vec::with_capacity(count),
            fresh: fresh.min(count - 1),
        }
    }

    /// The states, all equally likely.
    #[must_use]
    pub fn states(&self) -> &[M::State] {
        &self.states
    }

    fn redraw(&mut self, model: &M, from: usize, rng: &mut SearchRng) {
        for state in &mut self.states[from..] {
            *state = model.determinize(&self.view, rng);
        }
    }

    /// Resamples the states in proportion to their weights, with one random number for all
    /// (systematic resampling; Kitagawa, 1996). The `sum` of the weights is positive.
    fn resample(&mut self, sum: f32, rng: &mut SearchRng) {
        let wanted = self.states.len();
        let step = f64::from(sum) / wanted as f64;
        let mut next = step * f64::from(rng::unit(rng));
        let mut passed = 0.0;
        let mut filled = 0;
        let mut last = 0;
        for (at, &weight) in self.weights.iter().enumerate() {
            if weight > 0.0 {
                last = at;
            }
            passed += f64::from(weight);
            while next < passed && filled < wanted {
                self.spare[filled].clone_from(&self.states[at]);
                filled += 1;
                next += step;
            }
        }
        for state in &mut self.spare[filled..] {
            state.clone_from(&self.states[last]);
        }
        core::mem::swap(&mut self.states, &mut self.spare);
    }
}

impl<M: Model> Belief<M> for Particles<M> {
    fn view(&self) -> &M::View {
        &self.view
    }

    fn draw(&mut self, _: &M, rng: &mut SearchRng) -> M::State {
        self.states[rng::below(rng, self.states.len())].clone()
    }

    fn draw_into(&mut self, _: &M, state: &mut M::State, rng: &mut SearchRng) {
        state.clone_from(&self.states[rng::below(rng, self.states.len())]);
    }

    fn update(
        &mut self,
        model: &M,
        action: M::Action,
        observation: &M::Observation,
        rng: &mut SearchRng,
    ) -> Update {
        model.grow(&mut self.view, action, observation);
        self.weights.clear();
        let mut sum = 0.0;
        for state in &mut self.states {
            let mut weight = 0.0;
            if !model.is_over(state) {
                model.step(state, action, rng);
                weight = model.likelihood(state, action, observation);
            }
            sum += weight;
            self.weights.push(weight);
        }
        if sum <= 0.0 {
            self.redraw(model, 0, rng);
            return Update::Redrawn.report();
        }
        self.resample(sum, rng);
        // systematic resampling keeps the order of the states, so fresh states replace random ones
        let count = self.states.len();
        for at in 0..self.fresh {
            let other = at + rng::below(rng, count - at);
            self.states.swap(at, other);
        }
        self.states.rotate_left(self.fresh);
        self.redraw(model, count - self.fresh, rng);
        Update::Filtered { expected: sum / count as f32 }
    }
}
