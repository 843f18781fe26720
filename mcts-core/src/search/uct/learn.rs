//! What parts that learn receive of a playout; not compiled in where no part learns.

use super::{Lane, UctSearch};
use crate::backup::{resolve, solver};
use crate::evaluation::Evaluator;
use crate::game::{Game, Utilities};
use crate::selection::{Learns, Played, Results, SelectionPolicy};
use crate::trace::TraceStep;
use crate::tree::NodeId;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Whether a part learns from all actions of a playout.
    pub(in crate::search) const TRACED: bool = E::LEARNS || matches!(S::LEARNS, Learns::FromTrace);

    const LEARNS: bool = E::LEARNS || !matches!(S::LEARNS, Learns::Nothing);

    /// Adds the edge into `child` to the trace.
    #[inline]
    pub(super) fn trace_edge(&mut self, child: NodeId, lane: usize) {
        if Self::TRACED {
            let node = self.tree.node(child);
            let step = if node.is_by_chance() {
                TraceStep::CHANCE
            } else {
                TraceStep::new(node.player(), self.game.action_index(node.action()))
            };
            self.lanes[lane].trace.push(step);
        }
    }

    /// Passes a playout that was just backed up to the parts that learn.
    #[inline]
    pub(super) fn learn(&mut self, lane: usize, result: &Utilities) {
        if !Self::LEARNS {
            return;
        }
        let provable = (self.proves() && solver::is_scalar::<G>()).then_some(G::UTILITY_BOUNDS);
        let Lane { path, rewards, exacts, trace } = &self.lanes[lane];
        if E::LEARNS {
            self.parts.evaluator.learn(trace, rewards.first().unwrap_or(result));
        }
        if !matches!(S::LEARNS, Learns::Nothing) {
            resolve(&self.tree, path, &mut self.ids);
            let mut playout = Played {
                tree: &mut self.tree,
                path: &self.ids,
                trace,
                index: |action| self.game.action_index(action),
                results: Results { at_end: result, returns: rewards, scale: self.scale },
                exacts,
                provable,
                met: &mut self.met,
            };
            self.parts.selection.learn(&mut playout, |extra| extra);
        }
    }
}
