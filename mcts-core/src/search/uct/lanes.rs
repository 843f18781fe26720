//! Several playouts at a time: collects their leaves and evaluates them together.

use super::UctSearch;
use super::playout::Leaf;
use crate::backup::{Increment, add_playout};
use crate::evaluation::Evaluator;
use crate::game::{Game, MAX_PLAYERS, Utilities};
use crate::selection::SelectionPolicy;
use core::ops::Range;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Several playouts whose leaves are evaluated together.
    pub(super) fn interleaved_playouts(&mut self, root: &G::State, playouts: usize) {
        let open = self.gather(root, 0..playouts);
        let mut results = core::mem::take(&mut self.results);
        let values = &mut results[..open];
        self.evaluate_all(values);
        self.settle(0, values);
        self.results = results;
    }

    /// Starts one playout in each of `lanes`. Those that need an evaluation stay unfinished, in the
    /// first lanes of the range; returns their number.
    ///
    /// Until [`settle`](Self::settle) backs up its value, the path of an unfinished playout has a
    /// virtual loss (Chaslot, Winands and van den Herik, 2008), so that other playouts select other
    /// children.
    pub(in crate::search) fn gather(&mut self, root: &G::State, lanes: Range<usize>) -> usize {
        let losses = Utilities([G::UTILITY_BOUNDS.0; MAX_PLAYERS]);
        let first = lanes.start;
        let mut open = first;
        for _ in lanes {
            let leaf = self.descend(root, open);
            self.depths.add(self.lanes[open].path.len());
            match leaf {
                Leaf::Known(utilities) => self.back_up(open, &utilities, Increment::PLAYOUT),
                Leaf::Open => {
                    let path = &self.lanes[open].path;
                    add_playout(&mut self.tree, path, &losses, Increment::PLAYOUT);
                    open += 1;
                }
            }
        }
        open - first
    }

    /// The values of the leaf states of the first lanes, one for each of `values`.
    fn evaluate_all(&mut self, values: &mut [Utilities]) {
        if Self::TRACED {
            for (lane, value) in values.iter_mut().enumerate() {
                *value = self.evaluate(lane);
            }
        } else {
            let states = &mut self.states[..values.len()];
            self.parts.evaluator.evaluate_all(&self.game, states, &mut self.leaf_rng, values);
        }
    }

    /// Backs up these values of the unfinished playouts from lane `first` on.
    pub(in crate::search) fn settle(&mut self, first: usize, values: &[Utilities]) {
        let increment = Increment::in_place_of(f64::from(G::UTILITY_BOUNDS.0));
        for (lane, utilities) in (first..).zip(values) {
            self.back_up(lane, utilities, increment);
        }
    }
}
