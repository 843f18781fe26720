//! POMCP: a tree of histories whose playouts start from states of a belief (Silver and Veness, 2010).

mod from_view;
mod histories;
mod view;

use crate::belief::{Belief, Update};
use crate::evaluation::{Knowledge, Uniform};
use crate::final_action::FinalAction;
use crate::game::{Model, Utilities, finite};
use crate::report::{Reuse, SearchError};
use crate::rng::{self, SearchRng};
use crate::search::root::Samples;
use crate::search::{ActionStats, BranchStats, Choice, Depths, NodeRef, RootStats, Search};
use crate::sqrt::sqrt;
use alloc::vec::Vec;
pub use from_view::PomcpFromView;
use histories::{Edge, Histories};

/// The weight of the exploration term in `mean + weight * sqrt(ln(visits) / visits of the action)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exploration {
    /// In units of the model's returns.
    Returns(f32),
    /// This fraction of the difference between the highest and the lowest return of a playout so
    /// far (the paper uses 1, with returns from an earlier search).
    OfRange(f32),
}

/// The parts of a POMCP search; [`Pomcp::search`] creates the search from a model and a belief.
///
/// As in the paper, except for two things: a node gets its actions when a playout comes back to it,
/// not at its first visit, and the belief is a part of its own rather than the particles that
/// passed through the tree.
///
/// ```
/// use mcts_core::belief::FromView;
/// use mcts_core::testing::{Tiger, TigerAction};
/// use mcts_core::{Budget, NoClock, Pomcp, Search};
///
/// // the belief is uniform: listen
/// let mut search = Pomcp::default().search(Tiger, FromView::new(0), 1);
/// let report = search.run_with_clock(&(), &Budget::playouts(5_000), &NoClock)?;
/// assert_eq!(report.best, TigerAction::Listen);
/// # Ok::<(), mcts_core::SearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pomcp<K = Uniform> {
    /// The exploration constant.
    pub exploration: Exploration,
    /// Rollouts, priors, and the value beyond the horizon.
    pub knowledge: K,
    /// Steps from the root at which playouts end.
    pub horizon: u32,
    /// Playouts also end where the discount makes the weight of rewards less than this.
    pub least_weight: f32,
    /// The rule for the action to play.
    pub final_action: FinalAction,
    /// Memory cap of the tree; when it is reached, playouts continue without adding nodes.
    pub memory_cap_bytes: usize,
}

impl Default for Pomcp {
    /// Exploration by the whole range of returns, 100 steps, rewards down to a hundredth of their size, 256 MiB.
    fn default() -> Self {
        Pomcp {
            exploration: Exploration::OfRange(1.0),
            knowledge: Uniform,
            horizon: 100,
            least_weight: 0.01,
            final_action: FinalAction::Robust,
            memory_cap_bytes: 256 << 20,
        }
    }
}

impl<K> Pomcp<K> {
    /// The same parts except the knowledge.
    #[must_use]
    pub fn with_knowledge<L>(self, knowledge: L) -> Pomcp<L> {
        let Pomcp { exploration, horizon, least_weight, final_action, memory_cap_bytes, .. } = self;
        Pomcp { exploration, knowledge, horizon, least_weight, final_action, memory_cap_bytes }
    }

    /// A search of `model` from `belief`. Equal seeds, beliefs and playout budgets give equal reports.
    pub fn search<M, B>(self, model: M, belief: B, seed: u64) -> PomcpSearch<M, B, K>
    where
        M: Model,
        B: Belief<M>,
        K: Knowledge<M>,
    {
        PomcpSearch {
            tree: Histories::with_cap(self.memory_cap_bytes),
            tree_rng: rng::stream(seed, 0),
            state_rng: rng::stream(seed, 1),
            belief_rng: rng::stream(seed, 2),
            path: Vec::new(),
            rewards: Vec::new(),
            actions: Vec::new(),
            state: None,
            samples: Samples::default(),
            depths: Depths::default(),
            returns: (f32::INFINITY, f32::NEG_INFINITY),
            kept: false,
            parts: self,
            model,
            belief,
        }
    }
}

/// A POMCP search: a belief and a tree, both for the same history.
#[derive(Debug)]
pub struct PomcpSearch<M: Model, B, K = Uniform> {
    model: M,
    belief: B,
    parts: Pomcp<K>,
    tree: Histories<M::Action>,
    tree_rng: SearchRng,
    state_rng: SearchRng,
    belief_rng: SearchRng,
    /// History and edge of each step of the playout inside the tree.
    path: Vec<(u32, u32)>,
    rewards: Vec<f32>,
    actions: Vec<M::Action>,
    /// The state of the last playout, kept for its memory.
    state: Option<M::State>,
    /// The returns of this search's playouts.
    samples: Samples,
    depths: Depths,
    /// The lowest and the highest return of a playout.
    returns: (f32, f32),
    kept: bool,
}

impl<M: Model, B: Belief<M>, K: Knowledge<M>> PomcpSearch<M, B, K> {
    /// The model that is searched.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The belief at the root.
    pub fn belief(&self) -> &B {
        &self.belief
    }

    /// Starts afresh with another belief.
    pub fn restart(&mut self, belief: B) {
        self.belief = belief;
        self.kept = false;
    }

    /// Advances by the player's `action` and its `observation`: first the belief takes it in, then the
    /// tree keeps what follows.
    pub fn advance(&mut self, action: M::Action, observation: &M::Observation) -> Update {
        let update = self.belief.update(&self.model, action, observation, &mut self.belief_rng);
        let child = self.child_after(action, observation);
        match child.filter(|_| self.kept && update != Update::Redrawn) {
            Some(child) => self.tree.re_root(child),
            None => self.kept = false,
        }
        update
    }

    fn child_after(&self, action: M::Action, observation: &M::Observation) -> Option<u32> {
        if !self.kept {
            return None;
        }
        let root = Histories::<M::Action>::ROOT;
        let place = self.tree.edges(root).iter().position(|edge| edge.action == action)?;
        let key = self.model.observation_key(observation);
        self.tree.child(self.tree.edge_id(root, place), key)
    }

    /// Prepares the root with exactly the legal actions.
    fn prepare_root(&mut self, state: &M::State) -> Result<Reuse, SearchError> {
        if self.model.is_over(state) {
            return Err(SearchError::GameOver(Utilities::ZERO));
        }
        self.list_actions(state);
        if self.actions.is_empty() {
            return Err(SearchError::NoLegalAction);
        }
        super::check_discount(self.model.discount())?;
        let root = Histories::<M::Action>::ROOT;
        let had = self.kept;
        if self.kept {
            let edges = self.tree.edges(root);
            let known = edges.iter().map(|edge| edge.action);
            self.kept = edges.is_empty() || known.eq(self.actions.iter().copied());
        }
        let reuse = match (had, self.kept) {
            (true, true) => Reuse::Kept { visits: self.tree.history(root).visits },
            (true, false) => Reuse::Mismatch,
            _ => Reuse::Fresh,
        };
        if !self.kept {
            self.tree.restart();
            self.returns = (f32::INFINITY, f32::NEG_INFINITY);
        }
        self.kept = true;
        if self.tree.edges(root).is_empty() {
            self.expand(root, state, None);
        }
        self.samples.restart(self.tree.edges(root).len());
        self.depths = Depths::default();
        Ok(reuse)
    }

    /// One playout from `state`, sampled from the belief.
    fn playout(&mut self, state: &mut M::State) {
        self.path.clear();
        self.rewards.clear();
        let mut at = Histories::<M::Action>::ROOT;
        let mut weight = 1.0;
        let discount = self.model.discount();
        let rest = loop {
            if self.path.len() as u32 >= self.parts.horizon || weight < self.parts.least_weight {
                break self.parts.knowledge.beyond(&self.model, state);
            }
            if self.tree.edges(at).is_empty() && !self.expand(at, state, self.expected()) {
                break self.roll_out(state, weight);
            }
            let edge = self.choose(at);
            let action = self.tree.edge(edge).action;
            self.path.push((at, edge));
            self.rewards.push(self.model.step(state, action, &mut self.state_rng));
            weight *= discount;
            if self.model.is_over(state) {
                break 0.0;
            }
            let observation = self.model.observe(state, action, &mut self.state_rng);
            let key = self.model.observation_key(&observation);
            match self.tree.child(edge, key) {
                Some(child) => at = child,
                None => {
                    if self.tree.has_room(0) {
                        self.tree.add_child(edge, key);
                    }
                    break self.roll_out(state, weight);
                }
            }
        };
        self.back_up(rest);
    }

    /// The edge with the highest upper confidence bound; unvisited ones first, starting at a random
    /// one.
    fn choose(&mut self, at: u32) -> u32 {
        let edges = self.tree.edges(at);
        let visits = self.tree.history(at).visits;
        if (visits as usize) < edges.len() || edges.iter().any(|edge| edge.visits == 0) {
            let start = rng::below(&mut self.tree_rng, edges.len());
            let new = (start..edges.len()).chain(0..start).find(|&place| edges[place].visits == 0);
            if let Some(place) = new {
                return self.tree.edge_id(at, place);
            }
        }
        let exploration = match self.parts.exploration {
            Exploration::Returns(weight) => weight,
            Exploration::OfRange(share) => share * (self.returns.1 - self.returns.0).max(0.0),
        };
        let exploration = exploration * sqrt(libm::logf(visits as f32));
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        for (place, edge) in edges.iter().enumerate() {
            let urgency = edge.mean() + exploration / sqrt(edge.visits as f32);
            if urgency > most {
                (best, most) = (place, urgency);
            }
        }
        self.tree.edge_id(at, best)
    }

    /// Adds the actions of a history, with their priors; false if the cap is reached.
    fn expand(&mut self, at: u32, state: &M::State, expected: Option<f32>) -> bool {
        self.list_actions(state);
        let is_root = at == Histories::<M::Action>::ROOT;
        if !is_root && !self.tree.has_room(self.actions.len()) {
            return false;
        }
        for &action in &self.actions {
            let prior = self.parts.knowledge.prior(&self.model, state, action, expected);
            // a prior that is not finite counts as none
            let visits = if prior.value.is_finite() { prior.playouts } else { 0 };
            let sum = if visits > 0 { f64::from(prior.value) * f64::from(visits) } else { 0.0 };
            self.tree.add_edge(at, Edge { action, visits, sum });
        }
        true
    }

    /// Mean return of earlier playouts from the end of the path: that of its last edge minus the
    /// reward of this playout there.
    fn expected(&self) -> Option<f32> {
        let (_, edge) = *self.path.last()?;
        let edge = self.tree.edge(edge);
        let reward = *self.rewards.last()?;
        (edge.visits > 0).then(|| (edge.mean() - reward) / self.model.discount())
    }

    fn list_actions(&mut self, state: &M::State) {
        self.actions.clear();
        self.model.actions(state, |action| self.actions.push(action));
    }

    /// Plays on by the rollout policy; returns the discounted return from here on.
    fn roll_out(&mut self, state: &mut M::State, mut weight: f32) -> f32 {
        let discount = self.model.discount();
        let (mut total, mut relative) = (0.0, 1.0);
        for _ in self.path.len() as u32..self.parts.horizon {
            if weight < self.parts.least_weight {
                break;
            }
            let action = self.parts.knowledge.choose(&self.model, state, &mut self.state_rng);
            total += relative * self.model.step(state, action, &mut self.state_rng);
            relative *= discount;
            weight *= discount;
            if self.model.is_over(state) {
                return total;
            }
        }
        total + relative * self.parts.knowledge.beyond(&self.model, state)
    }

    fn back_up(&mut self, rest: f32) {
        let discount = f64::from(self.model.discount());
        let bounds = self.model.return_bounds();
        let mut value = f64::from(finite(rest, bounds));
        for (&(history, edge), &reward) in self.path.iter().zip(&self.rewards).rev() {
            value = f64::from(reward) + discount * value;
            if !value.is_finite() {
                value = f64::from(finite(value as f32, bounds));
            }
            self.tree.add_playout(history, edge, value);
        }
        if let Some(&(root, edge)) = self.path.first() {
            let place = (edge - self.tree.edge_id(root, 0)) as usize;
            self.samples.add(place, value);
            let (lowest, highest) = &mut self.returns;
            *lowest = lowest.min(value as f32);
            *highest = highest.max(value as f32);
        }
    }
}

/// The belief is part of the search; [`advance`](PomcpSearch::advance) takes an action together
/// with the observation after it.
impl<M: Model, B: Belief<M>, K: Knowledge<M>> Search for PomcpSearch<M, B, K> {
    type Position = ();
    type Action = M::Action;

    fn prepare(&mut self, (): &()) -> Result<Reuse, SearchError> {
        let state = self.belief.draw(&self.model, &mut self.state_rng);
        let reuse = self.prepare_root(&state)?;
        self.state = Some(state);
        Ok(reuse)
    }

    fn playouts(&mut self, (): &(), most: u64) -> u64 {
        let Some(mut state) = self.state.take() else { return 0 };
        for _ in 0..most {
            self.belief.draw_into(&self.model, &mut state, &mut self.state_rng);
            self.playout(&mut state);
            self.depths.add(self.path.len());
        }
        self.state = Some(state);
        most
    }

    fn read_root(&self, root: &mut RootStats<M::Action>) {
        let edges = self.tree.edges(Histories::<M::Action>::ROOT);
        root.actions.clear();
        root.actions.extend(edges.iter().enumerate().map(|(place, edge)| {
            let (visits, sample) = (edge.visits, self.samples.of(place));
            let value = (visits > 0).then(|| edge.mean());
            let unvisited = ActionStats::unvisited(edge.action);
            ActionStats { visits, value, observations: visits, sample, ..unvisited }
        }));
        root.bounds = self.model.return_bounds();
        root.choice = Choice::ByStatistics(self.parts.final_action);
        root.ended = None;
        root.nodes = self.tree.len();
        root.memory_bytes = self.tree.bytes();
        root.depths = self.depths;
    }

    fn branches(&self, node: NodeRef) -> Vec<BranchStats<M::Action>> {
        self.branches_of(node)
    }

    /// `first`, then the most visited observations and actions.
    fn principal_variation(&self, first: M::Action) -> Vec<M::Action> {
        let mut line = alloc::vec![first];
        let mut at = Histories::<M::Action>::ROOT;
        loop {
            let edges = self.tree.edges(at);
            let last = line[line.len() - 1];
            let Some(place) = edges.iter().position(|edge| edge.action == last) else { break };
            let edge = self.tree.edge_id(at, place);
            let Some(child) = self.tree.most_visited_child(edge) else { break };
            let most = self.tree.edges(child).iter().max_by_key(|edge| edge.visits);
            let Some(next) = most.filter(|edge| edge.visits > 0) else { break };
            line.push(next.action);
            at = child;
        }
        line
    }
}
