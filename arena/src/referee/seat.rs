//! One bot of a game.

use std::time::{Duration, Instant};

use crate::clock::SeatClock;
use crate::process::{BotProcess, Exit};
use crate::verdict::Offence;

/// Time limit for a bot that has closed its output to exit, before that counts as closing its
/// output.
const CLOSING: Duration = Duration::from_millis(100);

/// Time limit for the supervisor to report the end of a bot.
const REPORTING: Duration = Duration::from_secs(5);

/// A bot with its clock and its faults.
#[derive(Debug)]
pub(super) struct Seat {
    pub process: BotProcess,
    pub clock: SeatClock,
    /// Whether it has answered a request for an action.
    pub has_acted: bool,
    /// Last line of the last request.
    pub asked: Option<String>,
    pub warnings: Vec<String>,
    /// Whether it was last placed on the core for the bot to move; `None` before.
    pub thinks_apart: Option<bool>,
    silent_since: Option<Instant>,
}

impl Seat {
    pub(super) fn new(process: BotProcess, clock: SeatClock) -> Seat {
        let warnings = Vec::new();
        Seat {
            process,
            clock,
            has_acted: false,
            asked: None,
            warnings,
            thinks_apart: None,
            silent_since: None,
        }
    }

    /// Adds a warning; each kind once.
    pub(super) fn warn(&mut self, what: &str) {
        if !self.warnings.iter().any(|warning| warning == what) {
            self.warnings.push(what.to_owned());
        }
    }

    /// The offence of output without a request, if there is any.
    pub(super) fn unasked(&self) -> Option<Offence> {
        let offence = if self.has_acted { Offence::AnsweredTwice } else { Offence::EarlyAnswer };
        (!self.process.untaken().is_empty()).then_some(offence)
    }

    /// Whether it can no longer answer, once that is certain. An incomplete line makes it a line
    /// without a line feed, except after a crash.
    pub(super) fn gone(&mut self) -> Option<Offence> {
        let half_line = !self.process.untaken().is_empty();
        match self.process.exit() {
            Some(Exit::Code(0)) if half_line => Some(Offence::NoNewline),
            Some(exit) => Some(Offence::Crash { exit }),
            None if self.process.output_is_closed() => {
                let since = *self.silent_since.get_or_insert_with(Instant::now);
                let offence = if half_line { Offence::NoNewline } else { Offence::ClosedOutput };
                let closing = if self.process.has_vanished() { REPORTING } else { CLOSING };
                (since.elapsed() >= closing).then_some(offence)
            }
            None => None,
        }
    }
}
