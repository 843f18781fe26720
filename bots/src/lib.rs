//! Contest bots: each is a search, chosen parts and a time plan.
//!
//! Reading order: [`Seat`] (the interface of a bot), [`client_seat`] (from lines to decisions),
//! [`time_plan`], then the bot of one game. [`plain`] has the searches for any game, [`registry`]
//! lists all bots, [`stdio`] runs one as a program.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod alpha_beta;
pub mod baseline;
pub mod client_seat;
pub mod connect_four;
pub mod decimals;
pub mod host;
pub mod icebreaking;
pub mod maze;
pub mod parameters;
pub mod plain;
#[cfg(feature = "std")]
mod ponder;
pub mod promotion_chess;
pub mod registry;
pub mod reversi;
pub mod search_player;
pub mod seat;
pub mod small;
#[cfg(feature = "std")]
pub mod stdio;
pub mod time_plan;

pub use client_seat::{ClientSeat, Decision, Player};
pub use host::Host;
pub use parameters::{ParameterError, ParameterInfo, Parameters};
pub use registry::{BotEntry, BuildError, build, build_from};
pub use search_player::SearchPlayer;
pub use seat::{Answer, NextSlice, Seat, serve};
pub use time_plan::{TimePlan, TimeUsed};
