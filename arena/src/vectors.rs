//! Replays files of golden vectors, one JSON value on each line, against a game's rules.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use games::Entry;
use games::conformance::Check;

/// The result of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// Cases that agree with the rules.
    pub passed: u64,
    /// Other cases, including lines that are not a case.
    pub failed: u64,
    /// The first failures, in order.
    pub first_failures: Vec<Failure>,
}

/// One case that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The case's `id`, if it has one.
    pub id: Option<String>,
    /// The first difference, or why the line is not a case.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file.display(), self.line)?;
        if let Some(id) = &self.id {
            write!(f, "{id}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// Why a file could not be checked, completely or in part.
#[derive(Debug)]
pub enum VectorError {
    /// It cannot be read.
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// It has no case.
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// Its name is not a kind of vectors of this game.
    UnknownKind {
        /// The file.
        file: PathBuf,
        /// The game.
        game: &'static str,
    },
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VectorError::Read { file, source } => {
                write!(f, "cannot read {}: {source}", file.display())
            }
            VectorError::Empty { file } => write!(f, "{} has no case", file.display()),
            VectorError::UnknownKind { file, game } => {
                write!(f, "{}: the file name is not a kind of vectors of {game}", file.display())
            }
        }
    }
}

impl std::error::Error for VectorError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VectorError::Read { source, .. } => Some(source),
            VectorError::Empty { .. } | VectorError::UnknownKind { .. } => None,
        }
    }
}

/// Checks every case of a file, whose kind is the stem of its name; keeps the first `most`
/// failures.
///
/// # Errors
/// If the file cannot be read, has no case, or its kind is not one of the game.
pub fn check_file(game: &Entry, file: &Path, most: usize) -> Result<FileReport, VectorError> {
    let unreadable = |source| VectorError::Read { file: file.to_owned(), source };
    let mut reader = BufReader::new(File::open(file).map_err(unreadable)?);
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let unknown = || VectorError::UnknownKind { file: file.to_owned(), game: game.name };
    let check = (game.check)(stem).ok_or_else(unknown)?;
    let mut report = FileReport { passed: 0, failed: 0, first_failures: Vec::new() };
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match check_line(check, &bytes) {
            Ok(()) => report.passed += 1,
            Err((id, reason)) => {
                report.failed += 1;
                if report.first_failures.len() < most {
                    report.first_failures.push(Failure { file: file.to_owned(), line, id, reason });
                }
            }
        }
    }
    if report.passed + report.failed == 0 {
        return Err(VectorError::Empty { file: file.to_owned() });
    }
    Ok(report)
}

fn check_line(check: Check, bytes: &[u8]) -> Result<(), (Option<String>, String)> {
    let case: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|error| (None, format!("not JSON: {error}")))?;
    let id = case.get("id").and_then(|id| id.as_str()).map(str::to_owned);
    check(&case).map_err(|difference| (id, difference.to_string()))
}
