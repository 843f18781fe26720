//! Packs a bot as one file to submit: builds it for WebAssembly, translates it to source, and
//! compares it with the native bot.
//!
//! [`build`] makes the module and the native program with cargo, [`source`] the file, [`compile`]
//! programs from the file, and [`transcript`] runs them. The translator is a separate program,
//! built at its first use, so that the arena does not depend on it.

pub mod build;
pub mod compile;
pub mod source;
pub mod transcript;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::record::GameRecord;

/// The bot to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name of the game.
    pub game: String,
    /// Name of the bot.
    pub bot: String,
    /// Its parameters, `name=value,...`.
    pub parameters: String,
}

impl Target {
    /// The bot `specification` (`NAME` or `NAME:KEY=VALUE,...`) of a game.
    #[must_use]
    pub fn new(game: &str, specification: &str) -> Target {
        let (bot, parameters) = specification.split_once(':').unwrap_or((specification, ""));
        Target { game: game.to_owned(), bot: bot.to_owned(), parameters: parameters.to_owned() }
    }

    /// The specification, with further parameters after its own.
    #[must_use]
    pub fn with(&self, further: &str) -> String {
        let all: Vec<&str> =
            [&self.parameters, further].into_iter().filter(|part| !part.is_empty()).collect();
        if all.is_empty() { self.bot.clone() } else { format!("{}:{}", self.bot, all.join(",")) }
    }
}

/// Why a bot cannot be packed.
#[derive(Debug)]
pub enum PackError {
    /// A tool is missing.
    Missing {
        /// The tool and its purpose.
        what: String,
        /// The command that installs it.
        install: String,
    },
    /// A program failed.
    Failed {
        /// Its task.
        what: String,
        /// The first lines of its output, or why it did not start.
        said: String,
    },
    /// A file cannot be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bot cannot be compared: it has no budget of playouts, or it loses by a fault.
    NotComparable(String),
    /// A program wrote other lines than the native bot.
    Differs {
        /// The program.
        program: String,
        /// The first difference.
        how: String,
    },
    /// A program lost by a fault.
    Fault(Box<GameRecord>),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::Missing { what, install } => {
                write!(f, "{what} is missing; install it with\n  {install}")
            }
            PackError::Failed { what, said } => write!(f, "cannot {what}:\n{said}"),
            PackError::File { file, source } => write!(f, "{}: {source}", file.display()),
            PackError::NotComparable(why) => f.write_str(why),
            PackError::Differs { program, how } => {
                write!(f, "{program} differs from the native bot: {how}")
            }
            PackError::Fault(record) => match &record.verdict {
                Some(verdict) => write!(f, "a fault on real clocks: {verdict}"),
                None => f.write_str("a fault on real clocks"),
            },
        }
    }
}

impl std::error::Error for PackError {}

impl PackError {
    fn file(file: &Path) -> impl FnOnce(io::Error) -> PackError {
        let file = file.to_owned();
        move |source| PackError::File { file, source }
    }
}

/// Number of lines of a failed program's output in an error.
const SHOWN_LINES: usize = 20;

/// Runs a program to its end and returns its standard output. Standard error is shown to the user
/// if `is_shown`, and is part of the error otherwise.
///
/// # Errors
/// If it cannot be started or fails.
fn run(command: &mut Command, what: &str, is_shown: bool) -> Result<String, PackError> {
    let failed = |said: String| PackError::Failed { what: what.to_owned(), said };
    if is_shown {
        command.stderr(std::process::Stdio::inherit());
    }
    let output = command.output().map_err(|error| {
        failed(format!("`{}`: {error}", command.get_program().to_string_lossy()))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut said: Vec<&str> = said.lines().take(SHOWN_LINES).collect();
    let shown = format!("`{}` failed, see above", command.get_program().to_string_lossy());
    if is_shown {
        said.push(&shown);
    }
    Err(failed(said.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_parameters_follow_those_of_the_specification() {
        let plain = Target::new("reversi", "mcts");
        assert_eq!((plain.with("").as_str(), plain.with("a=1").as_str()), ("mcts", "mcts:a=1"));
        let tuned = Target::new("reversi", "mcts:weight=0.3");
        assert_eq!(tuned.with(""), "mcts:weight=0.3");
        assert_eq!(tuned.with("seed=7"), "mcts:weight=0.3,seed=7");
    }
}
