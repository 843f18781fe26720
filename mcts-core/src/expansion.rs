//! Phase 2: when a node gets its children, and how many at a time.

/// How many children a node gets when it is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// One more each time a playout wants an action that has none yet. Smallest tree.
    OneByOne,
    /// All of them. For selection policies that compare actions before their first visit.
    AllAtOnce,
}

/// When a node gets its children, and how many at a time. The root has all of its children from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansion {
    /// The visit at which a node is expanded: 1 at its first, 2 (the default) when a playout comes back to it.
    /// More keeps the tree smaller and the playouts longer.
    pub at_visit: u32,
    /// How many children at a time.
    pub growth: Growth,
}

impl Default for Expansion {
    /// One node per playout (Coulom, 2006).
    fn default() -> Self {
        Expansion { at_visit: 2, growth: Growth::OneByOne }
    }
}
