//! Phase 2: when a node gets children, and how many at a time.

/// Number of children that an expansion adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// One more each time a playout selects an action that has none yet. Smallest tree.
    OneByOne,
    /// All of them. Needed by selection policies that compare actions before their first visit.
    AllAtOnce,
}

/// When a node gets children, and how many at a time. The root has all children from the start.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Expansion, Growth, Search, Uct};
///
/// // all children at once, at the third visit
/// let expansion = Expansion { growth: Growth::AllAtOnce, at_visit: 3 };
/// let parts = Uct { expansion, ..Uct::default() };
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansion {
    /// The visit at which a node is expanded: 1 at its first, 2 (the default) at its second. Larger
    /// numbers make the tree smaller and rollouts longer.
    pub at_visit: u32,
    /// Number of children at a time.
    pub growth: Growth,
}

impl Default for Expansion {
    /// One node for each playout (Coulom, 2006).
    fn default() -> Self {
        Expansion { at_visit: 2, growth: Growth::OneByOne }
    }
}
