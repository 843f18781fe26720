//! Static evaluation of Icebreaking positions.

use games::icebreaking::{Cell, Icebreaking, Position, Side};
use mcts_core::search::alpha_beta::{Horizon, StaticEvaluation};
use mcts_core::{Evaluator, Recorder, SearchRng, Utilities};

/// Assumes that the remaining ice is taken cell by cell, the highest scores first, without
/// captures, so the value depends on which side has to take the last cells of negative score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tempo {
    /// Minimum gain of a capture that is searched beyond the depth limit, in points.
    pub forcing_gain: i32,
    /// Maximum number of plies of captures beyond the depth limit.
    pub forcing_plies: u32,
}

impl Default for Tempo {
    fn default() -> Self {
        Tempo { forcing_gain: 4, forcing_plies: 3 }
    }
}

impl Tempo {
    /// Expected final margin of the side to move, in points.
    #[must_use]
    pub fn margin(game: &Icebreaking, position: &Position) -> i32 {
        let ahead = match position.side() {
            Side::A => position.margin(),
            Side::B => -position.margin(),
        };
        let mut taken = 0_u32;
        let mut rest = 0;
        let counts = position.ice_by_score(&game.board);
        for (score, count) in [-2, -1, 0, 1, 2].into_iter().zip(counts).rev() {
            // of `count` equal cells taken in turn, the first player gets one more if the number is
            // odd
            if count % 2 == 1 {
                rest += if taken.is_multiple_of(2) { score } else { -score };
            }
            taken += count;
        }
        ahead + rest
    }
}

/// Leaves of the tree search without rollouts: both sides take the greatest gain while it is a
/// capture, then plain cells in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TempoLeaf;

impl Evaluator<Icebreaking> for TempoLeaf {
    fn evaluate(
        &mut self,
        game: &Icebreaking,
        at: &Position,
        _: &mut impl Recorder,
        _: &mut SearchRng,
    ) -> Utilities {
        let mut position = *at;
        while let Some(capture) = best_capture(game, &position) {
            position.apply(&game.board, capture);
        }
        let of_mover = game.margin.utility(Tempo::margin(game, &position));
        Utilities::zero_sum(if position.side() == Side::A { of_mover } else { -of_mover })
    }
}

/// The cell of the greatest gain, if it exceeds the gain of every cell without captures.
fn best_capture(game: &Icebreaking, position: &Position) -> Option<Cell> {
    let counts = position.ice_by_score(&game.board);
    let plain = counts.iter().rposition(|count| *count > 0)? as i32 - 2;
    let gains = position.cells().map(|cell| (position.gain(&game.board, cell), cell));
    let (gain, cell) = gains.max_by_key(|(gain, _)| *gain)?;
    (gain > plain).then_some(cell)
}

impl StaticEvaluation<Icebreaking> for Tempo {
    fn evaluate(&mut self, game: &Icebreaking, position: &Position) -> f32 {
        game.margin.utility(Tempo::margin(game, position))
    }

    fn order(&mut self, game: &Icebreaking, position: &Position, cell: Cell, _: u32) -> i32 {
        position.gain(&game.board, cell)
    }

    fn forcing(
        &mut self,
        game: &Icebreaking,
        position: &Position,
        beyond: u32,
        visit: impl FnMut(Cell),
    ) -> Horizon {
        if beyond < self.forcing_plies {
            let gains = |cell: &Cell| position.gain(&game.board, *cell) >= self.forcing_gain;
            position.cells().filter(gains).for_each(visit);
        }
        Horizon::StandPat
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use mcts_core::{Game, rng};

    #[test]
    fn the_margin_is_that_of_taking_the_highest_cells_in_turn() {
        let mut rng = rng::stream(2, 0);
        for seed in 0..20 {
            let game = Icebreaking::from_seed(seed);
            let mut position = game.start();
            while !position.is_over() {
                let mut scores: Vec<i32> = position
                    .cells()
                    .map(|cell| i32::from(game.board.score(cell).expect("ice has a score")))
                    .collect();
                scores.sort_unstable_by_key(|score| -score);
                let sign = if position.side() == Side::A { 1 } else { -1 };
                let in_turn = scores.iter().enumerate();
                let rest: i32 = in_turn
                    .map(|(at, score)| if at.is_multiple_of(2) { *score } else { -*score })
                    .sum();
                assert_eq!(Tempo::margin(&game, &position), sign * position.margin() + rest);
                let cell = game.random_action(&position, &mut rng);
                game.apply(&mut position, cell);
            }
        }
    }
}
