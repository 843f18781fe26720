//! Exact values in a playout.

use super::playout::Leaf;
use super::{Lane, UctSearch};
use crate::backup::solver::{self, Replay};
use crate::backup::{ExactAt, resolve};
use crate::evaluation::Evaluator;
use crate::game::{Exact, Game, Utilities};
use crate::selection::{SelectionPolicy, most_valuable_exact};
use crate::tree::NodeId;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Whether this search proves values.
    pub(super) fn proves(&self) -> bool {
        self.parts.solver && !G::HAS_REWARDS
    }

    /// The utilities of a proven node; `None` at the root, which is searched on.
    #[inline]
    pub(super) fn proven(&self, id: NodeId) -> Option<Utilities> {
        let is_known = self.tree.node(id).is_proven() && id != NodeId::ROOT;
        is_known.then(|| solver::utilities::<G, _>(&self.tree, id))
    }

    /// A leaf with a known value: proves it, and the nodes above that it decides.
    pub(super) fn known(&mut self, id: NodeId, lane: usize, exact: Exact) -> Leaf {
        let utilities = exact.utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
        let exact = Exact { utilities, ..exact };
        if self.proves() && id != NodeId::ROOT {
            let UctSearch { game, tree, root_state, states, lanes, ids, .. } = self;
            solver::prove::<G, _>(tree, id, exact);
            resolve(tree, &lanes[lane].path, ids);
            if let Some(root) = root_state {
                // the state of a leaf that is known is not evaluated
                let replay = Replay { game, root, scratch: &mut states[lane] };
                solver::propagate(tree, ids, replay);
            }
        }
        Leaf::Known(exact.utilities)
    }

    /// A leaf where the game is not over.
    #[inline]
    pub(super) fn open(&mut self, id: NodeId, lane: usize) -> Leaf {
        if E::KNOWS_ENDINGS && id != NodeId::ROOT {
            let exact = self.parts.evaluator.exact(&self.game, &self.states[lane]);
            if let Some(exact) = exact {
                return self.known(id, lane, exact);
            }
        }
        Leaf::Open
    }

    /// Stores the utilities of the proven child at this index for the edges above its parent, if
    /// there are any.
    #[inline]
    pub(super) fn note_exact(&mut self, place: Option<usize>, parent: NodeId, lane: usize) {
        let Lane { path, exacts, .. } = &mut self.lanes[lane];
        if let Some(place) = place
            && !path.is_empty()
        {
            let utilities = solver::utilities::<G, _>(&self.tree, self.tree.child(parent, place));
            exacts.push(ExactAt { depth: path.len(), utilities });
        }
    }

    /// Stores those of the best proven child, if there is one.
    #[inline]
    pub(super) fn note_best_exact(&mut self, parent: NodeId, lane: usize) {
        if self.proves() {
            let best = most_valuable_exact(self.tree.children(parent), self.scale);
            self.note_exact(best, parent, lane);
        }
    }
}
