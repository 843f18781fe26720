//! The maze bot as a program of its own.

fn main() -> std::process::ExitCode {
    bots::stdio::main("maze", "mcts")
}
