//! A bot as a process: its own process group, three pipes that never block, and what it has used.
//!
//! Knows no game and no protocol.

mod account;
mod family;
mod kernel;
mod stream;

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions};
use rustix::thread::CpuSet;
use serde::{Deserialize, Serialize};

use account::Account;
pub use account::{MOST_PROCESSES, Usage};
pub use family::adopt_orphans;
use family::{Family, register};
pub use stream::{LONGEST_LINE, shown};
use stream::{LineBuffer, Reports, Tail};

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A running bot. Dropping it ends it and everything that it started.
#[derive(Debug)]
pub struct BotProcess {
    child: Child,
    family: Family,
    account: Account,
    ended: OwnedFd,
    exit: Option<Exit>,
    input: Option<ChildStdin>,
    unwritten: Vec<u8>,
    output: Option<ChildStdout>,
    lines: LineBuffer,
    heard_at: Instant,
    errors: Option<ChildStderr>,
    tail: Tail,
    reports: Reports,
    is_reaped: bool,
}

impl BotProcess {
    /// Starts a program with its arguments and further environment variables.
    ///
    /// # Errors
    /// If the program cannot be started.
    ///
    /// # Panics
    /// If `command` is empty.
    pub fn start(command: &[String], environment: &[(&str, String)]) -> io::Result<BotProcess> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}.{count}", std::process::id());
        let (program, arguments) = command.split_first().expect("a command has a program");
        // Held until the bot is on the list, lest somebody take it for an orphan.
        let mut known = register();
        let mut child = Command::new(program)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("ARENA_PROCESS", &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let id = child.id().cast_signed();
        let family = Family { bot: id, mark: format!("ARENA_PROCESS={mark}") };
        known.enter(&family);
        drop(known);
        let ended = attend(&child).inspect_err(|_| {
            family.kill();
            let _ = child.wait();
            register().strike_out(&family);
        })?;
        Ok(BotProcess {
            ended,
            family,
            account: Account::new(),
            exit: None,
            input: child.stdin.take(),
            unwritten: Vec::new(),
            output: child.stdout.take(),
            lines: LineBuffer::default(),
            heard_at: Instant::now(),
            errors: child.stderr.take(),
            tail: Tail::default(),
            reports: Reports::default(),
            is_reaped: false,
            child,
        })
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes as much as the pipe takes and keeps the rest for later; a bot that has closed its input, or does
    /// not read it, is none of the writer's business.
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

    /// Tells the bot that nothing more will come.
    pub fn close_input(&mut self) {
        self.input = None;
        self.unwritten.clear();
    }

    /// Takes a full line of output, without its line feed.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        self.lines.take_line()
    }

    /// Output received and not taken as a line.
    #[must_use]
    pub fn untaken(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Whether the bot has begun a line that is longer than [`LONGEST_LINE`].
    #[must_use]
    pub fn line_is_too_long(&self) -> bool {
        self.lines.is_too_long()
    }

    /// When output was last received.
    #[must_use]
    pub fn heard_at(&self) -> Instant {
        self.heard_at
    }

    /// Whether the end of its output has been reached.
    #[must_use]
    pub fn output_is_closed(&self) -> bool {
        self.output.is_none()
    }

    /// How the process ended, once it has.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// The last lines of its standard error.
    #[must_use]
    pub fn last_errors(&self, most: usize) -> Vec<String> {
        self.tail.lines(most)
    }

    /// Takes what followed `report ` in lines of its standard error since the last time.
    pub fn take_reports(&mut self) -> Vec<String> {
        self.reports.take()
    }

    /// What it has used, read from the kernel now.
    pub fn usage(&mut self) -> Usage {
        self.account.read(&self.family)
    }

    /// Lets its first thread run on these cores only; threads and children started later inherit it.
    pub fn run_on(&self, cores: &CpuSet) {
        // It may have ended, or the cores may be forbidden: then it runs where it may.
        let _ = rustix::thread::sched_setaffinity(Some(Pid::from_child(&self.child)), cores);
    }

    /// Reads what is there, writes what can be written and notes an end; never blocks.
    pub fn pump(&mut self) {
        self.flush();
        let mut chunk = [0; 65536];
        if let Some(length) = read_some(&mut self.output, &mut chunk) {
            self.heard_at = Instant::now();
            // Far beyond what can be a line the rest does not matter, and must not fill the memory.
            if self.lines.rest().len() <= chunk.len() {
                self.lines.extend(&chunk[..length]);
            }
        }
        if let Some(length) = read_some(&mut self.errors, &mut chunk) {
            self.hear_errors(&chunk[..length]);
        }
        if self.exit.is_none() {
            self.exit = self.ended_how();
        }
    }

    fn hear_errors(&mut self, bytes: &[u8]) {
        self.tail.extend(bytes);
        self.reports.extend(bytes);
    }

    fn ended_how(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::process::waitid(WaitId::PidFd(self.ended.as_fd()), options).ok()??;
        let by_itself = status.exit_status().map(Exit::Code);
        by_itself.or_else(|| status.terminating_signal().map(Exit::Signal))
    }

    /// Ends the bot: waits at most `grace` for it to leave by itself once its input is closed, then kills it
    /// and everything that it started. What it used in its whole life, and how it ended.
    pub fn end(&mut self, grace: Duration) -> (Usage, Option<Exit>) {
        self.close_input();
        let until = Instant::now() + grace;
        while self.exit.is_none() && Instant::now() < until {
            wait(&mut [self], until - Instant::now());
        }
        let exit = self.exit;
        let usage = self.usage();
        self.family.kill();
        self.drain();
        self.reap();
        (usage, exit)
    }

    /// Reads what is left of its output and standard error, which others may still hold open.
    fn drain(&mut self) {
        for _ in 0..16 {
            let before = self.heard_at;
            let mut chunk = [0; 65536];
            let more = read_some(&mut self.errors, &mut chunk);
            self.hear_errors(&chunk[..more.unwrap_or(0)]);
            self.pump();
            if more.is_none() && before == self.heard_at {
                break;
            }
        }
    }

    fn reap(&mut self) {
        if !self.is_reaped {
            self.is_reaped = true;
            let _ = self.child.wait();
            register().strike_out(&self.family);
            self.family.bury_orphans();
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.family.kill();
            self.reap();
        }
    }
}

/// Makes the pipes of a new process never block, and opens what tells its end.
fn attend(child: &Child) -> io::Result<OwnedFd> {
    let pipes = [
        child.stdin.as_ref().map(AsFd::as_fd),
        child.stdout.as_ref().map(AsFd::as_fd),
        child.stderr.as_ref().map(AsFd::as_fd),
    ];
    for pipe in pipes.into_iter().flatten() {
        rustix::io::ioctl_fionbio(pipe, true)?;
    }
    Ok(rustix::process::pidfd_open(Pid::from_child(child), PidfdFlags::empty())?)
}

/// Reads once; the end of the stream closes it.
fn read_some<R: Read>(stream: &mut Option<R>, chunk: &mut [u8]) -> Option<usize> {
    match stream.as_mut()?.read(chunk) {
        Ok(0) => *stream = None,
        Ok(length) => return Some(length),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
        Err(_) => *stream = None,
    }
    None
}

/// Waits until one of the bots has something to say, takes input or ends, at most `timeout`; pumps all of them.
pub fn wait(bots: &mut [&mut BotProcess], timeout: Duration) {
    let mut watched = Vec::with_capacity(4 * bots.len());
    for bot in bots.iter() {
        if let Some(output) = &bot.output {
            watched.push(PollFd::new(output, PollFlags::IN));
        }
        if let Some(errors) = &bot.errors {
            watched.push(PollFd::new(errors, PollFlags::IN));
        }
        if let (Some(input), false) = (&bot.input, bot.unwritten.is_empty()) {
            watched.push(PollFd::new(input, PollFlags::OUT));
        }
        if bot.exit.is_none() {
            watched.push(PollFd::new(&bot.ended, PollFlags::IN));
        }
    }
    let timeout = Timespec::try_from(timeout).ok();
    // An interruption by a signal is a reason to look round as good as any.
    let _ = rustix::event::poll(&mut watched, timeout.as_ref());
    drop(watched);
    for bot in bots {
        bot.pump();
    }
}
