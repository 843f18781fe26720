//! The tree of histories: alternating actions and observations, in flat vectors with 32-bit ids.

use crate::rng;
use alloc::vec::Vec;

/// No id.
const NONE: u32 = u32::MAX;

/// The statistics of one history of the player's actions and observations.
#[derive(Debug, Clone, Copy)]
pub(super) struct History {
    /// Playouts through it, including those credited in advance.
    pub(super) visits: u32,
    first_edge: u32,
    edges: u32,
    parent_edge: u32,
    key: u64,
}

/// One action after a history.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// Playouts through it, including those credited in advance.
    pub(super) visits: u32,
    /// Sum of their returns from here on.
    pub(super) sum: f64,
}

impl<A> Edge<A> {
    /// Mean return; only with visits.
    #[inline]
    pub(super) fn mean(&self) -> f32 {
        (self.sum / f64::from(self.visits)) as f32
    }
}

/// Histories and their edges; the child for an observation is found in a hash table with open
/// addressing.
#[derive(Debug)]
pub(super) struct Histories<A> {
    histories: Vec<History>,
    edges: Vec<Edge<A>>,
    slots: Vec<Slot>,
    cap_bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    edge: u32,
    history: u32,
}

const EMPTY: Slot = Slot { key: 0, edge: NONE, history: NONE };

impl<A: Copy> Histories<A> {
    pub(super) const ROOT: u32 = 0;

    pub(super) fn with_cap(cap_bytes: usize) -> Self {
        Histories { histories: Vec::new(), edges: Vec::new(), slots: Vec::new(), cap_bytes }
    }

    /// Only the root, without edges.
    pub(super) fn restart(&mut self) {
        self.histories.clear();
        self.edges.clear();
        self.slots.clear();
        self.slots.resize(1024, EMPTY);
        self.push_history(NONE, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.histories.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.histories.len() * size_of::<History>()
            + self.edges.len() * size_of::<Edge<A>>()
            + self.slots.len() * size_of::<Slot>()
    }

    /// Whether the cap allows one more history with `edges` edges.
    #[inline]
    pub(super) fn has_room(&self, edges: usize) -> bool {
        self.bytes() + size_of::<History>() + edges * size_of::<Edge<A>>() <= self.cap_bytes
    }

    #[inline]
    pub(super) fn history(&self, history: u32) -> &History {
        &self.histories[history as usize]
    }

    #[inline]
    pub(super) fn edges(&self, history: u32) -> &[Edge<A>] {
        let History { first_edge, edges, .. } = *self.history(history);
        &self.edges[first_edge as usize..(first_edge + edges) as usize]
    }

    /// The id of the edge at this index.
    #[inline]
    pub(super) fn edge_id(&self, history: u32, place: usize) -> u32 {
        self.history(history).first_edge + place as u32
    }

    #[inline]
    pub(super) fn edge(&self, edge: u32) -> &Edge<A> {
        &self.edges[edge as usize]
    }

    /// Adds the first edge of a history, or the next one directly after it.
    pub(super) fn add_edge(&mut self, history: u32, edge: Edge<A>) {
        let at = self.edges.len() as u32;
        let owner = &mut self.histories[history as usize];
        if owner.edges == 0 {
            owner.first_edge = at;
        }
        debug_assert_eq!(owner.first_edge + owner.edges, at, "edges of a history lie together");
        owner.edges += 1;
        owner.visits += edge.visits;
        self.edges.push(edge);
    }

    /// Adds a playout through `edge` of `history`, with this return from there on.
    #[inline]
    pub(super) fn add_playout(&mut self, history: u32, edge: u32, value: f64) {
        self.histories[history as usize].visits += 1;
        let edge = &mut self.edges[edge as usize];
        edge.visits += 1;
        edge.sum += value;
    }

    /// The history after `edge` and the observation of this key.
    #[inline]
    pub(super) fn child(&self, edge: u32, key: u64) -> Option<u32> {
        let slot = self.slots[self.find(edge, key)];
        (slot.edge != NONE).then_some(slot.history)
    }

    /// Adds the history after `edge` and the observation of this key, which is new.
    pub(super) fn add_child(&mut self, edge: u32, key: u64) {
        if 2 * self.histories.len() >= self.slots.len() {
            self.grow_table();
        }
        let history = self.push_history(edge, key);
        let place = self.find(edge, key);
        self.slots[place] = Slot { key, edge, history };
    }

    /// The observations after `edge` by key, with the histories after them, in the order of the
    /// keys.
    pub(super) fn children(&self, edge: u32) -> impl Iterator<Item = (u64, u32)> {
        let slots = self.slots.iter().filter(|slot| slot.edge == edge && edge != NONE);
        let mut children: Vec<_> = slots.map(|slot| (slot.key, slot.history)).collect();
        children.sort_unstable();
        children.into_iter()
    }

    /// The child of `edge` with the most visits.
    pub(super) fn most_visited_child(&self, edge: u32) -> Option<u32> {
        let children = self.slots.iter().filter(|slot| slot.edge == edge);
        let best = children.max_by_key(|slot| (self.history(slot.history).visits, slot.key));
        best.map(|slot| slot.history)
    }

    /// Makes `root` the root and drops all histories that do not follow it.
    pub(super) fn re_root(&mut self, root: u32) {
        let old_histories = core::mem::take(&mut self.histories);
        let old_edges = core::mem::take(&mut self.edges);
        self.restart();
        self.histories.clear();
        let mut new_edges = alloc::vec![NONE; old_edges.len()];
        // a history has a greater id than its parent
        for (at, old) in old_histories.iter().enumerate().skip(root as usize) {
            let is_root = at == root as usize;
            let parent_edge = if is_root { NONE } else { new_edges[old.parent_edge as usize] };
            if parent_edge == NONE && !is_root {
                continue;
            }
            if is_root {
                self.push_history(NONE, 0);
            } else {
                self.add_child(parent_edge, old.key);
            }
            let range = old.first_edge as usize..(old.first_edge + old.edges) as usize;
            let first = self.edges.len() as u32;
            for (edge, new) in range.clone().zip(first..) {
                new_edges[edge] = new;
            }
            self.edges.extend_from_slice(&old_edges[range]);
            if let Some(new) = self.histories.last_mut() {
                *new = History { first_edge: first, parent_edge, ..*old };
            }
        }
    }

    fn push_history(&mut self, parent_edge: u32, key: u64) -> u32 {
        let history = History { visits: 0, first_edge: 0, edges: 0, parent_edge, key };
        self.histories.push(history);
        self.histories.len() as u32 - 1
    }

    /// The index of the slot of this edge and key, or of the empty slot where it belongs.
    #[inline]
    fn find(&self, edge: u32, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = rng::mix(key ^ (u64::from(edge) << 32 | u64::from(edge))) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.edge == NONE || slot.edge == edge && slot.key == key {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow_table(&mut self) {
        let wanted = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(wanted, EMPTY);
        for at in 0..self.histories.len() {
            let History { parent_edge: edge, key, .. } = self.histories[at];
            if edge != NONE {
                let place = self.find(edge, key);
                self.slots[place] = Slot { key, edge, history: at as u32 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    fn edge(action: u8) -> Edge<u8> {
        Edge { action, visits: 0, sum: 0.0 }
    }

    /// A tree of two actions and `keys` observations, two steps deep.
    fn tree(keys: u64) -> Histories<u8> {
        let mut tree = Histories::with_cap(usize::MAX);
        tree.restart();
        let mut at = 0;
        for depth in 0..3 {
            let end = tree.len() as u32;
            for history in at..end {
                (0..2).for_each(|action| tree.add_edge(history, edge(action)));
                for place in (0..2).filter(|_| depth < 2) {
                    let edge = tree.edge_id(history, place);
                    (0..keys).for_each(|key| tree.add_child(edge, key * 1024));
                }
            }
            at = end;
        }
        tree
    }

    #[test]
    fn children_are_found_by_edge_and_observation_while_the_table_grows() {
        let tree = tree(50);
        assert_eq!(tree.len(), 1 + 100 + 100 * 100);
        let mut seen = BTreeMap::new();
        for edge in 0..202 {
            for key in 0..50 {
                let child = tree.child(edge, key * 1024).unwrap();
                assert!(seen.insert(child, (edge, key)).is_none(), "no child has two parents");
            }
            assert_eq!(tree.child(edge, 51 * 1024), None);
        }
    }

    #[test]
    fn a_new_root_keeps_exactly_what_follows_it() {
        let mut tree = tree(3);
        let edge = tree.edge_id(0, 1);
        let root = tree.child(edge, 1024).unwrap();
        for (visits, value) in [(5, 1.5), (2, -1.0)] {
            let below = tree.child(tree.edge_id(root, 1), 2048).unwrap();
            let edge = tree.edge_id(below, 0);
            (0..visits).for_each(|_| tree.add_playout(below, edge, value));
        }
        tree.re_root(root);
        assert_eq!(tree.len(), 1 + 2 * 3);
        let below = tree.child(tree.edge_id(0, 1), 2048).unwrap();
        assert_eq!(tree.history(below).visits, 7);
        assert_eq!(tree.edges(below)[0].visits, 7);
        assert!((tree.edges(below)[0].sum - 5.5).abs() < 1e-12);
        assert_eq!(tree.child(tree.edge_id(below, 0), 0), None);
    }
}
