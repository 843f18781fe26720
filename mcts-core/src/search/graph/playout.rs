//! Playouts: descend the graph, evaluate, and recompute the means on the path.

use super::GraphSearch;
use super::nodes::{Edge, Mover, NONE, NodeId};
use crate::evaluation::Evaluator;
use crate::game::{Game, Turn};
use crate::rng;
use crate::selection::{Candidate, SelectionPolicy};
use crate::tree::MAX_CHILDREN;

impl<G: Game, S: SelectionPolicy<Extra = ()>, E: Evaluator<G>> GraphSearch<G, S, E> {
    /// Playouts whose leaves are evaluated together. Edges on their paths are counted in advance,
    /// so that later playouts select other edges (unobserved samples; Liu et al., 2020).
    pub(super) fn batch(&mut self, root: &G::State, playouts: usize) {
        let mut open = 0;
        self.graph.reserve(2 * playouts, 0);
        for _ in 0..playouts {
            self.states[open].clone_from(root);
            let is_known = self.descend(open);
            self.depths.add(self.lanes[open].path.len());
            if is_known {
                self.back_up(open, root);
            } else {
                open += 1;
            }
        }
        let (states, results) = (&mut self.states[..open], &mut self.results[..open]);
        self.parts.evaluator.evaluate_all(&self.game, states, &mut self.leaf_rng, results);
        for lane in 0..open {
            let leaf = self.lanes[lane].leaf;
            let result = self.results[lane].made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
            self.graph.add_evaluation(leaf, &result);
            self.graph.refresh(leaf, self.game.discount());
            self.back_up(lane, root);
        }
    }

    /// Descends from the root; returns whether it ended at an exact value.
    fn descend(&mut self, lane: usize) -> bool {
        self.lanes[lane].path.clear();
        let mut id = self.root;
        let is_known = loop {
            self.lanes[lane].leaf = id;
            if self.is_end(id, lane) {
                break true;
            }
            if self.graph.edges(id).is_empty() {
                if self.graph.node(id).visits < self.parts.evaluations_first || self.graph.is_full()
                {
                    break false;
                }
                self.expand(id, lane);
            }
            let Some(place) = self.choose(id, lane) else {
                // every edge may have been proven lost by other paths
                break self.proves() && self.graph.prove_choice(id, G::UTILITY_BOUNDS);
            };
            let before = self.graph.edges(id)[place].visits;
            id = self.step(id, place, lane);
            let node = self.graph.node(id);
            if node.is_on_path || node.visits > before {
                self.lanes[lane].leaf = id;
                break true;
            }
        };
        for (id, _) in &self.lanes[lane].path {
            self.graph.node_mut(*id).is_on_path = false;
        }
        is_known
    }

    /// Whether the playout ends at a node; counts the visit if so.
    fn is_end(&mut self, id: NodeId, lane: usize) -> bool {
        if id == self.root {
            return false;
        }
        if self.graph.node(id).mover == Mover::Nobody {
            let Turn::Over(utilities) = self.game.turn(&self.states[lane]) else { return false };
            let utilities = utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
            self.graph.add_evaluation(id, &utilities);
            if self.proves() {
                self.graph.node_mut(id).proven = Some(0);
            }
        } else if self.graph.node(id).proven.is_none() {
            return false;
        }
        self.graph.node_mut(id).visits += 1;
        true
    }

    /// Lists the edges of a node. A node with more than [`MAX_CHILDREN`] is not expanded and ends
    /// the search.
    pub(super) fn expand(&mut self, id: NodeId, lane: usize) {
        let state = &self.states[lane];
        // each node has a random order, so that no action is favoured for its index in the rules
        let actions = self.game.count_actions(state).max(1);
        if actions > MAX_CHILDREN {
            self.is_too_wide = true;
            return;
        }
        if !self.graph.reserve(1, actions) {
            return;
        }
        let start = rng::below(&mut self.graph_rng, actions);
        self.graph.expand(&self.game, id, state, start);
    }

    /// Takes the edge at this index.
    fn step(&mut self, id: NodeId, place: usize, lane: usize) -> NodeId {
        let node = self.graph.node_mut(id);
        node.is_on_path = true;
        node.visits += 1;
        let edge = self.graph.edge_mut(id, place);
        edge.visits += 1;
        let (action, known) = (edge.action, edge.child);
        self.lanes[lane].path.push((id, place as u16));
        let state = &mut self.states[lane];
        if G::HAS_REWARDS {
            let reward = self.game.apply_with_rewards(state, action);
            self.graph.set_reward(id, place, &reward);
        } else {
            self.game.apply(state, action);
        }
        if known != NONE {
            return known;
        }
        let child = self.graph.find_or_add(&self.game, &self.states[lane]);
        if self.graph.node(child).visits == 0 {
            self.graph.expect_as(child, id);
        }
        self.graph.edge_mut(id, place).child = child;
        child
    }

    /// The index of the edge chosen by the selection policy or by chance; `None` if there is none,
    /// or the memory cap is reached. Proven losses are skipped, and all proven edges if there is
    /// something better than a loss.
    fn choose(&mut self, id: NodeId, lane: usize) -> Option<usize> {
        let node = self.graph.node(id);
        let Mover::Player(player) = node.mover else {
            let outcome = self.game.random_outcome(&self.states[lane], &mut self.graph_rng);
            let is_full = self.graph.is_full();
            let open = |edge: &Edge<_>| edge.action == outcome && !(is_full && edge.child == NONE);
            return self.graph.edges(id).iter().position(open);
        };
        let (graph, policy) = (&self.graph, &self.parts.selection);
        let parent = policy.parent(node.visits.max(1));
        let (is_full, is_secured) = (graph.is_full(), node.secured != NONE);
        let discount = self.game.discount();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for (place, edge) in graph.edges(id).iter().enumerate() {
            let urgency = if edge.visits == 0 {
                if is_full && edge.child == NONE {
                    continue;
                }
                policy.first_play(parent, &())
            } else {
                let value = self.scale.to_unit(graph.edge_value(id, place, player, discount));
                if (is_secured || value <= 0.0) && graph.node(edge.child).proven.is_some() {
                    continue;
                }
                policy.urgency(parent, &Candidate { visits: edge.visits, value, extra: () })
            };
            if urgency > most {
                (best, most) = (Some(place), urgency);
            }
        }
        best
    }

    /// Recomputes the nodes on the path, from the leaf to the root.
    fn back_up(&mut self, lane: usize, root: &G::State) {
        let mut may_prove =
            self.parts.solver && self.graph.node(self.lanes[lane].leaf).proven.is_some();
        let discount = self.game.discount();
        for depth in (0..self.lanes[lane].path.len()).rev() {
            let (id, _) = self.lanes[lane].path[depth];
            if self.graph.node(id).proven.is_some() {
                continue;
            }
            may_prove = may_prove && self.prove(lane, depth, root);
            if !may_prove {
                self.graph.refresh(id, discount);
            }
        }
    }

    /// Proves the node at this depth of a path, if its edges decide it; returns whether they do.
    fn prove(&mut self, lane: usize, depth: usize, root: &G::State) -> bool {
        let GraphSearch { game, graph, lanes, states, .. } = self;
        let path = &lanes[lane].path;
        let (id, _) = path[depth];
        if graph.node(id).mover != Mover::Chance {
            return graph.prove_choice(id, G::UTILITY_BOUNDS);
        }
        if !graph.has_proven_edges_only(id) {
            return false;
        }
        // the state of a proven leaf, or of one evaluated before, may be overwritten
        let state = &mut states[lane];
        state.clone_from(root);
        for (id, place) in &path[..depth] {
            game.apply(state, graph.edges(*id)[usize::from(*place)].action);
        }
        graph.prove_chance(game, id, state)
    }

    /// Whether this search proves values.
    pub(super) fn proves(&self) -> bool {
        self.parts.solver && !G::HAS_REWARDS
    }
}
