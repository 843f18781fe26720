//! Results on disk that survive anything: one JSON value a line, only ever appended.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::plan::{as_json, differences};
use super::{PairRecord, Plan};

/// What keeps a directory from being used.
#[derive(Debug)]
pub enum JournalError {
    /// A file cannot be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process is writing the file.
    Taken {
        /// The file.
        file: PathBuf,
    },
    /// A line is not what the arena writes.
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The directory holds the results of another plan.
    OtherPlan {
        /// The directory.
        directory: PathBuf,
        /// Where the plans differ.
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
                write!(f, "{} holds the results of another command:", directory.display())?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))?;
                write!(f, "\nrepeat that command, or keep the results in another directory")
            }
        }
    }
}

impl std::error::Error for JournalError {}

/// A file of pairs, open for more.
#[derive(Debug)]
pub struct Journal(Lines);

impl Journal {
    /// Opens the directory of a plan, new or as it was left, and returns the pairs that it holds.
    ///
    /// Half a line at the end, left by a crash in the middle of writing, is cut off.
    ///
    /// # Errors
    /// If the directory belongs to another plan, or its files cannot be used.
    pub fn open(directory: &Path, plan: &Plan) -> Result<(Journal, Vec<PairRecord>), JournalError> {
        let (lines, bytes) = Lines::open_in(directory, "pairs.jsonl", ("plan.json", plan))?;
        Journal::from_lines(lines, &bytes, plan)
    }

    /// Opens a file of pairs of a plan, new or as it was left.
    ///
    /// # Errors
    /// If the file cannot be used or somebody else uses it, or holds what is no pair of the plan, or a pair twice.
    pub fn open_file(path: &Path, plan: &Plan) -> Result<(Journal, Vec<PairRecord>), JournalError> {
        let (lines, bytes) = Lines::open(path)?;
        Journal::from_lines(lines, &bytes, plan)
    }

    fn from_lines(
        lines: Lines,
        bytes: &[u8],
        plan: &Plan,
    ) -> Result<(Journal, Vec<PairRecord>), JournalError> {
        let fingerprint = plan.fingerprint();
        let mut known = BTreeSet::new();
        let pairs = parse_lines(&lines.path, bytes, |line| {
            let pair = parse_pair(line, plan, &fingerprint)?;
            let is_new = known.insert(pair.index);
            is_new.then_some(pair).ok_or_else(|| "a pair that is there already".to_owned())
        })?;
        Ok((Journal(lines), pairs))
    }

    /// Appends a pair in one piece and waits until it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, pair: &PairRecord) -> Result<(), JournalError> {
        self.0.append(pair)
    }
}

/// A file of JSON values, one a line, open for more.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Opens a file, new or as it was left, and returns its whole lines; half a line at the end is cut off.
    ///
    /// Nobody else can open it meanwhile: a lock belongs to the process and dies with it.
    pub(crate) fn open(path: &Path) -> Result<(Lines, Vec<u8>), JournalError> {
        Lines::read(open_locked(path)?, path)
    }

    /// Opens a file in a directory that belongs to these settings; another file of the directory holds them.
    ///
    /// The lock comes first: of two processes that start on a new directory, only its owner writes the settings.
    pub(crate) fn open_in<T>(
        directory: &Path,
        file: &str,
        (settings_file, settings): (&str, &T),
    ) -> Result<(Lines, Vec<u8>), JournalError>
    where
        T: Serialize + DeserializeOwned,
    {
        std::fs::create_dir_all(directory).map_err(error_at(directory))?;
        let path = directory.join(file);
        let file = open_locked(&path)?;
        keep_settings(directory, settings_file, settings)?;
        Lines::read(file, &path)
    }

    fn read(mut file: File, path: &Path) -> Result<(Lines, Vec<u8>), JournalError> {
        sync_directory_of(path).map_err(error_at(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(error_at(path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            tracing::warn!(file = %path.display(), "half a line at the end is cut off");
            file.set_len(whole as u64).map_err(error_at(path))?;
            file.seek(SeekFrom::End(0)).map_err(error_at(path))?;
            bytes.truncate(whole);
        }
        Ok((Lines { path: path.to_owned(), file }, bytes))
    }

    /// Appends a value in one piece and waits until it is on the disk.
    pub(crate) fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = as_json(value) + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(error_at(&self.path))
    }
}

/// Opens a file, new or existing, and takes its lock.
fn open_locked(path: &Path) -> Result<File, JournalError> {
    let open = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = open.map_err(error_at(path))?;
    if !lock(&file).map_err(error_at(path))? {
        return Err(JournalError::Taken { file: path.to_owned() });
    }
    Ok(file)
}

/// Writes the settings of a new directory, or refuses a directory that belongs to others.
fn keep_settings<T>(directory: &Path, file: &str, settings: &T) -> Result<(), JournalError>
where
    T: Serialize + DeserializeOwned,
{
    let file = directory.join(file);
    match std::fs::read(&file) {
        Ok(bytes) => {
            let differences = differences(&parse_settings::<T>(&file, &bytes)?, settings);
            if differences.is_empty() {
                return Ok(());
            }
            Err(JournalError::OtherPlan { directory: directory.to_owned(), differences })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_whole(&file, (as_json(settings) + "\n").as_bytes()).map_err(error_at(&file))
        }
        Err(error) => Err(error_at(&file)(error)),
    }
}

/// Reads one value from each line.
pub(crate) fn parse_lines<T>(
    file: &Path,
    bytes: &[u8],
    mut parse: impl FnMut(&[u8]) -> Result<T, String>,
) -> Result<Vec<T>, JournalError> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    let parse = |(at, line): (usize, &[u8])| {
        let wrong = |reason| JournalError::Line { file: file.to_owned(), line: at + 1, reason };
        parse(line).map_err(wrong)
    };
    lines.map(parse).collect()
}

/// Reads a plan.
///
/// # Errors
/// If the file cannot be read or holds no plan.
pub fn read_plan(file: &Path) -> Result<Plan, JournalError> {
    parse_settings(file, &std::fs::read(file).map_err(error_at(file))?)
}

/// Reads a file of pairs that nobody writes any more.
///
/// # Errors
/// If it cannot be read, or holds anything but pairs of the plan.
pub fn read_pairs(file: &Path, plan: &Plan) -> Result<Vec<PairRecord>, JournalError> {
    parse_pairs(file, &std::fs::read(file).map_err(error_at(file))?, plan)
}

/// Reads the whole lines of a file of pairs whose writer may have been killed in the middle of a line.
///
/// # Errors
/// If it cannot be read, or holds anything but pairs of the plan.
pub(super) fn read_whole_lines(file: &Path, plan: &Plan) -> Result<Vec<PairRecord>, JournalError> {
    let bytes = std::fs::read(file).map_err(error_at(file))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    parse_pairs(file, &bytes[..whole], plan)
}

fn parse_settings<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T, JournalError> {
    serde_json::from_slice(bytes).map_err(|error| JournalError::Line {
        file: file.to_owned(),
        line: error.line(),
        reason: format!("not a plan: {error}"),
    })
}

fn parse_pairs(file: &Path, bytes: &[u8], plan: &Plan) -> Result<Vec<PairRecord>, JournalError> {
    let fingerprint = plan.fingerprint();
    parse_lines(file, bytes, |line| parse_pair(line, plan, &fingerprint))
}

fn parse_pair(line: &[u8], plan: &Plan, fingerprint: &str) -> Result<PairRecord, String> {
    let pair: PairRecord =
        serde_json::from_slice(line).map_err(|error| format!("not a pair: {error}"))?;
    if pair.plan != fingerprint {
        return Err(format!("a pair of plan {}, not of {fingerprint}", pair.plan));
    }
    pair.check(plan).map(|()| pair)
}

/// Writes a plan so that the file is there in full or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_plan(file: &Path, plan: &Plan) -> Result<(), JournalError> {
    write_whole(file, (as_json(plan) + "\n").as_bytes()).map_err(error_at(file))
}

/// Writes a file under another name first and then renames it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    sync_directory_of(path)
}

/// Waits until the name of a new file is on the disk; its content alone would be lost in a power cut.
pub(super) fn sync_directory_of(file: &Path) -> io::Result<()> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// Takes the lock of an open file, unless another process has it (false).
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
