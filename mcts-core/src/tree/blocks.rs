//! Blocks of siblings: allocated, released, and reclaimed incrementally from detached subtrees.

use super::{Node, NodeId, Tree};

/// Sizes of blocks run 1, 2, 3, 4, 6, 8, 12, 16, ... up to 65,536.
const CLASSES: usize = 32;

/// End of a chain of blocks; the root's index never starts a block.
const NONE: u32 = 0;

/// Detached blocks reclaimed for each block allocated, so that the work stays small and constant.
const RECLAIMED_PER_BLOCK: usize = 2;

/// Chains of free blocks by size, and of detached blocks.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    free: [u32; CLASSES],
    detached: u32,
    free_nodes: usize,
}

impl Blocks {
    pub(super) fn free_nodes(&self) -> usize {
        self.free_nodes
    }
}

/// The class of the smallest block for `count` siblings, `count` at least 1.
#[inline]
pub(crate) fn class(count: u32) -> usize {
    if count <= 2 {
        return count as usize - 1;
    }
    let power = (count - 1).ilog2();
    // between 2^power and 2^(power + 1) lies 3 * 2^(power - 1)
    let half = usize::from(count > 3 << (power - 1));
    2 * power as usize + half
}

/// Number of siblings that a block of this class holds.
#[inline]
pub(crate) fn class_size(class: usize) -> u32 {
    match class {
        0 => 1,
        _ if class % 2 == 1 => 2 << (class / 2),
        _ => 3 << (class / 2 - 1),
    }
}

/// Capacity of the block of `count` siblings; 0 for none.
#[inline]
pub(super) fn capacity(count: u16) -> u16 {
    if count == 0 { 0 } else { class_size(class(u32::from(count))).min(u32::from(u16::MAX)) as u16 }
}

impl<A: Copy, X: Copy + Default> Tree<A, X> {
    /// A block for `count` siblings, or `None` if the cap is reached.
    pub(super) fn allocate(&mut self, count: u16) -> Option<u32> {
        for _ in 0..RECLAIMED_PER_BLOCK {
            self.reclaim_detached();
        }
        let class = class(u32::from(count));
        if let Some(first) = self.pop_free(class) {
            return Some(first);
        }
        let size = class_size(class) as usize;
        if self.nodes.len() + size <= self.cap_nodes && self.reserve(size) {
            let first = self.nodes.len() as u32;
            let template = self.nodes[NodeId::ROOT.index()];
            self.nodes.resize(self.nodes.len() + size, template);
            self.mark_free(first, size as u32);
            return Some(first);
        }
        while self.reclaim_detached() {
            if let Some(first) = self.pop_free(class) {
                return Some(first);
            }
        }
        self.split_larger(class)
    }

    /// Whether a block for `count` siblings is available without recycling.
    pub(crate) fn has_room(&self, count: u16) -> bool {
        let class = class(u32::from(count));
        self.nodes.len() + class_size(class) as usize <= self.cap_nodes
            || self.blocks.detached != NONE
            || self.blocks.free[class..].iter().any(|first| *first != NONE)
    }

    /// Releases the block of `count` siblings that starts at `first`; they must have no children.
    pub(super) fn release(&mut self, first: u32, count: u16) {
        let class = class(u32::from(count));
        self.mark_free(first, class_size(class));
        self.push_free(class, first);
    }

    /// Detaches a block of `count` siblings with their subtrees, in constant time.
    pub(super) fn detach(&mut self, first: u32, count: u16) {
        if count > 0 {
            let next = self.blocks.detached;
            self.nodes[first as usize].set_detached(next, count);
            self.blocks.detached = first;
        }
    }

    /// Reclaims one detached block, after detaching the blocks below it; false if there is none.
    fn reclaim_detached(&mut self) -> bool {
        let first = self.blocks.detached;
        if first == NONE {
            return false;
        }
        let (next, count) = self.nodes[first as usize].detached();
        self.blocks.detached = next;
        for at in first..first + u32::from(count) {
            let Node { first_child, child_count, .. } = self.nodes[at as usize];
            self.detach(first_child, child_count);
        }
        self.release(first, count);
        true
    }

    fn split_larger(&mut self, class: usize) -> Option<u32> {
        let larger = (class + 1..CLASSES).find(|larger| self.blocks.free[*larger] != NONE)?;
        let first = self.pop_free(larger)?;
        let mut rest = first + class_size(class);
        let end = first + class_size(larger);
        while rest < end {
            let part = (0..CLASSES).rev().find(|part| class_size(*part) <= end - rest)?;
            self.push_free(part, rest);
            rest += class_size(part);
        }
        Some(first)
    }

    fn mark_free(&mut self, first: u32, size: u32) {
        for node in &mut self.nodes[first as usize..(first + size) as usize] {
            node.set_free(NONE);
        }
    }

    fn push_free(&mut self, class: usize, first: u32) {
        self.nodes[first as usize].set_free(self.blocks.free[class]);
        self.blocks.free[class] = first;
        self.blocks.free_nodes += class_size(class) as usize;
    }

    fn pop_free(&mut self, class: usize) -> Option<u32> {
        let first = self.blocks.free[class];
        if first == NONE {
            return None;
        }
        self.blocks.free[class] = self.nodes[first as usize].first_child;
        self.blocks.free_nodes -= class_size(class) as usize;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sizes_grow_by_at_most_half_and_hold_what_they_are_for() {
        for count in 1..=4096 {
            let size = class_size(class(count));
            assert!(size >= count, "{count} siblings in {size}");
            assert!(class(count) == 0 || class_size(class(count) - 1) < count);
        }
        let sizes: alloc::vec::Vec<u32> = (0..10).map(class_size).collect();
        assert_eq!(sizes, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]);
    }
}
