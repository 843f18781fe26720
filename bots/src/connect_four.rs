//! The value of a Connect Four position without search: threats, and whose turn it will be when they matter.

use games::connect_four::{COLUMNS, ConnectFour, Position, ROWS};
use mcts_core::search::alpha_beta::StaticEvaluation;

/// Weights in halves of the logarithm of the odds of winning. A threat is an empty cell that completes four in a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threats {
    /// A threat of the first side in the third or fifth row, or of the second side in the second, fourth or sixth: where
    /// the columns fill up without it, that side gets the cell (Allis, 1988, zugzwang).
    pub of_own_parity: f32,
    /// Any other threat.
    pub of_other_parity: f32,
    /// Each of the thirty-odd lines that a disc is part of.
    pub lines: f32,
}

impl Default for Threats {
    /// Chosen by hand.
    fn default() -> Self {
        Threats { of_own_parity: 0.35, of_other_parity: 0.1, lines: 0.015 }
    }
}

const STRIDE: u32 = ROWS + 1;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);
/// The first, third and fifth row.
const ODD_ROWS: u64 = BOTTOM * 0b01_0101;

/// Lines of four through each cell of a column, from the lowest; columns from the first to the middle one.
const LINES: [[u32; ROWS as usize]; 4] =
    [[3, 4, 5, 5, 4, 3], [4, 6, 8, 8, 6, 4], [5, 8, 11, 11, 8, 5], [7, 10, 13, 13, 10, 7]];

/// Empty cells, supported or not, that complete four in a line of `discs`.
fn threats(discs: u64, all: u64) -> u64 {
    // upright: on top of three
    let mut found = discs << 1 & discs << 2 & discs << 3;
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let pairs_below = discs << step & discs << (2 * step);
        let pairs_above = discs >> step & discs >> (2 * step);
        found |= pairs_below & (discs << (3 * step) | discs >> step);
        found |= pairs_above & (discs >> (3 * step) | discs << step);
    }
    found & BOARD & !all
}

/// Lines that discs are part of, all together.
fn lines(discs: u64) -> u32 {
    let mut sum = 0;
    let mut left = discs;
    while left != 0 {
        let cell = left.trailing_zeros();
        let column = cell / STRIDE;
        sum += LINES[column.min(COLUMNS - 1 - column) as usize][(cell % STRIDE) as usize];
        left &= left - 1;
    }
    sum
}

impl Threats {
    /// Half the logarithm of the odds of winning, for the side to move.
    #[must_use]
    pub fn half_log_odds(&self, position: &Position) -> f32 {
        let first = position.first();
        let second = position.all() ^ first;
        let of = |discs: u64, wanted_rows: u64| {
            let threats = threats(discs, position.all());
            let wanted = (threats & wanted_rows).count_ones() as f32;
            let others = (threats & !wanted_rows).count_ones() as f32;
            self.of_own_parity * wanted
                + self.of_other_parity * others
                + self.lines * lines(discs) as f32
        };
        let of_first = of(first, ODD_ROWS) - of(second, BOARD & !ODD_ROWS);
        if position.is_first_to_move() { of_first } else { -of_first }
    }
}

impl StaticEvaluation<ConnectFour> for Threats {
    fn evaluate(&mut self, _: &ConnectFour, position: &Position) -> f32 {
        libm::tanhf(self.half_log_odds(position))
    }

    /// Wins, then what stops a win, then threats made, then lines.
    fn order(&mut self, _: &ConnectFour, position: &Position, column: u8, _: u32) -> i32 {
        let disc = position.landings() & 0x3F << (STRIDE * u32::from(column));
        let (own, all) = (position.own(), position.all());
        if threats(own, all) & disc != 0 {
            return 2_000;
        }
        if threats(all ^ own, all) & disc != 0 {
            return 1_000;
        }
        let made = threats(own | disc, all | disc).count_ones() as i32;
        50 * made + lines(disc) as i32
    }

    /// A win at once; and a loss at the next ply where the opponent has two, or one on top of the only answer.
    fn ending(&mut self, _: &ConnectFour, position: &Position, _: (f32, f32)) -> Option<f32> {
        let (own, all) = (position.own(), position.all());
        let landings = position.landings();
        if threats(own, all) & landings != 0 {
            return Some(1.0);
        }
        let of_opponent = threats(all ^ own, all);
        let forced = of_opponent & landings;
        let is_lost =
            forced & forced.wrapping_sub(1) != 0 || (forced != 0 && of_opponent & forced << 1 != 0);
        is_lost.then_some(-1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use mcts_core::{Game, rng};

    /// By dropping a disc of `discs` on each empty cell and asking the rules whether there are four in a line.
    fn threats_by_the_rules(discs: u64, all: u64) -> u64 {
        let has_four = |discs: u64| {
            [1, STRIDE - 1, STRIDE, STRIDE + 1]
                .iter()
                .any(|step| discs & discs >> step & discs >> (2 * step) & discs >> (3 * step) != 0)
        };
        let cells = (0..STRIDE * COLUMNS).map(|cell| 1 << cell);
        cells.filter(|cell| cell & BOARD & !all != 0 && has_four(discs | cell)).sum()
    }

    #[test]
    fn threats_are_the_cells_that_complete_four() {
        let mut rng = rng::stream(5, 0);
        let mut seen = 0;
        for _ in 0..300 {
            let mut position = Position::default();
            while !position.is_won() && !position.is_full() {
                let (own, all) = (position.own(), position.all());
                assert_eq!(threats(own, all), threats_by_the_rules(own, all), "{position}");
                seen += threats(own, all).count_ones();
                let column = ConnectFour.random_action(&position, &mut rng);
                position.apply(column);
            }
        }
        assert!(seen > 1_000, "{seen}");
    }

    #[test]
    fn each_of_the_69_lines_is_counted_at_its_four_cells() {
        // 24 lie flat, 21 stand, 24 are diagonal
        assert_eq!(lines(BOARD), 4 * 69);
    }

    #[test]
    fn an_ending_is_what_two_plies_of_the_rules_say() {
        let mut rng = rng::stream(6, 0);
        let mut endings = [0; 2];
        for _ in 0..300 {
            let mut position = Position::default();
            while !position.is_won() && !position.is_full() {
                let mut after = Vec::new();
                ConnectFour.actions(&position, |column| {
                    let mut next = position;
                    next.apply(column);
                    after.push(next);
                });
                let wins = |position: &Position| {
                    let mut wins = false;
                    ConnectFour.actions(position, |column| {
                        let mut next = *position;
                        next.apply(column);
                        wins |= next.is_won();
                    });
                    wins
                };
                let is_won = wins(&position);
                let is_lost = !is_won && after.iter().all(|next| !next.is_full() && wins(next));
                let expected = if is_won { Some(1.0) } else { is_lost.then_some(-1.0) };
                let found = Threats::default().ending(&ConnectFour, &position, (-1.0, 1.0));
                if found.is_some() {
                    assert_eq!(found, expected, "{position}");
                    endings[usize::from(is_won)] += 1;
                } else {
                    assert!(!is_won, "{position}");
                }
                let column = ConnectFour.random_action(&position, &mut rng);
                position.apply(column);
            }
        }
        assert!(endings[0] > 20 && endings[1] > 100, "{endings:?}");
    }
}
