//! Contests of many games: plan, execution, results.
//!
//! A [`Plan`] contains everything that the result depends on; [`run`] plays its rounds and stores
//! them in a [`Journal`]; [`Standing`] is the result of the stored pairs.

mod cores;
mod count;
mod journal;
mod messages;
mod pair;
mod plan;
mod run;
mod seal;
mod shard;
mod standing;
mod submit;
mod summary;

pub use cores::{CoreUse, Cores};
pub use count::Count;
pub use journal::{Journal, JournalError, read_pairs, read_plan, write_plan};
pub(crate) use journal::{Lines, extend_settings};
pub use messages::PackedMessages;
pub(crate) use pair::Bench;
pub use pair::{Host, PairRecord, PlayedGame};
pub(crate) use plan::can_tell_opening;
pub use plan::{
    Form, MOST_MEMORY_MIB, MOST_ROUNDS, MOST_SEATS, Plan, PlanError, PlannedBot, Round,
    default_opening_plies,
};
pub use run::{Event, Machine, RunError, Work, run};
pub use seal::{Changed, Seals};
pub use shard::{Attempt, Manifest, ManifestError, MergeError, Merged, Shard, merge};
pub use standing::{BotLine, PairingLine, Range, Standing};
pub use submit::{HYPERQUEUE_SCRIPT, Submission};
pub use summary::{FaultSummary, GameSummary, RoundSummary, SeatSummary};
