//! Runs a bot as a program: standard input and output, arguments, logging.

use crate::host::{Host, ReadLine};
use crate::registry::{self, BotEntry};
use crate::seat;
use mcts_core::{Clock, SystemClock};
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::string::String;
use std::vec::Vec;

/// If set, the bot writes a line `report answer=N key=value ...` to standard error after each
/// answer that it searched for; N is the number of lines written to standard output so far.
pub const REPORT_VARIABLE: &str = "BOT_REPORT";

/// The log level of standard error, such as `debug`; nothing is logged if it is not set.
pub const LOG_VARIABLE: &str = "BOT_LOG";

/// Longest line that is read; the rest of a longer line is dropped.
const LONGEST_LINE_BYTES: usize = 1 << 16;

/// Standard input and output and the clocks of the operating system.
#[derive(Debug)]
pub struct StdHost {
    input: std::io::StdinLock<'static>,
    bytes: Vec<u8>,
    reports: bool,
    lines_written: u64,
}

impl StdHost {
    /// Locks standard input.
    #[must_use]
    pub fn new() -> Self {
        StdHost {
            input: std::io::stdin().lock(),
            bytes: Vec::new(),
            reports: std::env::var_os(REPORT_VARIABLE).is_some(),
            lines_written: 0,
        }
    }
}

impl Default for StdHost {
    fn default() -> Self {
        StdHost::new()
    }
}

impl Clock for StdHost {
    fn monotonic_nanos(&self) -> u64 {
        SystemClock.monotonic_nanos()
    }

    fn cpu_nanos(&self) -> Option<u64> {
        SystemClock.cpu_nanos()
    }
}

impl Host for StdHost {
    fn read_line(&mut self, line: &mut String) -> ReadLine {
        self.bytes.clear();
        let mut read_any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) | Err(_) => break,
                Ok(chunk) => chunk,
            };
            read_any = true;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(chunk.len(), |at| at + 1);
            let room = LONGEST_LINE_BYTES.saturating_sub(self.bytes.len());
            self.bytes.extend_from_slice(&chunk[..taken.min(room)]);
            self.input.consume(taken);
            if end.is_some() {
                break;
            }
        }
        line.clear();
        line.push_str(&String::from_utf8_lossy(&self.bytes));
        if read_any { ReadLine::Line } else { ReadLine::End }
    }

    fn write_line(&mut self, line: &str) -> bool {
        self.lines_written += 1;
        let mut output = std::io::stdout().lock();
        output
            .write_all(line.as_bytes())
            .and_then(|()| output.write_all(b"\n"))
            .and_then(|()| output.flush())
            .is_ok()
    }

    fn tell(&mut self, report: &str) {
        if self.reports {
            // standard error may have no reader; the game continues anyway
            let answer = self.lines_written;
            let _ = writeln!(std::io::stderr().lock(), "report answer={answer} {report}");
        }
    }
}

/// Plays `game` on standard input and output as the bot of `bots` that `specification` names
/// (`mcts`, or `mcts:exploration=0.5,seed=7`), until the judge closes them. Exit code 0, or 2 if
/// there is no such bot.
#[must_use]
pub fn run(bots: &[&[BotEntry]], game: &str, specification: &str) -> ExitCode {
    log_to_stderr();
    match registry::build_from(bots, game, specification) {
        Ok(mut bot) => {
            seat::serve(&mut *bot, &mut StdHost::new());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "{error}");
            ExitCode::from(2)
        }
    }
}

/// The main function of a bot's binary: plays `game` as `bot` of this crate, with `--name value`
/// arguments as its parameters.
#[must_use]
pub fn main(game: &str, bot: &str) -> ExitCode {
    main_of(registry::BOTS, game, bot)
}

/// As [`main`], for a bot of another crate.
#[must_use]
pub fn main_of(bots: &[&[BotEntry]], game: &str, bot: &str) -> ExitCode {
    let mut specification = String::from(bot);
    let mut separator = ':';
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let Some(value) = arguments.next() else {
            let _ = writeln!(std::io::stderr().lock(), "{name}: expected a value after it");
            return ExitCode::from(2);
        };
        specification.push(separator);
        specification.push_str(name.trim_start_matches('-'));
        specification.push('=');
        specification.push_str(&value);
        separator = ',';
    }
    run(bots, game, &specification)
}

fn log_to_stderr() {
    if let Ok(filter) = std::env::var(LOG_VARIABLE) {
        // a second subscriber in the same process keeps the first
        let _ = tracing_subscriber::fmt()
            .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
            .with_writer(std::io::stderr)
            .with_ansi(false)
            .try_init();
    }
}
