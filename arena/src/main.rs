//! The `arena` command.

use std::process::ExitCode;

use arena::catalogue::Catalogue;

fn main() -> ExitCode {
    arena::command::main(&Catalogue::BUILT_IN)
}
