//! `arena perft`: counts sequences of actions and measures the speed of the rules.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::catalogue::Catalogue;

/// Counts the sequences of actions of each length, and prints the speed
#[derive(Debug, clap::Args)]
pub(super) struct Perft {
    /// Name of the game
    game: String,
    /// Position in the game's text form [default: the start]
    #[arg(long, value_name = "TEXT")]
    from: Option<String>,
    /// Maximum length of the sequences
    #[arg(long)]
    depth: u32,
}

impl Perft {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let game = catalogue.find_game(&self.game)?;
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{:>5} {:>20} {:>10} {:>14}",
            "depth", "sequences", "seconds", "sequences/s"
        )?;
        for depth in 1..=self.depth {
            let start = Instant::now();
            let count = (game.perft)(self.from.as_deref(), depth)?;
            let seconds = start.elapsed().as_secs_f64();
            let rate = count as f64 / seconds.max(1e-9);
            writeln!(out, "{depth:>5} {count:>20} {seconds:>10.3} {rate:>14.0}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
