//! The processes of a bot without a control group: those below its supervisor.

use std::collections::BTreeSet;

use super::account::MOST_TASKS;
use super::kernel::{self, ProcessId, Stat};

/// The processes below a supervisor, nearest first; stops just beyond [`MOST_TASKS`].
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
        // Beyond the limit, the number alone decides the verdict, so the threads are not listed.
        if stat.threads as usize <= MOST_TASKS {
            open = kernel::children(*process, stat.threads);
        }
        at += 1;
    }
}

/// The threads of these processes; stops just beyond [`MOST_TASKS`].
pub(super) fn threads(members: &[(ProcessId, Stat)]) -> Vec<ProcessId> {
    let of = |(process, stat): &(ProcessId, Stat)| match stat.threads {
        0 | 1 => vec![*process],
        _ => kernel::threads_of(*process).take(MOST_TASKS + 1).collect(),
    };
    members.iter().flat_map(of).take(MOST_TASKS + 1).collect()
}
