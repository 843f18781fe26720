//! Icebreaking on the command line.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::protocol::IcebreakingJudge;
use super::{Diagram, Icebreaking};
use crate::entry::{Entry, no_options, random_start_of};
use crate::perft::{EndedEarly, perft};

/// Icebreaking.
pub const ENTRY: Entry = Entry {
    name: "icebreaking",
    summary: "Icebreaking on a random 9 x 9 board: take cells, and capture what they cut off",
    judge: |seed, options| {
        no_options(options)?;
        let game = Icebreaking::from_seed(seed);
        Ok(Box::new(IcebreakingJudge::new(Diagram::start(game.board))))
    },
    judge_from: |position, options| {
        no_options(options)?;
        Ok(Box::new(IcebreakingJudge::new(position.parse()?)))
    },
    random_start: |seed, plies| {
        let game = Icebreaking::from_seed(seed);
        let position = random_start_of(&game, seed, plies);
        Diagram { board: game.board, position }.to_string()
    },
    perft: |position, depth| {
        let Diagram { board, position } = match position {
            Some(text) => text.parse()?,
            None => Diagram::start(Icebreaking::from_seed(0).board),
        };
        Ok(perft(&Icebreaking::new(board), &position, depth, EndedEarly::CountsNothing))
    },
    #[cfg(feature = "conformance")]
    check: super::conformance::check,
};
