//! Who belongs to a bot: its descendants, and the orphans that they left behind.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions};

use super::kernel::{self, ProcessId, Stat};

/// The bots that this process has started and not yet reaped.
static BOTS: Mutex<BTreeSet<ProcessId>> = Mutex::new(BTreeSet::new());

static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process the parent of every orphan that a bot leaves, so that orphans are charged and ended too.
///
/// From now on children that this process did not start as bots are reaped when a game ends: call it only
/// where nothing else starts processes.
///
/// # Errors
/// If the kernel refuses.
pub fn adopt_orphans() -> std::io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

pub(super) fn bots() -> MutexGuard<'static, BTreeSet<ProcessId>> {
    BOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One bot's process, and the variable in its environment by which its descendants are known.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub bot: ProcessId,
    pub mark: String,
}

impl Family {
    /// Orphans of this bot that this process has adopted.
    pub(super) fn orphans(&self) -> Vec<ProcessId> {
        if !ADOPTS.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let own = std::process::id().cast_signed();
        let mut adopted = kernel::children_of_first_thread(own);
        if adopted.iter().all(|child| *child == self.bot) {
            return Vec::new();
        }
        {
            let bots = bots();
            adopted.retain(|child| !bots.contains(child));
        }
        adopted.retain(|child| self.includes(*child));
        adopted
    }

    fn includes(&self, process: ProcessId) -> bool {
        Stat::of(process).is_some_and(|stat| stat.group == self.bot || stat.session == self.bot)
            || kernel::has_in_environment(process, &self.mark)
    }

    /// Kills everything that belongs to the bot but the bot itself, which the caller reaps.
    pub(super) fn kill(&self) {
        let below = kernel::descendants(self.bot);
        let _ = Pid::from_raw(self.bot)
            .map(|group| rustix::process::kill_process_group(group, Signal::KILL));
        for process in below.into_iter().chain(self.orphans()) {
            kill(process);
        }
    }

    /// Ends and reaps the orphans that are left once the bot has been reaped.
    pub(super) fn bury_orphans(&self) {
        // Each round ends at least one generation; a process that forks faster than this is beyond help.
        for _ in 0..1000 {
            let orphans = self.orphans();
            if orphans.is_empty() {
                break;
            }
            for process in orphans {
                for below in kernel::descendants(process) {
                    kill(below);
                }
                kill(process);
                reap(process, WaitOptions::empty());
            }
        }
        reap_strangers();
    }
}

/// Reaps orphans that ended by themselves and can no longer be told apart.
fn reap_strangers() {
    if ADOPTS.load(Ordering::Relaxed) {
        let bots = bots();
        for child in kernel::children_of_first_thread(std::process::id().cast_signed()) {
            if !bots.contains(&child) {
                reap(child, WaitOptions::NOHANG);
            }
        }
    }
}

fn kill(process: ProcessId) {
    let _ = Pid::from_raw(process).map(|id| rustix::process::kill_process(id, Signal::KILL));
}

pub(super) fn reap(process: ProcessId, options: WaitOptions) {
    let _ = Pid::from_raw(process).map(|id| rustix::process::waitpid(Some(id), options));
}
