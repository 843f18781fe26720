//! The root of a graph search: prepared before the search, read after it.

use super::GraphSearch;
use super::nodes::{Edge, Mover, NONE, NodeId};
use crate::budget::StopReason;
use crate::evaluation::Evaluator;
use crate::game::{Game, Turn};
use crate::report::{Reuse, SearchError};
use crate::search::{ActionStats, Choice, RootStats, check_discount};
use crate::selection::SelectionPolicy;
use crate::tree::{MAX_CHILDREN, Proof};
use alloc::vec::Vec;

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> GraphSearch<G, S, E> {
    /// Prepares the root of `state` with an edge for every legal action, and proves wins in one.
    pub(super) fn prepare_root(&mut self, state: &G::State) -> Result<Reuse, SearchError> {
        let count = match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(_) => self.game.count_actions(state),
        };
        match count {
            0 => return Err(SearchError::NoLegalAction),
            1..=MAX_CHILDREN => {}
            count => return Err(SearchError::TooManyActions(count)),
        }
        check_discount(self.game.discount())?;
        self.is_too_wide = false;
        if self.states.is_empty() {
            self.states.push(state.clone());
        }
        self.states[0].clone_from(state);
        let is_half_full = self.graph.memory_bytes() > self.parts.memory_cap_bytes / 2;
        if is_half_full || self.game.hash(state).is_none() {
            self.graph.clear();
        }
        self.root = self.graph.find_or_add(&self.game, state);
        let mut reuse = match self.graph.node(self.root).visits {
            0 => Reuse::Fresh,
            visits => Reuse::Kept { visits },
        };
        if !self.fits(state) {
            self.graph.clear();
            self.root = self.graph.find_or_add(&self.game, state);
            reuse = Reuse::Mismatch;
        }
        if self.graph.edges(self.root).is_empty() {
            self.expand(self.root, 0);
        }
        if self.graph.edges(self.root).is_empty() {
            return Err(SearchError::NoMemory);
        }
        self.graph.allow(count);
        if self.proves() {
            self.prove_ends_in_one(state);
        }
        Ok(reuse)
    }

    /// Whether the edges of the root are the legal actions of `state`, in any rotation.
    fn fits(&self, state: &G::State) -> bool {
        let edges = self.graph.edges(self.root);
        let mut actions = Vec::new();
        self.game.actions(state, |action| actions.push(action));
        let is_legal = |edge: &Edge<G::Action>| actions.contains(&edge.action);
        // usually the same order up to a rotation; otherwise every action is searched for
        let start = edges.first().and_then(|edge| actions.iter().position(|a| *a == edge.action));
        let rotated = actions.iter().cycle().skip(start.unwrap_or(0));
        edges.is_empty()
            || (edges.len() == actions.len()
                && (edges.iter().zip(rotated).all(|(edge, action)| edge.action == *action)
                    || edges.iter().all(is_legal)))
    }

    /// Proves the children of the root that end the game, and the root if they decide it.
    fn prove_ends_in_one(&mut self, state: &G::State) {
        for place in 0..self.graph.edges(self.root).len() {
            let edge = self.graph.edges(self.root)[place];
            let mut after = state.clone();
            self.game.apply(&mut after, edge.action);
            if edge.child == NONE && matches!(self.game.turn(&after), Turn::Over(_)) {
                let child = self.graph.find_or_add(&self.game, &after);
                self.graph.node_mut(child).proven = Some(0);
                self.graph.edge_mut(self.root, place).child = child;
            }
        }
        self.graph.prove_choice(self.root, G::UTILITY_BOUNDS);
    }

    /// The reason why further playouts cannot change the result, if any.
    pub(super) fn ended(&self) -> Option<StopReason> {
        if self.graph.node(self.root).proven.is_some() {
            return Some(StopReason::Proven);
        }
        self.is_too_wide.then_some(StopReason::TooManyActions)
    }

    pub(super) fn read(&self, root: &mut RootStats<G::Action>) {
        root.actions.clear();
        root.actions.extend(self.action_stats(self.root));
        root.bounds = G::UTILITY_BOUNDS;
        root.choice = Choice::ByStatistics(self.parts.final_action);
        root.ended = self.ended();
        root.nodes = self.graph.len();
        root.memory_bytes = self.graph.memory_bytes();
        root.depths = self.depths;
    }

    /// The statistics of the actions of a node, in the order of its edges. A mean of the graph
    /// includes other playouts than those of its edge, so there is no sample.
    fn action_stats(&self, id: NodeId) -> Vec<ActionStats<G::Action>> {
        let Mover::Player(player) = self.graph.node(id).mover else { return Vec::new() };
        let stats = |(place, edge): (usize, &Edge<G::Action>)| {
            let is_seen = edge.child != NONE;
            let plies = if is_seen { self.graph.node(edge.child).proven } else { None };
            let value = (edge.visits > 0 || plies.is_some())
                .then(|| self.graph.edge_value(id, place, player, self.game.discount()));
            let proven =
                plies.zip(value).map(|(plies, utility)| Proof { utility, plies: plies.into() });
            let (action, visits) = (edge.action, edge.visits);
            let unvisited = ActionStats::unvisited(action);
            ActionStats { visits, value, observations: visits, proven, ..unvisited }
        };
        self.graph.edges(id).iter().enumerate().map(stats).collect()
    }

    /// The line after `first` by the rule for the final action, until it ends or repeats a state.
    pub(super) fn line_from(&self, first: G::Action) -> Vec<G::Action> {
        let mut line = alloc::vec![first];
        let mut seen = alloc::vec![self.root];
        loop {
            let (from, last) = (seen[seen.len() - 1], line[line.len() - 1]);
            let edge = self.graph.edges(from).iter().find(|edge| edge.action == last);
            let Some(at) = edge.map(|edge| edge.child).filter(|child| *child != NONE) else {
                return line;
            };
            if seen.contains(&at) {
                return line;
            }
            let actions = self.action_stats(at);
            let stats = RootStats { actions, bounds: G::UTILITY_BOUNDS, ..RootStats::default() };
            let reports = stats.reports();
            let next = self.parts.final_action.choose(&reports, G::UTILITY_BOUNDS);
            let Some(next) = next.filter(|next| reports[*next].visits > 0) else { return line };
            line.push(reports[next].action);
            seen.push(at);
        }
    }
}
