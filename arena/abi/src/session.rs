//! A bot between two calls: input buffer, answer and report. Independent of WebAssembly.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use bots::{Answer, BotEntry, ParameterError, Parameters, Seat};
use mcts_core::Clock;

/// The length that stands for no answer.
pub const NOTHING: i32 = -1;

/// The length that stands for the end of the program.
pub const LEAVE: i32 = -2;

/// Longest line that is read; the rest of a longer one is dropped, as by [`bots::stdio`].
const LONGEST_LINE_BYTES: usize = 1 << 16;

/// The bot `name` of `game`.
///
/// # Panics
/// If there is none; at compile time in a constant.
#[must_use]
pub const fn find(bots: &[&[BotEntry]], game: &str, name: &str) -> BotEntry {
    let mut list = 0;
    while list < bots.len() {
        let mut place = 0;
        while place < bots[list].len() {
            let entry = bots[list][place];
            if is_same(entry.game, game) && is_same(entry.name, name) {
                return entry;
            }
            place += 1;
        }
        list += 1;
    }
    panic!("there is no bot of this name")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The bot and its buffers.
#[derive(Default)]
pub struct Session {
    seat: Option<Box<dyn Seat>>,
    input: Vec<u8>,
    output: String,
    report: String,
}

impl core::fmt::Debug for Session {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session").field("is_started", &self.seat.is_some()).finish_non_exhaustive()
    }
}

impl Session {
    /// Without a bot.
    #[must_use]
    pub const fn new() -> Session {
        Session { seat: None, input: Vec::new(), output: String::new(), report: String::new() }
    }

    /// Reserves the input buffer for `length` bytes.
    pub fn input(&mut self, length: usize) -> &mut [u8] {
        self.input.clear();
        self.input.resize(length, 0);
        &mut self.input
    }

    /// Builds the bot from `parameters` and those in the input buffer; returns 0, or 1 if one is
    /// rejected.
    pub fn start(
        &mut self,
        build: fn(&mut Parameters) -> Result<Box<dyn Seat>, ParameterError>,
        parameters: &str,
    ) -> i32 {
        let mut all = String::from(parameters);
        all.push(',');
        all.push_str(&String::from_utf8_lossy(&self.input));
        let built = Parameters::parse(&all).and_then(|mut parameters| {
            let seat = build(&mut parameters)?;
            parameters.finish().map(|()| seat)
        });
        self.seat = built.ok();
        i32::from(self.seat.is_none())
    }

    /// Passes the input buffer to the bot as one line; returns the length of its answer,
    /// [`NOTHING`] or [`LEAVE`].
    pub fn line(&mut self, clock: &dyn Clock) -> i32 {
        let Some(seat) = &mut self.seat else { return LEAVE };
        self.input.truncate(LONGEST_LINE_BYTES);
        let line = String::from_utf8_lossy(&self.input);
        match seat.receive(&line, clock) {
            Answer::Nothing => NOTHING,
            Answer::Leave => LEAVE,
            Answer::Line(answer) => {
                self.output = answer;
                self.report = seat.report().unwrap_or_default();
                self.output.len() as i32
            }
        }
    }

    /// The last answer, without its line feed.
    #[must_use]
    pub fn output(&self) -> &str {
        &self.output
    }

    /// The report on the last answer.
    #[must_use]
    pub fn report(&self) -> &str {
        &self.report
    }
}
