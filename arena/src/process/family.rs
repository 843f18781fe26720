//! Who belongs to a bot where no control group says so: the processes below its supervisor.

use std::collections::BTreeSet;

use super::account::MOST_TASKS;
use super::kernel::{self, ProcessId, Stat};

/// The processes below a supervisor, nearest first; no more than just beyond [`MOST_TASKS`].
pub(super) fn below(supervisor: ProcessId) -> Vec<(ProcessId, Stat)> {
    let mut known = BTreeSet::from([supervisor]);
    let mut members: Vec<(ProcessId, Stat)> = Vec::new();
    // The supervisor's other thread only reaps.
    let mut open = kernel::children_of_first_thread(supervisor);
    let mut at = 0;
    loop {
        for process in open.drain(..) {
            if members.len() > MOST_TASKS {
                return members;
            }
            if known.insert(process)
                && let Some(stat) = Stat::of(process)
            {
                members.push((process, stat));
            }
        }
        let Some((process, stat)) = members.get(at) else { return members };
        // A list of more threads than are allowed is not worth its time: the number alone is a verdict.
        if stat.threads as usize <= MOST_TASKS {
            open = kernel::children(*process, stat.threads);
        }
        at += 1;
    }
}

/// The threads of these processes; no more than just beyond [`MOST_TASKS`].
pub(super) fn threads(members: &[(ProcessId, Stat)]) -> Vec<ProcessId> {
    let of = |(process, stat): &(ProcessId, Stat)| match stat.threads {
        0 | 1 => vec![*process],
        _ => kernel::threads_of(*process).take(MOST_TASKS + 1).collect(),
    };
    members.iter().flat_map(of).take(MOST_TASKS + 1).collect()
}
