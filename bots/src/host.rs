//! The world around a bot, small enough to be rebuilt anywhere.

use alloc::string::String;
use mcts_core::Clock;

/// What came of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadLine {
    /// A line was read.
    Line,
    /// There will be no more lines.
    End,
}

/// The world around a bot: the clocks of [`Clock`], lines in and lines out.
pub trait Host: Clock {
    /// Reads the next line into `line`, replacing what was in it; bytes that are not UTF-8 become replacement
    /// characters. A last line without its line feed counts.
    fn read_line(&mut self, line: &mut String) -> ReadLine;

    /// Writes a line and its line feed and flushes; false if nobody reads any more.
    fn write_line(&mut self, line: &str) -> bool;

    /// Tells whoever watches what a search found; by default nobody.
    fn tell(&mut self, report: &str) {
        let _ = report;
    }
}
