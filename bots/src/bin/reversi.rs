//! The Reversi bot as a program.

fn main() -> std::process::ExitCode {
    bots::stdio::main("reversi", "mcts")
}
