//! Divides a plan into shards that many machines play, and merges their results.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use serde::{Deserialize, Serialize};

use super::journal::{
    self, JournalError, error_at, read_pairs, read_whole_lines, sync_directory_of, write_whole,
};
use super::plan::as_json;
use super::{Count, Host, Journal, PairRecord, Plan, RoundSummary, Standing};
use crate::catalogue::Catalogue;

/// A plan for many machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The plan, with the content hash of every bot.
    pub plan: Plan,
    /// Number of shards.
    pub shards: u64,
    /// Seed of each round, in order, to detect versions that would play other seeds.
    pub seeds: Vec<u64>,
}

/// Why a manifest cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestError {
    /// The plan has no games, or no shards.
    Empty,
    /// There are more shards than rounds.
    TooManyShards {
        /// Number of shards.
        shards: u64,
        /// Number of rounds.
        rounds: u64,
    },
    /// The plan cannot be played here.
    Plan(String),
    /// This version computes other seeds from the plan.
    Seeds,
    /// There is no shard of this number.
    Index {
        /// The number.
        index: u64,
        /// Number of shards.
        shards: u64,
    },
    /// A bot here differs from the bot of the plan.
    Bots(Vec<String>),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Empty => f.write_str("the manifest has no games or no shards"),
            ManifestError::TooManyShards { shards, rounds } => {
                write!(
                    f,
                    "{rounds} pairs cannot be divided into {shards} shards; use at most {rounds}"
                )
            }
            ManifestError::Plan(reason) => write!(f, "the plan cannot be played: {reason}"),
            ManifestError::Seeds => f.write_str(
                "the manifest's seeds differ from those of its plan: it was written by another version; \
                 write it again",
            ),
            ManifestError::Index { index, shards } => {
                let last = shards.saturating_sub(1);
                write!(f, "there is no shard {index}: expected a number from 0 to {last}")
            }
            ManifestError::Bots(differences) => {
                write!(f, "the bots of the manifest differ from those of this machine:")?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
            }
        }
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// Divides the plan into this number of shards.
    ///
    /// # Errors
    /// If there would be shards without a round.
    pub fn new(plan: Plan, shards: u64) -> Result<Manifest, ManifestError> {
        check_shards(shards, plan.len())?;
        let seeds = (0..plan.len()).map(|index| plan.round(index).seed).collect();
        Ok(Manifest { plan, shards, seeds })
    }

    /// Checks that the parts of the manifest are consistent.
    ///
    /// # Errors
    /// What is inconsistent.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), ManifestError> {
        check_shards(self.shards, self.plan.len())?;
        self.plan.check(catalogue).map_err(|error| ManifestError::Plan(error.to_string()))?;
        let seeds_fit = self.seeds.len() as u64 == self.plan.len()
            && self.seeds.iter().zip(0..).all(|(seed, index)| self.plan.round(index).seed == *seed);
        if seeds_fit { Ok(()) } else { Err(ManifestError::Seeds) }
    }

    /// The rounds of a shard: those after the shard before it, so that a sequential test, which goes by the order of the
    /// rounds, can decide before all shards are played. No shard has more than one round more than another.
    #[must_use]
    pub fn rounds(&self, shard: u64) -> Range<u64> {
        let begin = |shard: u64| {
            let begin =
                u128::from(shard) * u128::from(self.plan.len()) / u128::from(self.shards.max(1));
            u64::try_from(begin).unwrap_or(u64::MAX)
        };
        begin(shard)..begin(shard.saturating_add(1))
    }

    /// Writes the manifest atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), JournalError> {
        write_whole(file, (as_json(self) + "\n").as_bytes()).map_err(error_at(file))
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a manifest.
    pub fn read(file: &Path) -> Result<Manifest, JournalError> {
        let bytes = std::fs::read(file).map_err(error_at(file))?;
        serde_json::from_slice(&bytes).map_err(|error| JournalError::Line {
            file: file.to_owned(),
            line: error.line(),
            reason: format!("not a manifest: {error}"),
        })
    }
}

fn check_shards(shards: u64, rounds: u64) -> Result<(), ManifestError> {
    if rounds == 0 || shards == 0 {
        return Err(ManifestError::Empty);
    }
    if shards > rounds {
        return Err(ManifestError::TooManyShards { shards, rounds });
    }
    Ok(())
}

/// One attempt at a shard. It is exclusive, and the pairs of earlier attempts are kept.
///
/// Pairs are written to the attempt's own file, which is renamed to the shard's name once all are
/// stored; so a file under the final name is complete.
#[derive(Debug)]
pub struct Attempt {
    /// Indices of the rounds that earlier attempts finished.
    pub played: BTreeSet<u64>,
    /// The file for new pairs.
    pub journal: Journal,
    own_file: PathBuf,
    shard_file: PathBuf,
    earlier_files: Vec<PathBuf>,
    _lock: File,
}

/// The state of a shard.
#[derive(Debug)]
pub enum Shard {
    /// Complete: nothing is left to do.
    Whole,
    /// Another process plays it.
    Taken,
    /// It can be played by this process.
    Open(Box<Attempt>),
}

impl Attempt {
    /// Starts an attempt at a shard.
    ///
    /// # Errors
    /// If the directory or a file in it cannot be used.
    pub fn begin(directory: &Path, manifest: &Manifest, shard: u64) -> Result<Shard, JournalError> {
        std::fs::create_dir_all(directory).map_err(error_at(directory))?;
        let name = shard_name(shard);
        let lock_file = directory.join(format!("{name}.lock"));
        let open = OpenOptions::new().create(true).append(true).open(&lock_file);
        let lock = open.map_err(error_at(&lock_file))?;
        if !journal::lock(&lock).map_err(error_at(&lock_file))? {
            return Ok(Shard::Taken);
        }
        let shard_file = directory.join(format!("{name}.jsonl"));
        if is_whole(&shard_file, manifest, shard)? {
            return Ok(Shard::Whole);
        }
        let earlier_files = earlier_files(directory, &name)?;
        let moment = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        let attempt = format!("{name}.{}-{}-{moment}.tmp", Host::now().name, std::process::id());
        let own_file = directory.join(attempt);
        let mut journal = Journal::open_file(&own_file, &manifest.plan, drop)?;
        // An incomplete file under the final name is corrupt.
        let damaged = Some(&shard_file).filter(|file| file.exists());
        let mut played = BTreeSet::new();
        for file in earlier_files.iter().chain(damaged) {
            let mut copied = Ok(());
            read_whole_lines(file, &manifest.plan, |pair| {
                let is_ours = manifest.rounds(shard).contains(&pair.index);
                if copied.is_ok() && is_ours && played.insert(pair.index) {
                    copied = journal.copy(&pair);
                }
            })?;
            copied?;
        }
        journal.sync()?;
        let attempt = Attempt { played, journal, own_file, shard_file, earlier_files, _lock: lock };
        Ok(Shard::Open(Box::new(attempt)))
    }

    /// Renames the complete file to the shard's name, and removes the files of earlier attempts.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn complete(self) -> Result<(), JournalError> {
        let renamed = std::fs::rename(&self.own_file, &self.shard_file);
        renamed
            .and_then(|()| sync_directory_of(&self.shard_file))
            .map_err(error_at(&self.shard_file))?;
        for file in &self.earlier_files {
            // It only takes disk space.
            let _ = std::fs::remove_file(file);
        }
        Ok(())
    }
}

/// Whether the file exists and has every pair of the shard.
fn is_whole(file: &Path, manifest: &Manifest, shard: u64) -> Result<bool, JournalError> {
    if !file.exists() {
        return Ok(false);
    }
    let mut there = BTreeSet::new();
    read_whole_lines(file, &manifest.plan, |pair| {
        there.insert(pair.index);
    })?;
    Ok(manifest.rounds(shard).all(|index| there.contains(&index)))
}

fn shard_name(shard: u64) -> String {
    format!("shard-{shard:05}")
}

/// The files of earlier attempts at a shard.
fn earlier_files(directory: &Path, name: &str) -> Result<Vec<PathBuf>, JournalError> {
    files_of(directory, |file| file.starts_with(&format!("{name}.")) && file.ends_with(".tmp"))
}

fn files_of(
    directory: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<PathBuf>, JournalError> {
    let entries = std::fs::read_dir(directory).map_err(error_at(directory))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(error_at(directory))?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(&is_wanted) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The result of a merge.
#[derive(Debug)]
pub struct Merged {
    /// The result of the pairs, each counted once.
    pub standing: Standing,
    /// Pairs found more than once, with equal games.
    pub duplicates: u64,
    /// Shards with missing pairs.
    pub missing_shards: Vec<u64>,
    /// Whether the test of the plan needs no more of them.
    pub is_decided: bool,
}

/// Why shards cannot be merged.
#[derive(Debug)]
pub enum MergeError {
    /// A file cannot be used.
    Journal(JournalError),
    /// A pair is stored twice, with different games: one of the files is corrupt or was played with
    /// other programs.
    Conflict {
        /// The index of the pair in the plan.
        index: u64,
        /// The two files.
        files: [PathBuf; 2],
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Journal(error) => error.fmt(f),
            MergeError::Conflict { index, files: [one, other] } => {
                write!(
                    f,
                    "pair {index} has different games in {} and {}",
                    one.display(),
                    other.display()
                )
            }
        }
    }
}

impl std::error::Error for MergeError {}

impl From<JournalError> for MergeError {
    fn from(error: JournalError) -> MergeError {
        MergeError::Journal(error)
    }
}

/// Merges all complete shards in these directories, and stores each pair in `journal` if there is
/// one.
///
/// Only the summary of a pair is kept in memory.
///
/// # Errors
/// If a file cannot be read, contains anything but pairs of the plan, or contradicts another.
pub fn merge(
    manifest: &Manifest,
    directories: &[PathBuf],
    mut journal: Option<&mut Journal>,
) -> Result<Merged, MergeError> {
    let is_shard = |name: &str| name.starts_with("shard-") && name.ends_with(".jsonl");
    let mut files = Vec::new();
    for directory in directories {
        files.extend(files_of(directory, is_shard)?);
    }
    let mut found: Vec<Option<Found>> = vec![None; manifest.seeds.len()];
    let (mut count, mut duplicates) = (Count::new(&manifest.plan), 0);
    let keeps = if journal.is_some() { Some } else { |_| None };
    read_in_order(&files, &manifest.plan, keeps, |file, Round { summary, content, pair }| {
        let index = summary.index;
        let place = &mut found[index as usize];
        match place {
            None => {
                *place = Some(Found { content, file });
                count.add(summary);
                journal
                    .as_deref_mut()
                    .zip(pair)
                    .map_or(Ok(()), |(kept, pair)| Ok(kept.copy(&pair)?))
            }
            Some(other) if other.content == content => {
                duplicates += 1;
                Ok(())
            }
            Some(other) => {
                let files = [files[other.file].clone(), files[file].clone()];
                Err(MergeError::Conflict { index, files })
            }
        }
    })?;
    if let Some(journal) = journal {
        journal.sync()?;
    }
    let is_missing =
        |shard: &u64| manifest.rounds(*shard).any(|index| found[index as usize].is_none());
    let missing_shards = (0..manifest.shards).filter(is_missing).collect();
    let is_decided = count.is_decided();
    Ok(Merged { standing: count.finish(), duplicates, missing_shards, is_decided })
}

/// A pair that was found: the hash of its games, and the index of its file.
#[derive(Debug, Clone, Copy)]
struct Found {
    content: u64,
    file: usize,
}

/// A round that a thread has read.
struct Round {
    summary: RoundSummary,
    content: u64,
    /// All of it, where it is to be kept.
    pair: Option<PairRecord>,
}

/// What a thread has read.
enum Read {
    Rounds(Vec<Round>),
    EndOfFile(Result<(), JournalError>),
}

/// Reads files of pairs on several cores and passes each round with the number of its file to `each`, in the order of the files.
fn read_in_order(
    files: &[PathBuf],
    plan: &Plan,
    keeps: fn(PairRecord) -> Option<PairRecord>,
    mut each: impl FnMut(usize, Round) -> Result<(), MergeError>,
) -> Result<(), MergeError> {
    /// More would only fill the memory.
    const MOST_THREADS: usize = 4;
    /// How many batches a thread may be ahead: together more rounds than most files hold.
    const AHEAD: usize = 16;
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(files.len()).min(MOST_THREADS);
    std::thread::scope(|scope| {
        let start = |first: usize| {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            scope.spawn(move || {
                for file in files.iter().skip(first).step_by(threads) {
                    if read_file(file, plan, keeps, &sender).is_err() {
                        return;
                    }
                }
            });
            receiver
        };
        let receivers: Vec<_> = (0..threads).map(start).collect();
        for number in 0..files.len() {
            // A thread that panicked sends no more; the scope passes the panic on.
            while let Ok(read) = receivers[number % threads].recv() {
                match read {
                    Read::Rounds(rounds) => {
                        rounds.into_iter().try_for_each(|round| each(number, round))?;
                    }
                    Read::EndOfFile(read) => {
                        read?;
                        break;
                    }
                }
            }
        }
        Ok(())
    })
}

/// Sends the rounds of a file in batches, and then its end; an error once the receiver is gone.
fn read_file(
    file: &Path,
    plan: &Plan,
    keeps: fn(PairRecord) -> Option<PairRecord>,
    sender: &mpsc::SyncSender<Read>,
) -> Result<(), mpsc::SendError<Read>> {
    const BATCH: usize = 128;
    let mut batch = Vec::new();
    let mut sent = Ok(());
    let read = read_pairs(file, plan, |pair| {
        let summary = RoundSummary::of(&pair);
        let content = summary.content();
        batch.push(Round { summary, content, pair: keeps(pair) });
        if batch.len() >= BATCH {
            let rounds = Read::Rounds(std::mem::take(&mut batch));
            sent = std::mem::replace(&mut sent, Ok(())).and_then(|()| sender.send(rounds));
        }
    });
    sent?;
    sender.send(Read::Rounds(batch))?;
    sender.send(Read::EndOfFile(read))
}
