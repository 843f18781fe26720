//! Giving a node all of its children at once.

use super::UctSearch;
use super::playout::place_to_action;
use crate::evaluation::Evaluator;
use crate::game::{Game, Player};
use crate::selection::{NewChild, SelectionPolicy};
use crate::trace::TraceStep;
use crate::tree::{MAX_CHILDREN, NodeId};
use alloc::vec::Vec;
use rand::Rng;

/// Lists that are filled anew for each node; kept so that nothing is allocated.
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

/// What became of a node that should get all of its children.
pub(super) enum Expanded {
    /// It has them.
    All,
    /// There is no legal action; a fault of the rules.
    Stuck,
    /// The memory cap leaves no room.
    Full,
}

/// Replaces priors that are not finite by what a prior is without an opinion. Weights that are negative become zero, and
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
    /// Gives a node without children, where `player` is to move in the state of `lane`, a child for every action;
    /// in the order in which they would come one by one.
    pub(super) fn expand_all(&mut self, id: NodeId, lane: usize, player: Player) -> Expanded {
        let state = &self.states[lane];
        let NewChildren { actions, priors, children } = &mut self.new_children;
        actions.clear();
        self.game.actions(state, |action| actions.push(action));
        if actions.is_empty() {
            return Expanded::Stuck;
        }
        if actions.len() > MAX_CHILDREN {
            self.is_too_wide = true;
            return Expanded::Full;
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
            return Expanded::Full;
        }
        self.tree.node_mut(id).set_expanded(true);
        self.widest = self.widest.max(children.len() as u16);
        Expanded::All
    }
}
