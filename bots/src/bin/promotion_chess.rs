//! The Promotion Chess bot as a program.

fn main() -> std::process::ExitCode {
    bots::stdio::main("promotion-chess", "mcts")
}
