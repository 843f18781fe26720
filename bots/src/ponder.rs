//! Searches on the opponent's time, in a thread.

use mcts_core::{Budget, Control, StopHandle, SystemClock};
use std::thread::{Builder, JoinHandle};

/// A search running in another thread; it is stopped when this value is dropped.
#[derive(Debug)]
pub(crate) struct Pondering<T> {
    stop: StopHandle,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Pondering<T> {
    /// Runs `think` under a control without limits until [`stop`](Self::stop). If no thread can be
    /// started, nothing happens and the captures of `think` are lost.
    pub(crate) fn start<A>(
        think: impl FnOnce(&mut Control<'_, A>) -> T + Send + 'static,
    ) -> Pondering<T> {
        let stop = StopHandle::new();
        let watched = stop.clone();
        let thread = Builder::new().name("ponder".into()).spawn(move || {
            let mut control = Control::new(Budget::UNLIMITED.to_the_end(), &SystemClock);
            control.stop = Some(&watched);
            think(&mut control)
        });
        if let Err(error) = &thread {
            tracing::warn!(%error, "cannot start a thread to search on the opponent's time");
        }
        Pondering { stop, thread: thread.ok() }
    }
}

impl<T> Pondering<T> {
    /// Stops the search and returns what it was given; `None` if its thread panicked or never
    /// started.
    pub(crate) fn stop(mut self) -> Option<T> {
        self.stop.stop();
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl<T> Drop for Pondering<T> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
