//! How long a bot was kept from running, where the kernel does not count it for the whole family.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::kernel::{ProcessId, Scheduled, Stat};

/// Adds up the waits of the most delayed task between two looks.
#[derive(Debug, Default)]
pub(super) struct Stalls {
    tasks: BTreeMap<ProcessId, Seen>,
    total: Duration,
}

/// A task at the last look.
#[derive(Debug, Clone, Copy)]
struct Seen {
    scheduled: Scheduled,
    /// Since when it has been ready at every look without having run.
    waits_since: Option<Instant>,
}

impl Stalls {
    /// Looks at the tasks that there are now; a wait that is still going on counts from the first look at it.
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
