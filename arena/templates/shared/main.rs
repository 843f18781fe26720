//! The arena with this game and its bots: `cargo arena play skeleton-game`.

use arena::catalogue::Catalogue;

fn main() -> std::process::ExitCode {
    arena::command::main(&Catalogue {
        games: &[skeleton_game::ENTRY],
        bots: &[skeleton_game::BOTS],
    })
}
