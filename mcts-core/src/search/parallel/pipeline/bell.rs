//! Waits for a condition on atomics: spins first, then sleeps.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Checks before a thread sleeps: about ten microseconds, longer than the other thread usually
/// needs, and shorter than a wake-up.
const SPINS: u32 = 1_000;

/// Wakes the threads that wait for a condition.
///
/// The condition reads atomics that other threads store sequentially consistently before they call
/// [`ring`](Bell::ring). Either the caller of `ring` sees the sleeper, or the sleeper sees the
/// store before it sleeps.
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

    /// Wakes all sleeping threads, so that they check their conditions.
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
