//! Taking back the least useful part of a full tree.

use super::{NodeId, Tree};

/// Nodes looked at per call, so that no call takes long.
const STEPS: usize = 512;

/// A hand that goes round the nodes like that of a clock (compare the second-chance page replacement).
///
/// It takes the children of nodes that have few visits and no grandchildren; a node that earns more visits until
/// the hand comes round again is spared. After a round without success it becomes less picky.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hand {
    at: usize,
    most_visits: u32,
    found_this_round: bool,
}

impl Default for Hand {
    fn default() -> Self {
        Hand { at: 0, most_visits: 8, found_this_round: false }
    }
}

impl<A: Copy, X: Copy + Default> Tree<A, X> {
    /// Makes room for a block of `count` siblings if the cap leaves none, by taking back the children of nodes
    /// with few visits. Does a bounded amount of work, and may fail.
    ///
    /// Ids of nodes below the root may be invalid afterwards.
    pub(crate) fn make_room(&mut self, count: u16) {
        // a root alone has nothing to give
        if self.nodes.len() <= 1 || self.has_room(count.max(1)) {
            return;
        }
        for _ in 0..STEPS {
            self.recycling.at += 1;
            if self.recycling.at >= self.nodes.len() {
                self.start_round();
            }
            let at = NodeId(self.recycling.at as u32);
            if self.is_spent(at) {
                self.recycling.found_this_round = true;
                let node = self.node(at);
                let (first, children) = (node.first_child, node.child_count);
                self.release(first, children);
                let node = self.node_mut(at);
                node.child_count = 0;
                node.set_expanded(false);
                if self.has_room(count.max(1)) {
                    return;
                }
            }
        }
    }

    fn start_round(&mut self) {
        self.recycling.at = 1;
        if !self.recycling.found_this_round {
            self.recycling.most_visits = self.recycling.most_visits.saturating_mul(2);
        }
        self.recycling.found_this_round = false;
    }

    fn is_spent(&self, id: NodeId) -> bool {
        let node = self.node(id);
        !node.is_free()
            && node.child_count > 0
            && node.visits <= self.recycling.most_visits
            && self.children(id).iter().all(|child| child.child_count == 0)
    }
}
