//! Plays the rest of a plan, several games concurrently.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use games::Entry;

use super::pair::Bench;
use super::{Cores, Journal, JournalError, PairRecord, Plan, PlanError, Seals};
use crate::catalogue::Catalogue;
use crate::player::BotSpec;
use crate::referee::PlayError;

/// Use of the machine; the result does not depend on it.
#[derive(Debug, Clone)]
pub struct Machine<'a> {
    /// Number of concurrent games.
    pub jobs: usize,
    /// Whether bots are pinned to cores.
    pub pins: bool,
    /// Whether each bot runs in a sandbox.
    pub sandbox: bool,
    /// Whether a journal stores every message.
    pub keeps_messages: bool,
    /// The program that runs built-in bots.
    pub arena: PathBuf,
    /// Set to stop the run.
    pub stop: &'a AtomicBool,
}

/// The plan with everything needed to play it.
#[derive(Debug)]
pub struct Work<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its game.
    pub game: &'static Entry,
    /// Games and bots.
    pub catalogue: Catalogue,
    /// Its bots.
    pub specs: &'a [BotSpec],
}

/// Events reported to the caller.
#[derive(Debug)]
pub enum Event<'a> {
    /// A round was played, and stored if there is a journal.
    Played(&'a PairRecord),
    /// No event for some time.
    Waiting,
}

/// Why the run ended early.
#[derive(Debug)]
pub enum RunError {
    /// A game could not be played.
    Play(PlayError),
    /// The file of a program cannot be read.
    Program(PlanError),
    /// A result could not be stored.
    Journal(JournalError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Play(error) => error.fmt(f),
            RunError::Program(error) => error.fmt(f),
            RunError::Journal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Play(error) => error.source(),
            RunError::Program(_) | RunError::Journal(_) => None,
        }
    }
}

/// Plays the rounds at these indices, stores each in the journal and calls `tell`, until all are
/// played, `tell` returns false, or the run is stopped; unfinished games are then dropped.
///
/// # Errors
/// If a game cannot be played at all, or a result cannot be stored. The behaviour of a bot is never
/// an error.
pub fn run(
    work: &Work<'_>,
    rounds: impl Iterator<Item = u64> + Send,
    machine: &Machine<'_>,
    mut journal: Option<&mut Journal>,
    mut tell: impl FnMut(Event<'_>) -> bool,
) -> Result<(), RunError> {
    let seals = Seals::of_plan(&work.plan.bots, work.specs, &machine.arena)?;
    let cores = Cores::available();
    let enough = AtomicBool::new(false);
    let open = Mutex::new(rounds);
    // A poisoned lock means that another job panicked; the scope propagates the panic.
    let next = || open.lock().ok()?.next();
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for job in 0..machine.jobs.max(1) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            let bench = Bench {
                plan: work.plan,
                game: work.game,
                catalogue: work.catalogue,
                specs: work.specs,
                seals: &seals,
                arena: machine.arena.clone(),
                cores: (machine.pins && !work.plan.in_process).then(|| cores.of_job(job)),
                sandbox: machine.sandbox,
                keeps_messages: machine.keeps_messages && journal.is_some(),
                stop: enough,
            };
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed)
                    && let Some(index) = next()
                    && sender.send(bench.play(&work.plan.round(index))).is_ok()
                {}
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            if machine.stop.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
            let goes_on = match results.recv_timeout(Duration::from_millis(200)) {
                Err(mpsc::RecvTimeoutError::Disconnected) => return result,
                Err(mpsc::RecvTimeoutError::Timeout) => tell(Event::Waiting),
                Ok(Err(PlayError::Stopped)) => true,
                Ok(Err(error)) => {
                    result = Err(RunError::Play(error));
                    false
                }
                Ok(Ok(pair)) => match journal.as_mut().map_or(Ok(()), |kept| kept.append(&pair)) {
                    Ok(()) => tell(Event::Played(&pair)),
                    Err(error) => {
                        result = Err(RunError::Journal(error));
                        false
                    }
                },
            };
            if !goes_on {
                enough.store(true, Ordering::Relaxed);
            }
        }
    })
}
