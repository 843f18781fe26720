//! Reversi on the command line.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::protocol::ReversiJudge;
use super::{Position, Reversi};
use crate::entry::{Entry, no_options, perft_of, random_start_of};
use crate::perft::EndedEarly;

/// Reversi.
pub const ENTRY: Entry = Entry {
    name: "reversi",
    summary: "Reversi (Othello) on 8 x 8: the side with more discs at the end wins",
    judge: |_seed, options| {
        no_options(options)?;
        Ok(Box::new(ReversiJudge::new(Position::start())))
    },
    judge_from: |position, options| {
        no_options(options)?;
        Ok(Box::new(ReversiJudge::new(position.parse()?)))
    },
    random_start: |seed, plies| random_start_of(&Reversi::default(), seed, plies).to_string(),
    perft: |position, depth| perft_of(&Reversi::default(), position, depth, EndedEarly::CountsOnce),
    #[cfg(feature = "conformance")]
    check: super::conformance::check,
};
