//! The test kit: checks of the contracts of any game, and small games with known values.

mod check;
mod evaluator;
mod hidden;
mod kuhn;
mod notation;
mod perft;
mod pomdp;
mod simultaneous;
mod speed;
mod tree_game;

pub use check::{CheckOptions, Checked, Defaults, Violation, check_game, check_transpositions};
pub use evaluator::check_evaluator;
pub use hidden::{HiddenChecked, HiddenOptions, check_hidden_information, check_information_sets};
pub use kuhn::{Kuhn, KuhnAction, KuhnObservation, KuhnState, KuhnView};
pub use notation::{check_action_notation, check_state_notation};
pub use perft::perft;
pub use pomdp::{RockAction, RockObservation, RockPlanner, RockSample, RockState, RockView};
pub use pomdp::{Tag, TagAction, TagObservation, TagPlanner, TagState, TagView};
pub use pomdp::{Tiger, TigerAction, TigerDoor};
pub use simultaneous::check_simultaneous;
pub use speed::{Speed, measure_speed};
pub use tree_game::{Position, TreeGame};
