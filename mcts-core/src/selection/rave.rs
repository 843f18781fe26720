//! RAVE: the mean value of an action regardless of when it was played.

use super::{
    Amaf, Candidate, FirstPlay, Learns, NewChild, Played, SelectionPolicy, Ucb1, UtilityRange,
};
use crate::sqrt::sqrt;
use crate::tree::Node;

/// The weight `beta` in [0, 1] of the AMAF value relative to the mean of an action's own playouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RaveSchedule {
    /// `sqrt(k / (3 * parent visits + k))` (Gelly and Silver, 2007 and 2011, hand-selected schedule).
    HandSelected {
        /// Number of visits at which both have equal weight, `k`.
        equivalence: f32,
    },
    /// `m / (n + m + 4 * n * m * bias^2)` with `n` visits and `m` AMAF visits (Gelly and Silver, 2011, minimum mean
    /// squared error).
    MinimumMse {
        /// Bias of the AMAF value, on the scale of values in [0, 1].
        bias: f32,
    },
}

impl RaveSchedule {
    /// The weight of the AMAF value of a child with these visits and AMAF visits; 0 without AMAF
    /// visits, 1 with AMAF visits only.
    #[inline]
    #[must_use]
    pub fn beta(self, parent_visits: u32, visits: u32, amaf_visits: u32) -> f32 {
        if amaf_visits == 0 {
            return 0.0;
        }
        let (n, m) = (visits as f32, amaf_visits as f32);
        let weights = self.weights(parent_visits);
        let amaf = weights.amaf * m;
        amaf / (weights.own(n, m) + amaf)
    }

    #[inline]
    fn weights(self, parent_visits: u32) -> Weights {
        match self {
            RaveSchedule::HandSelected { equivalence } => {
                let beta = sqrt(equivalence / (3.0 * parent_visits as f32 + equivalence));
                // positive, so that the AMAF value is used for children without visits
                let beta = beta.max(1e-12);
                Weights { of_visits: 0.0, of_amaf: 1.0 - beta, of_both: 0.0, amaf: beta }
            }
            RaveSchedule::MinimumMse { bias } => {
                Weights { of_visits: 1.0, of_amaf: 0.0, of_both: 4.0 * bias * bias, amaf: 1.0 }
            }
        }
    }
}

/// Either schedule at one parent: `beta = amaf * m / (own + amaf * m)`, where `own` is
/// `of_visits * n + of_amaf * m + of_both * n * m` with `n > 0` visits and 0 without.
#[derive(Debug, Clone, Copy)]
struct Weights {
    of_visits: f32,
    of_amaf: f32,
    of_both: f32,
    amaf: f32,
}

impl Weights {
    /// Zero without visits, which leaves the AMAF value.
    #[inline]
    fn own(self, n: f32, m: f32) -> f32 {
        self.of_visits * n + n.min(1.0) * self.of_amaf * m + self.of_both * n * m
    }

    /// `(1 - beta) * value + beta * AMAF value`; the AMAF value without visits.
    #[inline]
    fn mix(self, visits: u32, value: f32, amaf: Amaf) -> f32 {
        let (n, m) = (visits as f32, amaf.visits() as f32);
        let own = self.own(n, m);
        let mixed = (own * value + self.amaf * amaf.sum()) / (own + self.amaf * m);
        if amaf.visits() == 0 { value } else { mixed }
    }
}

/// RAVE (Gelly and Silver, 2011): an inner policy gets `(1 - beta) * value + beta * AMAF value` as
/// an action's value.
///
/// AMAF ("all moves as first"; Brügmann, 1993) counts a playout for an action of a node if the
/// node's player took the action at the node or later, once for each playout; an action without an
/// index (a pass) has no AMAF value. A child without visits is treated as if it had one visit with
/// its AMAF value.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Rave, Search, Uct};
///
/// let parts = Uct::default().with_selection(Rave::default());
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rave<S = Ucb1> {
    /// The policy that uses the mixed value.
    pub policy: S,
    /// The weight of the AMAF value.
    pub schedule: RaveSchedule,
}

impl Default for Rave {
    /// Minimum MSE, which is stronger than the hand-selected schedule in the paper, with an AMAF
    /// bias of 0.1. In the paper no exploration is best in Go; some exploration is better in
    /// Reversi.
    fn default() -> Self {
        Rave {
            policy: Ucb1 { exploration: 0.2, first_play: FirstPlay::AllOnce },
            schedule: RaveSchedule::MinimumMse { bias: 0.1 },
        }
    }
}

/// The statistics of an edge, and its AMAF statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AmafEdge<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    /// AMAF statistics of the edge's action at its parent.
    pub amaf: Amaf,
}

/// Computed once for all siblings.
#[derive(Debug, Clone, Copy)]
pub struct AmafParent<P> {
    inner: P,
    weights: Weights,
}

impl<S: SelectionPolicy> SelectionPolicy for Rave<S> {
    type Extra = AmafEdge<S::Extra>;
    type Parent = AmafParent<S::Parent>;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = S::READS_PRIORS;
    const PRIORS_ARE_WEIGHTS: bool = S::PRIORS_ARE_WEIGHTS;
    const SIDE_BY_SIDE: bool = S::SIDE_BY_SIDE;
    const LEARNS: Learns = Learns::FromTrace;
    const NEEDS_ACTION_INDICES: bool = true;

    #[inline]
    fn parent(&self, visits: u32) -> Self::Parent {
        AmafParent { inner: self.policy.parent(visits), weights: self.schedule.weights(visits) }
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> Self::Parent {
        let inner = self.policy.parent_with_extra(visits, &extra.inner);
        AmafParent { inner, weights: self.schedule.weights(visits) }
    }

    #[inline]
    fn urgency(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let Candidate { visits, value, .. } = *child;
        let value = parent.weights.mix(visits, value, child.extra.amaf);
        let inner = Candidate { visits, value, extra: child.extra.inner };
        self.policy.urgency(parent.inner, &inner)
    }

    #[inline]
    fn urgency_of_any(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let Candidate { visits, value, extra: AmafEdge { inner, amaf } } = *child;
        let value = parent.weights.mix(visits, value, amaf);
        let as_visited = Candidate { visits: visits.max(1), value, extra: inner };
        let urgency = self.policy.urgency(parent.inner, &as_visited);
        let first_play = self.policy.first_play(parent.inner, &inner);
        if visits | amaf.visits() == 0 { first_play } else { urgency }
    }

    #[inline]
    fn first_play(&self, parent: Self::Parent, extra: &Self::Extra) -> f32 {
        if extra.amaf.visits() == 0 {
            return self.policy.first_play(parent.inner, &extra.inner);
        }
        let inner = Candidate { visits: 1, value: extra.amaf.value(), extra: extra.inner };
        self.policy.urgency(parent.inner, &inner)
    }

    fn new_child(&self, child: &NewChild) -> Self::Extra {
        AmafEdge { inner: self.policy.new_child(child), amaf: Amaf::default() }
    }

    fn prior_of(extra: &Self::Extra) -> Option<f32> {
        S::prior_of(&extra.inner)
    }

    fn utility_range(extra: &Self::Extra) -> UtilityRange {
        S::utility_range(&extra.inner)
    }

    fn learn<A, X, F>(
        &mut self,
        playout: &mut Played<'_, A, X, F>,
        extra: impl Fn(&mut X) -> &mut Self::Extra,
    ) where
        A: Copy,
        X: Copy + Default,
        F: Fn(A) -> Option<usize>,
    {
        self.policy.learn(playout, |all| &mut extra(all).inner);
        playout.met.clear();
        let mut end = playout.trace.steps().len();
        for depth in (0..playout.path.len()).rev() {
            playout.meet(depth..end);
            end = depth;
            let Some(player) = playout.player_to_move(depth) else { continue };
            let value = playout.result(depth, player);
            let met = playout.met.of(player);
            for child in playout.tree.children_mut(playout.path[depth]) {
                let index = (playout.index)(Node::action(child));
                let counts = index.is_some_and(|index| met.contains(index));
                extra(&mut child.extra).amaf.add_if(counts, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, Utilities};
    use crate::selection::{Results, Scale};
    use crate::trace::{ActionSet, Trace, TraceStep};
    use crate::tree::{NodeId, Tree};
    use alloc::vec::Vec;

    const PASS: u8 = 9;

    fn index(action: u8) -> Option<usize> {
        (action != PASS).then_some(usize::from(action))
    }

    #[test]
    fn the_weights_are_those_of_the_formulas() {
        let hand = RaveSchedule::HandSelected { equivalence: 1000.0 };
        // sqrt(1000 / (3 * 1000 + 1000)) and sqrt(1000 / (3 * 333 + 1000))
        assert!((hand.beta(1000, 7, 70) - 0.5).abs() < 1e-6);
        assert!((hand.beta(333, 7, 70) - 0.707_283_6).abs() < 1e-6);
        let mse = RaveSchedule::MinimumMse { bias: 0.1 };
        // 300 / (100 + 300 + 4 * 100 * 300 * 0.01) = 300 / 1600
        assert!((mse.beta(0, 100, 300) - 0.1875).abs() < 1e-6);
        assert!((mse.beta(0, 0, 5) - 1.0).abs() < 1e-6);
        assert!(mse.beta(0, 5, 0).abs() < 1e-6);
    }

    #[test]
    fn the_mixed_value_is_what_the_other_policy_sees() {
        let policy = Ucb1 { exploration: 0.0, ..Ucb1::default() };
        let rave = Rave { policy, ..Rave::default() };
        let mut amaf = Amaf::default();
        (0..300).for_each(|at| amaf.add(if at < 240 { 1.0 } else { 0.0 }));
        let child = Candidate { visits: 100, value: 0.4, extra: AmafEdge { inner: (), amaf } };
        // beta 0.1875: 0.8125 * 0.4 + 0.1875 * 0.8
        assert!((rave.urgency(rave.parent(500), &child) - 0.475).abs() < 1e-6);
        assert!((rave.first_play(rave.parent(500), &child.extra) - 0.8).abs() < 1e-6);
        assert!(rave.first_play(rave.parent(500), &AmafEdge::default()).is_infinite());
        let schedule = RaveSchedule::HandSelected { equivalence: 1500.0 };
        // beta sqrt(1500 / 3000): 0.29289322 * 0.4 + 0.70710678 * 0.8
        let hand = Rave { schedule, ..rave };
        assert!((hand.urgency(hand.parent(500), &child) - 0.682_842_7).abs() < 1e-6);
        let no_amaf = Rave { schedule: RaveSchedule::HandSelected { equivalence: 0.0 }, ..rave };
        assert!((no_amaf.urgency(no_amaf.parent(500), &child) - 0.4).abs() < 1e-6);
        let unvisited = Candidate { visits: 0, value: 0.0, ..child };
        for rave in [rave, hand, no_amaf] {
            assert!((rave.urgency_of_any(rave.parent(500), &unvisited) - 0.8).abs() < 1e-6);
        }
    }

    #[test]
    fn amaf_counts_the_movers_own_actions_from_the_node_on_once_each_and_no_passes() {
        let mut tree: Tree<u8, AmafEdge<()>> = Tree::with_cap(1 << 16);
        tree.restart(0, Player::FIRST);
        let children = |actions: &[u8]| -> Vec<_> {
            actions.iter().map(|action| (*action, AmafEdge::default())).collect()
        };
        assert!(tree.add_children(NodeId::ROOT, &children(&[0, 1, 2, PASS]), Player::FIRST));
        let after = tree.child(NodeId::ROOT, 0);
        assert!(tree.add_children(after, &children(&[0, 1, 2, PASS]), Player::SECOND));
        let path = [NodeId::ROOT, after, tree.child(after, 1)];
        let played = [(0, 0), (1, 1), (0, 1), (1, PASS), (0, PASS), (0, 1), (1, 0), (1, 0)];
        let mut trace = Trace::default();
        for (player, action) in played {
            trace.push(TraceStep::new(Player(player), index(action)));
        }
        let mut playout = Played {
            tree: &mut tree,
            path: &path,
            trace: &trace,
            index,
            results: Results {
                at_end: &Utilities::zero_sum(1.0),
                returns: &[],
                scale: Scale::new((-1.0, 1.0)),
            },
            exacts: &[],
            provable: None,
            met: &mut ActionSet::default(),
        };
        Rave::default().learn(&mut playout, |extra| extra);
        let of = |tree: &Tree<u8, AmafEdge<()>>, id| -> Vec<(u32, f32)> {
            let amaf = tree.children(id).iter().map(|child| child.extra.amaf);
            amaf.map(|amaf| (amaf.visits(), amaf.value())).collect()
        };
        // the first player took 0, 1 (twice) and passed; 2 and the second player's actions are not theirs
        assert_eq!(of(&tree, NodeId::ROOT), [(1, 1.0), (1, 1.0), (0, 0.0), (0, 0.0)]);
        // the second player lost with 1, a pass and 0 (twice)
        assert_eq!(of(&tree, after), [(1, 0.0), (1, 0.0), (0, 0.0), (0, 0.0)]);
    }
}
