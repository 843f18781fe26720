//! What the Linux kernel tells about processes.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// A process's number, as the kernel counts them.
pub(crate) type ProcessId = i32;

/// The fields of `/proc/<pid>/stat` (proc(5)) that the arena reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// `R` running, `S` sleeping, `T` stopped, `Z` ended but not yet reaped, ...
    pub state: char,
    pub group: ProcessId,
    pub session: ProcessId,
    /// Processor time of the children that it has reaped, their reaped children included; cut to clock ticks.
    pub reaped_children: Duration,
    pub threads: u32,
    pub resident_pages: u64,
}

impl Stat {
    pub(crate) fn of(process: ProcessId) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// The name in the second field may hold anything, so the fields are counted from its last `)`.
    fn parse(line: &str) -> Option<Stat> {
        let fields: Vec<&str> =
            line.get(line.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
        // Fields are numbered from 1 in proc(5); the first one after the name is number 3.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let ticks = number(16)? + number(17)?;
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        Some(Stat {
            state: fields.first()?.chars().next()?,
            group: fields.get(2)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            reaped_children: Duration::from_nanos(ticks * (1_000_000_000 / per_second)),
            threads: u32::try_from(number(20)?).ok()?,
            resident_pages: number(24)?,
        })
    }
}

/// Processor time that a process has used itself, ended threads included, to the nanosecond.
///
/// Works until the process is reaped.
pub(crate) fn processor_time(process: ProcessId) -> Option<Duration> {
    let clock = nix::time::ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(process)).ok()?;
    Some(Duration::from(clock.now().ok()?))
}

/// Time during which the process's most delayed thread was ready to run but had no processor.
pub(crate) fn run_delay(process: ProcessId, threads: u32) -> Duration {
    if threads == 1 {
        return delay_in(&format!("/proc/{process}/schedstat"));
    }
    let tasks = threads_of(process);
    tasks
        .map(|task| delay_in(&format!("/proc/{process}/task/{task}/schedstat")))
        .max()
        .unwrap_or_default()
}

fn delay_in(path: &str) -> Duration {
    let text = fs::read_to_string(path).unwrap_or_default();
    let delay = text.split_ascii_whitespace().nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(delay.unwrap_or(0))
}

/// The living and unreaped children of a process.
pub(crate) fn children(process: ProcessId, threads: u32) -> Vec<ProcessId> {
    if threads == 1 {
        return children_of_thread(process, process);
    }
    threads_of(process).flat_map(|task| children_of_thread(process, task)).collect()
}

/// The children that a process's first thread has; this is where orphans are handed to.
pub(crate) fn children_of_first_thread(process: ProcessId) -> Vec<ProcessId> {
    children_of_thread(process, process)
}

fn children_of_thread(process: ProcessId, task: ProcessId) -> Vec<ProcessId> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{task}/children"));
    text.unwrap_or_default().split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect()
}

fn threads_of(process: ProcessId) -> impl Iterator<Item = ProcessId> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Whether the process was started with this `NAME=value` in its environment.
pub(crate) fn has_in_environment(process: ProcessId, variable: &str) -> bool {
    let all = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    all.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
}

/// The processes below this one, nearest first; at most some thousands, for they may be made faster than counted.
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
            group: 16,
            session: 15,
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
    fn this_process_uses_time_and_knows_its_environment() {
        let own = std::process::id().cast_signed();
        assert!(processor_time(own).is_some_and(|used| used > Duration::ZERO));
        assert!(Stat::of(own).is_some_and(|stat| stat.threads > 0 && stat.resident_pages > 0));
        let (name, value) = std::env::vars().next().expect("the environment is not empty");
        assert!(has_in_environment(own, &format!("{name}={value}")));
        assert!(!has_in_environment(own, "ARENA_NO_SUCH_VARIABLE=1"));
    }
}
