//! Who belongs to a bot: its descendants, and the orphans that they left behind.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};

use super::kernel::{self, ProcessId, Stat};

static REGISTER: Mutex<Register> =
    Mutex::new(Register { bots: BTreeMap::new(), suspects: BTreeMap::new() });

/// How long a process may go without anything that tells whose it is: in the middle of an `exec` it has no environment.
const NAMELESS: Duration = Duration::from_millis(20);

/// How long the orphans of one bot are chased at most.
const LONGEST_CHASE: Duration = Duration::from_secs(10);

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

/// Whom this process answers for.
#[derive(Debug)]
pub(super) struct Register {
    /// The bots that it has started and not yet reaped.
    bots: BTreeMap<ProcessId, Family>,
    /// Orphans that belonged to no bot when last seen, and since when.
    suspects: BTreeMap<ProcessId, Instant>,
}

pub(super) fn register() -> MutexGuard<'static, Register> {
    REGISTER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Register {
    pub(super) fn enter(&mut self, family: &Family) {
        self.bots.insert(family.bot, family.clone());
    }

    pub(super) fn strike_out(&mut self, family: &Family) {
        self.bots.remove(&family.bot);
    }

    /// Ends the orphans among these that no bot can be charged for, since they shed group, session and environment.
    fn end_strangers(&mut self, mut orphans: Vec<ProcessId>) {
        orphans.retain(|orphan| !self.bots.values().any(|family| family.includes(*orphan)));
        let before = std::mem::take(&mut self.suspects);
        for stranger in orphans {
            let since = before.get(&stranger).copied().unwrap_or_else(Instant::now);
            if since.elapsed() >= NAMELESS {
                tracing::warn!(process = stranger, "ended a process that hid from its bot");
                kill_tree(stranger);
            }
            reap(stranger, WaitOptions::NOHANG);
            self.suspects.insert(stranger, since);
        }
    }
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
        let mut known = register();
        adopted.retain(|child| !known.bots.contains_key(child));
        let (orphans, others) = adopted.into_iter().partition(|child| self.includes(*child));
        known.end_strangers(others);
        orphans
    }

    fn includes(&self, process: ProcessId) -> bool {
        Stat::of(process).is_some_and(|stat| stat.group == self.bot || stat.session == self.bot)
            || kernel::has_in_environment(process, &self.mark)
    }

    /// Kills the bot, which the caller reaps, and everything that belongs to it.
    pub(super) fn kill(&self) {
        let below = kernel::descendants(self.bot);
        let _ = Pid::from_raw(self.bot)
            .map(|group| rustix::process::kill_process_group(group, Signal::KILL));
        // It may have left its group.
        kill(self.bot);
        below.into_iter().for_each(kill);
        self.orphans().into_iter().for_each(kill_tree);
    }

    /// Ends and reaps the orphans that are left once the bot has been reaped.
    pub(super) fn bury_orphans(&self) {
        let begun = Instant::now();
        while begun.elapsed() < LONGEST_CHASE {
            let orphans = self.orphans();
            if orphans.is_empty() && register().suspects.is_empty() {
                break;
            }
            // Whoever forks must be outrun: all are killed before any is waited for.
            orphans.iter().copied().for_each(kill_tree);
            orphans.into_iter().for_each(|orphan| reap(orphan, WaitOptions::NOHANG));
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

fn kill_tree(root: ProcessId) {
    let below = kernel::descendants(root);
    kill(root);
    below.into_iter().for_each(kill);
}

fn kill(process: ProcessId) {
    let _ = Pid::from_raw(process).map(|id| rustix::process::kill_process(id, Signal::KILL));
}

pub(super) fn reap(process: ProcessId, options: WaitOptions) {
    let _ = Pid::from_raw(process).map(|id| rustix::process::waitpid(Some(id), options));
}
