//! A minimal UCT for two alternating players, written for speed only: no solver, budget, memory
//! cap, root statistics, third player, chance or rewards. The reference for the cost of generality.

use mcts_core::trace::Untraced;
use mcts_core::{Game, SearchRng, Turn, rng};

use crate::contest::{Contest, Counted, seed};
use crate::measure::Found;

/// A node and the edge into it: 16 bytes for actions of up to two.
struct Node<A> {
    /// Sum of utilities for the player who took the edge.
    sum: f32,
    visits: u32,
    /// The first child; siblings are contiguous. 0 before the expansion and where the game is over.
    first: u32,
    children: u16,
    action: A,
}

impl<A> Node<A> {
    fn new(action: A) -> Self {
        Node { sum: 0.0, visits: 0, first: 0, children: 0, action }
    }
}

struct Search<G: Game> {
    game: G,
    exploration: f32,
    nodes: Vec<Node<G::Action>>,
    path: Vec<u32>,
    rng: SearchRng,
}

impl<S: Contest, G: Game<State = S, Action = S::Action>> Search<G> {
    fn new(game: G, exploration: f32) -> Self {
        let placeholder = game.nth_action(&game.start(), 0);
        let mut root = Node::new(placeholder);
        root.visits = 1;
        Search {
            game,
            exploration,
            nodes: vec![root],
            path: Vec::with_capacity(128),
            rng: rng::stream(seed(), 1),
        }
    }

    fn run(&mut self, root: S, playouts: u64) {
        for _ in 0..playouts {
            self.playout(root);
        }
    }

    fn playout(&mut self, root: S) {
        let mut state = root;
        let mut at = 0;
        self.path.clear();
        let utilities = loop {
            let node = &self.nodes[at];
            if node.visits == 0 {
                break self.game.rollout(state, &mut Untraced, &mut self.rng);
            }
            // the second visit expands
            if node.first == 0 {
                if let Turn::Over(utilities) = self.game.turn(&state) {
                    break utilities;
                }
                self.expand(at, &state);
            }
            at = self.select(at);
            self.game.apply(&mut state, self.nodes[at].action);
            self.path.push(at as u32);
        };
        let mut value = utilities.of_player(root.mover());
        self.nodes[0].visits += 1;
        for id in &self.path {
            let node = &mut self.nodes[*id as usize];
            node.visits += 1;
            node.sum += value;
            value = -value;
        }
    }

    fn expand(&mut self, at: usize, state: &S) {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        self.game.actions(state, |action| nodes.push(Node::new(action)));
        let children = nodes.len() - first;
        self.nodes[at].first = first as u32;
        self.nodes[at].children = children as u16;
    }

    /// The first child without visits, otherwise the one with the greatest UCB1 urgency, with
    /// values in [0, 1].
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let first = node.first as usize;
        let spread = self.exploration * (node.visits as f32).ln().sqrt();
        let mut best = first;
        let mut best_urgency = f32::NEG_INFINITY;
        for (place, child) in
            self.nodes[first..first + usize::from(node.children)].iter().enumerate()
        {
            if child.visits == 0 {
                return first + place;
            }
            let visits = child.visits as f32;
            let urgency = 0.5 + 0.5 * child.sum / visits + spread / visits.sqrt();
            if urgency > best_urgency {
                best_urgency = urgency;
                best = first + place;
            }
        }
        best
    }

    /// The visits of the root's children, and the action of the most visited one.
    fn root(&self) -> (u64, S::Action) {
        let root = &self.nodes[0];
        let first = root.first as usize;
        let children = &self.nodes[first..first + usize::from(root.children)];
        let visits = children.iter().map(|child| u64::from(child.visits)).sum();
        let best = children.iter().max_by_key(|child| child.visits).expect("a root has children");
        (visits, best.action)
    }
}

/// One search from the start.
pub(crate) fn search<S: Contest>(playouts: u64, exploration: f32) -> Found<S, impl Sized> {
    let rules = Counted::<S>::new();
    let start = rules.start();
    let mut search = Search::new(rules, exploration);
    search.run(start, playouts);
    let (visits, best) = search.root();
    Found { visits: Some(visits), rolls_out_itself: false, best, tree: search }
}
