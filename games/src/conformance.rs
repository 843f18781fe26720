//! What a game's conformance check has in common: one golden vector in, agreement or the first difference out.

use alloc::string::String;
use core::fmt;

/// The first place where the rules and a golden vector disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where in the vector, such as `positions[17]`.
    pub field: String,
    /// What the vector says.
    pub expected: String,
    /// What the rules say.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.field, self.expected, self.found)
    }
}

/// Checks one case of the kind that a file's stem names (`reversi_games`, ...); `Err` holds the first difference,
/// a field that is missing or of the wrong type included.
pub type Check = fn(case: &serde_json::Value) -> Result<(), Difference>;
