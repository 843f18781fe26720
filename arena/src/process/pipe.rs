//! The pipe of a bot's answers. The kernel timestamps writes, so a late read by the referee does
//! not matter.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, Timestamps};
use rustix::pipe::PipeFlags;
use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};

/// The non-blocking read end.
#[derive(Debug)]
pub(super) struct StampedPipe {
    file: File,
    /// Resolution of the kernel's timestamps; `None` if there are none.
    resolution: Option<Duration>,
}

impl StampedPipe {
    /// A new pipe with its write end.
    ///
    /// It is a FIFO whose name is removed at once: a write to a FIFO sets its modification time,
    /// which newer kernels no longer do for anonymous pipes. If no FIFO can be made, a plain pipe
    /// without timestamps is used.
    pub(super) fn new() -> io::Result<(StampedPipe, OwnedFd)> {
        let found = DIRECTORIES.iter().map(Path::new).find_map(|directory| fifo(directory).ok());
        let Some((reader, writer)) = found.or_else(|| fifo(&std::env::temp_dir()).ok()) else {
            let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
            rustix::io::ioctl_fionbio(&reader, true)?;
            return Ok((StampedPipe { file: File::from(reader), resolution: None }, writer));
        };
        let step = as_duration(clock_getres(ClockId::RealtimeCoarse));
        let resolution = writing_is_stamped().then_some(step);
        Ok((StampedPipe { file: File::from(reader), resolution }, writer))
    }

    /// Reads once; returns an upper bound for the time at which the last available byte was
    /// written.
    pub(super) fn read(&mut self, chunk: &mut [u8]) -> io::Result<(usize, Instant)> {
        let length = self.file.read(chunk)?;
        Ok((length, self.written_at(Instant::now())))
    }

    /// The time of the last write, if it is before `now` by more than the resolution of the
    /// timestamps.
    fn written_at(&self, now: Instant) -> Instant {
        let Some(resolution) = self.resolution else { return now };
        let Ok(stat) = rustix::fs::fstat(&self.file) else { return now };
        // Writing sets both times, but a bot can set only that of the content back.
        let stamp = Timespec { tv_sec: stat.st_ctime, tv_nsec: stat.st_ctime_nsec as _ };
        let wall = clock_gettime(ClockId::Realtime);
        let age = as_duration(wall).saturating_sub(as_duration(stamp));
        if age <= 2 * resolution { now } else { now.checked_sub(age).unwrap_or(now) }
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

fn as_duration(time: Timespec) -> Duration {
    Duration::try_from(time).unwrap_or_default()
}

/// Directories to create FIFOs in, in memory first.
const DIRECTORIES: [&str; 1] = ["/dev/shm"];

/// Both ends of a FIFO that no longer has a name.
fn fifo(directory: &Path) -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = directory.join(format!("arena-{}-{count}", std::process::id()));
    rustix::fs::mkfifoat(rustix::fs::CWD, &name, Mode::RUSR | Mode::WUSR)?;
    let open = |flags| rustix::fs::open(&name, flags | OFlags::CLOEXEC, Mode::empty());
    let ends = open(OFlags::RDONLY | OFlags::NONBLOCK)
        .and_then(|reader| Ok((reader, open(OFlags::WRONLY)?)));
    let _ = rustix::fs::unlink(&name);
    ends
}

/// Whether a write to a FIFO sets its modification time on this system; tested once.
fn writing_is_stamped() -> bool {
    static TRIED: OnceLock<bool> = OnceLock::new();
    *TRIED.get_or_init(|| {
        let long_ago = Timespec { tv_sec: 1, tv_nsec: 0 };
        let times = Timestamps { last_access: long_ago, last_modification: long_ago };
        let tried = fifo(Path::new(DIRECTORIES[0])).or_else(|_| fifo(&std::env::temp_dir()));
        let changed = tried.and_then(|(reader, writer)| {
            rustix::fs::futimens(&writer, &times)?;
            rustix::io::write(&writer, b"x")?;
            Ok(rustix::fs::fstat(&reader)?.st_mtime != long_ago.tv_sec)
        });
        changed.unwrap_or(false)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_writer_cannot_set_the_stamp_back() {
        let (mut pipe, writer) = StampedPipe::new().expect("a FIFO can be made");
        let begun = Instant::now();
        let long_ago = Timespec { tv_sec: 1, tv_nsec: 0 };
        let times = Timestamps { last_access: long_ago, last_modification: long_ago };
        rustix::io::write(&writer, b"MOVE 1\n").expect("there is room");
        rustix::fs::futimens(&writer, &times).expect("the file is its own");
        let step = 2 * pipe.resolution.expect("Linux stamps writing to a FIFO");
        while begun.elapsed() < 4 * step {
            std::hint::spin_loop();
        }
        let (_, stamp) = pipe.read(&mut [0; 64]).expect("it is there");
        assert!(stamp + step >= begun, "{:?} before", begun - stamp);
    }

    #[test]
    fn what_was_written_before_a_moment_is_stamped_before_it_however_late_it_is_read() {
        let (mut pipe, writer) = StampedPipe::new().expect("a FIFO can be made");
        File::from(writer).write_all(b"MOVE 1\n").expect("there is room");
        let written = Instant::now();
        let step = 2 * pipe.resolution.expect("Linux stamps writing to a FIFO");
        while written.elapsed() < 4 * step {
            std::hint::spin_loop();
        }
        let mut chunk = [0; 64];
        let (length, stamp) = pipe.read(&mut chunk).expect("it is there");
        assert_eq!(&chunk[..length], b"MOVE 1\n");
        assert!(stamp <= written, "{:?} after", stamp - written);
    }
}
