//! The tree: nodes in one flat vector, siblings contiguous, 32-bit ids.
//!
//! A node stores the statistics of the edge that leads into it, so the choice of a child reads
//! contiguous memory. This module depends on neither a game nor a search; it is generic over the
//! action.

mod blocks;
mod index;
mod node;
mod proof;
mod recycle;

pub(crate) use blocks::{class as block_class, class_size as block_size};
pub(crate) use index::Index;
pub use node::Node;
pub use proof::Proof;

use crate::game::{Player, Utilities};
use alloc::vec::Vec;
use blocks::Blocks;
use core::ops::Range;

/// The maximum number of children of a node.
pub const MAX_CHILDREN: usize = u16::MAX as usize;

/// Minimum number of nodes of an allocation.
const SMALLEST_STEP: usize = 1 << 10;

/// A node's index in its [`Tree`].
///
/// Adding a child may move the siblings, so an id is valid until the next child of the same parent
/// is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// The root, from which every playout starts.
    pub const ROOT: NodeId = NodeId(0);

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }

    /// The id as a number, for [`Tree::find`].
    pub(crate) fn number(self) -> u64 {
        self.0.into()
    }
}

/// A search tree of actions `A`, with further statistics `X` on each edge for the selection
/// policies that need them.
///
/// Memory is allocated as the tree grows, doubling each time, up to the cap. If an allocation
/// fails, the memory in use becomes the cap.
#[derive(Debug)]
pub struct Tree<A, X = ()> {
    nodes: Vec<Node<A, X>>,
    blocks: Blocks,
    cap_nodes: usize,
    recycling: recycle::ClockHand,
    /// Exact utilities of proven nodes, in games where one number does not determine those of all
    /// players.
    proven_utilities: Vec<(Utilities, u32)>,
}

impl<A: Copy, X: Copy + Default> Tree<A, X> {
    /// An empty tree with a cap of `cap_bytes` of nodes, but at least a few hundred nodes.
    #[must_use]
    pub(crate) fn with_cap(cap_bytes: usize) -> Self {
        let cap_nodes = (cap_bytes / size_of::<Node<A, X>>()).clamp(512, u32::MAX as usize);
        Tree {
            nodes: Vec::new(),
            blocks: Blocks::default(),
            cap_nodes,
            recycling: recycle::ClockHand::default(),
            proven_utilities: Vec::new(),
        }
    }

    /// Whether there is no root yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Removes all nodes and adds a root without visits, where `player` is to move.
    ///
    /// `placeholder` is any action; the action of the root is never read.
    pub(crate) fn restart(&mut self, placeholder: A, player: Player) {
        self.nodes.clear();
        self.blocks = Blocks::default();
        self.recycling = recycle::ClockHand::default();
        self.proven_utilities.clear();
        self.nodes.push(Node::new(placeholder, player));
    }

    /// The node of this number, if there is one.
    pub(crate) fn find(&self, number: u64) -> Option<NodeId> {
        let id = u32::try_from(number).ok().filter(|id| (*id as usize) < self.nodes.len())?;
        Some(NodeId(id)).filter(|id| !self.node(*id).is_free())
    }

    /// The node itself.
    #[inline]
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node<A, X> {
        &self.nodes[id.index()]
    }

    /// The node itself, mutable.
    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node<A, X> {
        &mut self.nodes[id.index()]
    }

    /// The children that `parent` has so far.
    #[inline]
    #[must_use]
    pub fn children(&self, parent: NodeId) -> &[Node<A, X>] {
        &self.nodes[self.child_range(parent)]
    }

    /// The children that `parent` has so far, mutable.
    #[inline]
    pub(crate) fn children_mut(&mut self, parent: NodeId) -> &mut [Node<A, X>] {
        let range = self.child_range(parent);
        &mut self.nodes[range]
    }

    /// The id of the child at this index among the children of `parent`.
    #[inline]
    #[must_use]
    pub fn child(&self, parent: NodeId, place: usize) -> NodeId {
        let node = self.node(parent);
        debug_assert!(place < node.child_count(), "there is a child at this place");
        NodeId(node.first_child + place as u32)
    }

    #[inline]
    fn child_range(&self, parent: NodeId) -> Range<usize> {
        let node = self.node(parent);
        let first = node.first_child as usize;
        first..first + node.child_count()
    }

    /// Adds a child without visits for an `action` by `player`; `None` if the cap is reached.
    pub(crate) fn add_child(
        &mut self,
        parent: NodeId,
        action: A,
        player: Player,
    ) -> Option<NodeId> {
        let node = self.node(parent);
        let (first, count) = (node.first_child, node.child_count);
        if count == u16::MAX {
            return None;
        }
        let first = if blocks::capacity(count) > count {
            first
        } else {
            let moved = self.allocate(count + 1)?;
            let old = first as usize..first as usize + usize::from(count);
            self.nodes.copy_within(old, moved as usize);
            if count > 0 {
                self.release(first, count);
            }
            moved
        };
        let id = NodeId(first + u32::from(count));
        *self.node_mut(id) = Node::new(action, player);
        let node = self.node_mut(parent);
        node.first_child = first;
        node.child_count = count + 1;
        Some(id)
    }

    /// Adds children without visits for all `actions` by `player` to a parent without any; false if
    /// the cap is reached. At most 65,535.
    pub(crate) fn add_children(
        &mut self,
        parent: NodeId,
        actions: &[(A, X)],
        player: Player,
    ) -> bool {
        debug_assert!(self.node(parent).child_count == 0, "there are no children yet");
        let Ok(count @ 1..) = u16::try_from(actions.len()) else { return false };
        let Some(first) = self.allocate(count) else { return false };
        let places = &mut self.nodes[first as usize..][..actions.len()];
        for (node, (action, extra)) in places.iter_mut().zip(actions) {
            *node = Node::new(*action, player);
            node.extra = *extra;
        }
        let node = self.node_mut(parent);
        node.first_child = first;
        node.child_count = count;
        true
    }

    /// Gives `parent` a child for each of `actions`, the first of which it already has; false if
    /// the cap is reached. At most [`MAX_CHILDREN`].
    pub(crate) fn complete_children(
        &mut self,
        parent: NodeId,
        actions: impl ExactSizeIterator<Item = A>,
        player: Player,
    ) -> bool {
        let Node { first_child: first, child_count: count, .. } = *self.node(parent);
        let Ok(all) = u16::try_from(actions.len()) else { return false };
        let mut place = first;
        if blocks::capacity(count) < all {
            let Some(moved) = self.allocate(all) else { return false };
            let old = first as usize..first as usize + usize::from(count);
            self.nodes.copy_within(old, moved as usize);
            if count > 0 {
                self.release(first, count);
            }
            place = moved;
        }
        let nodes = &mut self.nodes[place as usize..][..usize::from(all)];
        for (node, action) in nodes.iter_mut().zip(actions).skip(count.into()) {
            *node = Node::new(action, player);
        }
        let node = self.node_mut(parent);
        node.first_child = place;
        node.child_count = all;
        true
    }

    /// Raises the cap, if necessary, so that a block for `count` more siblings fits.
    pub(crate) fn allow(&mut self, count: usize) {
        let block = block_size(block_class(count.clamp(1, MAX_CHILDREN) as u32)) as usize;
        if !self.has_room(count.clamp(1, MAX_CHILDREN) as u16) {
            self.cap_nodes = self.nodes.len().saturating_add(block).min(u32::MAX as usize);
        }
    }

    /// Reserves memory for `more` nodes, which the cap allows. If the allocation fails, lowers the
    /// cap to the memory in use.
    fn reserve(&mut self, more: usize) -> bool {
        let (length, known) = (self.nodes.len(), self.nodes.capacity());
        if length + more <= known {
            return true;
        }
        let most = self.cap_nodes - length;
        let wanted = more.max(length).max(SMALLEST_STEP).min(most);
        if self.nodes.try_reserve_exact(wanted).is_ok() {
            return true;
        }
        // a smaller step, and only if at least the same amount stays free for everything else
        let wanted = more.max(length / 8).min(most);
        if self.nodes.try_reserve_exact(2 * wanted).is_ok() {
            self.nodes.shrink_to(length + wanted);
            return true;
        }
        self.cap_nodes = known;
        false
    }

    /// Makes the child of the root at this index the new root.
    ///
    /// The other subtrees are detached in constant time; their memory is reclaimed incrementally as
    /// new nodes need it.
    pub(crate) fn re_root(&mut self, place: usize) {
        let child = self.child(NodeId::ROOT, place);
        let root = *self.node(NodeId::ROOT);
        let new_root = *self.node(child);
        self.node_mut(child).child_count = 0;
        self.detach(root.first_child, root.child_count);
        self.nodes[0] = new_root;
    }

    /// Number of nodes in use, detached ones that are not yet reclaimed included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - self.blocks.free_nodes()
    }

    /// Bytes of memory that the tree has touched.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<A, X>>()
            + self.proven_utilities.len() * size_of::<(Utilities, u32)>()
    }

    /// The exact utilities at this index of the table, and plies to the end.
    pub(crate) fn proven_utilities(&self, place: u32) -> (Utilities, u32) {
        self.proven_utilities[place as usize]
    }

    /// Stores exact utilities in the table; returns their index, or `None` if it has `most` entries
    /// already.
    pub(crate) fn note_proven_utilities(
        &mut self,
        utilities: Utilities,
        plies: u32,
        most: usize,
    ) -> Option<u32> {
        if self.proven_utilities.len() >= most {
            return None;
        }
        self.proven_utilities.push((utilities, plies));
        Some(self.proven_utilities.len() as u32 - 1)
    }
}
