//! `arena merge`: combines shards.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::contest::{Journal, merge};
use anyhow::ensure;

use crate::catalogue::Catalogue;

use super::contest::show;
use super::shard::read_manifest;

/// Combines the shards of a manifest and prints the result that one machine would have
#[derive(Debug, clap::Args)]
pub(super) struct Merge {
    /// Manifest of the match
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Directories with shards
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Store all pairs in this directory, in the format of `arena match --out`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result even if shards are missing
    #[arg(long)]
    partial: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let manifest = read_manifest(catalogue, &self.plan)?;
        let mut plan = manifest.plan.clone();
        let mut journal = match &self.out {
            Some(directory) => {
                let mut there = 0u64;
                let journal = Journal::open(directory, &mut plan, |_| there += 1)?;
                ensure!(
                    there == 0,
                    "{} already has pairs; expected a new directory",
                    directory.display()
                );
                Some(journal)
            }
            None => None,
        };
        let merged = merge(&manifest, &self.directories, journal.as_mut())?;
        if merged.duplicates > 0 {
            writeln!(io::stderr(), "{} pairs were found more than once", merged.duplicates)?;
        }
        let missing = list(&merged.missing_shards);
        let is_enough = missing.is_empty() || merged.is_decided || self.partial;
        ensure!(
            is_enough,
            "shards are missing or incomplete: {missing}; play them, or use --partial"
        );
        show(&manifest.plan, &merged.standing, self.json)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The first numbers of a list, and the number of the others.
fn list(numbers: &[u64]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(u64::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}
