//! Messages between the arena and its supervisors: one JSON value in each packet, with open files
//! attached.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Exit;
use super::cgroup::OwnGroups;
use super::kernel::ProcessId;

/// A request to a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Start a bot on the three pipes attached to the request.
    Start {
        command: Vec<String>,
        /// The file to run, if it is not the one that `command` names.
        executable: Option<PathBuf>,
        environment: Vec<(String, String)>,
    },
    /// Kill the bot and all its descendants.
    End,
}

/// A report of a supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// Ready for requests; its control groups, as far as the system permits them.
    Ready { version: String, groups: OwnGroups },
    /// The bot runs.
    Started { bot: ProcessId },
    /// The bot cannot be started.
    Failed { errno: i32 },
    /// The bot's first process has ended.
    Exited { exit: Exit },
    /// All processes have ended (`is_clean`), or some cannot be ended.
    Ended {
        /// Processor time of all processes that ended and were reaped.
        reaped_us: u64,
        is_clean: bool,
    },
}

/// Longest request in bytes; the kernel does not accept longer packets by default.
pub(super) const LONGEST_REQUEST: usize = 200_000;

/// Longest report in bytes.
pub(super) const LONGEST_REPORT: usize = 8192;

/// Maximum number of files attached to a packet.
const MOST_FILES: usize = 3;

pub(super) fn send<T: Serialize>(
    socket: impl AsFd,
    value: &T,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let text = serde_json::to_vec(value).expect("plain data is JSON");
    if text.len() > LONGEST_REQUEST {
        return Err(io::Error::from(io::ErrorKind::ArgumentListTooLong));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() {
        assert!(beside.push(SendAncillaryMessage::ScmRights(files)), "there is room for {files:?}");
    }
    let sent = rustix::net::sendmsg(
        socket,
        &[IoSlice::new(&text)],
        &mut beside,
        SendFlags::NOSIGNAL | SendFlags::EOR,
    )?;
    if sent == text.len() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WriteZero)) }
}

/// Receives the next packet of at most `longest` bytes; `None` once the other side has closed.
pub(super) fn receive<T: DeserializeOwned>(
    socket: impl AsFd,
    longest: usize,
    flags: RecvFlags,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut text = vec![0; longest];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let mut into = [IoSliceMut::new(&mut text)];
        match rustix::net::recvmsg(&socket, &mut into, &mut beside, flags | RecvFlags::CMSG_CLOEXEC)
        {
            Err(rustix::io::Errno::INTR) => {}
            other => break other?.bytes,
        }
    };
    if received == 0 {
        return Ok(None);
    }
    let files = beside.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    let files = files.flatten().collect();
    let value = serde_json::from_slice(&text[..received]).map_err(io::Error::other)?;
    Ok(Some((value, files)))
}
