//! Read access to the tree of a UCT search.

use super::UctSearch;
use crate::backup::solver;
use crate::evaluation::Evaluator;
use crate::game::{Game, Player};
use crate::search::walk::{Branch, BranchStats, NodeRef};
use crate::selection::SelectionPolicy;
use crate::tree::NodeId;
use alloc::vec::Vec;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    pub(super) fn branches_of(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        let id = if node == NodeRef::ROOT { Some(NodeId::ROOT) } else { self.tree.find(node.0) };
        let Some(id) = id.filter(|_| !self.tree.is_empty()) else { return Vec::new() };
        let children = 0..self.tree.children(id).len();
        children.map(|place| self.branch(self.tree.child(id, place))).collect()
    }

    /// The edge into `id`.
    fn branch(&self, id: NodeId) -> BranchStats<G::Action> {
        let child = self.tree.node(id);
        let proven = solver::proof::<G, _>(&self.tree, id);
        let (own, is_scalar) = (child.mean(), solver::is_scalar::<G>());
        let exact = proven.map(|_| solver::utilities::<G, _>(&self.tree, id));
        let value = |player: u8| match exact {
            Some(exact) => Some(exact.of_player(Player(player))),
            None if Player(player) == child.player() => own,
            None if is_scalar => own.map(|own| -own),
            None => None,
        };
        BranchStats {
            branch: Branch::Action(child.action()),
            player: (!child.is_by_chance()).then(|| child.player()),
            visits: child.visits,
            values: (0..G::PLAYERS as u8).map(value).collect(),
            prior: S::prior_of(&child.extra),
            proven,
            node: (child.child_count() > 0).then(|| NodeRef(id.number())),
        }
    }
}
