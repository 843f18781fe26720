//! What a bot and its family have used, from the kernel's own accounting.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::WaitOptions;

use super::family::{self, Family};
use super::kernel::{self, ProcessId, Stat};

/// Processes that a bot may have at once; reading what more of them use would hold up the referee.
pub const MOST_PROCESSES: usize = 200;

/// What a bot has used up to now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// Processor time of the process and all its descendants over their whole lives.
    ///
    /// Exact for processes that run or are not yet reaped; what children had used that the bot has reaped is
    /// cut to clock ticks, at most 20 ms too little.
    pub cpu: Duration,
    /// Time during which its first process was ready to run but had no processor.
    pub run_delay: Duration,
    /// Memory in use now, by all its processes.
    pub resident_bytes: u64,
    /// Processes that are alive or not yet reaped; counted no further than just beyond [`MOST_PROCESSES`].
    pub processes: usize,
    /// Whether the process has been stopped by a signal.
    pub is_stopped: bool,
}

/// Adds up over the life of a bot.
#[derive(Debug)]
pub(super) struct Account {
    /// Processor time of each descendant when last seen.
    seen: BTreeMap<ProcessId, Duration>,
    /// Processor time of descendants that are gone, as last seen.
    vanished: Duration,
    /// Processor time of orphans that were reaped here, exact.
    buried: Duration,
    last: Usage,
}

impl Account {
    pub(super) fn new() -> Account {
        Account {
            seen: BTreeMap::new(),
            vanished: Duration::ZERO,
            buried: Duration::ZERO,
            last: Usage::default(),
        }
    }

    /// Reads the kernel's counters; never less processor time than before.
    pub(super) fn read(&mut self, family: &Family) -> Usage {
        let Some(stat) = Stat::of(family.bot) else { return self.last };
        let mut own = kernel::processor_time(family.bot).unwrap_or_default();
        let mut reaped = stat.reaped_children;
        let mut pages = stat.resident_pages;
        let mut seen = BTreeMap::new();
        let mut open = kernel::children(family.bot, stat.threads);
        let orphans = family.orphans();
        open.extend(&orphans);
        while let (Some(process), true) = (open.pop(), seen.len() < MOST_PROCESSES) {
            let Some(stat) = Stat::of(process) else { continue };
            let used = kernel::processor_time(process).unwrap_or_default();
            if stat.state == 'Z' && orphans.contains(&process) && !seen.contains_key(&process) {
                // Nobody else will reap it.
                family::reap(process, WaitOptions::NOHANG);
                self.buried += used + stat.reaped_children;
                self.seen.remove(&process);
                continue;
            }
            if seen.insert(process, used).is_none() {
                own += used;
                reaped += stat.reaped_children;
                pages += stat.resident_pages;
                open.extend(kernel::children(process, stat.threads));
            }
        }
        let processes = seen.len() + 1;
        self.note_vanished(seen);
        // A child of a bot that ignores SIGCHLD is never added to its parent's account, but was seen here.
        let total = own + reaped.max(self.vanished) + self.buried;
        self.last = Usage {
            cpu: total.max(self.last.cpu),
            run_delay: kernel::run_delay(family.bot, stat.threads).max(self.last.run_delay),
            resident_bytes: pages * rustix::param::page_size() as u64,
            processes,
            is_stopped: matches!(stat.state, 'T' | 't'),
        };
        self.last
    }

    fn note_vanished(&mut self, seen: BTreeMap<ProcessId, Duration>) {
        let before = std::mem::replace(&mut self.seen, seen);
        let vanished = before.iter().filter(|(id, _)| !self.seen.contains_key(id));
        self.vanished += vanished.map(|(_, used)| *used).sum::<Duration>();
    }
}
