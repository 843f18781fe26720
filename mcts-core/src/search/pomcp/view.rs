//! Read access to the tree of histories: alternating actions and observations.

use super::PomcpSearch;
use super::histories::Histories;
use crate::game::{Model, Player};
use crate::search::walk::{Branch, BranchStats, NodeRef};
use alloc::vec::Vec;

/// Marks references to an edge, whose children are observations.
const EDGE: u64 = 1 << 32;

impl<M: Model, B, K> PomcpSearch<M, B, K> {
    pub(super) fn branches_of(&self, node: NodeRef) -> Vec<BranchStats<M::Action>> {
        let root = u64::from(Histories::<M::Action>::ROOT);
        let id = if node == NodeRef::ROOT { root } else { node.0 };
        let place = (id & (EDGE - 1)) as u32;
        if id & EDGE == 0 { self.actions_of(place) } else { self.observations_of(place) }
    }

    fn actions_of(&self, history: u32) -> Vec<BranchStats<M::Action>> {
        if history as usize >= self.tree.len() {
            return Vec::new();
        }
        let edges = self.tree.edges(history).iter().enumerate();
        let branch = |(place, edge): (usize, &super::Edge<M::Action>)| BranchStats {
            branch: Branch::Action(edge.action),
            player: Some(Player::FIRST),
            visits: edge.visits,
            values: alloc::vec![(edge.visits > 0).then(|| edge.mean())],
            prior: None,
            proven: None,
            node: Some(NodeRef(EDGE | u64::from(self.tree.edge_id(history, place)))),
        };
        edges.map(branch).collect()
    }

    fn observations_of(&self, edge: u32) -> Vec<BranchStats<M::Action>> {
        let children = self.tree.children(edge).map(|(key, history)| BranchStats {
            branch: Branch::Observation(key),
            player: None,
            visits: self.tree.history(history).visits,
            values: alloc::vec![None],
            prior: None,
            proven: None,
            node: Some(NodeRef(history.into())),
        });
        children.collect()
    }
}
