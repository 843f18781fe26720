//! `arena match`: two bots, many pairs of games.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::catalogue::Catalogue;
use crate::contest::Form;
use crate::player::BotSpec;

use super::contest::{LineUp, Running, Terms, TestArguments, check_games, play_plan};

/// Most games of a sequential test that nothing else ends.
const MOST_GAMES_OF_TEST: u64 = 100_000;

/// Plays many games between two bots and tells how much better one is
///
/// Games come in pairs with the same seed and the seats swapped; a game of one seat is played by both on the same seeds.
/// With --out every pair is kept as it is played, and the same command goes on where it stopped.
///
/// The exit status is 0 if it was played, 1 if it could not be, and 3 if --require-pass was not met.
#[derive(Debug, clap::Args)]
pub(super) struct Match {
    /// Name of the game
    game: String,
    /// The bot whose view the results take
    #[arg(long, value_name = "BOT")]
    a: BotSpec,
    /// The other bot
    #[arg(long, value_name = "BOT")]
    b: BotSpec,
    /// Games in all, two a pair; with a test the most [default: 100, or 100,000 with a test]
    #[arg(long)]
    games: Option<u64>,
    /// Keep the results in this directory, and go on with those that are there
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
