//! The maze bot as a program.

fn main() -> std::process::ExitCode {
    bots::stdio::main("maze", "mcts")
}
