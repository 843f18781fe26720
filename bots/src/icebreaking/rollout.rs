//! The rollout policy of Icebreaking.

use games::icebreaking::{Cell, Icebreaking, Position};
use mcts_core::evaluation::Situation;
use mcts_core::{Game, RolloutPolicy, SearchRng, rng};

/// The best immediate gain among a few cells sampled at random: cheaper than a full scan, sees
/// captures, and varies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestOfSample {
    /// Number of cells to sample.
    pub cells: usize,
}

impl RolloutPolicy<Icebreaking> for BestOfSample {
    #[inline]
    fn choose(
        &mut self,
        game: &Icebreaking,
        at: &Situation<'_, Position>,
        rng: &mut SearchRng,
    ) -> Option<Cell> {
        let position = at.state;
        let count = game.count_actions(position);
        let mut best = None;
        let mut most = i32::MIN;
        for _ in 0..self.cells.max(1).min(count) {
            let cell = game.nth_action(position, rng::below(rng, count));
            let gain = position.gain(&game.board, cell);
            if gain > most {
                (best, most) = (Some(cell), gain);
            }
        }
        best
    }
}
