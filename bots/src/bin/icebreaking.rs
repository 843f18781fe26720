//! The Icebreaking bot as a program of its own.

fn main() -> std::process::ExitCode {
    bots::stdio::main("icebreaking", "mcts")
}
