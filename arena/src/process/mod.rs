//! A bot as a process: started by its own supervisor, connected by three non-blocking pipes, with
//! an account of its usage.
//!
//! Independent of games and protocols.

mod account;
mod cgroup;
mod family;
mod kernel;
mod message;
mod pipe;
mod sandbox;
mod stalls;
mod stream;
mod supervise;
mod supervisor;

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal};
use rustix::thread::CpuSet;
use serde::{Deserialize, Serialize};

use account::Account;
pub use account::{Census, MOST_TASKS, Usage};
pub use cgroup::CGROUPS_VARIABLE;
use kernel::{ProcessId, Stat};
use message::{Report, Request};
use pipe::StampedPipe;
pub use sandbox::check_sandbox;
pub use stream::{LONGEST_LINE, shown};
use stream::{LineBuffer, Reports, Tail};
pub use supervise::supervise;
use supervisor::Supervisor;
pub use supervisor::{
    SUPERVISE, adopt_orphans, end_supervisors, own_file, own_image, use_own_image, use_supervisor,
};

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// On its own, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A running bot. Dropping it kills the bot and all its descendants.
#[derive(Debug)]
pub struct BotProcess {
    /// `None` after the bot has ended.
    supervisor: Option<Supervisor>,
    bot: ProcessId,
    account: Account,
    is_sandboxed: bool,
    exit: Option<Exit>,
    input: Option<std::fs::File>,
    unwritten: Vec<u8>,
    output: Option<StampedPipe>,
    lines: LineBuffer,
    written_at: Instant,
    errors: Option<std::fs::File>,
    tail: Tail,
    reports: Reports,
}

/// A program to start as a bot.
#[derive(Debug, Clone, Default)]
pub struct Launch<'a> {
    /// The program and its arguments.
    pub command: &'a [String],
    /// The file to run, if it is not the one that `command` names.
    pub executable: Option<PathBuf>,
    /// Environment variables in addition to those of this process.
    pub environment: Vec<(String, String)>,
    /// Whether it runs in a sandbox, see [`check_sandbox`].
    pub is_sandboxed: bool,
}

impl BotProcess {
    /// Starts a program.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(launch: &Launch<'_>) -> io::Result<BotProcess> {
        let (input, own_input) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (own_errors, errors) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (own_output, output) = StampedPipe::new()?;
        for end in [&own_input, &own_errors] {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        let environment = launch.environment.clone();
        let request = if launch.is_sandboxed {
            check_sandbox().map_err(io::Error::other)?;
            let command = sandbox::sandboxed(launch.command, launch.executable.as_deref());
            Request::Start { command, executable: None, environment }
        } else {
            let (command, executable) = (launch.command.to_vec(), launch.executable.clone());
            Request::Start { command, executable, environment }
        };
        let mut supervisor = Supervisor::take()?;
        let account = Account::new(&supervisor);
        let bot = match supervisor.start(&request, [input.as_fd(), output.as_fd(), errors.as_fd()])
        {
            Ok(bot) => bot,
            Err(error) => {
                match error.raw_os_error() {
                    Some(_) => supervisor.give_back(),
                    None => supervisor.destroy(),
                }
                return Err(error);
            }
        };
        Ok(BotProcess {
            supervisor: Some(supervisor),
            bot,
            account,
            is_sandboxed: launch.is_sandboxed,
            exit: None,
            input: Some(own_input.into()),
            unwritten: Vec::new(),
            output: Some(own_output),
            lines: LineBuffer::default(),
            written_at: Instant::now(),
            errors: Some(own_errors.into()),
            tail: Tail::default(),
            reports: Reports::default(),
        })
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.bot.unsigned_abs()
    }

    /// Writes as much as the pipe accepts and buffers the rest. Output to a bot that has closed its
    /// input, or does not read it, is dropped silently.
    pub fn write(&mut self, bytes: &[u8]) {
        if self.input.is_some() {
            self.unwritten.extend_from_slice(bytes);
            self.flush();
        }
    }

    fn flush(&mut self) {
        while let (Some(input), false) = (&mut self.input, self.unwritten.is_empty()) {
            match input.write(&self.unwritten) {
                Ok(written) => drop(self.unwritten.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.close_input(),
            }
        }
    }

    /// Closes the bot's input.
    pub fn close_input(&mut self) {
        self.input = None;
        self.unwritten.clear();
    }

    /// Takes a full line of output, without its line feed.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        self.lines.take_line()
    }

    /// Output received, but not taken as a line.
    #[must_use]
    pub fn untaken(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Whether the bot has started a line that is longer than [`LONGEST_LINE`].
    #[must_use]
    pub fn line_is_too_long(&self) -> bool {
        self.lines.is_too_long()
    }

    /// When the last received output was written: the kernel's timestamp if it was read later.
    #[must_use]
    pub fn written_at(&self) -> Instant {
        self.written_at
    }

    /// Whether the bot may be waiting for the arena: for the rest of a request, or for space in its
    /// output pipe.
    #[must_use]
    pub fn is_held_up(&self) -> bool {
        /// Of the 64 KiB capacity of a pipe: beyond this, a write of one page may block.
        const NEARLY_FULL: u64 = 60 << 10;
        let is_full =
            |pipe: &std::fs::File| rustix::io::ioctl_fionread(pipe).is_ok_and(|n| n >= NEARLY_FULL);
        !self.unwritten.is_empty()
            || self.errors.as_ref().is_some_and(is_full)
            || self.output.as_ref().is_some_and(|output| is_full(output.file()))
    }

    /// Whether its first process has ended but that has not been reported yet.
    #[must_use]
    pub fn has_vanished(&self) -> bool {
        self.exit.is_none() && Stat::of(self.bot).is_none_or(|stat| stat.state == 'Z')
    }

    /// Whether its first process has been stopped by a signal.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        Stat::of(self.bot).is_some_and(|stat| matches!(stat.state, 'T' | 't'))
    }

    /// Whether its output has been closed.
    #[must_use]
    pub fn output_is_closed(&self) -> bool {
        self.output.is_none()
    }

    /// How the process ended; `None` while it runs.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// The last lines of its standard error.
    #[must_use]
    pub fn last_errors(&self, most: usize) -> Vec<String> {
        self.tail.lines(most)
    }

    /// Returns the text after `report ` in lines of its standard error since the last call.
    pub fn take_reports(&mut self) -> Vec<String> {
        self.reports.take()
    }

    /// The current usage, read from the kernel.
    pub fn usage(&mut self) -> Usage {
        match &self.supervisor {
            Some(supervisor) => self.account.usage(supervisor),
            None => self.account.last(),
        }
    }

    /// The current number of tasks; memory is read only if `with_memory`.
    #[must_use]
    pub fn census(&self, with_memory: bool) -> Census {
        let supervisor = self.supervisor.as_ref();
        supervisor.map(|one| Account::census(one, with_memory)).unwrap_or_default()
    }

    /// Restricts all threads of all its processes to these cores.
    pub fn run_on(&self, cores: &CpuSet) {
        /// Repetitions, for threads that were started meanwhile on the old cores.
        const PASSES: usize = 3;
        let Some(supervisor) = &self.supervisor else { return };
        let mut placed = Vec::new();
        for _ in 0..PASSES {
            let mut threads = Account::threads(supervisor);
            threads.retain(|thread| !placed.contains(thread));
            for thread in &threads {
                // The thread may have ended, or the cores may be forbidden; then it keeps its
                // cores.
                let _ = rustix::thread::sched_setaffinity(Pid::from_raw(*thread), cores);
            }
            if threads.is_empty() || placed.len() + threads.len() == 1 {
                return;
            }
            placed.extend(threads);
        }
    }

    /// Reads available output, writes pending input and notices the end of the bot; never blocks.
    pub fn pump(&mut self) {
        self.flush();
        // First, since everything that a bot wrote before its end can be read once the end is
        // reported.
        self.hear_supervisor();
        let mut chunk = [0; 65536];
        if let Some(length) = self.read_output(&mut chunk) {
            // Output far beyond a line is dropped, so that it does not fill the memory.
            if self.lines.rest().len() <= chunk.len() {
                self.lines.extend(&chunk[..length]);
            }
        }
        if let Some(length) = read_some(&mut self.errors, &mut chunk) {
            self.hear_errors(&chunk[..length]);
        }
    }

    fn hear_supervisor(&mut self) {
        while let Some(supervisor) = &mut self.supervisor {
            match supervisor.hear() {
                Ok(Some(report)) => self.note(&report),
                Ok(None) => return,
                // The supervisor was killed; the bot is ended, too.
                Err(_) => {
                    self.supervisor.take().into_iter().for_each(Supervisor::destroy);
                    self.exit = self.exit.or(Some(Exit::Signal(Signal::KILL.as_raw())));
                }
            }
        }
    }

    fn note(&mut self, report: &Report) {
        /// A sandbox reports a signal as an exit code of this plus the signal.
        const BY_SIGNAL: i32 = 128;
        match report {
            Report::Exited { exit: Exit::Code(code) } if self.is_sandboxed && *code > BY_SIGNAL => {
                self.exit = Some(Exit::Signal(code - BY_SIGNAL));
            }
            Report::Exited { exit } => self.exit = Some(*exit),
            _ => {}
        }
    }

    fn read_output(&mut self, chunk: &mut [u8]) -> Option<usize> {
        match self.output.as_mut()?.read(chunk) {
            Ok((0, _)) => self.output = None,
            Ok((length, written_at)) => {
                self.written_at = written_at;
                return Some(length);
            }
            Err(error) if is_passing(&error) => {}
            Err(_) => self.output = None,
        }
        None
    }

    fn hear_errors(&mut self, bytes: &[u8]) {
        self.tail.extend(bytes);
        self.reports.extend(bytes);
    }

    /// Ends the bot: closes its input, waits at most `grace` for it to exit, then kills it and all
    /// its descendants. Returns its usage over its whole life, and how it ended.
    pub fn end(&mut self, grace: Duration) -> (Usage, Option<Exit>) {
        self.close_input();
        let until = Instant::now() + grace;
        while self.exit.is_none() && Instant::now() < until {
            poll([&*self].into_iter(), until.saturating_duration_since(Instant::now()));
            self.pump();
        }
        // Before it is killed.
        let exit = self.exit;
        self.finish();
        self.drain();
        (self.account.last(), exit)
    }

    /// Ends all its processes and completes the account.
    fn finish(&mut self) {
        let Some(mut supervisor) = self.supervisor.take() else { return };
        let ended = supervisor.end_bot(|report| self.note(&report));
        self.account.finish(&supervisor, ended);
        match ended {
            Some(_) => supervisor.give_back(),
            None => supervisor.destroy(),
        }
    }

    /// Reads the rest of its output and standard error; other processes may still hold them open.
    fn drain(&mut self) {
        for _ in 0..16 {
            let mut chunk = [0; 65536];
            let more = read_some(&mut self.errors, &mut chunk);
            self.hear_errors(&chunk[..more.unwrap_or(0)]);
            if more.is_none() {
                break;
            }
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Reads once; the end of the stream closes it.
fn read_some<R: Read>(stream: &mut Option<R>, chunk: &mut [u8]) -> Option<usize> {
    match stream.as_mut()?.read(chunk) {
        Ok(0) => *stream = None,
        Ok(length) => return Some(length),
        Err(error) if is_passing(&error) => {}
        Err(_) => *stream = None,
    }
    None
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Waits until one of the bots has output, accepts input or ends, at most `timeout`.
pub fn poll<'a>(bots: impl Iterator<Item = &'a BotProcess>, timeout: Duration) {
    let mut watched = Vec::with_capacity(8);
    for bot in bots {
        if let Some(output) = &bot.output {
            watched.push(PollFd::new(output.file(), PollFlags::IN));
        }
        if let Some(errors) = &bot.errors {
            watched.push(PollFd::new(errors, PollFlags::IN));
        }
        if let (Some(input), false) = (&bot.input, bot.unwritten.is_empty()) {
            watched.push(PollFd::new(input, PollFlags::OUT));
        }
        if let Some(supervisor) = &bot.supervisor {
            watched.push(PollFd::from_borrowed_fd(supervisor.socket(), PollFlags::IN));
        }
    }
    let timeout = Timespec::try_from(timeout).ok();
    // If a signal interrupts the wait, the caller checks the bots anyway.
    let _ = rustix::event::poll(&mut watched, timeout.as_ref());
}
