//! The mean of all playouts through an edge.

use super::Step;
use crate::game::Utilities;
use crate::tree::{NodeId, Tree};
use alloc::vec::Vec;

/// Adds one playout with result `utilities` to every edge of `path`, each from the view of its own player.
///
/// Edges above one of the depths in `exacts` (in their order) learn the utilities beside it instead. `visits` is 1,
/// or 0 where the visits were already counted on the way down; `correction` is added to each value (it takes a
/// virtual loss back).
#[inline]
pub(crate) fn add_playout<A: Copy, X: Copy + Default>(
    tree: &mut Tree<A, X>,
    path: &[Step],
    (utilities, mut exacts): (&Utilities, &[(usize, Utilities)]),
    (visits, correction): (u32, f64),
) {
    let mut id = NodeId::ROOT;
    tree.node_mut(id).visits += visits;
    for (depth, step) in path.iter().enumerate() {
        while exacts.first().is_some_and(|(above, _)| *above <= depth) {
            exacts = &exacts[1..];
        }
        let learnt = exacts.first().map_or(utilities, |(_, exact)| exact);
        id = tree.child(id, usize::from(step.place));
        let node = tree.node_mut(id);
        node.visits += visits;
        node.add_value(f64::from(learnt.of_player(node.player())) + correction);
    }
}

/// Writes the ids along `path`, the root first, into `ids`.
pub(crate) fn resolve<A: Copy, X: Copy + Default>(
    tree: &Tree<A, X>,
    path: &[Step],
    ids: &mut Vec<NodeId>,
) {
    ids.clear();
    ids.push(NodeId::ROOT);
    let mut id = NodeId::ROOT;
    for step in path {
        id = tree.child(id, usize::from(step.place));
        ids.push(id);
    }
}

/// [`add_playout`] where each edge of `path` has a return of its own, in `returns`.
pub(crate) fn add_returns<A: Copy, X: Copy + Default>(
    tree: &mut Tree<A, X>,
    path: &[Step],
    returns: &[Utilities],
    (visits, correction): (u32, f64),
) {
    let mut id = NodeId::ROOT;
    tree.node_mut(id).visits += visits;
    for (step, utilities) in path.iter().zip(returns) {
        id = tree.child(id, usize::from(step.place));
        let node = tree.node_mut(id);
        node.visits += visits;
        node.add_value(f64::from(utilities.of_player(node.player())) + correction);
    }
}
