//! A playout as seen by selection policies that learn from it.

use super::Scale;
use crate::backup::ExactAt;
use crate::game::{MAX_PLAYERS, Player, Utilities};
use crate::trace::{ActionSet, Trace};
use crate::tree::{NodeId, Tree};
use core::ops::Range;

/// A playout whose values were just backed up. `X` is the policy's extra on each edge, `F` returns the index of an
/// action.
#[derive(Debug)]
pub struct Played<'a, A, X, F> {
    /// The tree, to read and update the statistics of its edges.
    pub tree: &'a mut Tree<A, X>,
    /// The nodes on the path of the playout, the root first.
    pub path: &'a [NodeId],
    /// All actions from the root, first those along `path`. Empty for policies that do not learn
    /// from traces.
    pub trace: &'a Trace,
    /// Returns the action's [`action_index`](crate::Game::action_index).
    pub index: F,
    pub(crate) results: Results<'a>,
    /// Depths above which these utilities were backed up instead of the result.
    pub(crate) exacts: &'a [ExactAt],
    /// The lowest and the highest utility of the game, if exact values may be proven and one number for each node
    /// determines those of all players.
    pub(crate) provable: Option<(f32, f32)>,
    pub(crate) met: &'a mut ActionSet,
}

/// The results of a playout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Results<'a> {
    pub(crate) at_end: &'a Utilities,
    /// For each edge of the path; empty in games without rewards.
    pub(crate) returns: &'a [Utilities],
    pub(crate) scale: Scale,
}

impl Results<'_> {
    /// From the node at `depth` on, scaled to [0, 1].
    #[inline]
    pub(crate) fn of(self, depth: usize, player: Player) -> f32 {
        let utilities = self.returns.get(depth).unwrap_or(self.at_end);
        self.scale.to_unit(utilities.of_player(player))
    }

    /// [`of`](Results::of) for all players.
    #[inline]
    pub(crate) fn of_all(self, depth: usize) -> [f32; MAX_PLAYERS] {
        core::array::from_fn(|player| self.of(depth, Player(player as u8)))
    }
}

impl<A: Copy, X: Copy + Default, F> Played<'_, A, X, F> {
    /// The value added to the edge after `path[depth]`, for `player`, scaled to [0, 1] by the
    /// utility bounds of the game; the result of the playout unless an exact value replaced it.
    #[inline]
    #[must_use]
    pub fn value(&self, depth: usize, player: Player) -> f32 {
        match self.exacts.iter().find(|exact| exact.depth > depth) {
            Some(exact) => self.results.scale.to_unit(exact.utilities.of_player(player)),
            None => self.result(depth, player),
        }
    }

    /// The result of the playout for `player` from `path[depth]` on, scaled to [0, 1].
    #[inline]
    #[must_use]
    pub fn result(&self, depth: usize, player: Player) -> f32 {
        self.results.of(depth, player)
    }

    /// The player to move at `path[depth]`; `None` for chance and for nodes without children.
    #[inline]
    #[must_use]
    pub fn player_to_move(&self, depth: usize) -> Option<Player> {
        let child = self.tree.children(self.path[depth]).first()?;
        (!child.is_by_chance()).then(|| child.player())
    }

    /// Adds the actions at these indices of the trace to the set of seen actions.
    #[inline]
    pub(crate) fn meet(&mut self, places: Range<usize>) {
        for step in self.trace.steps().get(places).unwrap_or_default() {
            self.met.insert(*step);
        }
    }
}
