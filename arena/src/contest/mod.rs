//! Many games: what is to be played, playing it without losing anything, and what came of it.
//!
//! A [`Plan`] says everything that the result depends on; [`run`] plays its rounds and keeps them in a [`Journal`];
//! [`Standing`] is what the pairs say.

mod cores;
mod journal;
mod pair;
mod plan;
mod run;
mod shard;
mod standing;
mod submit;

pub use cores::{CoreUse, Cores};
pub use journal::{Journal, JournalError, read_pairs, read_plan, write_plan};
pub(crate) use journal::{Lines, parse_lines};
pub(crate) use pair::Bench;
pub use pair::{Host, PairRecord, PlayedGame};
pub use plan::{Form, Plan, PlanError, PlannedBot, Round, default_opening_plies};
pub use run::{Event, Machine, RunError, Work, run};
pub use shard::{Attempt, Manifest, ManifestError, MergeError, Merged, Shard, merge};
pub use standing::{BotLine, PairingLine, Range, Standing};
pub use submit::Submission;
