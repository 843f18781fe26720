//! Connect Four on the command line.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::drawing;
use super::{ConnectFour, Position};
use crate::entry::{Entry, no_options, perft_of, random_start_of};
use crate::numbered::{Drawing, NumberedJudge};
use crate::perft::EndedEarly;

/// Connect Four.
pub const ENTRY: Entry = Entry {
    name: "connect-four",
    summary: "Connect Four: four discs in a line win",
    judge: |_seed, options| {
        no_options(options)?;
        Ok(Box::new(judge(Position::default())))
    },
    judge_from: |position, options| {
        no_options(options)?;
        Ok(Box::new(judge(position.parse()?)))
    },
    random_start: |seed, plies| random_start_of(&ConnectFour, seed, plies).to_string(),
    perft: |position, depth| perft_of(&ConnectFour, position, depth, EndedEarly::CountsNothing),
    #[cfg(feature = "conformance")]
    check: |_stem| None,
};

fn judge(position: Position) -> NumberedJudge<ConnectFour> {
    let drawing = Drawing { draw: drawing::draw, cells: drawing::cells };
    NumberedJudge::new(ConnectFour, position).with_drawing(drawing)
}
