//! The program `arena supervise`: the parent of one bot at a time, which ends with the arena.
//!
//! It is the subreaper of its bot, so every orphan of the bot becomes its child, regardless of
//! process group, session or environment. No process escapes its account or survives its end.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::net::RecvFlags;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};

use super::cgroup;
use super::kernel::{self, ProcessId};
use super::message::{self, LONGEST_REQUEST, Report, Request};
use super::{
    Exit,
    cgroup::{Cgroup, OwnGroups},
};

/// Time limit for the processes of a bot to end after they are killed.
const ENDING: Duration = Duration::from_secs(1);

/// Serves the arena at the other end of standard input until the arena closes it or ends.
#[must_use]
pub fn supervise() -> ExitCode {
    match Supervision::begin().and_then(Supervision::serve) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

struct Supervision {
    groups: OwnGroups,
    cgroup: Option<Cgroup>,
    /// Reaps the bot and its orphans, until no child is left.
    reaper: Option<JoinHandle<()>>,
    /// Processor time of reaped processes when the bot was started.
    reaped_before: Duration,
}

impl Supervision {
    fn begin() -> io::Result<Supervision> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        // If SIGCHLD were ignored, as the parent may have set it, children would end without a
        // status.
        let seen = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGCHLD, seen)?;
        let groups = cgroup::join_new();
        let cgroup = groups.account.as_deref().and_then(|directory| Cgroup::open(directory).ok());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let ready = Report::Ready { version, groups: groups.clone() };
        message::send(io::stdin(), &ready, &[])?;
        Ok(Supervision { groups, cgroup, reaper: None, reaped_before: Duration::ZERO })
    }

    fn serve(mut self) -> io::Result<()> {
        let result = self.answer_requests();
        self.end_all();
        cgroup::leave(&self.groups);
        result
    }

    fn answer_requests(&mut self) -> io::Result<()> {
        let next = || message::receive(io::stdin(), LONGEST_REQUEST, RecvFlags::empty());
        while let Some((request, files)) = next()? {
            let report = match request {
                Request::Start { command, executable, environment } => {
                    match self.start(&command, executable, environment, files) {
                        Ok(bot) => Report::Started { bot },
                        Err(error) => Report::Failed { errno: error.raw_os_error().unwrap_or(0) },
                    }
                }
                Request::End => {
                    let is_clean = self.end_all();
                    let reaped = reaped().saturating_sub(self.reaped_before);
                    let reaped_us = reaped.as_micros().try_into().unwrap_or(u64::MAX);
                    Report::Ended { reaped_us, is_clean }
                }
            };
            message::send(io::stdin(), &report, &[])?;
            if let Report::Started { bot } = report {
                self.reaper = Some(std::thread::spawn(move || reap_all(bot)));
            }
        }
        Ok(())
    }

    fn start(
        &mut self,
        command: &[String],
        executable: Option<PathBuf>,
        environment: Vec<(String, String)>,
        files: Vec<OwnedFd>,
    ) -> io::Result<ProcessId> {
        let invalid = || io::Error::from_raw_os_error(rustix::io::Errno::INVAL.raw_os_error());
        let (name, arguments) = command.split_first().ok_or_else(invalid)?;
        let [input, output, errors] = <[OwnedFd; 3]>::try_from(files).map_err(|_| invalid())?;
        self.reaped_before = reaped();
        let program = executable.unwrap_or_else(|| PathBuf::from(name));
        let child = Command::new(program)
            .arg0(name)
            .args(arguments)
            .envs(environment)
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(errors))
            .process_group(0)
            .spawn()?;
        Ok(child.id().cast_signed())
    }

    /// Kills all processes below this one; returns whether all have ended.
    fn end_all(&mut self) -> bool {
        let Some(reaper) = &self.reaper else { return true };
        let begun = Instant::now();
        while !reaper.is_finished() {
            if begun.elapsed() > ENDING {
                return false;
            }
            // Kill all before waiting for any, against fork races.
            self.members().into_iter().for_each(kernel::kill);
            std::thread::sleep(Duration::from_micros(200));
        }
        self.reaper = None;
        true
    }

    fn members(&self) -> Vec<ProcessId> {
        let own = std::process::id().cast_signed();
        let mut members = kernel::descendants(own);
        members.extend(self.cgroup.iter().flat_map(Cgroup::processes));
        members.retain(|member| *member != own);
        members
    }
}

/// Reaps the bot, whose end is reported, and every orphan, until no child is left.
fn reap_all(bot: ProcessId) {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if Some(process) == Pid::from_raw(bot) => {
                let report = Report::Exited { exit: exit_of(status) };
                let _ = message::send(io::stdin(), &report, &[]);
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

fn exit_of(status: WaitStatus) -> Exit {
    let by_itself = status.exit_status().map(Exit::Code);
    let by_signal = status.terminating_signal().map(Exit::Signal);
    by_itself.or(by_signal).unwrap_or(Exit::Signal(Signal::KILL.as_raw()))
}

/// Processor time of all descendants of this process that have been reaped.
fn reaped() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let micros = |time: nix::sys::time::TimeVal| {
        u64::try_from(time.tv_sec()).unwrap_or(0) * 1_000_000
            + u64::try_from(time.tv_usec()).unwrap_or(0)
    };
    Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time()))
}
