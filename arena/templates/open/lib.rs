//! skeleton-game: rules, notation, protocol and bots.

mod bot;
mod client;
mod entry;
mod game;
mod judge;
mod notation;
mod rules;

pub use bot::BOTS;
pub use client::PlayerClient;
pub use entry::ENTRY;
pub use game::Rules;
pub use judge::Judge;
pub use rules::{Action, Position};
