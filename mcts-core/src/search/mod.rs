//! The loops: one per algorithm, each in a file of its own.
//!
//! | what is hidden or random | search |
//! |---|---|
//! | nothing, or chance only | [`uct`]; on several threads `parallel` |
//! | nothing, and states are reached by several ways | [`graph`] |
//! | chance everywhere | [`open_loop`] |
//! | what others choose at the same time | [`decoupled`] |
//! | parts of the state, several players | [`is_mcts`] |
//! | parts of the state, one player | [`pomcp`]; with a good base policy [`rollouts`] |
//! | parts of the state, where looking is worth nothing | [`pimc`] |

mod decisions;
pub mod decoupled;
pub mod graph;
pub mod is_mcts;
pub mod open_loop;
#[cfg(feature = "parallel")]
pub mod parallel;
pub mod pimc;
pub mod pomcp;
pub mod rollouts;
pub mod uct;

pub use decoupled::{Decoupled, DecoupledSearch};
pub use graph::{GraphSearch, GraphUct};
pub use is_mcts::{IsMcts, IsMctsSearch, Observers};
pub use open_loop::{OpenLoop, OpenLoopSearch};
#[cfg(feature = "parallel")]
pub use parallel::{RootParallel, RootParallelSearch, TreeParallel};
pub use pimc::{Pimc, PimcSearch};
pub use pomcp::{Exploration, Pomcp, PomcpSearch};
pub use rollouts::{PolicyRollouts, PolicyRolloutsSearch};
pub use uct::{Uct, UctSearch};
