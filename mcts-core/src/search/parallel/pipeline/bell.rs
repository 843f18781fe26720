//! Waiting for a condition on atomics: spin first, then sleep.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Checks before a thread sleeps: some ten microseconds, which is longer than another thread mostly needs, and less
/// than waking up takes.
const SPINS: u32 = 1_000;

/// Wakes the threads that wait for a condition.
///
/// The condition reads atomics that other threads store sequentially consistently before they [`ring`](Bell::ring).
/// Either the ringing thread sees the sleeper, or the sleeper sees the store before it sleeps.
#[derive(Debug, Default)]
pub(super) struct Bell {
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    rung: Condvar,
}

impl Bell {
    /// Returns as soon as `condition` holds.
    pub(super) fn wait_until(&self, condition: impl Fn() -> bool) {
        for _ in 0..SPINS {
            if condition() {
                return;
            }
            core::hint::spin_loop();
        }
        let mut guard = self.lock();
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while !condition() {
            guard = self.rung.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Wakes all threads that sleep, so that they check their conditions.
    pub(super) fn ring(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // a sleeper that has checked its condition holds the lock until it sleeps
            drop(self.lock());
            self.rung.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
