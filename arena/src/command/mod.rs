//! The command line: one file for each subcommand.

mod analyse;
mod bot;
mod check;
mod contest;
mod doctor;
mod list;
mod match_;
mod merge;
mod new;
mod options;
mod pack;
mod perft;
mod plan;
mod play;
mod progress;
mod replay;
mod shard;
mod submit;
mod tournament;
mod tune;
mod view;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::catalogue::Catalogue;
use crate::process;

/// Referee, matches and tuning for contest bots.
///
/// Logs go to standard error at the level of ARENA_LOG (for example `debug`; off by default).
#[derive(Debug, Parser)]
#[command(name = "arena", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Play(play::Play),
    Replay(replay::ReplayCommand),
    View(view::View),
    Analyse(analyse::Analyse),
    Match(match_::Match),
    Tournament(tournament::Tournament),
    Plan(plan::Plan),
    Shard(shard::Shard),
    Merge(merge::Merge),
    Submit(submit::Submit),
    Tune(tune::Tune),
    New(new::New),
    Pack(pack::Pack),
    Doctor(doctor::Doctor),
    Check(check::Check),
    Perft(perft::Perft),
    Bot(bot::Bot),
}

/// Runs the command line of this process with these games and bots: the main function of a binary.
#[must_use]
pub fn main(catalogue: &Catalogue) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == process::SUPERVISE) {
        return process::supervise();
    }
    process::use_own_image();
    let code = run(catalogue);
    process::end_supervisors();
    code
}

fn run(catalogue: &Catalogue) -> ExitCode {
    let arguments = options::fold_game_options(&Cli::command(), std::env::args_os());
    let parsed = Cli::command().try_get_matches_from(arguments);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    if let Command::Bot(bot) = cli.command {
        return bot.run(catalogue);
    }
    start_logging();
    match cli.command.run(catalogue) {
        Ok(code) => code,
        // The reader closed the pipe, as `| head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let of_json =
            cause.downcast_ref::<serde_json::Error>().and_then(|error| error.io_error_kind());
        of_io.or(of_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Checks whether these words, starting with the program's name, are a valid command line.
///
/// # Errors
/// The error of the command line.
pub fn check_words(words: &[String]) -> Result<(), clap::Error> {
    let words = words.iter().map(std::ffi::OsString::from);
    let folded = options::fold_game_options(&Cli::command(), words);
    let parsed = Cli::command().try_get_matches_from(folded)?;
    Cli::from_arg_matches(&parsed).map(drop)
}

impl Command {
    fn run(self, catalogue: &Catalogue) -> anyhow::Result<ExitCode> {
        match self {
            Command::List(list) => list.run(catalogue),
            Command::Play(play) => play.run(catalogue),
            Command::Replay(replay) => replay.run(catalogue),
            Command::View(view) => view.run(catalogue),
            Command::Analyse(analyse) => analyse.run(catalogue),
            Command::Match(match_) => match_.run(catalogue),
            Command::Tournament(tournament) => tournament.run(catalogue),
            Command::Plan(plan) => plan.run(catalogue),
            Command::Shard(shard) => shard.run(catalogue),
            Command::Merge(merge) => merge.run(catalogue),
            Command::Submit(submit) => submit.run(catalogue),
            Command::Tune(tune) => tune.run(catalogue),
            Command::New(new) => new.run(),
            Command::Pack(pack) => pack.run(catalogue),
            Command::Doctor(doctor) => doctor.run(),
            Command::Check(check) => check.run(catalogue),
            Command::Perft(perft) => perft.run(catalogue),
            Command::Bot(bot) => Ok(bot.run(catalogue)),
        }
    }
}

fn start_logging() {
    let filter = EnvFilter::try_from_env("ARENA_LOG").unwrap_or_else(|_| EnvFilter::new("off"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
}
