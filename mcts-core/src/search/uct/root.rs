//! The root of a search: checked and expanded before, read out after it.

use super::playout::place_to_action;
use super::{Lane, MOST_VISITS, UctSearch};
use crate::backup::solver;
use crate::budget::StopReason;
use crate::evaluation::Evaluator;
use crate::game::{Exact, Game, Player, Turn, Utilities};
use crate::report::{Reuse, SearchError};
use crate::search::{ActionStats, Choice, Depths, RootStats, Sample};
use crate::selection::{SelectionPolicy, UtilityRange};
use crate::tree::{NodeId, Tree};
use alloc::vec;
use alloc::vec::Vec;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Makes sure that the root is that of `state` and has a child for every legal action, and that wins in one
    /// are proven.
    pub(in crate::search) fn prepare_root(
        &mut self,
        state: &G::State,
    ) -> Result<Reuse, SearchError> {
        let player = match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(player) => player,
        };
        let actions = self.game.count_actions(state);
        if actions == 0 {
            return Err(SearchError::NoLegalAction);
        }
        self.ensure_lane(state);
        let kept = self.root_state.is_some();
        let reuse = if self.catch_up(state) && self.fits(state, player, actions) {
            Reuse::Kept { visits: self.tree.node(NodeId::ROOT).visits }
        } else {
            self.tree.restart(self.game.nth_action(state, 0), player);
            if kept { Reuse::Mismatch } else { Reuse::Fresh }
        };
        self.root_state = Some(state.clone());
        self.states[0].clone_from(state);
        self.tree.make_room(u16::try_from(actions).unwrap_or(u16::MAX));
        if S::COMPARES_UNVISITED && self.tree.node(NodeId::ROOT).child_count() == 0 {
            self.expand_all(NodeId::ROOT, 0, player);
        }
        while !self.tree.node(NodeId::ROOT).is_expanded() {
            let before = self.tree.children(NodeId::ROOT).len();
            self.grow(NodeId::ROOT, 0, player);
            if self.tree.children(NodeId::ROOT).len() == before {
                break;
            }
        }
        if self.proves() {
            self.prove_ends_in_one(state);
        }
        self.root_player = player;
        self.samples.restart(self.tree.children(NodeId::ROOT).len());
        self.depths = Depths::default();
        Ok(reuse)
    }

    /// Whether the children that the root has are those of `state`.
    fn fits(&self, state: &G::State, player: Player, actions: usize) -> bool {
        let root = self.tree.node(NodeId::ROOT);
        let children = self.tree.children(NodeId::ROOT);
        children.len() <= actions
            && root.is_expanded() == (children.len() == actions)
            && children.iter().enumerate().all(|(place, child)| {
                let nth = place_to_action(root.order(), place, actions);
                child.player() == player
                    && !child.is_by_chance()
                    && child.action() == self.game.nth_action(state, nth)
            })
    }

    /// Proves the children of the root whose value is known, and with them perhaps the root.
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
                    Turn::Over(utilities) => Some(Exact { utilities, plies: 0 }),
                    _ if E::KNOWS_ENDINGS => self.parts.evaluator.exact(&self.game, &after),
                    _ => None,
                };
                if let Some(exact) = exact {
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

    /// One state, path and result for each playout that runs at the same time.
    pub(in crate::search) fn prepare_lanes(&mut self, state: &G::State, lanes: usize) {
        self.states.resize(lanes, state.clone());
        self.results.resize(lanes, Utilities::ZERO);
        self.lanes.resize_with(lanes, Lane::default);
    }

    /// Why further playouts would change nothing, if so.
    #[inline]
    pub(in crate::search) fn ended(&self) -> Option<StopReason> {
        let root = self.tree.node(NodeId::ROOT);
        if root.is_proven() {
            return Some(StopReason::Proven);
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

    /// What the tree knows of the children of a node, in their order, without samples.
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

    /// The line that the final action's rule plays after `first`, as far as the tree has visits.
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
