//! The game on the command line.

use games::entry::{Entry, no_options, perft_of, random_start_of};
use games::perft::EndedEarly;

use crate::game::Rules;
use crate::judge::Judge;
use crate::rules::Position;

/// The game for the arena.
pub const ENTRY: Entry = Entry {
    name: "skeleton-game",
    // TODO: one line of description
    summary: "skeleton-game",
    judge: |seed, options| {
        no_options(options)?;
        Ok(Box::new(Judge::new(Position::start(seed))))
    },
    judge_from: |position, options| {
        no_options(options)?;
        Ok(Box::new(Judge::new(position.parse()?)))
    },
    random_start: |seed, plies| random_start_of(&Rules { seed }, seed, plies).to_string(),
    perft: |position, depth| {
        perft_of(&Rules::default(), position, depth, EndedEarly::CountsNothing)
    },
    check: |_stem| None,
};
