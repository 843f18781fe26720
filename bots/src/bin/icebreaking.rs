//! The Icebreaking bot as a program.

fn main() -> std::process::ExitCode {
    bots::stdio::main("icebreaking", "mcts")
}
