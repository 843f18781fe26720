//! A plan cut into shards that any number of machines play, once each, and put together again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::journal::{
    self, JournalError, error_at, read_pairs, read_whole_lines, sync_directory_of, write_whole,
};
use super::plan::as_json;
use super::{Host, Journal, PairRecord, Plan};

/// A plan for many machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What is to be played, with the content hash of every bot.
    pub plan: Plan,
    /// Number of shards.
    pub shards: u64,
    /// Seed of each round, in order: whoever plays compares them with their own.
    pub seeds: Vec<u64>,
}

/// Why a manifest cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestError {
    /// Nothing is to be played, or by no shard.
    Empty,
    /// The seeds are not those that this version makes from the plan.
    Seeds,
    /// There is no shard of this number.
    Index {
        /// The number.
        index: u64,
        /// Number of shards.
        shards: u64,
    },
    /// A bot here is not the bot of the plan.
    Bots(Vec<String>),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Empty => f.write_str("the manifest has nothing to play"),
            ManifestError::Seeds => f.write_str(
                "the manifest's seeds do not belong to its plan: another version wrote it",
            ),
            ManifestError::Index { index, shards } => {
                write!(f, "there is no shard {index}: there are {shards}, from 0")
            }
            ManifestError::Bots(differences) => {
                write!(f, "the bots of the manifest are not those of this machine:")?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
            }
        }
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// The plan in this many shards.
    #[must_use]
    pub fn new(plan: Plan, shards: u64) -> Manifest {
        let seeds = (0..plan.len()).map(|index| plan.round(index).seed).collect();
        Manifest { plan, shards, seeds }
    }

    /// Refuses a manifest that does not fit together.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self) -> Result<(), ManifestError> {
        if self.plan.is_empty() || self.shards == 0 {
            return Err(ManifestError::Empty);
        }
        let seeds_fit = self.seeds.len() as u64 == self.plan.len()
            && self.seeds.iter().zip(0..).all(|(seed, index)| self.plan.round(index).seed == *seed);
        if seeds_fit { Ok(()) } else { Err(ManifestError::Seeds) }
    }

    /// The rounds of a shard: every `shards`-th, so that all shards are as long.
    #[must_use]
    pub fn rounds(&self, shard: u64) -> Vec<u64> {
        (shard..self.plan.len())
            .step_by(usize::try_from(self.shards).unwrap_or(usize::MAX))
            .collect()
    }

    /// Writes the manifest, in full or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), JournalError> {
        write_whole(file, (as_json(self) + "\n").as_bytes()).map_err(error_at(file))
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no manifest.
    pub fn read(file: &Path) -> Result<Manifest, JournalError> {
        let bytes = std::fs::read(file).map_err(error_at(file))?;
        serde_json::from_slice(&bytes).map_err(|error| JournalError::Line {
            file: file.to_owned(),
            line: error.line(),
            reason: format!("not a manifest: {error}"),
        })
    }
}

/// One attempt at a shard: nobody else can attempt it meanwhile, and what earlier attempts finished is kept.
///
/// Pairs go to a file of the attempt's own, which takes the shard's name once all are there; a shard that bears its name
/// is whole.
#[derive(Debug)]
pub struct Attempt {
    /// Pairs that earlier attempts finished.
    pub pairs: Vec<PairRecord>,
    /// Where new ones go.
    pub journal: Journal,
    own_file: PathBuf,
    shard_file: PathBuf,
    earlier_files: Vec<PathBuf>,
    _lock: File,
}

/// What there is of a shard.
#[derive(Debug)]
pub enum Shard {
    /// It is whole: nothing is left to do.
    Whole,
    /// Somebody else is at it.
    Taken,
    /// It is ours to play.
    Open(Box<Attempt>),
}

impl Attempt {
    /// Begins an attempt at a shard.
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
        let (pairs, earlier_files) = earlier(directory, &name, manifest, shard)?;
        let moment = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        let attempt = format!("{name}.{}-{}-{moment}.tmp", Host::now().name, std::process::id());
        let own_file = directory.join(attempt);
        let (mut journal, _) = Journal::open_file(&own_file, &manifest.plan)?;
        pairs.iter().try_for_each(|pair| journal.append(pair))?;
        let attempt = Attempt { pairs, journal, own_file, shard_file, earlier_files, _lock: lock };
        Ok(Shard::Open(Box::new(attempt)))
    }

    /// Gives the file the shard's name, now that all pairs are in it, and removes those of earlier attempts.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn complete(self) -> Result<(), JournalError> {
        let renamed = std::fs::rename(&self.own_file, &self.shard_file);
        renamed
            .and_then(|()| sync_directory_of(&self.shard_file))
            .map_err(error_at(&self.shard_file))?;
        for file in &self.earlier_files {
            // It only takes up room.
            let _ = std::fs::remove_file(file);
        }
        Ok(())
    }
}

/// Whether the file is there and has every pair of the shard.
fn is_whole(file: &Path, manifest: &Manifest, shard: u64) -> Result<bool, JournalError> {
    if !file.exists() {
        return Ok(false);
    }
    let pairs = read_whole_lines(file, &manifest.plan)?;
    let there: BTreeSet<u64> = pairs.iter().map(|pair| pair.index).collect();
    Ok(manifest.rounds(shard).iter().all(|index| there.contains(index)))
}

fn shard_name(shard: u64) -> String {
    format!("shard-{shard:05}")
}

/// What earlier attempts finished of a shard, each pair once, and their files.
fn earlier(
    directory: &Path,
    name: &str,
    manifest: &Manifest,
    shard: u64,
) -> Result<(Vec<PairRecord>, Vec<PathBuf>), JournalError> {
    let mut pairs = BTreeMap::new();
    let files = files_of(directory, |file| {
        file.starts_with(&format!("{name}.")) && file.ends_with(".tmp")
    })?;
    // What bears the shard's name but is not whole was damaged later.
    let damaged = Some(directory.join(format!("{name}.jsonl"))).filter(|file| file.exists());
    for file in files.iter().chain(&damaged) {
        for pair in read_whole_lines(file, &manifest.plan)? {
            if pair.index % manifest.shards == shard {
                pairs.entry(pair.index).or_insert(pair);
            }
        }
    }
    Ok((pairs.into_values().collect(), files))
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

/// All shards put together.
#[derive(Debug)]
pub struct Merged {
    /// The pairs, in the order of the plan, each once.
    pub pairs: Vec<PairRecord>,
    /// Pairs that were there more than once, with the same games.
    pub duplicates: u64,
    /// Shards of which pairs are missing.
    pub missing_shards: Vec<u64>,
}

/// Why shards cannot be put together.
#[derive(Debug)]
pub enum MergeError {
    /// A file cannot be used.
    Journal(JournalError),
    /// A pair is there twice, with different games: one of the files is not what it seems.
    Conflict {
        /// The pair's place in the plan.
        index: u64,
        /// Where it is.
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
                    "pair {index} is not the same in {} and {}",
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

/// Puts together all whole shards in these directories.
///
/// # Errors
/// If a file cannot be read, holds anything but pairs of the plan, or contradicts another.
pub fn merge(manifest: &Manifest, directories: &[PathBuf]) -> Result<Merged, MergeError> {
    let mut found: BTreeMap<u64, (PairRecord, PathBuf)> = BTreeMap::new();
    let mut duplicates = 0;
    for directory in directories {
        let is_shard = |name: &str| name.starts_with("shard-") && name.ends_with(".jsonl");
        for file in files_of(directory, is_shard)? {
            for pair in read_pairs(&file, &manifest.plan)? {
                match found.get(&pair.index) {
                    None => drop(found.insert(pair.index, (pair, file.clone()))),
                    Some((other, _)) if has_same_games(other, &pair) => duplicates += 1,
                    Some((_, other)) => {
                        let files = [other.clone(), file];
                        return Err(MergeError::Conflict { index: pair.index, files });
                    }
                }
            }
        }
    }
    let is_missing =
        |shard: &u64| manifest.rounds(*shard).iter().any(|index| !found.contains_key(index));
    let missing_shards = (0..manifest.shards).filter(is_missing).collect();
    let pairs = found.into_values().map(|(pair, _)| pair).collect();
    Ok(Merged { pairs, duplicates, missing_shards })
}

/// Whether two records tell of the same games, whenever they were played.
fn has_same_games(one: &PairRecord, other: &PairRecord) -> bool {
    let games = |pair: &PairRecord| {
        let game = |game: &super::PlayedGame| {
            let points = game.record.seats.iter().map(|seat| seat.points).collect::<Vec<_>>();
            (game.record.start.clone(), game.record.actions.clone(), points)
        };
        pair.games.iter().map(game).collect::<Vec<_>>()
    };
    games(one) == games(other)
}
