//! `arena match`: many pairs of games between two bots.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::catalogue::Catalogue;
use crate::contest::Form;
use crate::player::BotSpec;

use super::contest::{LineUp, Running, Terms, TestArguments, check_games, play_plan};

/// Maximum number of games of a sequential test.
const MOST_GAMES_OF_TEST: u64 = 100_000;

/// Plays many games between two bots and estimates the difference in strength
///
/// Games are played in pairs with the same seed and swapped seats; in a game of one seat both bots
/// play the same seeds. With --out every pair is stored when it ends, and the same command
/// continues an interrupted match.
///
/// The exit status is 0 if the match was played, 1 if it could not be, and 3 if --require-pass was
/// not met.
#[derive(Debug, clap::Args)]
pub(super) struct Match {
    /// Name of the game
    game: String,
    /// First bot; the results are from its view
    #[arg(long, value_name = "BOT")]
    a: BotSpec,
    /// Second bot
    #[arg(long, value_name = "BOT")]
    b: BotSpec,
    /// Number of games, two for each pair; the maximum with a test [default: 100, or 100,000 with a
    /// test]
    #[arg(long)]
    games: Option<u64>,
    /// Store the results in this directory, and continue those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    test: TestArguments,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    running: Running,
}

impl Match {
    pub(super) fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        let test = self.test.test();
        let default = if test.is_some() { MOST_GAMES_OF_TEST } else { 100 };
        let games = self.games.unwrap_or(default);
        check_games(games)?;
        let plan = self.terms.plan(
            catalogue,
            LineUp {
                game: self.game.clone(),
                form: Form::RoundRobin,
                bots: vec![self.a.clone(), self.b.clone()],
                rounds: games / 2,
                sprt: test,
            },
        )?;
        let played = play_plan(catalogue, plan, self.out.as_deref(), &self.running)?;
        Ok(played.interrupted().unwrap_or_else(|| self.test.exit_code(&played.standing)))
    }
}
