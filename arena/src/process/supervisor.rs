//! The arena's side of a supervisor (`arena supervise`): starts it, sends requests, and keeps it
//! for the next bot.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::{AddressFamily, RecvFlags, SocketFlags, SocketType};
use rustix::process::{Pid, WaitOptions};

use super::cgroup::{Cgroup, OwnGroups};
use super::kernel::{self, ProcessId};
use super::message::{self, LONGEST_REPORT, Report, Request};

/// The subcommand that turns a program of the arena into a supervisor.
pub const SUPERVISE: &str = "supervise";

/// Time limit for a supervisor to start a program.
const STARTING: Duration = Duration::from_secs(30);

/// Time limit for a supervisor to end a program; longer than its own limit for the processes.
const ENDING: Duration = Duration::from_secs(3);

/// Time limit for processes that cannot be killed; then they are left to the system.
const PARTING: Duration = Duration::from_secs(2);

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The file that this process was started from, if it is a program of the arena.
static OWN_FILE: OnceLock<PathBuf> = OnceLock::new();

static KNOWN: Mutex<Known> = Mutex::new(Known { idle: Vec::new(), running: BTreeSet::new() });

#[derive(Debug)]
struct Known {
    /// Supervisors without a bot.
    idle: Vec<Supervisor>,
    /// All supervisors; other children of this process are orphans of killed supervisors.
    running: BTreeSet<ProcessId>,
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file that this process was started from, if it is a program of the arena.
pub fn own_file() -> Option<PathBuf> {
    OWN_FILE.get().cloned()
}

/// The running image of this process, if `program` names the file that it was started from;
/// independent of later changes of the file.
pub fn own_image(program: &str) -> Option<PathBuf> {
    let is_own = OWN_FILE.get().is_some_and(|own| own == Path::new(program));
    is_own.then(|| PathBuf::from(format!("/proc/{}/exe", std::process::id())))
}

/// Declares that this process is a program of the arena, which becomes a supervisor by the
/// subcommand [`SUPERVISE`], and a built-in bot by `bot`.
pub fn use_own_image() {
    if let Ok(own) = std::env::current_exe() {
        let _ = OWN_FILE.set(own);
    }
    use_supervisor(Path::new("/proc/self/exe"));
}

/// Sets the program that becomes a supervisor by the subcommand [`SUPERVISE`]; later calls have no
/// effect.
pub fn use_supervisor(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

/// The program that becomes a supervisor: the arena itself, or the one in the directory of a test
/// or a tool.
fn program() -> io::Result<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    let own = std::env::current_exe()?;
    let beside = own.ancestors().skip(1).take(2).map(|directory| directory.join("arena"));
    beside.into_iter().find(|program| program.is_file()).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "bots run under the program `arena`, which is not beside this one; name it by \
             `arena::process::use_supervisor`",
        )
    })
}

/// Makes this process the parent of orphans whose supervisor was killed, so that they are killed,
/// too.
///
/// From now on children that this process did not start as supervisors may be killed: call it only
/// where nothing else starts processes.
///
/// # Errors
/// If the kernel refuses.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Ends the idle supervisors, and waits for their end.
pub fn end_supervisors() {
    let idle = std::mem::take(&mut known().idle);
    idle.into_iter().for_each(Supervisor::dismiss);
}

/// A process that starts one bot at a time, and ends all its processes.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    socket: OwnedFd,
    groups: OwnGroups,
    pub cgroup: Option<Cgroup>,
}

impl Supervisor {
    /// An idle supervisor, or a new one.
    pub(super) fn take() -> io::Result<Supervisor> {
        loop {
            let Some(mut idle) = known().idle.pop() else { return Supervisor::launch() };
            // Any message from an idle supervisor means that it has ended.
            if matches!(idle.child.try_wait(), Ok(None))
                && idle.hear().is_ok_and(|report| report.is_none())
            {
                return Ok(idle);
            }
            idle.destroy();
        }
    }

    fn launch() -> io::Result<Supervisor> {
        let flags = SocketFlags::CLOEXEC;
        let (own, other) =
            rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let program = program()?;
        let mut known = known();
        let child = Command::new(&program)
            .arg0("arena")
            .arg(SUPERVISE)
            .stdin(Stdio::from(other))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        known.running.insert(child.id().cast_signed());
        drop(known);
        let groups = OwnGroups::default();
        let mut supervisor = Supervisor { child, socket: own, groups, cgroup: None };
        match supervisor.await_report(STARTING) {
            Ok(Report::Ready { version, groups }) if version == env!("CARGO_PKG_VERSION") => {
                supervisor.cgroup =
                    groups.account.as_deref().and_then(|one| Cgroup::open(one).ok());
                supervisor.groups = groups;
                Ok(supervisor)
            }
            other => {
                supervisor.destroy();
                let name = program.display();
                let why =
                    format!("{name} is not a supervisor of this version of the arena: {other:?}");
                Err(io::Error::other(why))
            }
        }
    }

    pub(super) fn id(&self) -> ProcessId {
        self.child.id().cast_signed()
    }

    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Starts a bot on these three pipes.
    pub(super) fn start(
        &mut self,
        request: &Request,
        files: [BorrowedFd<'_>; 3],
    ) -> io::Result<ProcessId> {
        message::send(&self.socket, request, &files)?;
        match self.await_report(STARTING)? {
            Report::Started { bot } => Ok(bot),
            Report::Failed { errno } => Err(io::Error::from_raw_os_error(errno)),
            other => Err(io::Error::other(format!("the supervisor reports {other:?}"))),
        }
    }

    /// The next report, if any; an error once the supervisor has ended.
    pub(super) fn hear(&mut self) -> io::Result<Option<Report>> {
        match message::receive(&self.socket, LONGEST_REPORT, RecvFlags::DONTWAIT) {
            Ok(Some((report, _))) => Ok(Some(report)),
            Ok(None) => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn await_report(&mut self, at_most: Duration) -> io::Result<Report> {
        let until = Instant::now() + at_most;
        loop {
            if let Some(report) = self.hear()? {
                return Ok(report);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::Error::from(io::ErrorKind::TimedOut));
            }
            let mut watched = [PollFd::new(&self.socket, PollFlags::IN)];
            let _ = rustix::event::poll(&mut watched, Timespec::try_from(left).ok().as_ref());
        }
    }

    /// Ends the bot and all its processes; returns the processor time of those that were reaped, if
    /// all have ended.
    pub(super) fn end_bot(&mut self, mut tell: impl FnMut(Report)) -> Option<Duration> {
        message::send(&self.socket, &Request::End, &[]).ok()?;
        loop {
            match self.await_report(ENDING).ok()? {
                Report::Ended { reaped_us, is_clean } => {
                    return is_clean.then(|| Duration::from_micros(reaped_us));
                }
                other => tell(other),
            }
        }
    }

    /// Makes it available for the next bot.
    pub(super) fn give_back(self) {
        known().idle.push(self);
    }

    /// Closes its socket, which ends it.
    fn dismiss(self) {
        let Supervisor { mut child, socket, groups, .. } = self;
        drop(socket);
        if wait_for(&mut child, ENDING) {
            known().running.remove(&child.id().cast_signed());
        } else {
            destroy(child, &groups);
        }
    }

    /// Kills it and all processes that its bot has left.
    pub(super) fn destroy(self) {
        destroy(self.child, &self.groups);
    }
}

fn destroy(mut child: Child, groups: &OwnGroups) {
    let id = child.id().cast_signed();
    let below = kernel::descendants(id);
    let _ = child.kill();
    below.into_iter().for_each(kernel::kill);
    groups.destroy();
    if wait_for(&mut child, PARTING) {
        known().running.remove(&id);
    } else {
        tracing::warn!(process = id, "a supervisor does not end; it is left running");
    }
    end_strangers();
}

/// Kills processes that this one has inherited from killed supervisors.
fn end_strangers() {
    let begun = Instant::now();
    while begun.elapsed() < PARTING {
        let own = std::process::id().cast_signed();
        // Locked so that no new supervisor is mistaken for an orphan.
        let known = known();
        let mut strangers = kernel::children_of_first_thread(own);
        strangers.retain(|child| !known.running.contains(child));
        if strangers.is_empty() {
            return;
        }
        for stranger in &strangers {
            kernel::descendants(*stranger).into_iter().for_each(kernel::kill);
            kernel::kill(*stranger);
        }
        for stranger in strangers {
            let id = Pid::from_raw(stranger);
            let _ = id.map(|id| rustix::process::waitpid(Some(id), WaitOptions::NOHANG));
        }
        drop(known);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for a child, with a limit: a traced one may never be reaped.
fn wait_for(child: &mut Child, at_most: Duration) -> bool {
    let until = Instant::now() + at_most;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_micros(200)),
            Ok(None) => return false,
            _ => return true,
        }
    }
}
