//! Resource usage of a bot and all its descendants, from the kernel's accounting.
//!
//! With a control group, one counter of the kernel covers everything. Without one, the processes
//! below the supervisor are read one by one; a process that starts, ends and is not reaped between
//! two reads is missed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::cgroup::Cgroup;
use super::family;
use super::kernel::{self, ProcessId, Stat};
use super::stalls::Stalls;
use super::supervisor::Supervisor;

/// Limit of processes and threads of a bot.
pub const MOST_TASKS: usize = 200;

/// Threads of a supervisor, which is in the control group of its bot.
const SUPERVISOR_TASKS: usize = 2;

/// The usage of a bot so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// Processor time of the process and all its descendants over their whole lives.
    pub cpu: Duration,
    /// Time during which a task of the bot was runnable but none had a processor.
    pub starved: Duration,
}

/// The current size of a bot.
#[derive(Debug, Clone, Copy, Default)]
pub struct Census {
    /// Number of processes and threads; counting stops just beyond [`MOST_TASKS`].
    pub tasks: usize,
    /// Memory in use by all processes.
    pub resident_bytes: u64,
}

/// Sums the usage over the life of a bot.
#[derive(Debug)]
pub(super) struct Account {
    /// Readings at the start of the bot, which are subtracted.
    before: Reading,
    stalls: Stalls,
    /// Without a control group: processor time of each process at the last read, and of those that
    /// have ended.
    seen: BTreeMap<ProcessId, Duration>,
    gone: Duration,
    last: Usage,
}

/// The kernel's counters of a control group or a supervisor.
#[derive(Debug, Clone, Copy, Default)]
struct Reading {
    cpu: Duration,
    stalled: Option<Duration>,
    reaped: Duration,
}

impl Reading {
    fn of(supervisor: &Supervisor) -> Reading {
        let id = supervisor.id();
        match &supervisor.cgroup {
            Some(cgroup) => {
                let own = kernel::processor_time(id).unwrap_or_default();
                let all = cgroup.processor_time().unwrap_or_default();
                let cpu = all.saturating_sub(own);
                Reading { cpu, stalled: cgroup.stalled(), reaped: Duration::ZERO }
            }
            None => {
                let reaped = Stat::of(id).map(|stat| stat.reaped_children).unwrap_or_default();
                Reading { reaped, ..Reading::default() }
            }
        }
    }
}

impl Account {
    pub(super) fn new(supervisor: &Supervisor) -> Account {
        Account {
            before: Reading::of(supervisor),
            stalls: Stalls::default(),
            seen: BTreeMap::new(),
            gone: Duration::ZERO,
            last: Usage::default(),
        }
    }

    /// Reads the kernel's counters; never decreases.
    pub(super) fn usage(&mut self, supervisor: &Supervisor) -> Usage {
        let now = Reading::of(supervisor);
        let mut usage = match &supervisor.cgroup {
            Some(cgroup) => Usage {
                cpu: now.cpu.saturating_sub(self.before.cpu),
                starved: match (now.stalled, self.before.stalled) {
                    (Some(now), Some(before)) => now.saturating_sub(before),
                    _ => self.stalls.read(&threads_in(cgroup, supervisor)),
                },
            },
            None => {
                let members = family::below(supervisor.id());
                let starved = self.stalls.read(&family::threads(&members));
                Usage { cpu: self.used_by(&members, now), starved }
            }
        };
        usage.cpu = usage.cpu.max(self.last.cpu);
        usage.starved = usage.starved.max(self.last.starved);
        self.last = usage;
        usage
    }

    /// Processor time of these processes, and of earlier ones that have ended.
    fn used_by(&mut self, members: &[(ProcessId, Stat)], now: Reading) -> Duration {
        let of = |(process, _): &(ProcessId, Stat)| {
            (*process, kernel::processor_time(*process).unwrap_or_default())
        };
        let seen: BTreeMap<ProcessId, Duration> = members.iter().map(of).collect();
        let own: Duration = seen.values().sum();
        let before = std::mem::replace(&mut self.seen, seen);
        let gone = before.iter().filter(|(process, _)| !self.seen.contains_key(process));
        self.gone += gone.map(|(_, used)| *used).sum::<Duration>();
        let reaped_by_members: Duration =
            members.iter().map(|(_, stat)| stat.reaped_children).sum();
        let reaped = now.reaped.saturating_sub(self.before.reaped) + reaped_by_members;
        // A child of a bot that ignores SIGCHLD is never added to its parent's account, but was
        // seen here.
        own + reaped.max(self.gone)
    }

    /// The usage after all processes have ended; `reaped` is the exact account of the supervisor.
    pub(super) fn finish(&mut self, supervisor: &Supervisor, reaped: Option<Duration>) -> Usage {
        let usage = self.usage(supervisor);
        // Exact without a control group, and with one for a bot that has left it.
        self.last.cpu = usage.cpu.max(reaped.unwrap_or_default());
        self.last
    }

    /// The last reading.
    pub(super) fn last(&self) -> Usage {
        self.last
    }

    /// Counts tasks, and memory if `with_memory`.
    pub(super) fn census(supervisor: &Supervisor, with_memory: bool) -> Census {
        let (tasks, pages) = match &supervisor.cgroup {
            Some(cgroup) => {
                let tasks = cgroup.threads().len().saturating_sub(SUPERVISOR_TASKS);
                let processes = if with_memory { cgroup.processes() } else { Vec::new() };
                let of_bot = processes.into_iter().filter(|id| *id != supervisor.id());
                (tasks, of_bot.take(MOST_TASKS).map(kernel::resident_pages).sum::<u64>())
            }
            None => {
                let members = family::below(supervisor.id());
                let tasks = members.iter().map(|(_, stat)| stat.threads.max(1) as usize).sum();
                (tasks, members.iter().map(|(_, stat)| stat.resident_pages).sum())
            }
        };
        Census { tasks, resident_bytes: pages * rustix::param::page_size() as u64 }
    }

    /// All threads of the bot.
    pub(super) fn threads(supervisor: &Supervisor) -> Vec<ProcessId> {
        match &supervisor.cgroup {
            Some(cgroup) => threads_in(cgroup, supervisor),
            None => family::threads(&family::below(supervisor.id())),
        }
    }
}

fn threads_in(cgroup: &Cgroup, supervisor: &Supervisor) -> Vec<ProcessId> {
    let mut threads = cgroup.threads();
    threads.retain(|thread| *thread != supervisor.id());
    threads
}
