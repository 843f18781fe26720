//! The report of a search.

use crate::budget::StopReason;
use crate::game::Utilities;
use crate::rng::{self, SearchRng};
use crate::tree::Proof;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

/// The statistics of one action of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionReport<A> {
    /// The action.
    pub action: A,
    /// Playouts that began with it, including those kept from earlier searches.
    pub visits: u32,
    /// Mean utility for the player to move, exact if proven; `None` without visits.
    pub value: Option<f32>,
    /// Standard error of the mean: 0 if proven; estimated from the playouts of this search if there
    /// are at least two; otherwise the maximum under the utility bounds. Playouts of a tree search
    /// are not independent, so this is a guide, not a confidence interval.
    pub standard_error: Option<f32>,
    /// Exact value from the view of the player to move.
    pub proven: Option<Proof>,
}

/// What the search kept from an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reuse {
    /// Nothing.
    Fresh,
    /// The subtree of the actions played since, with its visits.
    Kept {
        /// Visits of the root before this search.
        visits: u32,
    },
    /// The kept tree did not fit the state, and was dropped.
    Mismatch,
}

/// The result of a search, and its cost.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<A> {
    /// The action to play.
    pub best: A,
    /// Every legal action of the root, most visits first.
    pub actions: Vec<ActionReport<A>>,
    /// The line of best actions from the root.
    pub principal_variation: Vec<A>,
    /// Playouts of this search.
    pub playouts: u64,
    /// Depth in the tree of the deepest playout of this search.
    pub deepest: u32,
    /// Mean depth in the tree over the playouts of this search.
    pub mean_depth: f32,
    /// Nodes in the tree.
    pub tree_nodes: usize,
    /// Bytes of the tree.
    pub memory_bytes: usize,
    /// What was kept from the previous search.
    pub reuse: Reuse,
    /// What ended the search.
    pub stopped_by: StopReason,
    /// Wall time of the search.
    pub elapsed: Duration,
    /// By how much the time exceeded its limit.
    pub overshoot: Duration,
}

impl<A: Copy + PartialEq> Report<A> {
    /// The statistics of the action to play.
    #[must_use]
    pub fn best_action(&self) -> Option<&ActionReport<A>> {
        self.actions.iter().find(|action| action.action == self.best)
    }

    /// Mean utility of the action to play, for the player to move; `None` without visits.
    #[must_use]
    pub fn value(&self) -> Option<f32> {
        self.best_action().and_then(|action| action.value)
    }

    /// Playouts per second of wall time; 0 if the clock did not advance.
    #[must_use]
    pub fn playouts_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.playouts as f64 / seconds } else { 0.0 }
    }
}

/// A mixed strategy: actions with their probabilities, which sum to 1.
///
/// ```
/// use mcts_core::{ActionProbability, Strategy, rng};
///
/// let heads = ActionProbability { action: "heads", probability: 1.0 };
/// let strategy = Strategy { actions: vec![heads] };
/// assert_eq!(strategy.draw(&mut rng::stream(1, 0)), Some("heads"));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strategy<A> {
    /// The actions, in the order in which the search found them.
    pub actions: Vec<ActionProbability<A>>,
}

/// An action with its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActionProbability<A> {
    /// The action.
    pub action: A,
    /// Its probability.
    pub probability: f32,
}

impl<A: Copy + PartialEq> Strategy<A> {
    /// The probability of `action`.
    #[must_use]
    pub fn probability(&self, action: A) -> f32 {
        let of_action = self.actions.iter().find(|known| known.action == action);
        of_action.map_or(0.0, |known| known.probability)
    }

    /// Samples an action; `None` if there is none.
    pub fn draw(&self, rng: &mut SearchRng) -> Option<A> {
        let mut left = rng::unit(rng);
        let drawn = self.actions.iter().find(|known| {
            left -= known.probability;
            left < 0.0
        });
        drawn.or(self.actions.last()).map(|known| known.action)
    }
}

/// Why a search is not possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchError {
    /// The game is over; each player's utility.
    GameOver(Utilities),
    /// Chance is to move.
    ChanceToMove,
    /// The game is not over, but there is no legal action: a fault of the rules.
    NoLegalAction,
    /// There are more legal actions than a node can have children
    /// ([`MAX_CHILDREN`](crate::tree::MAX_CHILDREN)); the number of actions.
    TooManyActions(usize),
    /// The discount of the game or model is not in (0, 1].
    InvalidDiscount(f32),
    /// The memory for the legal actions of the root cannot be allocated.
    NoMemory,
    /// A part of the search compares actions by their index, but the game has none.
    NoActionIndices {
        /// The type of the part.
        part: &'static str,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::GameOver(utilities) => {
                write!(f, "the game is over, with utilities {utilities:?}")
            }
            SearchError::ChanceToMove => f.write_str("the next action is up to chance"),
            SearchError::NoLegalAction => {
                f.write_str("there is no legal action although the game is not over")
            }
            SearchError::TooManyActions(count) => write!(
                f,
                "there are {count} legal actions, more than the {} that a search can tell apart; split an action into \
                 steps (what to move, then where to), or list fewer",
                crate::tree::MAX_CHILDREN
            ),
            SearchError::InvalidDiscount(discount) => {
                write!(f, "the discount is {discount}; it must be above 0 and at most 1")
            }
            SearchError::NoMemory => {
                f.write_str("there is no memory for the legal actions; lower the memory cap")
            }
            SearchError::NoActionIndices { part } => write!(
                f,
                "{part} compares actions by their number, but `action_indices` of the game is 0; implement `action_index` \
                 and `action_indices`, or choose another part"
            ),
        }
    }
}

impl core::error::Error for SearchError {}
