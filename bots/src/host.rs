//! The environment of a bot, small enough to be implemented on any platform.

use alloc::string::String;
use mcts_core::Clock;

/// Result of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadLine {
    /// A line was read.
    Line,
    /// There will be no more lines.
    End,
}

/// The environment of a bot: the clocks of [`Clock`], lines in and lines out.
pub trait Host: Clock {
    /// Reads the next line into `line`, replacing its contents; bytes that are not UTF-8 become
    /// replacement characters. A last line without its line feed counts.
    fn read_line(&mut self, line: &mut String) -> ReadLine;

    /// Writes a line and its line feed and flushes; false if the reader has closed the stream.
    fn write_line(&mut self, line: &str) -> bool;

    /// Reports the result of a search to an observer; by default it is dropped.
    fn tell(&mut self, report: &str) {
        let _ = report;
    }
}
