//! Phase 4: updates the statistics on the path of a playout. The only place where values change
//! their point of view.

pub(crate) mod exact;
mod mean;
pub(crate) mod solver;

pub(crate) use mean::{ExactAt, Increment, add_beside_exact, add_playout, add_returns, resolve};

/// One step of a playout inside the tree: the index of the child among its siblings.
///
/// Indices stay valid when siblings move in memory; ids do not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) place: u16,
}
