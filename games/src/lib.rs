//! The games: pure rules, a thin adapter to the search, text notation and wire protocol, one folder each.
//!
//! Each folder has `rules` (the rules alone: no type of the search), `mod` (the adapter: `impl Game`),
//! `notation` (text forms, both ways), `protocol` (one encoder and decoder of lines, with the judge's side
//! [`Judging`] and the bot's side [`Client`] built on it) and `conformance` (golden vectors, behind the feature
//! of that name).
#![no_std]

extern crate alloc;

pub mod client;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod judging;

pub use client::{Client, Received, TimeTold};
pub use judging::{Clocks, Fault, Judging, Outcome, Status, TimeLimits};
