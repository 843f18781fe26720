//! The root of a search: checked and expanded before the search, read after it.

use super::expand::place_to_action;
use super::{Lane, MOST_VISITS, UctSearch};
use crate::backup::solver;
use crate::budget::StopReason;
use crate::evaluation::Evaluator;
use crate::game::{Exact, Game, Player, Turn, Utilities};
use crate::report::{Reuse, SearchError};
use crate::search::{ActionStats, Choice, Depths, RootStats, Sample, check_discount};
use crate::selection::{SelectionPolicy, UtilityRange};
use crate::tree::{MAX_CHILDREN, NodeId, Tree};
use alloc::vec;
use alloc::vec::Vec;
use rand::Rng;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Prepares the root of `state` with a child for every legal action, and proves wins in one.
    pub(in crate::search) fn prepare_root(
        &mut self,
        state: &G::State,
    ) -> Result<Reuse, SearchError> {
        let player = match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(player) => player,
        };
        check_discount(self.game.discount())?;
        let mut actions = core::mem::take(&mut self.root_actions);
        actions.clear();
        self.game.actions(state, |action| actions.push(action));
        let reuse = self.prepare_children(state, player, &actions);
        self.root_actions = actions;
        let reuse = reuse?;
        if self.proves() {
            self.prove_ends_in_one(state);
        }
        self.root_player = player;
        self.samples.restart(self.tree.children(NodeId::ROOT).len());
        self.depths = Depths::default();
        Ok(reuse)
    }

    /// Prepares the root of `state` with a child for each of its `actions`.
    fn prepare_children(
        &mut self,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
    ) -> Result<Reuse, SearchError> {
        match actions.len() {
            0 => return Err(SearchError::NoLegalAction),
            1..=MAX_CHILDREN => {}
            count => return Err(SearchError::TooManyActions(count)),
        }
        self.is_too_wide = false;
        self.ensure_lane(state);
        let kept = self.root_state.is_some();
        let reuse = if self.catch_up(state) && self.fits(player, actions) {
            Reuse::Kept { visits: self.tree.node(NodeId::ROOT).visits }
        } else {
            self.tree.restart(actions[0], player);
            if kept { Reuse::Mismatch } else { Reuse::Fresh }
        };
        self.root_state = Some(state.clone());
        self.states[0].clone_from(state);
        self.tree.make_room(actions.len() as u16);
        self.tree.allow(actions.len());
        if S::COMPARES_UNVISITED && self.tree.node(NodeId::ROOT).child_count() == 0 {
            self.expand_all(NodeId::ROOT, 0, player);
        } else if !self.tree.node(NodeId::ROOT).is_expanded() {
            self.grow_all(player, actions);
        }
        let is_complete = self.tree.node(NodeId::ROOT).is_expanded();
        if is_complete { Ok(reuse) } else { Err(SearchError::NoMemory) }
    }

    /// Adds the missing children of the root, in the order in which they would come one by one.
    fn grow_all(&mut self, player: Player, actions: &[G::Action]) {
        if self.tree.node(NodeId::ROOT).child_count() == 0 {
            let order = self.tree_rng.next_u64() as u8;
            self.tree.node_mut(NodeId::ROOT).set_order(order);
        }
        let order = self.tree.node(NodeId::ROOT).order();
        let nth = |place| actions[place_to_action(order, place, actions.len())];
        if self.tree.complete_children(NodeId::ROOT, (0..actions.len()).map(nth), player) {
            self.tree.node_mut(NodeId::ROOT).set_expanded(true);
            self.widest = self.widest.max(actions.len() as u16);
        }
    }

    /// Whether the children of the root are those for `actions`.
    fn fits(&self, player: Player, actions: &[G::Action]) -> bool {
        let root = self.tree.node(NodeId::ROOT);
        let children = self.tree.children(NodeId::ROOT);
        children.len() <= actions.len()
            && root.is_expanded() == (children.len() == actions.len())
            && children.iter().enumerate().all(|(place, child)| {
                let nth = place_to_action(root.order(), place, actions.len());
                child.player() == player && !child.is_by_chance() && child.action() == actions[nth]
            })
    }

    /// Proves the children of the root with known values, and the root if they decide it.
    fn prove_ends_in_one(&mut self, state: &G::State) {
        if self.tree.node(NodeId::ROOT).is_proven() {
            self.tree.node_mut(NodeId::ROOT).forget_proof();
        }
        for place in 0..self.tree.children(NodeId::ROOT).len() {
            let child = self.tree.child(NodeId::ROOT, place);
            if !self.tree.node(child).is_proven() {
                let mut after = state.clone();
                self.game.apply(&mut after, self.tree.node(child).action());
                let exact = match self.game.turn(&after) {
                    Turn::Over(utilities) => Some(Exact::at_end(utilities)),
                    _ if E::KNOWS_ENDINGS => self.parts.evaluator.exact(&self.game, &after),
                    _ => None,
                };
                if let Some(Exact { utilities, plies }) = exact {
                    let utilities = utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
                    let exact = Exact { utilities, plies };
                    solver::prove::<G, _>(&mut self.tree, child, exact);
                }
            }
        }
        solver::prove_from_children::<G, _>(&mut self.tree, NodeId::ROOT);
    }

    fn ensure_lane(&mut self, state: &G::State) {
        if self.states.is_empty() {
            self.states.push(state.clone());
        }
    }

    /// Prepares a state, a path and a result for each concurrent playout.
    pub(in crate::search) fn prepare_lanes(&mut self, state: &G::State, lanes: usize) {
        self.states.resize(lanes, state.clone());
        self.results.resize(lanes, Utilities::ZERO);
        self.lanes.resize_with(lanes, Lane::default);
    }

    /// The reason why further playouts cannot change the result, if any.
    #[inline]
    pub(in crate::search) fn ended(&self) -> Option<StopReason> {
        let root = self.tree.node(NodeId::ROOT);
        if root.is_proven() {
            return Some(StopReason::Proven);
        }
        if self.is_too_wide {
            return Some(StopReason::TooManyActions);
        }
        (root.visits >= MOST_VISITS).then_some(StopReason::Visits)
    }

    pub(super) fn read(&self, root: &mut RootStats<G::Action>) {
        root.actions.clear();
        root.actions.extend(self.action_stats(NodeId::ROOT));
        for (place, action) in root.actions.iter_mut().enumerate() {
            action.sample = self.samples.of(place);
        }
        root.bounds = G::UTILITY_BOUNDS;
        root.choice = Choice::ByStatistics(self.parts.final_action);
        root.ended = self.ended();
        root.nodes = self.tree.len();
        root.memory_bytes = self.tree.memory_bytes();
        root.depths = self.depths;
    }

    /// The statistics of the children of a node, in order, without samples.
    fn action_stats(&self, id: NodeId) -> impl Iterator<Item = ActionStats<G::Action>> {
        let children = self.tree.children(id).iter().enumerate();
        children.map(move |(place, child)| {
            let UtilityRange { least, most } = S::utility_range(&child.extra);
            ActionStats {
                action: child.action(),
                visits: child.visits,
                value: child.mean().map(|mean| mean.clamp(least, most)),
                observations: child.visits,
                sample: Sample::default(),
                proven: solver::proof::<G, _>(&self.tree, self.tree.child(id, place)),
            }
        })
    }

    /// The line after `first` by the rule for the final action, as far as the tree has visits.
    pub(super) fn line_from(&self, first: G::Action) -> Vec<G::Action> {
        let mut line = vec![first];
        let of_action = |id, action| position(&self.tree, id, action);
        let mut at = of_action(NodeId::ROOT, first);
        while let Some(id) = at {
            let actions = self.action_stats(id).collect();
            let stats = RootStats { actions, bounds: G::UTILITY_BOUNDS, ..RootStats::default() };
            let reports = stats.reports();
            let next = self.parts.final_action.choose(&reports, G::UTILITY_BOUNDS);
            at = next.filter(|next| reports[*next].visits > 0).and_then(|next| {
                line.push(reports[next].action);
                of_action(id, reports[next].action)
            });
        }
        line
    }
}

fn position<A: Copy + PartialEq, X: Copy + Default>(
    tree: &Tree<A, X>,
    parent: NodeId,
    action: A,
) -> Option<NodeId> {
    let place = tree.children(parent).iter().position(|child| child.action() == action)?;
    Some(tree.child(parent, place))
}
