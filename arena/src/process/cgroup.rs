//! A control group (cgroup v2) of one supervisor and its bot: the kernel's exact account of all
//! descendants.
//!
//! Needs no controller: the kernel counts processor time and stalls in every group.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::kernel::ProcessId;

/// Set to 0 to keep the arena from making control groups.
pub const CGROUPS_VARIABLE: &str = "ARENA_CGROUPS";

/// Bytes read of a list of tasks: enough for more than 400 of them.
const LIST_BYTES: usize = 4096;

/// Limit of tasks that the kernel enforces for a supervisor and its bot, if a controller counts
/// them. Larger than the limit that loses a game, so that the arena can still detect it.
const MOST_TASKS_AT_ALL: usize = 1000;

/// Time limit for a group to become empty, also on a busy machine.
const EMPTYING: Duration = Duration::from_secs(10);

/// The open files of a group.
#[derive(Debug)]
pub(super) struct Cgroup {
    stat: File,
    /// `None` if the kernel does not count stalls (`psi=0`).
    pressure: Option<File>,
    threads: File,
    processes: File,
}

impl Cgroup {
    pub(super) fn open(directory: &Path) -> io::Result<Cgroup> {
        let open = |name: &str| File::open(directory.join(name));
        let pressure = open("cpu.pressure").ok().filter(|file| stalled(file).is_some());
        Ok(Cgroup {
            stat: open("cpu.stat")?,
            pressure,
            threads: open("cgroup.threads")?,
            processes: open("cgroup.procs")?,
        })
    }

    /// Processor time of all tasks that ever ran in the group, dead ones included.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        let text = read(&self.stat, 256)?;
        let number = text.strip_prefix("usage_usec ")?.lines().next()?.parse().ok()?;
        Some(Duration::from_micros(number))
    }

    /// Time during which tasks of the group were runnable but none had a processor, including a
    /// wait in progress. `None` if the kernel does not count it.
    pub(super) fn stalled(&self) -> Option<Duration> {
        stalled(self.pressure.as_ref()?)
    }

    /// Threads of all processes; at least the first 400 of them.
    pub(super) fn threads(&self) -> Vec<ProcessId> {
        numbers(&self.threads)
    }

    /// Processes; at least the first 400 of them.
    pub(super) fn processes(&self) -> Vec<ProcessId> {
        numbers(&self.processes)
    }
}

fn stalled(pressure: &File) -> Option<Duration> {
    let text = read(pressure, 512)?;
    let full = text.lines().find_map(|line| line.strip_prefix("full "))?;
    let total = full.rsplit_once("total=")?.1.trim().parse().ok()?;
    Some(Duration::from_micros(total))
}

fn read(file: &File, most: usize) -> Option<String> {
    let mut bytes = vec![0; most];
    let length = file.read_at(&mut bytes, 0).ok()?;
    bytes.truncate(length);
    String::from_utf8(bytes).ok()
}

fn numbers(file: &File) -> Vec<ProcessId> {
    let text = read(file, LIST_BYTES).unwrap_or_default();
    // The last number may be incomplete.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(|line| line.parse().ok()).collect()
}

/// The groups that a supervisor has made for itself and its bot.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct OwnGroups {
    /// In the hierarchy of version 2.
    pub account: Option<PathBuf>,
    /// In a hierarchy of version 1 that counts tasks, if version 2 does not.
    tasks: Option<PathBuf>,
}

impl OwnGroups {
    /// Kills everything in the groups, and removes them once they are empty.
    pub(super) fn destroy(&self) {
        [&self.account, &self.tasks].into_iter().flatten().for_each(|group| destroy(group));
    }
}

/// Makes groups for this process below its current ones and moves it there, as far as the system
/// permits.
pub(super) fn join_new() -> OwnGroups {
    if std::env::var_os(CGROUPS_VARIABLE).is_some_and(|value| value == "0") {
        return OwnGroups::default();
    }
    let account = own_directory("", |mount| mount.0 == "cgroup2").and_then(|own| join_below(&own));
    let limit = |group: &Path| fs::write(group.join("pids.max"), MOST_TASKS_AT_ALL.to_string());
    if account.as_deref().is_some_and(|group| limit(group).is_ok()) {
        return OwnGroups { account, tasks: None };
    }
    let tasks = own_directory("pids", |mount| {
        mount.0 == "cgroup" && mount.1.split(',').any(|option| option == "pids")
    });
    let tasks = tasks.and_then(|own| join_below(&own));
    tasks.iter().for_each(|group| drop(limit(group)));
    OwnGroups { account, tasks }
}

fn join_below(own: &Path) -> Option<PathBuf> {
    let process = std::process::id().to_string();
    let group = own.join(format!("arena-{process}"));
    fs::create_dir(&group).ok()?;
    if fs::write(group.join("cgroup.procs"), process).is_err() {
        let _ = fs::remove_dir(&group);
        return None;
    }
    Some(group)
}

/// Moves this process back to the parent groups and removes those that [`join_new`] made.
pub(super) fn leave(groups: &OwnGroups) {
    for group in [&groups.account, &groups.tasks].into_iter().flatten() {
        if let Some(above) = group.parent() {
            let _ = fs::write(above.join("cgroup.procs"), std::process::id().to_string());
        }
    }
    groups.destroy();
}

fn destroy(directory: &Path) {
    let begun = Instant::now();
    while fs::remove_dir(directory).is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
        && begun.elapsed() < EMPTYING
    {
        let _ = fs::write(directory.join("cgroup.kill"), "1");
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The directory of this process's group in the hierarchy of these controllers (none: version 2),
/// whose mount has this type and these options.
fn own_directory(controllers: &str, is_it: impl Fn((&str, &str)) -> bool) -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    // Lines are `number:controllers:path` (cgroups(7)).
    let own = groups.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (named, path) = rest.split_once(':')?;
        (named == controllers).then_some(path)
    })?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let (root, point) = mounts.lines().find_map(|line| mounted(line, &is_it))?;
    let below = Path::new(own).strip_prefix(root).ok()?;
    Some(Path::new(point).join(below))
}

/// Root and mount point of a line of `/proc/self/mountinfo` (proc(5)) with this type and these options.
fn mounted(line: &str, is_it: impl Fn((&str, &str)) -> bool) -> Option<(&str, &str)> {
    let (mount, file_system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(3);
    let found = (fields.next()?, fields.next()?);
    let mut kind = file_system.split(' ');
    let (name, options) = (kind.next()?, kind.nth(1)?);
    is_it((name, options)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hierarchies_are_found_among_the_mounts() {
        let old = "31 24 0:27 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu";
        let new = "42 24 0:38 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
        let version_2 = |mount: (&str, &str)| mount.0 == "cgroup2";
        assert_eq!(mounted(old, version_2), None);
        assert_eq!(mounted(new, version_2), Some(("/", "/sys/fs/cgroup/unified")));
        let cpu = |mount: (&str, &str)| mount == ("cgroup", "rw,cpu");
        assert_eq!(mounted(old, cpu), Some(("/", "/sys/fs/cgroup/cpu")));
    }
}
