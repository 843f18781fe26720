//! What a bot is: lines in, at most one line out for each.

use crate::host::{Host, ReadLine};
use alloc::string::String;
use mcts_core::{Budget, Clock};

/// What a bot does about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing is asked, or nothing sensible can be said.
    Nothing,
    /// Writes this line, given without its line feed.
    Line(String),
    /// Leaves the table.
    Leave,
}

/// Says how much more to search, after a slice that found this (`None` before the first); `None` ends it.
pub type NextSlice<'a> = dyn FnMut(Option<&str>) -> Option<Budget> + 'a;

/// A bot at the table: takes the judge's lines one by one. Never fails and never panics, whatever the line.
pub trait Seat {
    /// Takes one line, with or without its line ending, and answers it; `clock` is the one to plan by.
    fn receive(&mut self, line: &str, clock: &dyn Clock) -> Answer;

    /// Goes to a position in the game's text form, see [`Client::set_position`](games::Client::set_position).
    ///
    /// # Errors
    /// Why it cannot, in words.
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

    /// What the search behind the last answer found, as `key=value` words (`value=` from the view of this bot,
    /// in [-1, 1]); `None` for bots that do not search.
    fn report(&self) -> Option<String> {
        None
    }
}

/// Serves a seat until the judge ends the game or closes its end.
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
