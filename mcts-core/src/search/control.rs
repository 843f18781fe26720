//! Stopping and observing a running search.

use crate::budget::{Budget, Clock};
use crate::report::Report;
use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

/// Stops searches that run on another thread; clones share one flag.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Control, Game, NoClock, Search, StopHandle, StopReason, Uct};
///
/// let stop = StopHandle::new();
/// stop.stop(); // or later, from another thread that has a clone
/// let budget = Budget::playouts(1_000);
/// let mut control = Control { stop: Some(&stop), ..Control::new(budget, &NoClock) };
/// let report = Uct::default().search(game.clone(), 1).run_controlled(&game.start(), &mut control)?;
/// assert_eq!(report.stopped_by, StopReason::Stopped);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// A handle that is not stopped.
    #[must_use]
    pub fn new() -> Self {
        StopHandle::default()
    }

    /// Stops the running searches of this handle at their next check of the budget, and later ones
    /// before their first playout.
    pub fn stop(&self) {
        // the flag guards no other memory: the result is read after the search's thread returns it
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows searches of this handle again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) was called since the last [`reset`](Self::reset).
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits and observers of one search, for
/// [`Search::run_controlled`](super::Search::run_controlled).
pub struct Control<'a, A> {
    /// The budget of the search.
    pub budget: Budget,
    /// The clock that the search reads.
    pub clock: &'a dyn Clock,
    /// Stops the search from another thread.
    pub stop: Option<&'a StopHandle>,
    /// Receives reports while the search runs.
    pub watch: Option<Watch<'a, A>>,
}

/// A hook that receives reports during the search; their [`stopped_by`](Report::stopped_by) is
/// [`Running`](crate::StopReason::Running).
pub struct Watch<'a, A> {
    /// Time between two reports on the clock of the search; rounded up to the next check of the
    /// budget.
    pub every: Duration,
    /// Receives the report, while the search waits.
    pub hook: &'a mut dyn FnMut(&Report<A>),
}

impl<'a, A> Control<'a, A> {
    /// A budget and a clock, without a stop handle and a watch.
    #[must_use]
    pub fn new(budget: Budget, clock: &'a dyn Clock) -> Self {
        Control { budget, clock, stop: None, watch: None }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopHandle::is_stopped)
    }
}

impl<A> fmt::Debug for Control<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("budget", &self.budget)
            .field("stop", &self.stop)
            .field("watch", &self.watch)
            .finish_non_exhaustive()
    }
}

impl<A> fmt::Debug for Watch<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("every", &self.every).finish_non_exhaustive()
    }
}
