//! Fast paths of the descent, where most of a search's time is spent; they select the same children
//! as [`descend`](UctSearch::descend).

use super::{Lane, UctSearch};
use crate::backup::Step;
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::selection::{
    SelectionPolicy, WIDE, most_urgent_of_many_plain, most_urgent_of_open, most_urgent_of_plain,
};
use crate::tree::NodeId;
use core::hint::black_box;

impl<G: Game, S: SelectionPolicy, E: Evaluator<G>> UctSearch<G, S, E> {
    /// Whether a step down consists of a choice and an action only.
    const PLAIN: bool = size_of::<S::Extra>() == 0 && !G::HAS_REWARDS && !Self::TRACED;

    /// The child of greatest urgency of a node whose children all exist, are visited and unproven;
    /// `None` for any other node.
    #[inline]
    pub(super) fn select_fast(&self, id: NodeId, parent: S::Parent) -> Option<usize> {
        if !S::SIDE_BY_SIDE || !self.tree.node(id).is_expanded() {
            return None;
        }
        let children = self.tree.children(id);
        most_urgent_of_open(&self.parts.selection, parent, children, self.scale).map(predicted)
    }

    /// Descends from `id` while all children exist, are visited, unproven, and chosen by a player.
    #[inline]
    pub(super) fn descend_fast(&mut self, id: NodeId, lane: usize) -> NodeId {
        if !Self::PLAIN {
            id
        } else if usize::from(self.widest) > WIDE {
            self.descend_among::<true>(id, lane)
        } else {
            self.descend_among::<false>(id, lane)
        }
    }

    /// One loop for each comparison: a node's siblings are compared in one place of the code only,
    /// so that everything stays in registers.
    #[inline]
    fn descend_among<const MANY: bool>(&mut self, mut id: NodeId, lane: usize) -> NodeId {
        let UctSearch { game, parts, tree, states, lanes, scale, .. } = self;
        let (state, Lane { path, .. }) = (&mut states[lane], &mut lanes[lane]);
        loop {
            let node = tree.node(id);
            if !node.is_expanded() {
                return id;
            }
            let selection = &parts.selection;
            let parent = selection.parent_with_extra(node.visits.max(1), &node.extra);
            let found = if MANY {
                most_urgent_of_many_plain(selection, parent, tree.children(id), *scale)
            } else {
                most_urgent_of_plain(selection, parent, tree.children(id), *scale)
            };
            let Some(place) = found else { return id };
            let place = predicted(place);
            path.push(Step { place: place as u16 });
            id = tree.child(id, place);
            game.apply(state, tree.node(id).action());
        }
    }
}

/// Returns `place`, but turns the data dependency into a predictable branch.
///
/// A processor waits for an address that it has to compute, but speculates on the target of a
/// branch, so it can load the next siblings while it still compares the current ones. The
/// prediction is often right, since most playouts follow the path of the previous ones (Connect
/// Four: 10 to 15 % more playouts).
#[inline]
fn predicted(place: usize) -> usize {
    match place {
        _ if cfg!(target_family = "wasm") => place,
        0 => black_box(0),
        1 => black_box(1),
        2 => black_box(2),
        3 => black_box(3),
        4 => black_box(4),
        5 => black_box(5),
        6 => black_box(6),
        7 => black_box(7),
        _ => place,
    }
}
