//! `arena check`: replays golden vectors.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::vectors::check_file;

use crate::catalogue::Catalogue;

/// Number of failures that are explained.
const EXPLAINED: usize = 10;

/// Replays golden vectors (JSON Lines) against a game's rules
///
/// The stem of a file's name is the kind of its vectors, such as reversi_games. The last line is
/// `N passed, N failed`. The exit status is 1 if a case failed and 2 if a file cannot be read.
#[derive(Debug, clap::Args)]
pub(super) struct Check {
    /// Name of the game
    game: String,
    /// Files of golden vectors
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Check {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let game = catalogue.find_game(&self.game)?;
        let mut out = io::stdout().lock();
        let (mut passed, mut failed, mut explained, mut unread) = (0, 0, 0, false);
        for file in &self.files {
            match check_file(game, file, EXPLAINED - explained) {
                Ok(report) => {
                    passed += report.passed;
                    failed += report.failed;
                    explained += report.first_failures.len();
                    for failure in report.first_failures {
                        writeln!(out, "{failure}")?;
                    }
                }
                Err(error) => {
                    unread = true;
                    writeln!(io::stderr(), "error: {error}")?;
                }
            }
        }
        writeln!(out, "{passed} passed, {failed} failed")?;
        Ok(ExitCode::from(if unread { 2 } else { u8::from(failed > 0) }))
    }
}
