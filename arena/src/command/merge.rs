//! `arena merge`: shards put together.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::contest::{Journal, merge};
use anyhow::ensure;

use super::contest::{counted, show};
use super::shard::read_manifest;

/// Puts the shards of a manifest together and shows what one machine would have shown
#[derive(Debug, clap::Args)]
pub(super) struct Merge {
    /// The manifest
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Directories with shards
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Keep all pairs in this directory, as `arena match --out` does
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show what is there even if shards are missing
    #[arg(long)]
    partial: bool,
    /// Show the state as JSON
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let manifest = read_manifest(&self.plan)?;
        let mut merged = merge(&manifest, &self.directories)?;
        if merged.duplicates > 0 {
            writeln!(io::stderr(), "{} pairs were there more than once", merged.duplicates)?;
        }
        let missing =
            merged.missing_shards.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        ensure!(missing.is_empty() || self.partial, "shards are missing or not whole: {missing}");
        if let Some(directory) = &self.out {
            let (mut journal, there) = Journal::open(directory, &manifest.plan)?;
            ensure!(there.is_empty(), "{} holds pairs already", directory.display());
            merged.pairs.iter().try_for_each(|pair| journal.append(pair))?;
        }
        let standing = counted(&manifest.plan, &mut merged.pairs);
        show(&manifest.plan, &standing, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}
