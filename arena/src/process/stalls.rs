//! How long a bot was runnable without a processor, if the kernel does not count it for a group.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::kernel::{ProcessId, Scheduled, Stat};

/// Sums the waits of the most delayed task between two reads.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    tasks: BTreeMap<ProcessId, Seen>,
    total: Duration,
}

/// A task at the last read.
#[derive(Debug, Clone, Copy)]
struct Seen {
    scheduled: Scheduled,
    /// Since when the task has been runnable without running, at every read.
    waits_since: Option<Instant>,
}

impl Stalls {
    /// Reads the current tasks; a wait in progress counts from its first read.
    pub(super) fn read(&mut self, tasks: &[ProcessId]) -> Duration {
        let now = Instant::now();
        let mut longest = Duration::ZERO;
        let mut pending = Duration::ZERO;
        let mut seen = BTreeMap::new();
        for task in tasks {
            let Some(scheduled) = Scheduled::of(*task) else { continue };
            let before = self.tasks.get(task).copied();
            let waited_before = before.map(|seen| seen.scheduled.waited).unwrap_or_default();
            longest = longest.max(scheduled.waited.saturating_sub(waited_before));
            let still = before.filter(|seen| seen.scheduled == scheduled);
            let waits_since = match still {
                Some(_) if !is_ready(*task) => None,
                Some(seen) => seen.waits_since.or(Some(now)),
                None => None,
            };
            if let Some(since) = waits_since {
                pending = pending.max(now - since);
            }
            seen.insert(*task, Seen { scheduled, waits_since });
        }
        self.tasks = seen;
        self.total += longest;
        self.total + pending
    }
}

fn is_ready(task: ProcessId) -> bool {
    Stat::of(task).is_some_and(|stat| stat.state == 'R')
}
