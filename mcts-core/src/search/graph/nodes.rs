//! The graph: states in flat vectors, found by their hash; the edges of a state are contiguous.

use crate::backup::exact::{Expectation, ProvenChildren};
use crate::game::{Exact, Game, Player, Turn, Utilities};
use crate::tree::{Index, MAX_CHILDREN, Proof};
use alloc::vec::Vec;

/// A node's index in the vectors.
pub(super) type NodeId = u32;

/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;

/// A state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Hash of the state; unused if the game has none.
    hash: u64,
    /// Evaluations of the state itself and playouts that continued from it.
    pub(super) visits: u32,
    /// Evaluations of the state itself.
    evaluations: u32,
    first_edge: u32,
    edge_count: u16,
    pub(super) mover: Mover,
    pub(super) is_on_path: bool,
    /// Plies to the end, if the mean is exact.
    pub(super) proven: Option<u16>,
    /// The proven child that is best for the mover, whose value is a lower bound.
    pub(super) secured: NodeId,
}

/// Who acts in a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mover {
    Player(Player),
    Chance,
    Nobody,
}

/// An action of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// The state after the action, once a playout has reached it.
    pub(super) child: NodeId,
    /// Playouts through this edge, without those that reached the child by other paths.
    pub(super) visits: u32,
}

/// Nodes and edges. Each node has one value for each player; in zero-sum games of two players one
/// value is enough.
#[derive(Debug)]
pub(super) struct Graph<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// Mean value of each node for each player.
    means: Vec<f32>,
    /// Sum of the evaluations of each node for each player.
    sums: Vec<f64>,
    /// Reward of each edge for each player; empty in games without rewards.
    rewards: Vec<f32>,
    index: Index,
    /// Values for each node.
    numbers: usize,
    players: u8,
    cap_bytes: usize,
}

/// Values for each node: one if it determines the utilities of all players.
fn numbers<G: Game>() -> usize {
    if G::PLAYERS == 2 && G::ZERO_SUM { 1 } else { G::PLAYERS }
}

impl<A: Copy + Eq> Graph<A> {
    pub(super) fn new<G: Game<Action = A>>(cap_bytes: usize) -> Self {
        Graph {
            nodes: Vec::new(),
            edges: Vec::new(),
            means: Vec::new(),
            sums: Vec::new(),
            rewards: Vec::new(),
            index: Index::default(),
            numbers: numbers::<G>(),
            players: G::PLAYERS as u8,
            cap_bytes,
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.means.clear();
        self.sums.clear();
        self.rewards.clear();
        self.index.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let per_node = size_of::<Node>() + self.numbers * (size_of::<f32>() + size_of::<f64>());
        self.nodes.len() * per_node
            + self.edges.len() * size_of::<Edge<A>>()
            + self.rewards.len() * size_of::<f32>()
            + self.index.memory_bytes()
    }

    /// Raises the cap, if necessary, so that the children of a node with `edges` edges fit.
    pub(super) fn allow(&mut self, edges: usize) {
        let per_node = size_of::<Node>() + self.numbers * (size_of::<f32>() + size_of::<f64>());
        let least = edges.saturating_mul(per_node + Index::MOST_BYTES);
        self.cap_bytes = self.cap_bytes.max(self.memory_bytes().saturating_add(least));
    }

    /// Allocates memory for `nodes` more nodes and `edges` more edges. If that fails, the memory in
    /// use becomes the cap.
    pub(super) fn reserve(&mut self, nodes: usize, edges: usize) -> bool {
        let Graph { nodes: known, index, numbers, .. } = self;
        let has_memory = known.try_reserve(nodes).is_ok()
            && self.means.try_reserve(nodes * *numbers).is_ok()
            && self.sums.try_reserve(nodes * *numbers).is_ok()
            && self.edges.try_reserve(edges).is_ok()
            && self.rewards.try_reserve(edges * *numbers).is_ok()
            && index.reserve(nodes, |id| known[id as usize].hash);
        if !has_memory {
            self.cap_bytes = self.memory_bytes();
        }
        has_memory
    }

    pub(super) fn is_full(&self) -> bool {
        self.memory_bytes() >= self.cap_bytes
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub(super) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = self.node(id);
        let first = node.first_edge as usize;
        &self.edges[first..first + usize::from(node.edge_count)]
    }

    #[inline]
    pub(super) fn edge_mut(&mut self, id: NodeId, place: usize) -> &mut Edge<A> {
        let first = self.node(id).first_edge as usize;
        &mut self.edges[first + place]
    }

    /// The node of this state, added if it does not exist.
    pub(super) fn find_or_add<G: Game<Action = A>>(
        &mut self,
        game: &G,
        state: &G::State,
    ) -> NodeId {
        let Some(hash) = game.hash(state) else { return self.add(game, state, 0) };
        if let Some(known) = self.index.find(hash, |id| self.nodes[id as usize].hash) {
            return known;
        }
        let id = self.add(game, state, hash);
        self.index.insert(hash, id, |id| self.nodes[id as usize].hash);
        id
    }

    fn add<G: Game<Action = A>>(&mut self, game: &G, state: &G::State, hash: u64) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let turn = game.turn(state);
        let mover = match turn {
            Turn::Player(player) => Mover::Player(player),
            Turn::Chance => Mover::Chance,
            Turn::Over(_) => Mover::Nobody,
        };
        self.nodes.push(Node {
            hash,
            visits: 0,
            evaluations: 0,
            first_edge: 0,
            edge_count: 0,
            mover,
            is_on_path: false,
            proven: None,
            secured: NONE,
        });
        self.means.resize(self.means.len() + self.numbers, 0.0);
        self.sums.resize(self.sums.len() + self.numbers, 0.0);
        if let Turn::Over(utilities) = turn {
            self.set_mean(id, &utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS));
        }
        id
    }

    /// Lists the edges of a node, starting with the action at `start` and wrapping around.
    pub(super) fn expand<G: Game<Action = A>>(
        &mut self,
        game: &G,
        id: NodeId,
        state: &G::State,
        start: usize,
    ) {
        let first = self.edges.len();
        game.actions(state, |action| self.edges.push(Edge { action, child: NONE, visits: 0 }));
        let count = self.edges.len() - first;
        debug_assert!(count <= MAX_CHILDREN, "wider nodes are left as leaves");
        self.edges[first..].rotate_left(start.min(count));
        if G::HAS_REWARDS {
            self.rewards.resize(self.edges.len() * self.numbers, 0.0);
        }
        let node = self.node_mut(id);
        node.first_edge = first as u32;
        node.edge_count = count as u16;
    }

    /// Stores the reward of an edge; only in games with rewards.
    pub(super) fn set_reward(&mut self, id: NodeId, place: usize, reward: &Utilities) {
        let at = (self.node(id).first_edge as usize + place) * self.numbers;
        self.rewards[at..at + self.numbers].copy_from_slice(&reward.0[..self.numbers]);
    }

    /// Mean value of a node for `player`.
    #[inline]
    pub(super) fn mean(&self, id: NodeId, player: Player) -> f32 {
        if self.numbers > 1 {
            return self.means[id as usize * self.numbers + player.index()];
        }
        let mean = self.means[id as usize];
        if player == Player::FIRST { mean } else { -mean }
    }

    /// Mean value for `player` of the edge at this index, whose child exists.
    #[inline]
    pub(super) fn edge_value(
        &self,
        id: NodeId,
        place: usize,
        player: Player,
        discount: f32,
    ) -> f32 {
        let mean = self.mean(self.edges(id)[place].child, player);
        if self.rewards.is_empty() {
            return mean;
        }
        let at = (self.node(id).first_edge as usize + place) * self.numbers;
        let reward = match self.numbers {
            1 if player != Player::FIRST => -self.rewards[at],
            1 => self.rewards[at],
            _ => self.rewards[at + player.index()],
        };
        reward + discount * mean
    }

    fn set_mean(&mut self, id: NodeId, utilities: &Utilities) {
        let at = id as usize * self.numbers;
        self.means[at..at + self.numbers].copy_from_slice(&utilities.0[..self.numbers]);
    }

    /// Gives a node without evaluations the value of its parent for now.
    pub(super) fn expect_as(&mut self, id: NodeId, parent: NodeId) {
        let node = self.node(id);
        if node.mover != Mover::Nobody && node.proven.is_none() {
            self.copy_means(parent, id);
        }
    }

    /// Counts an evaluation of the state itself.
    pub(super) fn add_evaluation(&mut self, id: NodeId, utilities: &Utilities) {
        let at = id as usize * self.numbers;
        for (sum, value) in self.sums[at..at + self.numbers].iter_mut().zip(utilities.0) {
            *sum += f64::from(value);
        }
        self.node_mut(id).evaluations += 1;
    }

    /// Recomputes visits and mean of a node from its evaluations and its edges; idempotent.
    ///
    /// If the mover has a proven child that is better than another one, the visits of the other
    /// count with the value of the proven child, since they were exploration.
    pub(super) fn refresh(&mut self, id: NodeId, discount: f32) {
        let node = *self.node(id);
        let first = node.first_edge as usize;
        let edges = &self.edges[first..first + usize::from(node.edge_count)];
        let visits = edges.iter().fold(node.evaluations, |visits, edge| visits + edge.visits);
        for number in 0..self.numbers {
            let mut sum = self.sums[id as usize * self.numbers + number];
            for (place, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.visits > 0) {
                let child = self.better_for_mover(&node, edge.child);
                let mut value = self.means[child as usize * self.numbers + number];
                if !self.rewards.is_empty() {
                    let reward = self.rewards[(first + place) * self.numbers + number];
                    value = reward + discount * value;
                }
                sum += f64::from(edge.visits) * f64::from(value);
            }
            self.means[id as usize * self.numbers + number] =
                (sum / f64::from(visits.max(1))) as f32;
        }
        self.node_mut(id).visits = visits;
        if let Mover::Player(player) = node.mover
            && node.secured != NONE
            && self.mean(node.secured, player) > self.mean(id, player)
        {
            self.copy_means(node.secured, id);
        }
    }

    /// The child of a node, or the proven child if the node's mover prefers it.
    #[inline]
    fn better_for_mover(&self, node: &Node, child: NodeId) -> NodeId {
        match node.mover {
            Mover::Player(player)
                if node.secured != NONE
                    && self.mean(node.secured, player) > self.mean(child, player) =>
            {
                node.secured
            }
            _ => child,
        }
    }

    fn copy_means(&mut self, from: NodeId, to: NodeId) {
        let from = from as usize * self.numbers;
        self.means.copy_within(from..from + self.numbers, to as usize * self.numbers);
    }

    /// Proves a node where a player is to move, if its edges decide it (MCTS-Solver; Winands,
    /// Bjornsson and Saito, 2008); returns whether it is proven.
    pub(super) fn prove_choice(&mut self, id: NodeId, bounds: (f32, f32)) -> bool {
        let Mover::Player(player) = self.node(id).mover else { return false };
        let edges = self.edges(id).iter().map(|edge| {
            let plies = self.proven(edge.child)?;
            Some((Proof { utility: self.mean(edge.child, player), plies }, edge.child))
        });
        let choice = ProvenChildren::among(edges, bounds);
        if let Some((proof, child)) = choice.decided(true, bounds) {
            self.copy_means(child, id);
            self.set_proven(id, proof.plies.saturating_add(1));
            return true;
        }
        if let Some((proof, child)) = choice.best
            && proof.utility > bounds.0
        {
            self.node_mut(id).secured = child;
        }
        false
    }

    /// Proves the chance node of this state if all of its outcomes are proven; returns whether they
    /// are.
    pub(super) fn prove_chance<G: Game<Action = A>>(
        &mut self,
        game: &G,
        id: NodeId,
        state: &G::State,
    ) -> bool {
        let mut expectation = Expectation::default();
        game.outcomes(state, |action, probability| {
            let edge = self.edges(id).iter().find(|edge| edge.action == action);
            expectation.add(probability, edge.and_then(|edge| self.exact(edge.child)));
        });
        let Some(exact) = expectation.exact() else { return false };
        self.set_mean(id, &exact.utilities);
        self.set_proven(id, exact.plies);
        true
    }

    /// Whether all edges of a node lead to proven children.
    pub(super) fn has_proven_edges_only(&self, id: NodeId) -> bool {
        self.edges(id).iter().all(|edge| self.proven(edge.child).is_some())
    }

    /// Plies to the end, if the node exists and is proven.
    fn proven(&self, id: NodeId) -> Option<u32> {
        if id == NONE { None } else { self.node(id).proven.map(u32::from) }
    }

    fn set_proven(&mut self, id: NodeId, plies: u32) {
        self.node_mut(id).proven = Some(u16::try_from(plies).unwrap_or(u16::MAX));
    }

    /// The utilities of a proven node.
    fn exact(&self, id: NodeId) -> Option<Exact> {
        let plies = self.proven(id)?;
        let mut utilities = Utilities::ZERO;
        for (player, utility) in (0..self.players).zip(&mut utilities.0) {
            *utility = self.mean(id, Player(player));
        }
        Some(Exact { utilities, plies })
    }
}
