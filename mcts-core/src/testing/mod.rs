//! The test kit: contract checks that any game can be passed through, and small games with known values.

mod check;
mod perft;
mod tree_game;

pub use check::{CheckOptions, Checked, Violation, check_game};
pub use perft::perft;
pub use tree_game::{Position, TreeGame};
