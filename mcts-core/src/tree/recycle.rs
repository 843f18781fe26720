//! CLOCK (second-chance) eviction of rarely visited subtrees of a full tree.

use super::{NodeId, Tree};

/// Nodes checked in one call, so that no call takes long.
const STEPS: usize = 512;

/// The hand of the clock, which cycles through the nodes (second-chance page replacement).
///
/// It evicts the children of nodes that have few visits and no grandchildren; a node that gains
/// more visits until the hand returns is spared. After a cycle without success the threshold rises.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockHand {
    at: usize,
    most_visits: u32,
    found_this_round: bool,
}

impl Default for ClockHand {
    fn default() -> Self {
        ClockHand { at: 0, most_visits: 8, found_this_round: false }
    }
}

impl<A: Copy, X: Copy + Default> Tree<A, X> {
    /// Evicts children of rarely visited nodes, if the cap leaves no block for `count` siblings.
    /// Does a bounded amount of work, and may fail.
    ///
    /// Ids of nodes below the root may be invalid afterwards.
    pub(crate) fn make_room(&mut self, count: u16) {
        // a root alone has nothing to evict
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
