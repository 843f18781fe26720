//! Giving a node all of its children at once.

use super::UctSearch;
use super::playout::place_to_action;
use crate::evaluation::Evaluator;
use crate::game::{Game, Player};
use crate::selection::{NewChild, SelectionPolicy};
use crate::trace::TraceStep;
use crate::tree::NodeId;
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
        priors.clear();
        priors.resize(actions.len(), 1.0 / actions.len() as f32);
        if S::READS_PRIORS {
            self.parts.evaluator.priors(&self.game, state, actions, priors);
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
