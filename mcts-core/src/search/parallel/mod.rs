//! Several threads for one decision (Chaslot, Winands and van den Herik, 2008). The only module that starts threads.
//!
//! | search | trees | the report for one seed and number of playouts |
//! |---|---|---|
//! | [`PipelineParallel`] | one; one thread works in it, all evaluate its leaves on a fixed schedule | always the same, for any number of threads |
//! | [`RootParallel`] | one a thread; the statistics of the roots are added up | the same for one number of threads |
//! | [`TreeParallel`] | one; the threads take turns in it as they come | depends on how the threads are scheduled |

mod pipeline;
mod root;
mod tree;

pub use pipeline::{PipelineParallel, PipelineParallelSearch};
pub use root::{RootParallel, RootParallelSearch};
pub use tree::{TreeParallel, TreeParallelSearch};

use super::Pace;
use core::time::Duration;

/// Threads are started for each call of [`playouts`](super::Search::playouts), so calls should be
/// rare.
fn pace(threads: u64) -> Pace {
    let (playouts, look) = (2_048 * threads, Duration::from_millis(2));
    Pace { batch: threads, threads, playouts, look }
}
