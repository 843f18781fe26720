//! How Icebreaking is played on from a leaf.

use games::icebreaking::{Cell, Icebreaking, Position};
use mcts_core::{Game, Player, RolloutPolicy, SearchRng, rng};

/// The best immediate gain among a few cells drawn at random: cheaper than looking at all of them, and neither blind
/// to captures nor always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestOfSample {
    /// Cells to look at.
    pub cells: usize,
}

impl RolloutPolicy<Icebreaking> for BestOfSample {
    #[inline]
    fn choose(
        &mut self,
        game: &Icebreaking,
        position: &Position,
        _: Player,
        rng: &mut SearchRng,
    ) -> Cell {
        let count = game.count_actions(position);
        let mut best = game.nth_action(position, rng::below(rng, count));
        let mut most = position.gain(&game.board, best);
        for _ in 1..self.cells {
            let cell = game.nth_action(position, rng::below(rng, count));
            let gain = position.gain(&game.board, cell);
            if gain > most {
                (best, most) = (cell, gain);
            }
        }
        best
    }
}
