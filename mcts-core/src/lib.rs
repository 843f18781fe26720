//! Monte Carlo tree search, generic over a [`Game`].
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod game;
pub mod rng;

pub use game::{Game, Margin, Player, Turn, Utilities};
pub use rng::SearchRng;
