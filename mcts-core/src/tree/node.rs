//! One node with the statistics of the edge that leads into it.

use crate::game::Player;

const PLAYER: u8 = 0b0000_0111;
const PROVEN: u8 = 0b0000_1000;
const EXPANDED: u8 = 0b0001_0000;
const BY_CHANCE: u8 = 0b0010_0000;
const FREE: u8 = 0b0100_0000;

/// A node of the tree and the edge into it: 24 bytes if the action has at most four and `X` none.
#[derive(Debug, Clone, Copy)]
pub struct Node<A, X = ()> {
    /// The sum of values as `f64`; for a proven node, its utility (`f32`) and plies (or table
    /// index) instead.
    value: u64,
    /// Playouts through the edge.
    pub visits: u32,
    pub(super) first_child: u32,
    action: A,
    pub(super) child_count: u16,
    flags: u8,
    /// Determines the order in which this node's actions get their children.
    order: u8,
    /// Additional statistics of a selection policy.
    pub extra: X,
}

impl<A: Copy, X: Copy + Default> Node<A, X> {
    pub(crate) fn new(action: A, player: Player) -> Self {
        Node {
            value: 0,
            visits: 0,
            first_child: 0,
            action,
            child_count: 0,
            flags: player.0 & PLAYER,
            order: 0,
            extra: X::default(),
        }
    }

    /// The action that leads here; arbitrary for the root.
    #[inline]
    #[must_use]
    pub fn action(&self) -> A {
        self.action
    }

    /// The player who took the action that leads here; for an outcome of chance, the player who
    /// decided last before it.
    #[inline]
    #[must_use]
    pub fn player(&self) -> Player {
        Player(self.flags & PLAYER)
    }

    /// Whether chance took the action that leads here.
    #[inline]
    #[must_use]
    pub fn is_by_chance(&self) -> bool {
        self.flags & BY_CHANCE != 0
    }

    /// Marks the action that leads here as an outcome of chance.
    pub(crate) fn set_by_chance(&mut self) {
        self.flags |= BY_CHANCE;
    }

    /// Number of children so far.
    #[inline]
    #[must_use]
    pub fn child_count(&self) -> usize {
        usize::from(self.child_count)
    }

    /// Whether every legal action has a child.
    #[inline]
    #[must_use]
    pub fn is_expanded(&self) -> bool {
        self.flags & EXPANDED != 0
    }

    /// Sets whether every legal action has a child.
    pub(crate) fn set_expanded(&mut self, expanded: bool) {
        self.flags = self.flags & !EXPANDED | if expanded { EXPANDED } else { 0 };
    }

    /// A number that determines the order in which the actions of this node get their children.
    #[inline]
    #[must_use]
    pub(crate) fn order(&self) -> u8 {
        self.order
    }

    /// Sets the order in which the actions of this node get their children; only before the first
    /// of them.
    pub(crate) fn set_order(&mut self, order: u8) {
        debug_assert!(self.child_count == 0, "the children keep their order");
        self.order = order;
    }

    /// Sum of the values of all playouts through the edge, from the view of [`player`](Node::player).
    #[inline]
    #[must_use]
    pub fn value_sum(&self) -> f64 {
        match self.proof_bits() {
            None => f64::from_bits(self.value),
            Some((utility, _)) => f64::from(utility) * f64::from(self.visits),
        }
    }

    /// Whether it is visited, not proven, and not an outcome of chance.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        Self::are_plain_flags(self.flags) & (self.visits > 0)
    }

    /// Its state apart from the numbers, as flags.
    #[inline]
    pub(crate) fn flags(&self) -> u8 {
        self.flags
    }

    /// Whether none of the nodes whose [`flags`](Node::flags) are combined here is proven or an
    /// outcome of chance.
    #[inline]
    pub(crate) fn are_plain_flags(flags: u8) -> bool {
        flags & (PROVEN | BY_CHANCE) == 0
    }

    /// [`value_sum`](Node::value_sum) of a node that is not proven.
    #[inline]
    pub(crate) fn plain_sum(&self) -> f64 {
        f64::from_bits(self.value)
    }

    /// Mean of the values from the view of [`player`](Node::player); exact if proven; `None` without visits.
    #[inline]
    #[must_use]
    pub fn mean(&self) -> Option<f32> {
        match self.proof_bits() {
            Some((utility, _)) => Some(utility),
            None if self.visits == 0 => None,
            None => Some((f64::from_bits(self.value) / f64::from(self.visits)) as f32),
        }
    }

    /// [`mean`](Node::mean) of a node that is certainly visited.
    #[inline]
    pub(crate) fn mean_of_visited(&self) -> f32 {
        match self.proof_bits() {
            Some((utility, _)) => utility,
            None => (f64::from_bits(self.value) / f64::from(self.visits)) as f32,
        }
    }

    /// Adds the value of playouts, from the view of [`player`](Node::player), without a visit. A
    /// proven value is not changed.
    #[inline]
    pub(crate) fn add_value(&mut self, value: f64) {
        if self.flags & PROVEN == 0 {
            self.value = (f64::from_bits(self.value) + value).to_bits();
        }
    }

    /// Whether the exact value is known.
    #[inline]
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.flags & PROVEN != 0
    }

    /// The exact utility for [`player`](Node::player), with the plies to the end or the index in
    /// the tree's table of utilities.
    #[inline]
    pub(crate) fn proof_bits(&self) -> Option<(f32, u32)> {
        self.is_proven().then(|| (f32::from_bits((self.value >> 32) as u32), self.value as u32))
    }

    pub(crate) fn set_proof_bits(&mut self, utility: f32, beside: u32) {
        self.flags |= PROVEN;
        self.value = u64::from(utility.to_bits()) << 32 | u64::from(beside);
    }

    /// Replaces the exact value by the mean.
    pub(crate) fn forget_proof(&mut self) {
        let sum = self.value_sum();
        self.flags &= !PROVEN;
        self.value = sum.to_bits();
    }

    pub(super) fn is_free(&self) -> bool {
        self.flags & FREE != 0
    }

    /// Marks the first node of a free block; `next` is the next free block.
    pub(super) fn set_free(&mut self, next: u32) {
        self.flags = FREE;
        self.child_count = 0;
        self.first_child = next;
    }

    /// Marks the first node of a detached block; its own children stay reachable.
    pub(super) fn set_detached(&mut self, next: u32, count: u16) {
        self.flags &= !PROVEN;
        self.value = u64::from(next) << 16 | u64::from(count);
    }

    /// The next detached block, and the number of nodes in this one.
    pub(super) fn detached(&self) -> (u32, u16) {
        ((self.value >> 16) as u32, self.value as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_24_bytes_for_actions_of_up_to_four() {
        assert_eq!(size_of::<Node<u8>>(), 24);
        assert_eq!(size_of::<Node<u16>>(), 24);
        assert_eq!(size_of::<Node<[u8; 4]>>(), 24);
        assert_eq!(size_of::<Node<u32>>(), 24);
    }

    #[test]
    fn sums_stay_exact_beyond_two_to_the_24_visits() {
        let mut node: Node<u8> = Node::new(0, Player::FIRST);
        node.visits = 1 << 25;
        node.add_value(f64::from(1 << 25));
        for _ in 0..3 {
            node.visits += 1;
            node.add_value(-1.0);
        }
        assert_eq!(node.visits, (1 << 25) + 3);
        assert!((node.value_sum() - f64::from((1 << 25) - 3)).abs() < 0.5);
    }
}
