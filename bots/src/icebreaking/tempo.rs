//! What an Icebreaking position is worth without looking ahead.

use games::icebreaking::{Cell, Icebreaking, Position, Side};
use mcts_core::search::alpha_beta::{Horizon, StaticEvaluation};

/// Expects that the rest of the ice is taken cell by cell, the highest scores first, without captures: so it knows
/// who will have to take the last cells of negative score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tempo {
    /// Points that a capture must gain to be searched beyond the depth limit.
    pub forcing_gain: i32,
    /// Plies of captures beyond the depth limit, at most.
    pub forcing_plies: u32,
}

impl Default for Tempo {
    fn default() -> Self {
        Tempo { forcing_gain: 4, forcing_plies: 3 }
    }
}

impl Tempo {
    /// Points that the side to move will be ahead in the end.
    #[must_use]
    pub fn margin(game: &Icebreaking, position: &Position) -> i32 {
        let ahead = match position.side() {
            Side::A => position.margin(),
            Side::B => -position.margin(),
        };
        let mut taken = 0;
        let mut rest = 0;
        let counts = position.ice_by_score(&game.board);
        for (score, count) in [-2, -1, 0, 1, 2].into_iter().zip(counts).rev() {
            // of `count` equal cells in turn the first player of the run gets one more if the number is odd
            if count % 2 == 1 {
                rest += if taken % 2 == 0 { score } else { -score };
            }
            taken += count;
        }
        ahead + rest
    }
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
                let rest: i32 =
                    in_turn.map(|(at, score)| if at % 2 == 0 { *score } else { -*score }).sum();
                assert_eq!(Tempo::margin(&game, &position), sign * position.margin() + rest);
                game.apply(&mut position, game.random_action(&position, &mut rng));
            }
        }
    }
}
