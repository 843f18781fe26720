//! `arena tournament`: many bots.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::contest::Form;
use crate::player::BotSpec;

use crate::catalogue::Catalogue;

use super::contest::{LineUp, Running, Terms, play_plan};

/// Plays many bots against each other and rates them
///
/// In each round every pairing plays one pair of games (same seed, seats swapped), all on the same
/// seed. In a game of one seat every bot plays every seed.
#[derive(Debug, clap::Args)]
pub(super) struct Tournament {
    /// Name of the game
    game: String,
    /// A bot; at least two
    #[arg(long = "bot", value_name = "BOT", required = true)]
    bots: Vec<BotSpec>,
    /// Form of the tournament: which bots play each other
    #[arg(long, default_value = "round-robin")]
    form: Form,
    /// Number of pairs of each pairing; number of seeds in games of one seat
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Store the results in this directory, and continue those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    running: Running,
}

impl Tournament {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let Tournament { game, form, bots, rounds, .. } = self;
        let plan = self.terms.plan(catalogue, LineUp { game, form, bots, rounds, sprt: None })?;
        let played = play_plan(catalogue, plan, self.out.as_deref(), &self.running)?;
        Ok(played.interrupted().unwrap_or(ExitCode::SUCCESS))
    }
}
