//! Results on disk that survive a crash: one JSON value on each line, only appended.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::plan::{as_json, differences};
use super::{PairRecord, Plan};

/// Why a directory cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// A file cannot be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process is writing the file.
    Taken {
        /// The file.
        file: PathBuf,
    },
    /// A line was not written by the arena.
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The directory stores the results of another plan.
    OtherPlan {
        /// The directory.
        directory: PathBuf,
        /// The differences between the plans.
        differences: Vec<String>,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File { file, source } => write!(f, "{}: {source}", file.display()),
            JournalError::Taken { file } => {
                write!(f, "{}: another arena is writing it", file.display())
            }
            JournalError::Line { file, line, reason } => {
                write!(f, "{}:{line}: {reason}", file.display())
            }
            JournalError::OtherPlan { directory, differences } => {
                write!(f, "{} has the results of another command:", directory.display())?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))?;
                write!(f, "\nrepeat that command, or use another directory")
            }
        }
    }
}

impl std::error::Error for JournalError {}

/// An open file of pairs that can be appended to.
#[derive(Debug)]
pub struct Journal(Lines);

impl Journal {
    /// Opens the directory of a plan, new or existing, and calls `each` with every stored pair. A
    /// directory with fewer rounds than the plan is extended; with more, the plan is extended to
    /// its number.
    ///
    /// An incomplete last line, left by a crash during a write, is removed.
    ///
    /// # Errors
    /// If the directory belongs to another plan, or its files cannot be used.
    pub fn open(
        directory: &Path,
        plan: &mut Plan,
        mut each: impl FnMut(PairRecord),
    ) -> Result<Journal, JournalError> {
        std::fs::create_dir_all(directory).map_err(error_at(directory))?;
        let path = directory.join("pairs.jsonl");
        // The lock comes first: of two commands that start together, one must see the other's plan.
        let lines = Lines::open(&path)?;
        extend_settings(directory, "plan.json", plan, |there, plan| {
            plan.rounds = plan.rounds.max(there.rounds);
            there.rounds = plan.rounds;
        })?;
        Journal::of_lines(lines, &path, plan, &mut each)
    }

    /// Opens a file of pairs of a plan, new or existing, and calls `each` with every stored pair.
    ///
    /// # Errors
    /// If the file cannot be used or another process uses it, if a line is not a pair of the plan,
    /// or if a pair is stored twice.
    pub fn open_file(
        path: &Path,
        plan: &Plan,
        mut each: impl FnMut(PairRecord),
    ) -> Result<Journal, JournalError> {
        Journal::of_lines(Lines::open(path)?, path, plan, &mut each)
    }

    fn of_lines(
        mut lines: Lines,
        path: &Path,
        plan: &Plan,
        each: &mut dyn FnMut(PairRecord),
    ) -> Result<Journal, JournalError> {
        let fingerprint = plan.fingerprint();
        let mut known = BTreeSet::new();
        lines.read(path, |line| {
            let pair = parse_pair(line, plan, &fingerprint)?;
            if !known.insert(pair.index) {
                return Err("a pair that is already stored".to_owned());
            }
            each(pair);
            Ok(())
        })?;
        Ok(Journal(lines))
    }

    /// Appends a pair in one write and waits until it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, pair: &PairRecord) -> Result<(), JournalError> {
        self.0.append(pair)
    }

    /// Appends a pair that is stored elsewhere on the disk, without waiting.
    pub(super) fn copy(&mut self, pair: &PairRecord) -> Result<(), JournalError> {
        self.0.write(pair)
    }

    /// Waits until everything is on the disk.
    pub(super) fn sync(&mut self) -> Result<(), JournalError> {
        self.0.sync()
    }
}

/// An open file of JSON values, one on each line, that can be appended to.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Opens a file, new or existing; an incomplete last line is removed.
    ///
    /// No other process can open it at the same time: a lock belongs to the process and is released
    /// with it.
    pub(crate) fn open(path: &Path) -> Result<Lines, JournalError> {
        let open = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = open.map_err(error_at(path))?;
        if !lock(&file).map_err(error_at(path))? {
            return Err(JournalError::Taken { file: path.to_owned() });
        }
        sync_directory_of(path).map_err(error_at(path))?;
        let length = file.metadata().map_err(error_at(path))?.len();
        let whole = end_of_last_line(&mut file, length).map_err(error_at(path))?;
        if whole < length {
            tracing::warn!(file = %path.display(), "an incomplete last line is removed");
            file.set_len(whole).map_err(error_at(path))?;
        }
        Ok(Lines { path: path.to_owned(), file })
    }

    /// Calls `each` with the stored lines, one by one; `each` returns what is wrong with a line.
    pub(crate) fn read(
        &mut self,
        path: &Path,
        each: impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        self.file.seek(SeekFrom::Start(0)).map_err(error_at(path))?;
        each_line(path, &mut BufReader::new(&self.file), each)
    }

    /// Appends a value in one write and waits until it is on the disk.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        self.write(value)?;
        self.sync()
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = as_json(value) + "\n";
        self.file.write_all(line.as_bytes()).map_err(error_at(&self.path))
    }

    fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(error_at(&self.path))
    }
}

/// The end of the last complete line of a file.
fn end_of_last_line(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut chunk = [0; 8192];
    while end > 0 {
        let begin = end.saturating_sub(chunk.len() as u64);
        let part = &mut chunk[..(end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// Creates a directory for these settings, which are stored in a file in it, or rejects a directory
/// with other settings. `extend` equalizes the settings that may grow from one command to the next.
pub(crate) fn extend_settings<T>(
    directory: &Path,
    file: &str,
    settings: &mut T,
    extend: impl FnOnce(&mut T, &mut T),
) -> Result<(), JournalError>
where
    T: Serialize + DeserializeOwned,
{
    std::fs::create_dir_all(directory).map_err(error_at(directory))?;
    let file = directory.join(file);
    match std::fs::read(&file) {
        Ok(bytes) => {
            let mut there = parse_settings::<T>(&file, &bytes)?;
            let before = as_json(&there);
            extend(&mut there, settings);
            let differences = differences(&there, settings);
            if !differences.is_empty() {
                return Err(JournalError::OtherPlan {
                    directory: directory.to_owned(),
                    differences,
                });
            }
            if before == as_json(settings) {
                return Ok(());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error_at(&file)(error)),
    }
    write_whole(&file, (as_json(settings) + "\n").as_bytes()).map_err(error_at(&file))
}

/// Calls `each` with the lines of a file without their line feeds; blank lines are skipped.
fn each_line(
    file: &Path,
    reader: &mut impl BufRead,
    mut each: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<(), JournalError> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(error_at(file))? == 0 {
            break;
        }
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        if !text.is_empty() {
            let wrong = |reason| JournalError::Line { file: file.to_owned(), line, reason };
            each(text).map_err(wrong)?;
        }
    }
    Ok(())
}

/// Reads a plan.
///
/// # Errors
/// If the file cannot be read or is not a plan.
pub fn read_plan(file: &Path) -> Result<Plan, JournalError> {
    parse_settings(file, &std::fs::read(file).map_err(error_at(file))?)
}

/// Reads a complete file of pairs, one by one.
///
/// # Errors
/// If it cannot be read, or contains anything but pairs of the plan.
pub fn read_pairs(
    file: &Path,
    plan: &Plan,
    mut each: impl FnMut(PairRecord),
) -> Result<(), JournalError> {
    read_pairs_to(file, u64::MAX, plan, &mut each)
}

/// Reads the complete lines of a file of pairs whose writer may have been killed during a write.
///
/// # Errors
/// If it cannot be read, or contains anything but pairs of the plan.
pub(super) fn read_whole_lines(
    file: &Path,
    plan: &Plan,
    mut each: impl FnMut(PairRecord),
) -> Result<(), JournalError> {
    let mut open = File::open(file).map_err(error_at(file))?;
    let length = open.metadata().map_err(error_at(file))?.len();
    let whole = end_of_last_line(&mut open, length).map_err(error_at(file))?;
    read_pairs_to(file, whole, plan, &mut each)
}

fn read_pairs_to(
    file: &Path,
    end: u64,
    plan: &Plan,
    each: &mut dyn FnMut(PairRecord),
) -> Result<(), JournalError> {
    let fingerprint = plan.fingerprint();
    let open = File::open(file).map_err(error_at(file))?;
    each_line(file, &mut BufReader::with_capacity(1 << 16, open).take(end), |line| {
        each(parse_pair(line, plan, &fingerprint)?);
        Ok(())
    })
}

fn parse_settings<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T, JournalError> {
    serde_json::from_slice(bytes).map_err(|error| JournalError::Line {
        file: file.to_owned(),
        line: error.line(),
        reason: format!("not a plan: {error}"),
    })
}

fn parse_pair(line: &[u8], plan: &Plan, fingerprint: &str) -> Result<PairRecord, String> {
    let pair: PairRecord =
        serde_json::from_slice(line).map_err(|error| format!("not a pair: {error}"))?;
    if pair.plan != fingerprint {
        return Err(format!("a pair of plan {}, expected one of plan {fingerprint}", pair.plan));
    }
    pair.check(plan).map(|()| pair)
}

/// Writes a plan atomically: the file is complete or absent.
///
/// # Errors
/// If it cannot be written.
pub fn write_plan(file: &Path, plan: &Plan) -> Result<(), JournalError> {
    write_whole(file, (as_json(plan) + "\n").as_bytes()).map_err(error_at(file))
}

/// Writes a file under a temporary name and renames it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    sync_directory_of(path)
}

/// Waits until the name of a new file is on the disk; otherwise a power failure could lose the
/// file.
pub(super) fn sync_directory_of(file: &Path) -> io::Result<()> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// Locks an open file; false if another process holds the lock.
pub(super) fn lock(file: &File) -> io::Result<bool> {
    match rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn error_at(file: &Path) -> impl Fn(io::Error) -> JournalError {
    move |source| JournalError::File { file: file.to_owned(), source }
}
