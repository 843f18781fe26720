//! Score bounds.

use super::{Candidate, Learns, NewChild, Played, SelectionPolicy, Ucb1};
use crate::tree::{NodeId, Proof, Tree};

/// Score bounded search (Cazenave and Saffidine, 2010): every node stores a lower and an upper
/// bound of its value, and actions that cannot be worth more than a sibling is for certain are left
/// alone.
///
/// In games with more results than win, draw and loss, such as score games, a node is proven as
/// soon as its bounds meet, long before every action below it is. Only for one player, or two with
/// opposite utilities, with the solver on and without rewards; otherwise it has no effect. The
/// paper's bias of the urgency by the bounds is omitted.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, ScoreBounds, Search, Uct};
///
/// let parts = Uct::default().with_selection(ScoreBounds::default());
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreBounds<S = Ucb1> {
    /// The policy that chooses among the remaining actions.
    pub policy: S,
}

impl Default for ScoreBounds {
    /// Around UCB1.
    fn default() -> Self {
        ScoreBounds { policy: Ucb1::default() }
    }
}

/// Bounds of a node's value, as utilities of the player who took the edge into it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UtilityRange {
    /// The lower bound.
    pub least: f32,
    /// The upper bound.
    pub most: f32,
}

impl UtilityRange {
    /// The trivial bounds.
    pub const UNKNOWN: UtilityRange =
        UtilityRange { least: f32::NEG_INFINITY, most: f32::INFINITY };

    fn exactly(utility: f32) -> Self {
        UtilityRange { least: utility, most: utility }
    }

    fn for_opponent(self) -> Self {
        UtilityRange { least: -self.most, most: -self.least }
    }

    fn and(self, other: UtilityRange) -> Self {
        UtilityRange { least: self.least.max(other.least), most: self.most.min(other.most) }
    }
}

/// The statistics of an edge, and the bounds of the node below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundedEdge<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    /// The bounds of the node.
    pub range: UtilityRange,
    /// The lower bound of the player to move in the node.
    floor: f32,
}

impl<X: Default> Default for BoundedEdge<X> {
    fn default() -> Self {
        let (inner, range) = (X::default(), UtilityRange::UNKNOWN);
        BoundedEdge { inner, range, floor: f32::NEG_INFINITY }
    }
}

/// Computed once for all siblings.
#[derive(Debug, Clone, Copy)]
pub struct BoundedParent<P> {
    inner: P,
    floor: f32,
}

impl<S: SelectionPolicy> SelectionPolicy for ScoreBounds<S> {
    type Extra = BoundedEdge<S::Extra>;
    type Parent = BoundedParent<S::Parent>;

    const COMPARES_UNVISITED: bool = S::COMPARES_UNVISITED;
    const READS_PRIORS: bool = S::READS_PRIORS;
    const PRIORS_ARE_WEIGHTS: bool = S::PRIORS_ARE_WEIGHTS;
    const LEARNS: Learns = S::LEARNS.and(Learns::FromPath);
    const NEEDS_ACTION_INDICES: bool = S::NEEDS_ACTION_INDICES;

    #[inline]
    fn parent(&self, visits: u32) -> Self::Parent {
        BoundedParent { inner: self.policy.parent(visits), floor: f32::NEG_INFINITY }
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> Self::Parent {
        let inner = self.policy.parent_with_extra(visits, &extra.inner);
        BoundedParent { inner, floor: extra.floor }
    }

    #[inline]
    fn urgency(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let UtilityRange { least, most } = child.extra.range;
        if most <= parent.floor && least < most {
            return f32::NEG_INFINITY;
        }
        self.policy.urgency(parent.inner, &child.with_extra(child.extra.inner))
    }

    #[inline]
    fn first_play(&self, parent: Self::Parent, extra: &Self::Extra) -> f32 {
        self.policy.first_play(parent.inner, &extra.inner)
    }

    fn new_child(&self, child: &NewChild) -> Self::Extra {
        BoundedEdge { inner: self.policy.new_child(child), ..BoundedEdge::default() }
    }

    fn prior_of(extra: &Self::Extra) -> Option<f32> {
        S::prior_of(&extra.inner)
    }

    fn utility_range(extra: &Self::Extra) -> UtilityRange {
        extra.range
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
        let Some((lowest, highest)) = playout.provable else { return };
        let anything = UtilityRange { least: lowest, most: highest };
        for id in playout.path.iter().rev() {
            let before = edge_range(playout.tree, *id, &extra);
            let Children { range, floor } = children_range(playout.tree, *id, anything, &extra);
            let after = before.and(range).and(anything);
            let edge = extra(&mut playout.tree.node_mut(*id).extra);
            if after == edge.range && floor <= edge.floor {
                return;
            }
            (edge.range, edge.floor) = (after, edge.floor.max(floor));
            if after.least >= after.most && !playout.tree.node(*id).is_proven() {
                let plies = plies_to_end(playout.tree, *id, after.least, (lowest, highest));
                playout.tree.node_mut(*id).set_proof_bits(after.least, plies);
            }
        }
    }
}

/// The current bounds of a node.
fn edge_range<A, X, Y>(
    tree: &mut Tree<A, X>,
    id: NodeId,
    extra: &impl Fn(&mut X) -> &mut BoundedEdge<Y>,
) -> UtilityRange
where
    A: Copy,
    X: Copy + Default,
{
    let node = tree.node_mut(id);
    match node.proof_bits() {
        Some((utility, _)) => UtilityRange::exactly(utility),
        None => extra(&mut node.extra).range,
    }
}

/// The bounds of a node from its children.
struct Children {
    range: UtilityRange,
    /// The lower bound of the player to move; zero at a chance node.
    floor: f32,
}

fn children_range<A, X, Y>(
    tree: &mut Tree<A, X>,
    id: NodeId,
    anything: UtilityRange,
    extra: &impl Fn(&mut X) -> &mut BoundedEdge<Y>,
) -> Children
where
    A: Copy,
    X: Copy + Default,
{
    let unknown = Children { range: anything, floor: f32::NEG_INFINITY };
    let (player, expanded) = (tree.node(id).player(), tree.node(id).is_expanded());
    let Some(first) = tree.children(id).first() else { return unknown };
    let (by_chance, mover) = (first.is_by_chance(), first.player());
    let mut children = (0..tree.children(id).len()).map(|place| {
        let child = tree.child(id, place);
        edge_range(tree, child, extra).and(anything)
    });
    let Some(mut range) = children.next() else { return unknown };
    for UtilityRange { least, most } in children {
        range.least = if by_chance { range.least.min(least) } else { range.least.max(least) };
        range.most = range.most.max(most);
    }
    if !expanded {
        range.most = anything.most;
        range.least = if by_chance { anything.least } else { range.least };
    }
    let floor = if by_chance { f32::NEG_INFINITY } else { range.least };
    Children { range: if mover == player { range } else { range.for_opponent() }, floor }
}

/// Plies to the end along the children with the value of the node: of the one that the player to
/// move prefers, or of the longest outcome of chance.
fn plies_to_end<A, X>(tree: &Tree<A, X>, id: NodeId, utility: f32, bounds: (f32, f32)) -> u32
where
    A: Copy,
    X: Copy + Default,
{
    let player = tree.node(id).player();
    let known = tree.children(id).iter().filter_map(|child| {
        let for_mover = if child.player() == player { utility } else { -utility };
        let proof = child.proof_bits().map(|(utility, plies)| Proof { utility, plies });
        Some((child, proof.filter(|proof| proof.utility >= for_mover)?))
    });
    let best = known.reduce(|best, next| {
        let is_preferred = match next.0.is_by_chance() {
            true => next.1.plies > best.1.plies,
            false => next.1.is_preferred_to(&best.1, bounds),
        };
        if is_preferred { next } else { best }
    });
    best.map_or(0, |(_, proof)| proof.plies.saturating_add(1))
}
