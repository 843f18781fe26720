//! `arena shard`: plays one machine's part of a plan.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contest::{Attempt, Count, Manifest, ManifestError, PlannedBot, Shard as State};
use anyhow::{Context, bail};

use crate::catalogue::Catalogue;

use super::contest::{INTERRUPTED, Running, Session, own_program, stop_on_signals};

/// Plays one shard of a manifest
///
/// Can be started any number of times: a complete shard is left unchanged, and finished games of an
/// interrupted attempt are kept. The exit status is 0 once the shard is complete, even if bots lost
/// by faults, and another if this machine failed.
#[derive(Debug, clap::Args)]
pub(super) struct Shard {
    /// The manifest
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Number of the shard, from 0
    #[arg(long)]
    index: u64,
    /// Directory of the shards
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    running: Running,
}

impl Shard {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let manifest = read_manifest(catalogue, &self.plan)?;
        check_bots(&manifest)?;
        let stop = stop_on_signals()?;
        let shards = Shards {
            catalogue,
            manifest: &manifest,
            out: &self.out,
            stop: &stop,
            running: &self.running,
        };
        shards.play(self.index)?;
        Ok(ExitCode::from(if stop.load(Ordering::Relaxed) { INTERRUPTED } else { 0 }))
    }
}

/// The shards of a manifest, with the settings for playing them.
pub(super) struct Shards<'a> {
    pub catalogue: &'a Catalogue,
    pub manifest: &'a Manifest,
    pub out: &'a std::path::Path,
    pub stop: &'a AtomicBool,
    pub running: &'a Running,
}

impl Shards<'_> {
    /// Plays a shard until it is complete or stopped; does nothing if it is already complete.
    pub(super) fn play(&self, index: u64) -> anyhow::Result<()> {
        let Shards { catalogue, manifest, out, stop, running } = *self;
        if index >= manifest.shards {
            return Err(ManifestError::Index { index, shards: manifest.shards }.into());
        }
        let mut attempt = match Attempt::begin(out, manifest, index)? {
            State::Whole => {
                writeln!(io::stderr(), "shard {index} is whole")?;
                return Ok(());
            }
            State::Taken => bail!("another process is playing shard {index}"),
            State::Open(attempt) => attempt,
        };
        let rounds = manifest.rounds(index);
        let total = rounds.end - rounds.start;
        let played = std::mem::take(&mut attempt.played);
        let before = played.len() as u64;
        let plan = &manifest.plan;
        let count = Count::of_shard(plan, rounds.start);
        let journal = Some(&mut attempt.journal);
        let mut session = Session { catalogue, plan, journal, played, count, messages_bytes: 0 };
        session.play(rounds, stop, running)?;
        if before + session.count.received() == total {
            attempt.complete()?;
        }
        Ok(())
    }
}

/// Reads a manifest and checks that its parts are consistent.
pub(super) fn read_manifest(
    catalogue: &Catalogue,
    file: &std::path::Path,
) -> anyhow::Result<Manifest> {
    let manifest = Manifest::read(file)?;
    manifest.check(catalogue).with_context(|| file.display().to_string())?;
    Ok(manifest)
}

/// Rejects bots that differ from those of the plan.
pub(super) fn check_bots(manifest: &Manifest) -> anyhow::Result<()> {
    let arena = own_program()?;
    let mut differences = Vec::new();
    for bot in &manifest.plan.bots {
        let here = PlannedBot::new(&bot.bot.parse()?, &arena)?;
        if here.content != bot.content {
            differences.push(format!("{}: {} there, {} here", bot.bot, bot.content, here.content));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(ManifestError::Bots(differences).into()) }
}
