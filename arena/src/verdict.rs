//! Why a bot lost other than by the rules of the game, with the evidence.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::process::{Exit, MOST_TASKS};

/// The fault of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Offence {
    /// An action that is not legal in the position.
    IllegalAction,
    /// A line that is not an answer of the protocol.
    MalformedAnswer,
    /// More wall time than was left on its clock.
    WallTimeout {
        /// Microseconds from the end of its clock to its answer; `None` if the referee no longer
        /// waited for one.
        late_by_us: Option<u64>,
        /// Whether it was stopped by a signal.
        stopped: bool,
    },
    /// More processor time than was left on its clock.
    CpuTimeout,
    /// More memory than the limit.
    OutOfMemory {
        /// Memory of all its processes, in bytes.
        used_bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// More processes and threads at a time than [`MOST_TASKS`].
    TooManyProcesses,
    /// No answer to a request; only for bots that play without a clock.
    NoAnswer,
    /// The game took longer than its clocks allow; no bot is at fault, and the game does not count.
    EndlessGame {
        /// The limit in microseconds.
        limit_us: u64,
    },
    /// It ended before the game did.
    Crash {
        /// How it ended.
        exit: Exit,
    },
    /// It wrote a line before it was asked for one.
    EarlyAnswer,
    /// It wrote more lines after its answer.
    AnsweredTwice,
    /// It closed its output but is still running.
    ClosedOutput,
    /// Its answer had no line feed: it ended, closed its output or ran out of time within a line.
    NoNewline,
    /// A line longer than any valid answer.
    LineTooLong,
}

impl Offence {
    /// The kind in one word, as in records and tables.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Offence::IllegalAction => "illegal_action",
            Offence::MalformedAnswer => "malformed_answer",
            Offence::WallTimeout { .. } => "wall_timeout",
            Offence::CpuTimeout => "cpu_timeout",
            Offence::OutOfMemory { .. } => "out_of_memory",
            Offence::TooManyProcesses => "too_many_processes",
            Offence::NoAnswer => "no_answer",
            Offence::EndlessGame { .. } => "endless_game",
            Offence::Crash { .. } => "crash",
            Offence::EarlyAnswer => "early_answer",
            Offence::AnsweredTwice => "answered_twice",
            Offence::ClosedOutput => "closed_output",
            Offence::NoNewline => "no_newline",
            Offence::LineTooLong => "line_too_long",
        }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offence::IllegalAction => f.write_str("illegal action"),
            Offence::MalformedAnswer => f.write_str("malformed answer"),
            Offence::WallTimeout { stopped: true, .. } => {
                f.write_str("out of wall time, while stopped by a signal")
            }
            Offence::WallTimeout { late_by_us: Some(late), .. } => {
                write!(f, "out of wall time, answered {:.1} ms late", *late as f64 / 1e3)
            }
            Offence::WallTimeout { .. } => f.write_str("out of wall time"),
            Offence::CpuTimeout => f.write_str("out of CPU time"),
            Offence::OutOfMemory { used_bytes, limit_bytes } => {
                write!(f, "out of memory: {} of {} MiB", used_bytes >> 20, limit_bytes >> 20)
            }
            Offence::TooManyProcesses => {
                write!(f, "more than {MOST_TASKS} processes and threads at a time")
            }
            Offence::EndlessGame { limit_us } => {
                write!(f, "the game took longer than {} s", limit_us / 1_000_000)
            }
            Offence::NoAnswer => f.write_str("gave no answer"),
            Offence::Crash { exit: Exit::Code(code) } => write!(f, "ended with exit code {code}"),
            Offence::Crash { exit: Exit::Signal(signal) } => {
                write!(f, "ended by signal {signal}")?;
                signal_name(*signal).map_or(Ok(()), |name| write!(f, " ({name})"))
            }
            Offence::EarlyAnswer => f.write_str("wrote before it was asked"),
            Offence::AnsweredTwice => f.write_str("wrote again after its answer"),
            Offence::ClosedOutput => f.write_str("closed its output"),
            Offence::NoNewline => f.write_str("answered without a line feed"),
            Offence::LineTooLong => f.write_str("wrote a line that is too long"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let named = Signal::from_named_raw(signal)?;
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::ILL, "SIGILL"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
    ];
    names.iter().find(|(known, _)| *known == named).map(|(_, name)| *name)
}

/// The verdict on a lost game, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The seat at fault, from 0.
    pub seat: usize,
    /// Its fault.
    pub offence: Offence,
    /// What was expected and what was read, if the protocol states it.
    pub explanation: Option<String>,
    /// The bytes that it wrote, escaped and shortened.
    pub bytes: Option<String>,
    /// The last line of the request.
    pub asked: Option<String>,
    /// The position at the time of the fault.
    pub position: String,
    /// The last lines of its standard error.
    pub last_errors: Vec<String>,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.offence)?;
        if let Some(explanation) = &self.explanation {
            write!(f, ": {explanation}")?;
        }
        if let Some(bytes) = &self.bytes {
            write!(f, "; it wrote \"{bytes}\"")?;
        }
        if let Some(asked) = &self.asked {
            write!(f, "; asked \"{asked}\"")?;
        }
        Ok(())
    }
}
