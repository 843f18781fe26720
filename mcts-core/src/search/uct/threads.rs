//! The interface of a search to the threads that share it.

use super::UctSearch;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::rng::{self, SearchRng};
use crate::search::RootStats;
use crate::selection::SelectionPolicy;
use crate::trace::Trace;
use rand::Rng;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Whether the tree must recycle memory before it grows; recycle only while no playout is
    /// unfinished.
    pub(in crate::search) fn is_full(&self) -> bool {
        !self.tree.has_room(self.widest)
    }

    pub(in crate::search) fn make_room(&mut self) {
        self.tree.make_room(self.widest);
    }

    /// The states of the `open` playouts from lane `first` on.
    pub(in crate::search) fn leaves(&self, first: usize, open: usize) -> &[G::State] {
        &self.states[first..first + open]
    }

    /// Exchanges the states of the unfinished playouts from lane `first` on.
    pub(in crate::search) fn swap_states(&mut self, first: usize, states: &mut [G::State]) {
        self.states[first..first + states.len()].swap_with_slice(states);
    }

    /// Subtracts the virtual losses of the `open` playouts from lane `first` on from the statistics
    /// of the root.
    pub(in crate::search) fn leave_out(
        &self,
        first: usize,
        open: usize,
        root: &mut RootStats<G::Action>,
    ) {
        let loss = f64::from(G::UTILITY_BOUNDS.0);
        let places = self.lanes[first..first + open].iter().filter_map(|lane| lane.path.first());
        for place in places.map(|step| usize::from(step.place)) {
            let action = &mut root.actions[place];
            let sum = action.value.map_or(0.0, f64::from) * f64::from(action.visits) - loss;
            action.visits -= 1;
            action.observations = action.visits;
            if action.proven.is_none() {
                let mean = (sum / f64::from(action.visits)) as f32;
                action.value = (action.visits > 0).then_some(mean);
            }
        }
    }

    /// The evaluator of the tree.
    pub(in crate::search) fn evaluator_mut(&mut self) -> &mut E {
        &mut self.parts.evaluator
    }

    /// A generator for evaluations in another thread.
    pub(in crate::search) fn split_rng(&mut self) -> SearchRng {
        rng::stream(self.leaf_rng.next_u64(), 1)
    }

    /// Exchanges the traces of the unfinished playouts from lane `first` on, if a part learns from
    /// them.
    pub(in crate::search) fn swap_traces(&mut self, first: usize, traces: &mut [Trace]) {
        if Self::TRACED {
            for (lane, trace) in self.lanes[first..].iter_mut().zip(traces) {
                core::mem::swap(&mut lane.trace, trace);
            }
        }
    }

    /// Exchanges the evaluator for that of a thread, so that the thread's evaluator learns from its
    /// playouts.
    pub(in crate::search) fn swap_evaluator(&mut self, evaluator: &mut E) {
        if E::LEARNS {
            core::mem::swap(&mut self.parts.evaluator, evaluator);
        }
    }

    /// Stores an evaluator that has worked for this search.
    pub(in crate::search) fn keep_evaluator(&mut self, evaluator: E) {
        self.parts.evaluator = evaluator;
    }
}
