//! Standard problems for searches on beliefs.

mod rock_sample;
mod tag;
mod tiger;

pub use rock_sample::{RockAction, RockObservation, RockPlanner, RockSample, RockState, RockView};
pub use tag::{Tag, TagAction, TagObservation, TagPlanner, TagState, TagView};
pub use tiger::{Tiger, TigerAction, TigerDoor};
