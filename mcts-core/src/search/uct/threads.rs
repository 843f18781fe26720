//! What a search offers to threads that share it.

use super::UctSearch;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::rng::{self, SearchRng};
use crate::selection::SelectionPolicy;
use crate::trace::Trace;
use rand::Rng;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Whether the tree must take room back before it grows; only to be done while no playout is open.
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

    /// A generator for evaluations elsewhere.
    pub(in crate::search) fn split_rng(&mut self) -> SearchRng {
        rng::stream(self.leaf_rng.next_u64(), 1)
    }

    /// Exchanges the traces of the open playouts from lane `first` on, if a part learns from them.
    pub(in crate::search) fn swap_traces(&mut self, first: usize, traces: &mut [Trace]) {
        if Self::TRACED {
            for (lane, trace) in self.lanes[first..].iter_mut().zip(traces) {
                core::mem::swap(&mut lane.trace, trace);
            }
        }
    }

    /// Exchanges the evaluator for the one of a thread, so that that one learns from its playouts.
    pub(in crate::search) fn swap_evaluator(&mut self, evaluator: &mut E) {
        if E::LEARNS {
            core::mem::swap(&mut self.parts.evaluator, evaluator);
        }
    }

    /// Takes over an evaluator that has worked for this search.
    pub(in crate::search) fn keep_evaluator(&mut self, evaluator: E) {
        self.parts.evaluator = evaluator;
    }
}
