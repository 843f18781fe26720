//! The interface of a bot: lines in, at most one line out for each.

use crate::host::{Host, ReadLine};
use alloc::string::String;
use mcts_core::{Budget, Clock};

/// The reaction of a bot to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// No answer is requested, or no legal answer exists.
    Nothing,
    /// Writes this line, given without its line feed.
    Line(String),
    /// Ends the program.
    Leave,
}

/// Called after each slice with its report (`None` before the first); returns the budget of the
/// next slice, or `None` to end.
pub type NextSlice<'a> = dyn FnMut(Option<&str>) -> Option<Budget> + 'a;

/// A bot in a game: reads the judge's lines one by one. Never fails and never panics, for any line.
pub trait Seat {
    /// Reads one line, with or without its line ending, and returns the answer; `clock` is the
    /// clock to plan by.
    fn receive(&mut self, line: &str, clock: &dyn Clock) -> Answer;

    /// Sets the position from the game's text form, see
    /// [`Client::set_position`](games::Client::set_position).
    ///
    /// # Errors
    /// The reason as text.
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        let _ = text;
        Err("the bot only follows a game from its start".into())
    }

    /// Takes a line like [`receive`](Seat::receive), but where it asks for an action the bot searches in slices and does
    /// not answer. False if it does not search; the line is then still to be received.
    fn analyse(&mut self, line: &str, clock: &dyn Clock, next: &mut NextSlice<'_>) -> bool {
        let _ = (line, clock, next);
        false
    }

    /// The report of the search behind the last answer, as `key=value` words (`value=` from the
    /// view of this bot, in [-1, 1]); `None` for bots that do not search.
    fn report(&self) -> Option<String> {
        None
    }
}

/// Serves a seat until the judge ends the game or closes the stream.
pub fn serve(seat: &mut dyn Seat, host: &mut impl Host) {
    let mut line = String::new();
    loop {
        match host.read_line(&mut line) {
            ReadLine::End => return,
            ReadLine::Line => {}
        }
        match seat.receive(&line, host) {
            Answer::Nothing => {}
            Answer::Line(answer) => {
                if !host.write_line(&answer) {
                    return;
                }
                if let Some(report) = seat.report() {
                    host.tell(&report);
                }
            }
            Answer::Leave => return,
        }
    }
}
