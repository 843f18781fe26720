//! The loops: one per algorithm, each in a file of its own.
//!
//! | what is hidden or random | search |
//! |---|---|
//! | nothing, or chance only | [`uct`] |

pub mod uct;

pub use uct::{Uct, UctSearch};
