//! The searches: one file for each algorithm, all of them a [`Search`], driven by one loop.
//!
//! | what is hidden or random | search |
//! |---|---|
//! | nothing, or chance only | [`uct`]; on several threads `parallel` |
//! | nothing, and states are reached by several paths | [`graph`] |
//! | nothing, and there is an evaluation or an ending to be solved exactly | [`alpha_beta`] |
//! | chance everywhere | [`open_loop`] |
//! | the simultaneous choices of others | [`decoupled`] |
//! | parts of the state, several players | [`is_mcts`] |
//! | parts of the state, one player | [`pomcp`]; with a good base policy [`rollouts`] |
//! | parts of the state, where information has no value | [`pimc`] |

pub mod alpha_beta;
mod control;
mod decisions;
pub mod decoupled;
mod driver;
pub mod graph;
pub mod is_mcts;
pub mod open_loop;
#[cfg(feature = "parallel")]
pub mod parallel;
mod parts;
pub mod pimc;
pub mod pomcp;
pub mod rollouts;
mod root;
pub mod uct;
mod walk;

pub use alpha_beta::{AlphaBeta, AlphaBetaSearch};
pub use control::{Control, StopHandle, Watch};
pub use decoupled::{Decoupled, DecoupledSearch};
pub use driver::Pace;
pub use graph::{GraphSearch, GraphUct};
pub use is_mcts::{IsMcts, IsMctsSearch, Observers};
pub use open_loop::{OpenLoop, OpenLoopSearch};
#[cfg(feature = "parallel")]
pub use parallel::{PipelineParallel, PipelineParallelSearch};
#[cfg(feature = "parallel")]
pub use parallel::{RootParallel, RootParallelSearch, TreeParallel, TreeParallelSearch};
pub use parts::Parts;
pub use pimc::{Pimc, PimcSearch};
pub use pomcp::{Exploration, Pomcp, PomcpFromView, PomcpSearch};
pub use rollouts::{PolicyRollouts, PolicyRolloutsSearch};
pub use root::{ActionStats, Choice, Depths, RootStats, Sample};
pub use uct::{Uct, UctSearch};
pub use walk::{Branch, BranchStats, ExportLimits, ExportedNode, ExportedTree, NodeRef};

use crate::budget::{Budget, Clock};
use crate::report::{Report, Reuse, SearchError};
use alloc::vec::Vec;
use core::fmt;

/// A search of one game: prepares a root, runs playouts, and returns the statistics of the root.
///
/// [`run`](Self::run) searches within a [`Budget`]. A new algorithm implements the three required
/// methods; the driver supplies budget checks, stop rules and the [`Report`]. The trait is
/// object-safe: `Box<dyn Search<Position = P, Action = A>>` is any search that starts from a `P`.
///
/// A playout is the unit of work: a descent of the tree, or a node of a search without playouts.
pub trait Search {
    /// The input of a search: a state, a view, or `()` if the search contains a belief.
    type Position: ?Sized;
    /// One choice of the player to move.
    type Action: Copy + PartialEq + fmt::Debug;

    // --- required ---

    /// Makes `at` the root, with every legal action; reuses earlier searches if possible, and
    /// resets the samples and depths of the search.
    ///
    /// # Errors
    /// [`SearchError`] if there is no decision.
    fn prepare(&mut self, at: &Self::Position) -> Result<Reuse, SearchError>;

    /// Runs `most` playouts from `at`, for which the search was [prepared](Self::prepare); returns
    /// their number.
    ///
    /// Fewer only if more cannot change the result; [`RootStats::ended`] then is the reason.
    fn playouts(&mut self, at: &Self::Position, most: u64) -> u64;

    /// Writes the statistics of the root to `root`, whose memory is reused. Takes time proportional
    /// to the number of actions.
    fn read_root(&self, root: &mut RootStats<Self::Action>);

    // --- provided ---

    /// Completes the playouts that [`playouts`](Self::playouts) left unfinished, if any. The driver
    /// calls it before it reads the root for the last time.
    fn finish(&mut self) {}

    /// How the driver should pace the search.
    fn pace(&self) -> Pace {
        Pace::default()
    }

    /// Declares that `action` was played at the root, so that the next search can reuse its
    /// subtree.
    ///
    /// The default does nothing: it is for searches that find a later position themselves or start
    /// afresh.
    fn advance(&mut self, action: Self::Action) {
        let _ = action;
    }

    /// The line of best actions that begins with `first`, as far as the search has it.
    fn principal_variation(&self, first: Self::Action) -> Vec<Self::Action> {
        alloc::vec![first]
    }

    /// The lines of best actions that begin with each action of the root, in the order of
    /// [`root`](Self::root).
    fn principal_variations(&self) -> Vec<Vec<Self::Action>> {
        self.root().actions.iter().map(|stats| self.principal_variation(stats.action)).collect()
    }

    /// The branches of a node with their statistics, as far as they are in the tree.
    ///
    /// The default returns those of the root only: it is for searches whose nodes do not lead to
    /// each other.
    fn branches(&self, node: NodeRef) -> Vec<BranchStats<Self::Action>> {
        if node == NodeRef::ROOT { walk::root_branches(self) } else { Vec::new() }
    }

    /// A part of the tree, to be written as JSON (feature `serde`) or [DOT](ExportedTree::to_dot).
    fn export(&self, limits: &ExportLimits) -> ExportedTree<Self::Action> {
        walk::export(self, limits)
    }

    /// The statistics of the root.
    fn root(&self) -> RootStats<Self::Action> {
        let mut root = RootStats::default();
        self.read_root(&mut root);
        root
    }

    /// Searches `at` within `budget` on the clocks of the operating system.
    ///
    /// The report has a legal action even for an empty budget.
    ///
    /// # Errors
    /// [`SearchError`] if there is no decision.
    #[cfg(feature = "std")]
    fn run(
        &mut self,
        at: &Self::Position,
        budget: &Budget,
    ) -> Result<Report<Self::Action>, SearchError> {
        self.run_with_clock(at, budget, &crate::budget::SystemClock)
    }

    /// [`run`](Self::run) on a clock of the caller.
    ///
    /// # Errors
    /// [`SearchError`] if there is no decision.
    fn run_with_clock(
        &mut self,
        at: &Self::Position,
        budget: &Budget,
        clock: &dyn Clock,
    ) -> Result<Report<Self::Action>, SearchError> {
        self.run_controlled(at, &mut Control::new(*budget, clock))
    }

    /// [`run`](Self::run) that can be stopped and observed.
    ///
    /// # Errors
    /// [`SearchError`] if there is no decision.
    fn run_controlled(
        &mut self,
        at: &Self::Position,
        control: &mut Control<'_, Self::Action>,
    ) -> Result<Report<Self::Action>, SearchError> {
        driver::run(self, at, control)
    }
}

/// Rejects a discount outside (0, 1].
fn check_discount(discount: f32) -> Result<(), SearchError> {
    let is_valid = discount > 0.0 && discount <= 1.0;
    if is_valid { Ok(()) } else { Err(SearchError::InvalidDiscount(discount)) }
}

impl<S: Search + ?Sized> Search for alloc::boxed::Box<S> {
    type Position = S::Position;
    type Action = S::Action;

    fn prepare(&mut self, at: &Self::Position) -> Result<Reuse, SearchError> {
        (**self).prepare(at)
    }

    fn playouts(&mut self, at: &Self::Position, most: u64) -> u64 {
        (**self).playouts(at, most)
    }

    fn read_root(&self, root: &mut RootStats<Self::Action>) {
        (**self).read_root(root);
    }

    fn finish(&mut self) {
        (**self).finish();
    }

    fn pace(&self) -> Pace {
        (**self).pace()
    }

    fn advance(&mut self, action: Self::Action) {
        (**self).advance(action);
    }

    fn principal_variation(&self, first: Self::Action) -> Vec<Self::Action> {
        (**self).principal_variation(first)
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<Self::Action>> {
        (**self).branches(node)
    }
}
