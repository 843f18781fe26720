//! Reads process information from the Linux kernel.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// A process number.
pub(crate) type ProcessId = i32;

/// The fields of `/proc/<pid>/stat` (proc(5)) that the arena reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// `R` running, `S` sleeping, `T` stopped, `Z` ended but not yet reaped, ...
    pub state: char,
    /// Processor time of the children that it has reaped, including their reaped children;
    /// truncated to clock ticks.
    pub reaped_children: Duration,
    pub threads: u32,
    pub resident_pages: u64,
}

impl Stat {
    pub(crate) fn of(process: ProcessId) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// The name in the second field may contain any character, so the fields are counted from its
    /// last `)`.
    fn parse(line: &str) -> Option<Stat> {
        let fields: Vec<&str> =
            line.get(line.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
        // Fields are numbered from 1 in proc(5); the first one after the name is number 3.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let ticks = number(16)? + number(17)?;
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        Some(Stat {
            state: fields.first()?.chars().next()?,
            reaped_children: Duration::from_nanos(ticks * (1_000_000_000 / per_second)),
            threads: u32::try_from(number(20)?).ok()?,
            resident_pages: number(24)?,
        })
    }
}

/// Processor time of a process itself, ended threads included, in nanoseconds.
///
/// Works until the process is reaped.
pub(crate) fn processor_time(process: ProcessId) -> Option<Duration> {
    let clock = nix::time::ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(process)).ok()?;
    Some(Duration::from(clock.now().ok()?))
}

/// Scheduler statistics of a thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Scheduled {
    /// Time on a processor.
    pub ran: Duration,
    /// Time runnable without a processor, in waits that have ended.
    pub waited: Duration,
}

impl Scheduled {
    pub(crate) fn of(task: ProcessId) -> Option<Scheduled> {
        let text = fs::read_to_string(format!("/proc/{task}/schedstat")).ok()?;
        let mut fields = text.split_ascii_whitespace().map(str::parse);
        let mut next = || Some(Duration::from_nanos(fields.next()?.ok()?));
        Some(Scheduled { ran: next()?, waited: next()? })
    }
}

/// The living and unreaped children of a process.
pub(crate) fn children(process: ProcessId, threads: u32) -> Vec<ProcessId> {
    if threads == 1 {
        return children_of_thread(process, process);
    }
    threads_of(process).flat_map(|task| children_of_thread(process, task)).collect()
}

/// The children of a process's first thread, to which orphans are reparented.
pub(crate) fn children_of_first_thread(process: ProcessId) -> Vec<ProcessId> {
    children_of_thread(process, process)
}

fn children_of_thread(process: ProcessId, task: ProcessId) -> Vec<ProcessId> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{task}/children"));
    text.unwrap_or_default().split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// The threads of a process.
pub(crate) fn threads_of(process: ProcessId) -> impl Iterator<Item = ProcessId> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Memory in use by a process, in pages.
pub(crate) fn resident_pages(process: ProcessId) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    text.split_ascii_whitespace().nth(1).and_then(|field| field.parse().ok()).unwrap_or(0)
}

/// Kills a process; ignores one that has already ended.
pub(crate) fn kill(process: ProcessId) {
    use rustix::process::{Pid, Signal, kill_process};
    let _ = Pid::from_raw(process).map(|id| kill_process(id, Signal::KILL));
}

/// The processes below this one, nearest first; at most some thousands, since they may be created
/// faster than counted.
pub(crate) fn descendants(process: ProcessId) -> Vec<ProcessId> {
    const MOST_AT_ONCE: usize = 5_000;
    let mut known = BTreeSet::from([process]);
    let mut found = vec![process];
    let mut at = 0;
    while at < found.len() && found.len() < MOST_AT_ONCE {
        if let Some(stat) = Stat::of(found[at]) {
            let below = children(found[at], stat.threads);
            found.extend(below.into_iter().filter(|child| known.insert(*child)));
        }
        at += 1;
    }
    found.remove(0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_even_if_the_name_has_blanks_and_brackets() {
        let line = "17 (a ) b) S 1 16 15 0 -1 4194304 0 0 0 0 7 8 30 12 20 0 3 0 100 4096 55 0";
        let expected = Stat {
            state: 'S',
            reaped_children: Duration::from_millis(420),
            threads: 3,
            resident_pages: 55,
        };
        assert_eq!(Stat::parse(line), Some(expected));
    }

    #[test]
    fn a_cut_stat_line_is_refused() {
        assert_eq!(Stat::parse("17 (a) S 1 16 15 0"), None);
        assert_eq!(Stat::parse("17"), None);
    }

    #[test]
    fn this_process_uses_time_and_memory() {
        let own = std::process::id().cast_signed();
        assert!(processor_time(own).is_some_and(|used| used > Duration::ZERO));
        assert!(Scheduled::of(own).is_some());
        assert!(Stat::of(own).is_some_and(|stat| stat.threads > 0 && stat.resident_pages > 0));
        assert!(resident_pages(own) > 0);
    }
}
