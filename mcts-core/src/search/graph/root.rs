//! The root of a graph search: found or made before, read out after it.

use super::GraphSearch;
use super::nodes::{Edge, Mover, NONE, NodeId};
use crate::budget::{Clock, Meter, Standing, StopReason};
use crate::evaluation::Evaluator;
use crate::final_action::FinalAction;
use crate::game::{Game, Turn};
use crate::report::{ActionReport, Report, Reuse, SearchError};
use crate::selection::SelectionPolicy;
use crate::tree::Proof;
use alloc::vec::Vec;

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> GraphSearch<G, S, E> {
    /// Makes sure that the root is that of `state` and has an edge for every legal action, and that wins in one are
    /// proven.
    pub(super) fn prepare_root(&mut self, state: &G::State) -> Result<Reuse, SearchError> {
        match self.game.turn(state) {
            Turn::Over(utilities) => return Err(SearchError::GameOver(utilities)),
            Turn::Chance => return Err(SearchError::ChanceToMove),
            Turn::Player(_) if self.game.count_actions(state) == 0 => {
                return Err(SearchError::NoLegalAction);
            }
            Turn::Player(_) => {}
        }
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
        if self.proves() {
            self.prove_ends_in_one(state);
        }
        Ok(reuse)
    }

    /// Whether the edges that the root has are the legal actions of `state`, in whatever rotation.
    fn fits(&self, state: &G::State) -> bool {
        let edges = self.graph.edges(self.root);
        let mut actions = Vec::new();
        self.game.actions(state, |action| actions.push(action));
        let is_legal = |edge: &Edge<G::Action>| actions.contains(&edge.action);
        edges.is_empty() || (edges.len() == actions.len() && edges.iter().all(is_legal))
    }

    /// Proves the children of the root where the game is over, and with them perhaps the root.
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
        self.graph.prove(self.root, G::UTILITY_BOUNDS);
    }

    /// How the most visited action stands.
    pub(super) fn standing(&self) -> Standing {
        let lead = self.parts.final_action == FinalAction::Robust;
        Standing {
            memory_bytes: self.graph.memory_bytes(),
            lead: lead.then(|| self.lead()).flatten(),
        }
    }

    fn lead(&self) -> Option<u64> {
        let (mut first, mut second) = (0, 0);
        for (edge, report) in self.graph.edges(self.root).iter().zip(self.action_reports(self.root))
        {
            match report.proven {
                Some(proof) if proof.utility > G::UTILITY_BOUNDS.0 => return None,
                Some(_) => {}
                None if edge.visits > first => (first, second) = (edge.visits, first),
                None => second = second.max(edge.visits),
            }
        }
        Some(u64::from(first - second))
    }

    pub(super) fn report(
        &self,
        state: &G::State,
        meter: &Meter<&impl Clock>,
        (deepest, total_depth): (u32, u64),
        (reuse, stopped_by): (Reuse, StopReason),
    ) -> Report<G::Action> {
        let mut actions = self.action_reports(self.root);
        let best = self
            .parts
            .final_action
            .choose(&actions, G::UTILITY_BOUNDS)
            .map_or_else(|| self.game.nth_action(state, 0), |place| actions[place].action);
        actions.sort_by_key(|action| core::cmp::Reverse(action.visits));
        let playouts = meter.playouts();
        Report {
            best,
            actions,
            principal_variation: self.principal_variation(best),
            playouts,
            deepest,
            mean_depth: total_depth as f32 / playouts.max(1) as f32,
            tree_nodes: self.graph.len(),
            memory_bytes: self.graph.memory_bytes(),
            reuse,
            stopped_by,
            elapsed: meter.elapsed(),
            overshoot: meter.overshoot(),
        }
    }

    /// What the graph knows of the actions of a node, in the order of its edges.
    fn action_reports(&self, id: NodeId) -> Vec<ActionReport<G::Action>> {
        let Mover::Player(player) = self.graph.node(id).mover else { return Vec::new() };
        let (lowest, highest) = G::UTILITY_BOUNDS;
        let report = |(place, edge): (usize, &Edge<G::Action>)| {
            let is_seen = edge.child != NONE;
            let plies = if is_seen { self.graph.node(edge.child).proven } else { None };
            let value = (edge.visits > 0 || plies.is_some())
                .then(|| self.graph.edge_value(id, place, player, self.game.discount()));
            let spread = |value: f32| libm::sqrtf(((highest - value) * (value - lowest)).max(0.0));
            let error = |value| spread(value) / libm::sqrtf(edge.visits.max(1) as f32);
            ActionReport {
                action: edge.action,
                visits: edge.visits,
                value,
                standard_error: if plies.is_some() { Some(0.0) } else { value.map(error) },
                proven: plies
                    .zip(value)
                    .map(|(plies, utility)| Proof { utility, plies: plies.into() }),
            }
        };
        self.graph.edges(id).iter().enumerate().map(report).collect()
    }

    /// The line that the final action's rule plays, until it ends or comes back to a state.
    fn principal_variation(&self, best: G::Action) -> Vec<G::Action> {
        let mut line = alloc::vec![best];
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
            let actions = self.action_reports(at);
            let next = self.parts.final_action.choose(&actions, G::UTILITY_BOUNDS);
            let Some(next) = next.filter(|next| actions[*next].visits > 0) else { return line };
            line.push(actions[next].action);
            seen.push(at);
        }
    }
}
