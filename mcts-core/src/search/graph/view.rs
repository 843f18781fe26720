//! Read access to the graph of a search; a traversal may reach a state by several paths.

use super::GraphSearch;
use super::nodes::{Edge, Mover, NONE, NodeId};
use crate::evaluation::Evaluator;
use crate::game::{Game, Player};
use crate::search::walk::{Branch, BranchStats, NodeRef};
use crate::selection::SelectionPolicy;
use crate::tree::Proof;
use alloc::vec::Vec;

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> GraphSearch<G, S, E> {
    pub(super) fn branches_of(&self, node: NodeRef) -> Vec<BranchStats<G::Action>> {
        let id = if node == NodeRef::ROOT { u64::from(self.root) } else { node.0 };
        let Ok(id) = NodeId::try_from(id) else { return Vec::new() };
        if id as usize >= self.graph.len() {
            return Vec::new();
        }
        let player = match self.graph.node(id).mover {
            Mover::Player(player) => Some(player),
            Mover::Chance | Mover::Nobody => None,
        };
        let edges = self.graph.edges(id).iter().enumerate();
        edges.map(|(place, edge)| self.branch((id, place), edge, player)).collect()
    }

    /// The edge at an index of a node.
    fn branch(
        &self,
        (id, place): (NodeId, usize),
        edge: &Edge<G::Action>,
        player: Option<Player>,
    ) -> BranchStats<G::Action> {
        let child = Some(edge.child).filter(|child| *child != NONE);
        let plies = child.and_then(|child| self.graph.node(child).proven);
        let is_known = edge.visits > 0 || plies.is_some();
        let value = |of: u8| {
            let discount = self.game.discount();
            is_known.then(|| self.graph.edge_value(id, place, Player(of), discount))
        };
        let values: Vec<_> = (0..G::PLAYERS as u8).map(value).collect();
        let utility = values[player.unwrap_or(Player::FIRST).index()];
        BranchStats {
            branch: Branch::Action(edge.action),
            player,
            visits: edge.visits,
            proven: plies
                .zip(utility)
                .map(|(plies, utility)| Proof { utility, plies: plies.into() }),
            values,
            prior: None,
            node: child.map(|child| NodeRef(child.into())),
        }
    }
}
