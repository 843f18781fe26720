//! The command line: one file a subcommand.

mod bot;
mod check;
mod contest;
mod match_;
mod merge;
mod options;
mod perft;
mod plan;
mod play;
mod progress;
mod shard;
mod submit;
mod tournament;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

/// Judge, matches and tuning for contest bots.
///
/// Logs go to standard error at the level that ARENA_LOG names (for example `debug`; off by default).
#[derive(Debug, Parser)]
#[command(name = "arena", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Play),
    Match(match_::Match),
    Tournament(tournament::Tournament),
    Plan(plan::Plan),
    Shard(shard::Shard),
    Merge(merge::Merge),
    Submit(submit::Submit),
    Check(check::Check),
    Perft(perft::Perft),
    Bot(bot::Bot),
}

/// Runs the command line of this process.
pub(crate) fn run() -> ExitCode {
    let arguments = options::fold_game_options(&Cli::command(), std::env::args_os());
    let parsed = Cli::command().try_get_matches_from(arguments);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    if let Command::Bot(bot) = cli.command {
        return bot.run();
    }
    start_logging();
    match cli.command.run() {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Play(play) => play.run(),
            Command::Match(match_) => match_.run(),
            Command::Tournament(tournament) => tournament.run(),
            Command::Plan(plan) => plan.run(),
            Command::Shard(shard) => shard.run(),
            Command::Merge(merge) => merge.run(),
            Command::Submit(submit) => submit.run(),
            Command::Check(check) => check.run(),
            Command::Perft(perft) => perft.run(),
            Command::Bot(bot) => Ok(bot.run()),
        }
    }
}

fn start_logging() {
    let filter = EnvFilter::try_from_env("ARENA_LOG").unwrap_or_else(|_| EnvFilter::new("off"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
}

/// The game of this name, or an error that lists all.
fn find_game(name: &str) -> anyhow::Result<&'static games::Entry> {
    let known = || games::GAMES.iter().map(|game| game.name).collect::<Vec<_>>().join(", ");
    games::find(name).with_context(|| format!("there is no game {name:?}; there are: {}", known()))
}
