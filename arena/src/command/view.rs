//! `arena view`: a recorded game as a page for the browser.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use crate::catalogue::Catalogue;
use crate::page::{GamePage, game_page};

use super::replay::read_record;

/// Writes a recorded game as one HTML page: boards, actions with time and value, candidates,
/// clocks, messages
///
/// The page opens in any browser from the disk and loads nothing else, so it can be sent to a team
/// mate. Arrow keys step through the game, `d` goes to the largest drop of a bot's value.
#[derive(Debug, clap::Args)]
pub(super) struct View {
    /// A record of `arena play --json`, or the --out directory of a match
    file: PathBuf,
    /// Number of the pair in the match, as in the results
    #[arg(long)]
    pair: Option<u64>,
    /// Game of the pair; in the second one the seats are swapped
    #[arg(long, default_value_t = 1, requires = "pair")]
    game: usize,
    /// The page to write
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

impl View {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let name = self.file.display();
        ensure!(
            self.pair.is_some() || !self.file.is_dir(),
            "{name} is a directory: choose a pair of the match with --pair; `arena replay {name}` lists them"
        );
        let record = read_record(&self.file, self.pair.map(|pair| (pair, self.game)))?;
        let page = GamePage::new(catalogue, &record).with_context(|| name.to_string())?;
        std::fs::write(&self.html, game_page(&page))
            .with_context(|| format!("cannot write {}", self.html.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
