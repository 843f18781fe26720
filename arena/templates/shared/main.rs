//! The arena with this game and its bots: `cargo arena play skeleton-game`.

use arena::catalogue::Catalogue;

use skeleton_game::{BOTS, ENTRY};

fn main() -> std::process::ExitCode {
    arena::command::main(&Catalogue { games: &[ENTRY], bots: &[BOTS] })
}
