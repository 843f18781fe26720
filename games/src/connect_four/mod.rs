//! Connect Four for the search.

mod drawing;
mod entry;
mod notation;
mod random;
mod rules;

pub use entry::ENTRY;
pub use rules::{COLUMNS, Illegal, Position, ROWS};

use mcts_core::trace::{Recorder, TraceStep, Untraced};
use mcts_core::{Game, Player, SearchRng, Turn, Utilities, rng};

use crate::bits::nth_bit;

/// Connect Four as a [`Game`]: an action is a column, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectFour;

impl Game for ConnectFour {
    type State = Position;
    type Action = u8;

    fn start(&self) -> Position {
        Position::default()
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        let player = if position.is_first_to_move() { Player::FIRST } else { Player::SECOND };
        if position.is_won() {
            Turn::Over(Utilities::win(player.opponent()))
        } else if position.is_full() {
            Turn::Over(Utilities::ZERO)
        } else {
            Turn::Player(player)
        }
    }

    #[inline]
    fn actions(&self, position: &Position, mut visit: impl FnMut(u8)) {
        let mut landings = position.landings();
        while landings != 0 {
            visit(rules::column_of(landings));
            landings &= landings - 1;
        }
    }

    #[inline]
    fn apply(&self, position: &mut Position, column: u8) {
        position.apply(column);
    }

    #[inline]
    fn action_index(&self, column: u8) -> Option<usize> {
        Some(column.into())
    }

    fn action_indices(&self) -> usize {
        COLUMNS as usize
    }

    #[inline]
    fn count_actions(&self, position: &Position) -> usize {
        position.landings().count_ones() as usize
    }

    #[inline]
    fn nth_action(&self, position: &Position, n: usize) -> u8 {
        assert!(n < self.count_actions(position), "n is below the number of legal actions");
        nth_action(*position, n)
    }

    #[inline]
    fn random_action(&self, position: &Position, rng: &mut SearchRng) -> u8 {
        nth_action(*position, rng::below(rng, self.count_actions(position)))
    }

    fn rollout(
        &self,
        position: Position,
        recorder: &mut impl Recorder,
        rng: &mut SearchRng,
    ) -> Utilities {
        let mut player = if position.is_first_to_move() { Player::FIRST } else { Player::SECOND };
        let sign = random::result_of_random_game(position, rng, |disc| {
            recorder.record(|| TraceStep::new(player, Some(rules::column_of(disc).into())));
            player = player.opponent();
        });
        utilities(&position, sign)
    }

    /// Eight games at a time, the remaining ones one by one.
    fn rollouts(&self, positions: &mut [Position], rng: &mut SearchRng, results: &mut [Utilities]) {
        let (eights, rest) = positions.as_chunks::<8>();
        let (results_of_eights, results_of_rest) = results.split_at_mut(8 * eights.len());
        for (eight, results) in eights.iter().zip(results_of_eights.as_chunks_mut::<8>().0) {
            let signs = random::results_of_random_games(eight, rng);
            for ((position, sign), result) in eight.iter().zip(signs).zip(results) {
                *result = utilities(position, sign);
            }
        }
        for (position, result) in rest.iter().zip(results_of_rest) {
            *result = self.rollout(*position, &mut Untraced, rng);
        }
    }

    fn hash(&self, position: &Position) -> Option<u64> {
        // Distinct for any two positions: in a column of h discs the sum is at least 2^h - 1 and
        // below 2^(h + 1) - 1.
        Some(rng::mix(position.own() + position.all()))
    }
}

/// `sign` is the result for the side to move in `position`.
#[inline]
fn utilities(position: &Position, sign: i32) -> Utilities {
    let sign = sign as f32;
    Utilities::zero_sum(if position.is_first_to_move() { sign } else { -sign })
}

#[inline]
fn nth_action(position: Position, n: usize) -> u8 {
    rules::column_of(nth_bit(position.landings(), n as u32))
}
