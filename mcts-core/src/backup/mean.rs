//! The mean of all playouts through an edge.

use super::Step;
use crate::game::Utilities;
use crate::tree::{NodeId, Tree};
use alloc::vec::Vec;

/// The increment of the statistics on the path of a playout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Increment {
    /// 1, or 0 if the visits are already counted.
    visits: u32,
    /// Added to each value.
    correction: f64,
}

impl Increment {
    /// One playout.
    pub(crate) const PLAYOUT: Increment = Increment { visits: 1, correction: 0.0 };

    /// A playout that was counted with the value `virtual_loss` before its own was known.
    pub(crate) fn in_place_of(virtual_loss: f64) -> Self {
        Increment { visits: 0, correction: -virtual_loss }
    }
}

/// The best proven utilities among the children of a node on the path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactAt {
    pub(crate) depth: usize,
    pub(crate) utilities: Utilities,
}

/// Adds one playout with result `utilities` to every edge of `path`, each from the view of its own
/// player.
#[inline]
pub(crate) fn add_playout<A: Copy, X: Copy + Default>(
    tree: &mut Tree<A, X>,
    path: &[Step],
    utilities: &Utilities,
    Increment { visits, correction }: Increment,
) {
    let mut id = NodeId::ROOT;
    tree.node_mut(id).visits += visits;
    for step in path {
        id = tree.child(id, usize::from(step.place));
        let node = tree.node_mut(id);
        node.visits += visits;
        node.add_value(f64::from(utilities.of_player(node.player())) + correction);
    }
}

/// [`add_playout`] along the nodes `path`, some of which have proven children in addition to the
/// one on the path.
///
/// `exacts` lists those in the order of the path. If their utilities are at least the mean of the
/// child on the path, this playout included, they are backed up above instead of the result; the
/// others are removed from `exacts`.
pub(crate) fn add_beside_exact<A: Copy, X: Copy + Default>(
    tree: &mut Tree<A, X>,
    path: &[NodeId],
    utilities: &Utilities,
    exacts: &mut Vec<ExactAt>,
    Increment { visits, correction }: Increment,
) {
    let mut learnt = *utilities;
    let mut left = exacts.len();
    for (depth, id) in path.iter().enumerate().rev() {
        if let Some(ExactAt { depth: above, utilities: exact }) = exacts[..left].last()
            && *above == depth
        {
            left -= 1;
            let taken = path.get(depth + 1).map(|child| tree.node(*child));
            let is_open_better =
                taken.is_some_and(|child| child.mean() > Some(exact.of_player(child.player())));
            if is_open_better {
                exacts.remove(left);
            } else {
                learnt = *exact;
            }
        }
        let node = tree.node_mut(*id);
        node.visits += visits;
        if depth > 0 {
            node.add_value(f64::from(learnt.of_player(node.player())) + correction);
        }
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

/// [`add_playout`] with a separate return for each edge of `path`, in `returns`.
pub(crate) fn add_returns<A: Copy, X: Copy + Default>(
    tree: &mut Tree<A, X>,
    path: &[Step],
    returns: &[Utilities],
    Increment { visits, correction }: Increment,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;

    #[test]
    fn exact_values_replace_results_of_children_whose_mean_is_no_greater() {
        // the second player takes the edge into `chooser`, where the first player has a proven action and an open one
        for (open_sum, learnt) in [(-1.8, 0.25), (0.0, 0.25), (2.0, -1.0)] {
            let mut tree: Tree<u8> = Tree::with_cap(1 << 16);
            tree.restart(0, Player::SECOND);
            assert!(tree.add_children(NodeId::ROOT, &[(0, ())], Player::SECOND));
            let chooser = tree.child(NodeId::ROOT, 0);
            assert!(tree.add_children(chooser, &[(0, ()), (1, ())], Player::FIRST));
            let open = tree.child(chooser, 1);
            tree.node_mut(open).visits = 1;
            tree.node_mut(open).add_value(open_sum);
            let utilities = Utilities::zero_sum(0.25);
            let mut exacts = alloc::vec![ExactAt { depth: 1, utilities }];
            let path = [NodeId::ROOT, chooser, open];
            let result = Utilities::zero_sum(-1.0);
            add_beside_exact(&mut tree, &path, &result, &mut exacts, Increment::PLAYOUT);
            assert!((tree.node(chooser).value_sum() - (-learnt)).abs() < 1e-9, "{open_sum}");
            assert!((tree.node(open).value_sum() - (open_sum - 1.0)).abs() < 1e-9);
            assert_eq!((tree.node(NodeId::ROOT).visits, tree.node(open).visits), (1, 2));
            assert_eq!(exacts.is_empty(), learnt < 0.0, "only what was learnt is kept");
        }
    }
}
