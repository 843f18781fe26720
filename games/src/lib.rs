//! The games: rules, an adapter to the search, text notation and wire protocol, one folder for each
//! game.
//!
//! A folder has `rules` (only the rules, no type of the search), `mod` (the adapter: `impl Game`),
//! `notation` (text forms, both directions), `protocol` (one encoder and decoder of lines, on which
//! the judge's side [`Judging`] and the bot's side [`Client`] are built) and `conformance` (golden
//! vectors, behind the feature of that name). Small games have no `protocol` of their own and use
//! [`numbered`]; games without golden vectors have no `conformance`.
#![no_std]

extern crate alloc;

mod bits;
pub mod client;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod connect_four;
pub mod entry;
pub mod icebreaking;
pub mod judging;
mod lanes;
pub mod maze;
pub mod notation;
pub mod numbered;
pub mod perft;
pub mod promotion_chess;
pub mod reversi;
mod svg;
pub mod tic_tac_toe;
mod wire;

pub use client::{Client, Received, TimeTold, own_position};
pub use entry::{Entry, EntryError};
pub use judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
pub use svg::BoardCell;

/// All games, by their names on the command line.
pub const GAMES: &[Entry] = &[
    reversi::ENTRY, // one a line
    icebreaking::ENTRY,
    promotion_chess::ENTRY,
    maze::ENTRY,
    tic_tac_toe::ENTRY,
    connect_four::ENTRY,
];

/// The game of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|game| game.name == name)
}
