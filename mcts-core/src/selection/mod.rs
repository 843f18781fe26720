//! Phase 1: the selection of children. Plain numbers only; a policy never sees a game.

mod amaf;
mod bandit;
mod grave;
mod implicit_minimax;
mod played;
mod progressive_bias;
mod progressive_history;
mod puct;
mod rave;
mod score_bounds;
mod together;
mod ucb1;
mod ucb1_tuned;

pub use amaf::{Amaf, AmafTables, TableId};
pub use bandit::Bandit;
pub(crate) use bandit::{Arm, Chosen, LegalArms};
pub use grave::{Grave, GraveEdge, GraveParent};
pub use implicit_minimax::{ImplicitMinimax, MinimaxEdge};
pub use played::Played;
pub(crate) use played::Results;
pub use progressive_bias::{Biased, ProgressiveBias};
pub use progressive_history::{HistoryEdge, ProgressiveHistory};
pub use puct::{ActionPrior, Puct};
pub use rave::{AmafEdge, AmafParent, Rave, RaveSchedule};
pub use score_bounds::{BoundedEdge, BoundedParent, ScoreBounds, UtilityRange};
pub(crate) use together::{
    WIDE, most_urgent_of_many_plain, most_urgent_of_open, most_urgent_of_plain,
};
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;

use crate::trace::TraceStep;
use crate::tree::Node;

/// The statistics of one child at the selection among its siblings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<X = ()> {
    /// Playouts through the edge, at least 1 except for
    /// [`urgency_of_any`](SelectionPolicy::urgency_of_any).
    pub visits: u32,
    /// Mean value for the player who chooses, scaled to [0, 1] by the utility bounds of the game.
    pub value: f32,
    /// The policy's own statistics of the edge.
    pub extra: X,
}

impl<X> Candidate<X> {
    /// The same child for another policy.
    #[inline]
    pub(crate) fn with_extra<Y>(&self, extra: Y) -> Candidate<Y> {
        Candidate { visits: self.visits, value: self.value, extra }
    }
}

/// The urgency of unvisited children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstPlay {
    /// Each child is visited once before any is visited again (Kocsis and Szepesvari, 2006).
    AllOnce,
    /// This urgency, on the scale of values in [0, 1] (first-play urgency; Gelly and Wang, 2006).
    Urgency(f32),
}

impl FirstPlay {
    #[inline]
    pub(crate) fn urgency(self) -> f32 {
        match self {
            FirstPlay::AllOnce => f32::INFINITY,
            FirstPlay::Urgency(urgency) => urgency,
        }
    }
}

/// What a selection policy learns from, in addition to the visits and values on the path of a
/// playout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learns {
    /// Nothing, at no cost.
    Nothing,
    /// The nodes on the path.
    FromPath,
    /// All actions of the playout, those of the rollout included.
    FromTrace,
}

impl Learns {
    /// What a policy made of two parts learns from.
    #[must_use]
    pub const fn and(self, other: Learns) -> Learns {
        match (self, other) {
            (Learns::FromTrace, _) | (_, Learns::FromTrace) => Learns::FromTrace,
            (Learns::FromPath, _) | (_, Learns::FromPath) => Learns::FromPath,
            (Learns::Nothing, Learns::Nothing) => Learns::Nothing,
        }
    }
}

/// The input for the statistics of a new child.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewChild {
    /// The evaluator's prior of the action, see [`Evaluator::priors`](crate::Evaluator::priors).
    pub prior: f32,
    /// The player of the action, and its [`action_index`](crate::Game::action_index).
    pub action: TraceStep,
}

/// Greater than the urgency of any visited child, and small enough that additions to it are not
/// rounded away.
const ABOVE_ALL: f32 = 4096.0;

/// A rule that gives each child an urgency; a playout continues to the child of greatest urgency.
///
/// Policies with more statistics than visits and values on an edge, or that learn from playouts,
/// set the constants and override the provided methods.
pub trait SelectionPolicy {
    /// The policy's own statistics of each edge; `()` has no cost.
    type Extra: Copy + Default + core::fmt::Debug;
    /// A value that is computed once for all siblings.
    type Parent: Copy;

    /// Whether unvisited children differ, so that a node gets all of them at a time
    /// ([`Growth::AllAtOnce`](crate::Growth::AllAtOnce)), each with the statistics from
    /// [`new_child`](Self::new_child).
    const COMPARES_UNVISITED: bool = false;
    /// Whether the policy reads priors, so that the evaluator must compute them.
    const READS_PRIORS: bool = false;
    /// Whether priors are weights: negative ones count as zero, and if none is positive all are
    /// equal. Priors that are not finite are replaced by the uniform prior before the policy reads
    /// them.
    const PRIORS_ARE_WEIGHTS: bool = false;
    /// Whether urgencies and first plays are pure arithmetic, so that those of several children are
    /// computed without branches, needed or not.
    const SIDE_BY_SIDE: bool = false;
    /// What [`learn`](Self::learn) learns from.
    const LEARNS: Learns = Learns::Nothing;
    /// Whether the policy compares actions by their [`action_index`](crate::Game::action_index) and
    /// therefore needs one.
    const NEEDS_ACTION_INDICES: bool = false;

    /// Computed once for all siblings; `visits` is at least 1.
    fn parent(&self, visits: u32) -> Self::Parent;

    /// Urgency of a child with visits.
    fn urgency(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32;

    /// Urgency of a child without visits.
    fn first_play(&self, parent: Self::Parent, extra: &Self::Extra) -> f32;

    /// [`urgency`](Self::urgency) or, without visits, [`first_play`](Self::first_play), in which
    /// case the child's value is meaningless. Policies with [`SIDE_BY_SIDE`](Self::SIDE_BY_SIDE)
    /// override it if there is a branch-free form.
    #[inline]
    fn urgency_of_any(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32 {
        if child.visits == 0 {
            self.first_play(parent, &child.extra)
        } else {
            self.urgency(parent, child)
        }
    }

    /// [`parent`](Self::parent) for policies with statistics on the edge into the parent.
    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> Self::Parent {
        let _ = extra;
        self.parent(visits)
    }

    /// The initial statistics of the edge to a new child.
    #[inline]
    fn new_child(&self, child: &NewChild) -> Self::Extra {
        let _ = child;
        Self::Extra::default()
    }

    /// The evaluator's prior, if the policy stores it.
    #[must_use]
    fn prior_of(extra: &Self::Extra) -> Option<f32> {
        let _ = extra;
        None
    }

    /// Bounds on the utility of the player who takes the edge.
    #[must_use]
    fn utility_range(extra: &Self::Extra) -> UtilityRange {
        let _ = extra;
        UtilityRange::UNKNOWN
    }

    /// Learns from a playout after its backup; `extra` projects to this policy's part of an edge's
    /// statistics.
    #[inline]
    fn learn<A, X, F>(
        &mut self,
        playout: &mut Played<'_, A, X, F>,
        extra: impl Fn(&mut X) -> &mut Self::Extra,
    ) where
        A: Copy,
        X: Copy + Default,
        F: Fn(A) -> Option<usize>,
    {
        let _ = (playout, extra);
    }
}

/// Scales utilities to [0, 1].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    lowest: f32,
    factor: f32,
}

impl Scale {
    pub(crate) fn new((lowest, highest): (f32, f32)) -> Self {
        Scale { lowest, factor: 1.0 / (highest - lowest) }
    }

    #[inline]
    pub(crate) fn to_unit(self, utility: f32) -> f32 {
        (utility - self.lowest) * self.factor
    }
}

/// The children that can be selected; ties go to the first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MostUrgent {
    /// Index and urgency of the child of greatest urgency whose exact value is not known.
    pub(crate) open: Option<(usize, f32)>,
    /// Index of the best proven child, losses excluded.
    pub(crate) exact: Option<usize>,
}

/// The index of the best proven child, losses excluded.
#[inline]
pub(crate) fn most_valuable_exact<A: Copy, X: Copy + Default>(
    children: &[Node<A, X>],
    scale: Scale,
) -> Option<usize> {
    let mut best = None;
    let mut most = 0.0;
    for (place, child) in children.iter().enumerate().filter(|(_, child)| child.is_proven()) {
        let value = scale.to_unit(child.mean_of_visited());
        if value > most {
            (best, most) = (Some(place), value);
        }
    }
    best
}

/// Compares siblings by urgency.
#[inline]
pub(crate) fn most_urgent<A, S>(
    policy: &S,
    parent: S::Parent,
    children: &[Node<A, S::Extra>],
    scale: Scale,
) -> MostUrgent
where
    A: Copy,
    S: SelectionPolicy,
{
    let mut most = MostUrgent::default();
    let mut open_urgency = f32::NEG_INFINITY;
    let mut exact_value = 0.0;
    for (place, child) in children.iter().enumerate() {
        if child.is_proven() {
            let value = scale.to_unit(child.mean_of_visited());
            if value > exact_value {
                (most.exact, exact_value) = (Some(place), value);
            }
            continue;
        }
        let urgency = if child.visits == 0 {
            policy.first_play(parent, &child.extra)
        } else {
            let value = scale.to_unit(child.mean_of_visited());
            policy.urgency(parent, &Candidate { visits: child.visits, value, extra: child.extra })
        };
        if urgency > open_urgency {
            open_urgency = urgency;
            most.open = Some((place, urgency));
        }
    }
    most
}
