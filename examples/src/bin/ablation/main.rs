//! How strong is each part of the search on each game? The `arena` command with one bot for each
//! part: plain UCT except for that part.
//!
//! ```sh
//! cargo run --release -p examples --bin ablation -- tournament reversi --form gauntlet --bot plain --bot rave --bot mast
//! ```
//!
//! plays them against plain UCT on the clocks of a contest. See docs/algorithms.md for the parts.

mod parts;
mod settings;

use std::process::ExitCode;

use arena::catalogue::Catalogue;
use bots::BotEntry;

use parts::{PARTS, bots_of};
use settings::{Chess, Ice, Othello};

static REVERSI: [BotEntry; PARTS] = bots_of::<Othello>();
static ICEBREAKING: [BotEntry; PARTS] = bots_of::<Ice>();
static CHESS: [BotEntry; PARTS] = bots_of::<Chess>();

static BOTS: [&[BotEntry]; 3] = [&REVERSI, &ICEBREAKING, &CHESS];

fn main() -> ExitCode {
    arena::command::main(&Catalogue { games: games::GAMES, bots: &BOTS })
}
