//! The other crates, each with its traits around the common states.

pub(crate) mod arbor;
pub(crate) mod board_game;
pub(crate) mod mcts;
pub(crate) mod minimax;
pub(crate) mod treant;
