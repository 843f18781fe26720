//! Phase 1: which child a playout goes on to. Plain numbers only; no policy here sees a game.

mod ucb1;

pub use ucb1::Ucb1;

use crate::tree::Node;

/// What is known of one child when a playout chooses among its siblings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<X = ()> {
    /// Playouts through the edge, at least 1.
    pub visits: u32,
    /// Mean value for the player who chooses, scaled to [0, 1] by the utility bounds of the game.
    pub value: f32,
    /// What the policy itself keeps on the edge.
    pub extra: X,
}

/// The urgency of children that were never visited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstPlay {
    /// Each child is visited once before any is visited again (Kocsis and Szepesvari, 2006).
    AllOnce,
    /// This urgency, on the scale of values in [0, 1] (first-play urgency; Gelly and Wang, 2006).
    Urgency(f32),
}

impl FirstPlay {
    #[inline]
    fn urgency(self) -> f32 {
        match self {
            FirstPlay::AllOnce => f32::INFINITY,
            FirstPlay::Urgency(urgency) => urgency,
        }
    }
}

/// A rule that gives each child an urgency; a playout goes on to the most urgent.
pub trait SelectionPolicy {
    /// What the policy keeps on each edge besides visits and value; `()` costs nothing.
    type Extra: Copy + Default + core::fmt::Debug;
    /// What the policy computes once for all siblings.
    type Parent: Copy;

    /// Computed once before the siblings are compared; `visits` is at least 1.
    fn parent(&self, visits: u32) -> Self::Parent;

    /// Urgency of a child with visits.
    fn urgency(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32;

    /// Urgency of a child without visits.
    fn first_play(&self, parent: Self::Parent, extra: &Self::Extra) -> f32;
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

/// The most urgent children: their places and urgencies, the first of equals.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MostUrgent {
    /// Of those whose exact value is not known.
    pub(crate) open: Option<(usize, f32)>,
    /// Of those that are proven, lost ones left out.
    pub(crate) exact: Option<(usize, f32)>,
}

/// Compares siblings by their urgency.
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
    for (place, child) in children.iter().enumerate() {
        let urgency = if child.visits == 0 {
            policy.first_play(parent, &child.extra)
        } else {
            let value = scale.to_unit(child.mean_of_visited());
            policy.urgency(parent, &Candidate { visits: child.visits, value, extra: child.extra })
        };
        if child.is_proven() {
            let lost = scale.to_unit(child.mean_of_visited()) <= 0.0;
            if !lost && most.exact.is_none_or(|(_, best)| urgency > best) {
                most.exact = Some((place, urgency));
            }
        } else if urgency > open_urgency {
            open_urgency = urgency;
            most.open = Some((place, urgency));
        }
    }
    most
}
