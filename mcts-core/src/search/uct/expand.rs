//! Phase 2: adds children to nodes.

use super::UctSearch;
use super::playout::{Leaf, Next};
use crate::evaluation::Evaluator;
use crate::expansion::Growth;
use crate::game::{Game, Player, Utilities};
use crate::selection::{NewChild, SelectionPolicy, most_urgent};
use crate::trace::TraceStep;
use crate::tree::{MAX_CHILDREN, NodeId};
use alloc::vec::Vec;
use rand::Rng;

/// Lists that are refilled for each node; kept to avoid allocations.
#[derive(Debug)]
pub(super) struct NewChildren<A, X> {
    actions: Vec<A>,
    priors: Vec<f32>,
    children: Vec<(A, X)>,
}

impl<A, X> Default for NewChildren<A, X> {
    fn default() -> Self {
        NewChildren { actions: Vec::new(), priors: Vec::new(), children: Vec::new() }
    }
}

/// The result of adding a child to a node.
pub(super) enum Grown {
    /// The child at this index was added; or all children, the first of them at this index.
    Child(usize),
    /// There is no legal action; a fault of the rules.
    Stuck,
    /// The memory cap is reached.
    Full,
}

impl Grown {
    #[inline]
    pub(super) fn child(self) -> Option<usize> {
        match self {
            Grown::Child(place) => Some(place),
            Grown::Stuck | Grown::Full => None,
        }
    }
}

/// The index of the legal action whose child is at `place`: a permutation for each `order`.
#[inline]
pub(super) fn place_to_action(order: u8, place: usize, actions: usize) -> usize {
    const PRIMES: [usize; 8] = [65_537, 65_539, 65_543, 65_551, 65_557, 65_563, 65_579, 65_581];
    // actions beyond the largest prime never get children, and a prime larger than their number is
    // coprime to it
    let start = (usize::from(order) * actions) >> 8;
    (start + place * PRIMES[usize::from(order & 7)]) % actions
}

/// Replaces priors that are not finite by the prior of a uniform policy. Weights that are negative become zero, and
/// all become equal where none is above zero.
fn repair(priors: &mut [f32], are_weights: bool) {
    let even = 1.0 / priors.len() as f32;
    let mut is_any = false;
    for prior in &mut *priors {
        if !prior.is_finite() {
            *prior = even;
        } else if are_weights && *prior < 0.0 {
            *prior = 0.0;
        }
        is_any |= *prior > 0.0;
    }
    if are_weights && !is_any {
        priors.fill(even);
    }
}

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Adds the first children of a node where `player` is to move.
    pub(super) fn first_children(&mut self, id: NodeId, lane: usize, player: Player) -> Next {
        let all = S::COMPARES_UNVISITED || self.parts.expansion.growth == Growth::AllAtOnce;
        let grown = if all {
            self.expand_all(id, lane, player)
        } else {
            self.add_next_child(id, lane, player)
        };
        match grown {
            Grown::Stuck => Next::End(Leaf::Known(Utilities::ZERO)),
            Grown::Full => Next::End(Leaf::Open),
            Grown::Child(place) if !all => Next::Last(place),
            Grown::Child(first) => {
                let node = self.tree.node(id);
                let parent =
                    self.parts.selection.parent_with_extra(node.visits.max(1), &node.extra);
                let children = self.tree.children(id);
                let most = most_urgent(&self.parts.selection, parent, children, self.scale);
                Next::Last(most.open.map_or(first, |(place, _)| place))
            }
        }
    }

    /// Adds a child for the next action without one.
    pub(super) fn grow(&mut self, id: NodeId, lane: usize) -> Grown {
        let player = self.tree.children(id)[0].player();
        self.add_next_child(id, lane, player)
    }

    /// Adds a child for the next action without one. Each node has a random order, so that no
    /// action is favoured for its index in the rules.
    fn add_next_child(&mut self, id: NodeId, lane: usize, player: Player) -> Grown {
        let state = &self.states[lane];
        let actions = self.game.count_actions(state);
        let place = self.tree.node(id).child_count();
        if place >= actions {
            self.tree.node_mut(id).set_expanded(true);
            return Grown::Stuck;
        }
        if actions > MAX_CHILDREN {
            self.is_too_wide = true;
            return Grown::Full;
        }
        if place == 0 {
            let order = self.tree_rng.next_u64() as u8;
            self.tree.node_mut(id).set_order(order);
        }
        let nth = place_to_action(self.tree.node(id).order(), place, actions);
        let action = self.game.nth_action(state, nth);
        if self.tree.add_child(id, action, player).is_none() {
            return Grown::Full;
        }
        self.widest = self.widest.max(place as u16 + 1);
        if place + 1 == actions {
            self.tree.node_mut(id).set_expanded(true);
        }
        Grown::Child(place)
    }

    /// The child of a sampled outcome of chance.
    pub(super) fn outcome(&mut self, id: NodeId, lane: usize) -> Next {
        let state = &self.states[lane];
        let action = self.game.random_outcome(state, &mut self.tree_rng);
        let children = self.tree.children(id);
        if let Some(place) = children.iter().position(|child| child.action() == action) {
            return Next::Child(place);
        }
        let place = children.len();
        let decider = self.tree.node(id).player();
        let Some(child) = self.tree.add_child(id, action, decider) else {
            return Next::End(Leaf::Open);
        };
        self.tree.node_mut(child).set_by_chance();
        self.widest = self.widest.max(place as u16 + 1);
        if place + 1 == self.game.count_actions(state) {
            self.tree.node_mut(id).set_expanded(true);
        }
        Next::Last(place)
    }

    /// Adds a child for every action to a node without children where `player` is to move in the
    /// state of `lane`, in the order in which they would come one by one.
    pub(super) fn expand_all(&mut self, id: NodeId, lane: usize, player: Player) -> Grown {
        let state = &self.states[lane];
        let NewChildren { actions, priors, children } = &mut self.new_children;
        actions.clear();
        self.game.actions(state, |action| actions.push(action));
        if actions.is_empty() {
            return Grown::Stuck;
        }
        if actions.len() > MAX_CHILDREN {
            self.is_too_wide = true;
            return Grown::Full;
        }
        priors.clear();
        priors.resize(actions.len(), 1.0 / actions.len() as f32);
        if S::READS_PRIORS {
            self.parts.evaluator.priors(&self.game, state, actions, priors);
            repair(priors, S::PRIORS_ARE_WEIGHTS);
        }
        let order = self.tree_rng.next_u64() as u8;
        children.clear();
        children.extend((0..actions.len()).map(|place| {
            let nth = place_to_action(order, place, actions.len());
            let index = self.game.action_index(actions[nth]);
            let child = NewChild { prior: priors[nth], action: TraceStep::new(player, index) };
            (actions[nth], self.parts.selection.new_child(&child))
        }));
        self.tree.node_mut(id).set_order(order);
        if !self.tree.add_children(id, children, player) {
            return Grown::Full;
        }
        self.tree.node_mut(id).set_expanded(true);
        self.widest = self.widest.max(children.len() as u16);
        Grown::Child(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_order_is_a_permutation() {
        for actions in [1, 2, 3, 7, 8, 64, 72, 218, 1000] {
            for order in 0..=255 {
                let mut seen = vec![false; actions];
                for place in 0..actions {
                    let nth = place_to_action(order, place, actions);
                    assert!(!core::mem::replace(&mut seen[nth], true));
                }
            }
        }
    }
}
