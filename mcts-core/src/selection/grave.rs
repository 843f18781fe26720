//! GRAVE: RAVE with the statistics of an ancestor.

use super::{
    Amaf, AmafTables, Candidate, FirstPlay, Learns, NewChild, Played, SelectionPolicy, TableId,
    Ucb1, UtilityRange,
};
use crate::trace::TraceStep;

/// GRAVE (Cazenave, 2015): RAVE whose AMAF values come from the nearest ancestor with more than
/// `reference` playouts, or the root, since nodes with few playouts have too few AMAF values.
///
/// The inner policy gets `(1 - beta) * value + beta * AMAF value` with
/// `beta = m / (n + m + bias * n * m)` for `n` visits and `m` AMAF visits as the value; a child
/// without visits is treated as if it had one. AMAF counts as in [`Rave`](super::Rave).
///
/// Deviation: a node starts to collect AMAF statistics at `reference` visits, and is used as a
/// reference after that many more, so that few nodes need a table. Descendants switch to a new
/// reference when a playout passes through them.
///
/// ```
/// # use mcts_core::testing::{Position, TreeGame};
/// # let answers = Position::second([Position::over(1.0), Position::over(0.6)]);
/// # let game = TreeGame::<2>::new(Position::first([Position::over(0.2), answers]));
/// use mcts_core::{Budget, Game, NoClock, Grave, Search, Uct};
///
/// let parts = Uct::default().with_selection(Grave::default());
/// let mut search = parts.search(game.clone(), 1);
/// let report = search.run_with_clock(&game.start(), &Budget::playouts(1_000), &NoClock)?;
/// assert_eq!(report.best, 1);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Grave<S = Ucb1> {
    /// The policy that uses the mixed value.
    pub policy: S,
    /// Number of playouts beyond which a node's own AMAF values are used.
    pub reference: u32,
    /// How quickly the weight of the AMAF value decreases.
    pub bias: f32,
    /// Maximum number of nodes with AMAF values, at least 1; each takes eight bytes for each action
    /// of each player.
    pub most_tables: usize,
    /// The AMAF statistics; empty at first.
    pub tables: AmafTables,
}

impl Default for Grave {
    /// Exploration 0.4, and a reference of 50 playouts (the paper uses 25 to 400, by game); bias
    /// 1e-5; 4,096 tables, which is 4 MiB for two players with 64 actions.
    ///
    /// Deviation: the paper does not explore (exploration 0), which is stronger in some games
    /// without chance (Reversi: see docs/algorithms.md). With chance it is unsafe: after a few
    /// unlucky outcomes a good action is not tried again. Wrong actions at 800 random roots with
    /// chance, two players: 92 with exploration 0, 42 with 0.4, 37 with 0.7.
    fn default() -> Self {
        Grave {
            policy: Ucb1 { exploration: 0.4, first_play: FirstPlay::AllOnce },
            reference: 50,
            bias: 1e-5,
            most_tables: 4096,
            tables: AmafTables::default(),
        }
    }
}

/// The statistics of an edge, and the source of AMAF values for it and below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraveEdge<X> {
    /// The statistics of the inner policy.
    pub inner: X,
    action: TraceStep,
    /// The AMAF values of the node below the edge.
    own: TableId,
    /// The AMAF values of the reference, by which its children are compared.
    reference: TableId,
}

impl<X: Default> Default for GraveEdge<X> {
    fn default() -> Self {
        let none = TableId::default();
        GraveEdge { inner: X::default(), action: TraceStep::CHANCE, own: none, reference: none }
    }
}

/// Computed once for all siblings.
#[derive(Debug, Clone, Copy)]
pub struct GraveParent<P> {
    inner: P,
    reference: TableId,
}

impl<S> Grave<S> {
    #[inline]
    fn beta(&self, visits: u32, amaf: Amaf) -> f32 {
        let (n, m) = (visits as f32, amaf.visits() as f32);
        if m > 0.0 { m / (n + m + self.bias * n * m) } else { 0.0 }
    }
}

impl<S: SelectionPolicy> SelectionPolicy for Grave<S> {
    type Extra = GraveEdge<S::Extra>;
    type Parent = GraveParent<S::Parent>;

    const COMPARES_UNVISITED: bool = true;
    const READS_PRIORS: bool = S::READS_PRIORS;
    const PRIORS_ARE_WEIGHTS: bool = S::PRIORS_ARE_WEIGHTS;
    const LEARNS: Learns = Learns::FromTrace;
    const NEEDS_ACTION_INDICES: bool = true;

    #[inline]
    fn parent(&self, visits: u32) -> Self::Parent {
        GraveParent { inner: self.policy.parent(visits), reference: TableId::default() }
    }

    #[inline]
    fn parent_with_extra(&self, visits: u32, extra: &Self::Extra) -> Self::Parent {
        let inner = self.policy.parent_with_extra(visits, &extra.inner);
        GraveParent { inner, reference: extra.reference }
    }

    #[inline]
    fn urgency(&self, parent: Self::Parent, child: &Candidate<Self::Extra>) -> f32 {
        let amaf = self.tables.of(parent.reference, child.extra.action);
        let beta = self.beta(child.visits, amaf);
        let value = (1.0 - beta) * child.value + beta * amaf.value();
        let inner = Candidate { visits: child.visits, value, extra: child.extra.inner };
        self.policy.urgency(parent.inner, &inner)
    }

    #[inline]
    fn first_play(&self, parent: Self::Parent, extra: &Self::Extra) -> f32 {
        let amaf = self.tables.of(parent.reference, extra.action);
        if amaf.visits() == 0 {
            return self.policy.first_play(parent.inner, &extra.inner);
        }
        let inner = Candidate { visits: 1, value: amaf.value(), extra: extra.inner };
        self.policy.urgency(parent.inner, &inner)
    }

    fn new_child(&self, child: &NewChild) -> Self::Extra {
        let inner = self.policy.new_child(child);
        GraveEdge { inner, action: child.action, ..GraveEdge::default() }
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
        let mut reference = TableId::default();
        for (depth, id) in playout.path.iter().enumerate() {
            let node = playout.tree.node_mut(*id);
            let visits = node.visits;
            let edge = extra(&mut node.extra);
            if (visits >= self.reference || depth == 0) && self.tables.playouts(edge.own).is_none()
            {
                edge.own = self.tables.create(self.most_tables.max(1));
            }
            let counted = self.tables.playouts(edge.own);
            if depth == 0 || counted.is_some_and(|playouts| playouts > self.reference) {
                reference = edge.own;
            }
            edge.reference = reference;
        }
        playout.met.clear();
        let mut end = playout.trace.steps().len();
        for (depth, id) in playout.path.iter().enumerate().rev() {
            playout.meet(depth..end);
            end = depth;
            let own = extra(&mut playout.tree.node_mut(*id).extra).own;
            if own != TableId::default() {
                let values = playout.results.of_all(depth);
                self.tables.add_playout(own, playout.met.members(), &values);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MAX_PLAYERS, Player, Utilities};
    use crate::selection::{Results, Scale};
    use crate::trace::{ActionSet, Trace};
    use crate::tree::{NodeId, Tree};

    type Edges = Tree<usize, GraveEdge<()>>;

    fn edge(player: Player, index: usize) -> (usize, GraveEdge<()>) {
        (index, GraveEdge { action: TraceStep::new(player, Some(index)), ..GraveEdge::default() })
    }

    /// A playout along `path` with these actions, players in turn; the first player wins.
    fn learn(grave: &mut Grave, tree: &mut Edges, path: &[NodeId], actions: &[usize]) {
        let mut trace = Trace::default();
        for (ply, action) in actions.iter().enumerate() {
            trace.push(TraceStep::new(Player(ply as u8 % 2), Some(*action)));
        }
        path.iter().for_each(|id| tree.node_mut(*id).visits += 1);
        let results = Results {
            at_end: &Utilities::zero_sum(1.0),
            returns: &[],
            scale: Scale::new((-1.0, 1.0)),
        };
        let (met, index) = (&mut ActionSet::default(), Some);
        let mut playout =
            Played { tree, path, trace: &trace, index, results, exacts: &[], provable: None, met };
        grave.learn(&mut playout, |extra| extra);
    }

    #[test]
    fn the_formula_gives_the_mixed_value() {
        let policy = Ucb1 { exploration: 0.0, ..Ucb1::default() };
        let mut grave = Grave { policy, bias: 0.01, ..Grave::default() };
        let table = grave.tables.create(1);
        let action = TraceStep::new(Player::FIRST, Some(0));
        for playout in 0..300u16 {
            let value = if playout < 240 { 1.0 } else { 0.0 };
            grave.tables.add_playout(table, &[action], &[value; MAX_PLAYERS]);
        }
        let parent = GraveParent { inner: grave.policy.parent(500), reference: table };
        let extra = GraveEdge { action, ..GraveEdge::default() };
        // beta = 300 / (100 + 300 + 0.01 * 100 * 300) = 300 / 700
        let expected = 4.0 / 7.0 * 0.4 + 3.0 / 7.0 * 0.8;
        let child = Candidate { visits: 100, value: 0.4, extra };
        assert!((grave.urgency(parent, &child) - expected).abs() < 1e-6);
        assert!((grave.first_play(parent, &extra) - 0.8).abs() < 1e-6);
    }

    #[test]
    fn values_come_from_the_nearest_ancestor_with_enough_playouts() {
        let mut grave = Grave { reference: 2, ..Grave::default() };
        let mut tree = Edges::with_cap(1 << 16);
        tree.restart(0, Player::FIRST);
        let firsts = [edge(Player::FIRST, 0), edge(Player::FIRST, 1)];
        assert!(tree.add_children(NodeId::ROOT, &firsts, Player::FIRST));
        let below = tree.child(NodeId::ROOT, 0);
        let seconds = [edge(Player::SECOND, 0), edge(Player::SECOND, 2)];
        assert!(tree.add_children(below, &seconds, Player::SECOND));
        let path = [NodeId::ROOT, below, tree.child(below, 0)];
        let seen = |grave: &Grave, tree: &Edges, action| {
            let of = grave.parent_with_extra(9, &tree.node(below).extra).reference;
            grave.tables.of(of, TraceStep::new(Player::SECOND, Some(action))).visits()
        };
        // the second player's action 2 is played twice, and once more; from the third playout on the node counts
        learn(&mut grave, &mut tree, &path, &[0, 0, 1, 2, 1, 2]);
        assert_eq!((seen(&grave, &tree, 0), seen(&grave, &tree, 2)), (1, 1));
        learn(&mut grave, &mut tree, &path, &[0, 0]);
        learn(&mut grave, &mut tree, &path, &[0, 0, 1, 2]);
        assert_eq!((seen(&grave, &tree, 0), seen(&grave, &tree, 2)), (3, 2));
        // visits 2, 3, 4 and 5 of the node are counted there; with more than two it is its own reference
        learn(&mut grave, &mut tree, &path, &[0, 0]);
        assert_eq!(seen(&grave, &tree, 0), 4);
        learn(&mut grave, &mut tree, &path, &[0, 0]);
        assert_eq!((seen(&grave, &tree, 0), seen(&grave, &tree, 2)), (4, 1));
    }
}
