//! skeleton-game: rules, views, notation, protocol and bots.

mod bot;
mod client;
mod entry;
mod game;
mod judge;
mod notation;
mod rules;
mod view;

pub use bot::{BOTS, decide};
pub use client::PlayerClient;
pub use entry::ENTRY;
pub use game::Rules;
pub use judge::Judge;
pub use rules::{Action, Position};
pub use view::{Observation, View};
