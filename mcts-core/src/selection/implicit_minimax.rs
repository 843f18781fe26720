//! Implicit minimax backups.

use super::{Candidate, Learns, NewChild, Played, SelectionPolicy, Ucb1, UtilityRange};
use crate::game::Player;
use crate::tree::{NodeId, Tree};

/// Implicit minimax backups (Lanctot et al., 2014): the inner policy gets
/// `(1 - weight) * value + weight * minimax` as an action's value, where `minimax` is a heuristic
/// value backed up by minimax, in addition to the means.
///
/// The heuristic value of a new child is the evaluator's prior (see
/// [`Evaluator::priors`](crate::Evaluator::priors)): the value of the state after the action for
/// the player who takes it, in [0, 1]. Only for one player, or two with opposite utilities and
/// bounds. A proven value replaces the heuristic one; at chance nodes the mean over the outcomes
/// seen so far is backed up, weighted by visits.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, ImplicitMinimax, Rollout, Search, Uct};
/// use mcts_core::evaluation::{PriorScale, WithPriors};
///
/// // prior knowledge: later actions look better
/// fn prior(_: &TreeGame, _: &Vec<u16>, action: u16) -> f32 {
///     f32::from(action) / 2.0
/// }
/// let evaluator = WithPriors { evaluator: Rollout::default(), prior, scale: PriorScale::AsGiven };
/// let parts = Uct::default().with_selection(ImplicitMinimax::default()).with_evaluator(evaluator);
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImplicitMinimax<S = Ucb1> {
    /// The policy that uses the mixed value.
    pub policy: S,
    /// Weight of the minimax value, in [0, 1].
    pub weight: f32,
}

impl Default for ImplicitMinimax {
    /// Around UCB1.
    fn default() -> Self {
        ImplicitMinimax::with_policy(Ucb1::default())
    }
}

impl<S> ImplicitMinimax<S> {
    /// Weight 0.4. (The paper tunes it by game and evaluator.)
    pub fn with_policy(policy: S) -> Self {
        ImplicitMinimax { policy, weight: 0.4 }
    }
}

/// The statistics of an edge, and the minimax value of the node below it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MinimaxEdge<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    /// For the player who took the edge, in [0, 1].
    pub minimax: f32,
}

impl<S: SelectionPolicy> SelectionPolicy for ImplicitMinimax<S> {
    type Extra = MinimaxEdge<S::Extra>;
    type Parent = S::Parent;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = true;
    const LEARNS: Learns = S::LEARNS.and(Learns::FromPath);
    const NEEDS_ACTION_INDICES: bool = S::NEEDS_ACTION_INDICES;

    #[inline]
    fn parent(&self, visits: u32) -> S::Parent {
        self.policy.parent(visits)
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> S::Parent {
        self.policy.parent_with_extra(visits, &extra.inner)
    }

    #[inline]
    fn urgency(&self, parent: S::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let MinimaxEdge { inner, minimax } = child.extra;
        let value = (1.0 - self.weight) * child.value + self.weight * minimax;
        self.policy.urgency(parent, &Candidate { visits: child.visits, value, extra: inner })
    }

    #[inline]
    fn first_play(&self, parent: S::Parent, extra: &Self::Extra) -> f32 {
        let urgency = self.policy.first_play(parent, &extra.inner);
        urgency.min(super::ABOVE_ALL) + self.weight * extra.minimax
    }

    fn new_child(&self, child: &NewChild) -> Self::Extra {
        MinimaxEdge { inner: self.policy.new_child(child), minimax: child.prior }
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
        let scale = playout.results.scale;
        for id in playout.path[1..].iter().rev() {
            let node = playout.tree.node(*id);
            let player = node.player();
            let backed_up = match node.proof_bits() {
                Some((utility, _)) => Some(scale.to_unit(utility)),
                None => from_children(playout.tree, *id, &extra).map(|best| {
                    if best.player == player { best.minimax } else { 1.0 - best.minimax }
                }),
            };
            if let Some(minimax) = backed_up {
                extra(&mut playout.tree.node_mut(*id).extra).minimax = minimax;
            }
        }
    }
}

/// A minimax value and its player.
struct Best {
    player: Player,
    minimax: f32,
}

/// The value of the best child, or the mean of the outcomes; `None` without children.
fn from_children<A, X, Y>(
    tree: &mut Tree<A, X>,
    id: NodeId,
    extra: &impl Fn(&mut X) -> &mut MinimaxEdge<Y>,
) -> Option<Best>
where
    A: Copy,
    X: Copy + Default,
{
    let first = tree.children(id).first()?;
    let (player, by_chance) = (first.player(), first.is_by_chance());
    let mut best = f32::NEG_INFINITY;
    let (mut sum, mut visits) = (0.0, 0.0);
    for child in tree.children_mut(id) {
        let weight = child.visits;
        let minimax = extra(&mut child.extra).minimax;
        best = best.max(minimax);
        sum += f64::from(weight) * f64::from(minimax);
        visits += f64::from(weight);
    }
    let minimax = if by_chance && visits > 0.0 { (sum / visits) as f32 } else { best };
    Some(Best { player, minimax })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Utilities;
    use crate::selection::{Results, Scale};
    use crate::trace::{ActionSet, Trace};

    type Edges = Tree<u8, MinimaxEdge<()>>;

    fn children(values: &[f32]) -> alloc::vec::Vec<(u8, MinimaxEdge<()>)> {
        values.iter().map(|minimax| (0, MinimaxEdge { inner: (), minimax: *minimax })).collect()
    }

    fn learn(tree: &mut Edges, path: &[NodeId]) {
        let mut playout = Played {
            tree,
            path,
            trace: &Trace::EMPTY,
            index: |_| None,
            results: Results {
                at_end: &Utilities::ZERO,
                returns: &[],
                scale: Scale::new((-1.0, 1.0)),
            },
            exacts: &[],
            provable: None,
            met: &mut ActionSet::default(),
        };
        <ImplicitMinimax>::default().learn(&mut playout, |extra| extra);
    }

    #[test]
    fn the_other_policy_sees_the_mixed_value() {
        let policy = Ucb1 { exploration: 0.0, ..Ucb1::default() };
        let minimax = ImplicitMinimax { policy, weight: 0.25 };
        let extra = MinimaxEdge { inner: (), minimax: 0.9 };
        let child = Candidate { visits: 10, value: 0.5, extra };
        // 0.75 * 0.5 + 0.25 * 0.9
        assert!((minimax.urgency(minimax.parent(20), &child) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn heuristic_values_are_backed_up_by_minimax_whoever_moves() {
        let mut tree = Edges::with_cap(1 << 16);
        tree.restart(0, Player::FIRST);
        assert!(tree.add_children(NodeId::ROOT, &children(&[0.5, 0.5]), Player::FIRST));
        let opponents = tree.child(NodeId::ROOT, 0);
        assert!(tree.add_children(opponents, &children(&[0.2, 0.7]), Player::SECOND));
        let own = tree.child(opponents, 1);
        assert!(tree.add_children(own, &children(&[0.1, 0.4]), Player::SECOND));
        let path = [NodeId::ROOT, opponents, own, tree.child(own, 1)];
        learn(&mut tree, &path);
        let minimax = |tree: &Edges, id| tree.node(id).extra.minimax;
        // the second player moves twice: best of 0.1 and 0.4, then of 0.2 and 0.4, then 1 - 0.4 for the first
        assert!((minimax(&tree, own) - 0.4).abs() < 1e-6);
        assert!((minimax(&tree, opponents) - 0.6).abs() < 1e-6);
        // a proven loss of the second player there: 0, and the best is 0.2
        tree.node_mut(own).set_proof_bits(-1.0, 0);
        learn(&mut tree, &path);
        assert!((minimax(&tree, opponents) - 0.8).abs() < 1e-6);
    }

    #[test]
    fn outcomes_of_chance_are_averaged_by_their_visits() {
        let mut tree = Edges::with_cap(1 << 16);
        tree.restart(0, Player::FIRST);
        assert!(tree.add_children(NodeId::ROOT, &children(&[0.5]), Player::FIRST));
        let chance = tree.child(NodeId::ROOT, 0);
        assert!(tree.add_children(chance, &children(&[0.2, 0.8]), Player::FIRST));
        for (place, visits) in [(0, 3), (1, 1)] {
            let outcome = tree.child(chance, place);
            tree.node_mut(outcome).set_by_chance();
            tree.node_mut(outcome).visits = visits;
        }
        let path = [NodeId::ROOT, chance, tree.child(chance, 0)];
        learn(&mut tree, &path);
        // (3 * 0.2 + 1 * 0.8) / 4
        assert!((tree.node(chance).extra.minimax - 0.35).abs() < 1e-6);
    }
}
