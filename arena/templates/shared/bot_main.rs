//! The bot as a program, for a contest: `--name value` sets a parameter.

fn main() -> std::process::ExitCode {
    bots::stdio::main_of(&[skeleton_game::BOTS], "skeleton-game", "mcts")
}
