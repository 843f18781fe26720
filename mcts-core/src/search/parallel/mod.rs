//! Several threads for one decision (Chaslot, Winands and van den Herik, 2008). The only module that starts threads.
//!
//! [`TreeParallel`] lets threads share one tree; [`RootParallel`] gives each a tree of its own and adds up what
//! their roots found. Reports depend on how the threads happen to run: equal seeds do not give equal searches.
//! With one thread they do, but [`Uct`](crate::Uct) is the plainer way to that.

mod root;
mod tree;

pub use root::{RootParallel, RootParallelSearch};
pub use tree::{TreeParallel, TreeParallelSearch};

use super::Pace;
use core::time::Duration;

/// Threads are started for each call of [`playouts`](super::Search::playouts), so the calls are far apart.
fn pace(threads: u64) -> Pace {
    let (playouts, look) = (2_048 * threads, Duration::from_millis(2));
    Pace { batch: threads, threads, playouts, look }
}
