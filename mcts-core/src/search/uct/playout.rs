//! One playout: descends by the selection policy, adds one node, evaluates it, and backs up its
//! value.
//!
//! Other modules: [`fast`](super::fast) repeats the first steps of [`descend`](UctSearch::descend)
//! on the fast path, `expand` adds nodes, `prove` handles exact values, and `lanes` runs several
//! playouts at a time.

use super::{Lane, UctSearch};
use crate::backup::{self, Increment, Step};
use crate::evaluation::Evaluator;
use crate::game::{Exact, Game, Turn, Utilities};
use crate::selection::{SelectionPolicy, most_urgent};
use crate::trace::Untraced;
use crate::tree::NodeId;

/// Where a playout left the tree.
pub(super) enum Leaf {
    /// In a state that needs an evaluation.
    Open,
    /// In a state with known utilities.
    Known(Utilities),
}

/// How a descent continues from a node.
pub(super) enum Next {
    /// To the child at this index.
    Child(usize),
    /// To the child at this index and no further: it is new, or the memory cap is reached.
    Last(usize),
    /// It ends at the node.
    End(Leaf),
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// One complete playout.
    #[inline]
    pub(super) fn playout(&mut self, root: &G::State) {
        let utilities = match self.descend(root, 0) {
            Leaf::Known(utilities) => utilities,
            Leaf::Open => self.evaluate(0),
        };
        self.back_up(0, &utilities, Increment::PLAYOUT);
        self.depths.add(self.lanes[0].path.len());
    }

    /// Phases 1 and 2: descends from the root to a leaf; adds at most one node.
    pub(super) fn descend(&mut self, root: &G::State, lane: usize) -> Leaf {
        self.states[lane].clone_from(root);
        self.lanes[lane].restart();
        let mut id = NodeId::ROOT;
        loop {
            id = self.descend_fast(id, lane);
            if let Some(utilities) = self.proven(id) {
                return Leaf::Known(utilities);
            }
            let next = match self.tree.children(id).first() {
                Some(child) if child.is_by_chance() => self.outcome(id, lane),
                Some(_) => self.select(id, lane),
                None => self.expand(id, lane),
            };
            match next {
                Next::Child(place) => id = self.step(id, place, lane),
                Next::Last(place) => {
                    id = self.step(id, place, lane);
                    return self.arrive(id, lane);
                }
                Next::End(leaf) => return leaf,
            }
        }
    }

    /// Phase 1: the child of greatest urgency, or a new one.
    ///
    /// A proven child needs no more playouts: the playout continues to the open child of greatest
    /// urgency. The best proven value is stored, and backed up above if the open child is not
    /// better. So every playout makes progress with proofs, and the exploration of worse actions
    /// does not lower the means above.
    #[inline]
    fn select(&mut self, id: NodeId, lane: usize) -> Next {
        let node = self.tree.node(id);
        let parent = self.parts.selection.parent_with_extra(node.visits.max(1), &node.extra);
        if let Some(place) = self.select_fast(id, parent) {
            return Next::Child(place);
        }
        let new = if node.is_expanded() {
            f32::NEG_INFINITY
        } else {
            self.parts.selection.first_play(parent, &S::Extra::default())
        };
        if new == f32::INFINITY {
            self.note_best_exact(id, lane);
            if let Some(place) = self.grow(id, lane).child() {
                return Next::Last(place);
            }
        }
        let children = self.tree.children(id);
        let most = most_urgent(&self.parts.selection, parent, children, self.scale);
        let open = most.open.map_or(f32::NEG_INFINITY, |(_, urgency)| urgency);
        self.note_exact(most.exact, id, lane);
        // without open children this node is proven too, unless the solver is off or its table is
        // full
        let old = most.open.map(|(place, _)| place).or(most.exact);
        if new <= open {
            return Next::Child(old.unwrap_or(0));
        }
        match self.grow(id, lane).child().or(old) {
            Some(place) => Next::Last(place),
            None => Next::End(Leaf::Open),
        }
    }

    /// Phase 2: adds the first children of a node, once it has enough visits.
    fn expand(&mut self, id: NodeId, lane: usize) -> Next {
        match self.game.turn(&self.states[lane]) {
            Turn::Over(utilities) => Next::End(self.known(id, lane, Exact::at_end(utilities))),
            _ if self.tree.node(id).visits + 1 < self.parts.expansion.at_visit => {
                Next::End(self.open(id, lane))
            }
            Turn::Chance => self.outcome(id, lane),
            Turn::Player(player) => self.first_children(id, lane, player),
        }
    }

    /// Takes the edge to the child at `place`.
    #[inline]
    fn step(&mut self, id: NodeId, place: usize, lane: usize) -> NodeId {
        let child = self.tree.child(id, place);
        let action = self.tree.node(child).action();
        self.trace_edge(child, lane);
        let Lane { path, rewards, .. } = &mut self.lanes[lane];
        path.push(Step { place: place as u16 });
        if G::HAS_REWARDS {
            rewards.push(self.game.apply_with_rewards(&mut self.states[lane], action));
        } else {
            self.game.apply(&mut self.states[lane], action);
        }
        child
    }

    /// Ends a descent at the current node.
    #[inline]
    fn arrive(&mut self, id: NodeId, lane: usize) -> Leaf {
        if let Some(utilities) = self.proven(id) {
            return Leaf::Known(utilities);
        }
        match self.game.turn(&self.states[lane]) {
            Turn::Over(utilities) => self.known(id, lane, Exact::at_end(utilities)),
            Turn::Player(_) | Turn::Chance => self.open(id, lane),
        }
    }

    /// Phase 3: the value of the current state of a lane.
    #[inline]
    pub(super) fn evaluate(&mut self, lane: usize) -> Utilities {
        let (game, state, rng) = (&self.game, &self.states[lane], &mut self.leaf_rng);
        let evaluator = &mut self.parts.evaluator;
        if Self::TRACED {
            evaluator.evaluate(game, state, &mut self.lanes[lane].trace, rng)
        } else {
            evaluator.evaluate(game, state, &mut Untraced, rng)
        }
    }

    /// Phase 4: adds the value to the edges of the path, and feeds the parts that learn.
    pub(super) fn back_up(&mut self, lane: usize, utilities: &Utilities, increment: Increment) {
        let utilities = &utilities.made_finite(G::PLAYERS, G::UTILITY_BOUNDS);
        let Lane { path, rewards, exacts, .. } = &mut self.lanes[lane];
        if G::HAS_REWARDS {
            let mut total = *utilities;
            for reward in rewards.iter_mut().rev() {
                total = reward.plus(&total, self.game.discount());
                *reward = total;
            }
            backup::add_returns(&mut self.tree, path, rewards, increment);
        } else if exacts.is_empty() {
            backup::add_playout(&mut self.tree, path, utilities, increment);
        } else {
            backup::resolve(&self.tree, path, &mut self.ids);
            backup::add_beside_exact(&mut self.tree, &self.ids, utilities, exacts, increment);
        }
        let at_root = match exacts.first() {
            _ if G::HAS_REWARDS => rewards.first(),
            Some(exact) => Some(&exact.utilities),
            None => Some(utilities),
        };
        if let (Some(step), Some(utilities)) = (path.first(), at_root) {
            let value = f64::from(utilities.of_player(self.root_player));
            self.samples.add(usize::from(step.place), value);
        }
        self.learn(lane, utilities);
    }
}
