//! `arena bot`: runs a built-in bot on standard input and output.

use std::process::ExitCode;

use crate::catalogue::Catalogue;

/// Runs a built-in bot on standard input and output, as the arena starts it
///
/// The bot logs to standard error at the level of BOT_LOG, and reports its searches there if
/// BOT_REPORT is set.
#[derive(Debug, clap::Args)]
pub(super) struct Bot {
    /// Name of the game
    game: String,
    /// Bot: NAME or NAME:KEY=VALUE,...
    bot: String,
}

impl Bot {
    pub(super) fn run(&self, catalogue: &Catalogue) -> ExitCode {
        bots::stdio::run(catalogue.bots, &self.game, &self.bot)
    }
}
