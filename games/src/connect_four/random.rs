//! Uniformly random games of Connect Four to the end: one, and several side by side.

use core::array::from_fn;

use mcts_core::SearchRng;
use rand::Rng;

use super::rules::{Position, has_four, lines_of_four};
use crate::lanes::Generators;

/// 1, 0 or -1 for a win, a draw or a loss of the side to move after a random game from `position`; `note` is given each disc.
#[inline]
pub(super) fn result_of_random_game(
    mut position: Position,
    rng: &mut SearchRng,
    mut note: impl FnMut(u64),
) -> i32 {
    if position.is_won() {
        return -1;
    }
    let mut mover = 1;
    loop {
        let landings = position.landings();
        if landings == 0 {
            return 0;
        }
        let disc = random_of_seven(landings, rng.next_u64());
        note(disc);
        if has_four(position.own() | disc) {
            return mover;
        }
        position = position.after(disc);
        mover = -mover;
    }
}

/// [`result_of_random_game`] from each of `positions`.
///
/// The same steps on arrays with a place for each game, which a compiler turns into vector instructions. A game that
/// is over is played on without effect until all are.
pub(super) fn results_of_random_games<const LANES: usize>(
    positions: &[Position; LANES],
    rng: &mut SearchRng,
) -> [i32; LANES] {
    let mut boards = *positions;
    let mut results = positions.map(|position| -i64::from(position.is_won()));
    let mut generators = Generators::<LANES>::new(rng);
    let mut mover = 1;
    loop {
        let mut going_on = 0;
        for lane in 0..LANES {
            let random = generators.next(lane);
            let landings = boards[lane].landings();
            going_on |= if results[lane] == 0 { landings } else { 0 };
            let disc = random_of_seven(landings, random);
            let won = lines_of_four(boards[lane].own() | disc) != 0;
            let first_win = won & (results[lane] == 0) & (landings != 0);
            results[lane] = if first_win { mover } else { results[lane] };
            boards[lane] = boards[lane].after(disc);
        }
        if going_on == 0 {
            return from_fn(|lane| results[lane] as i32);
        }
        mover = -mover;
    }
}

/// One bit of a set of at most seven, uniform as [`mcts_core::rng::below`] is; none of an empty set.
#[inline(always)]
fn random_of_seven(set: u64, random: u64) -> u64 {
    let n = ((random >> 32) * u64::from(set.count_ones())) >> 32;
    let mut left = set;
    for taken in 0..6 {
        left = if n > taken { left & left.wrapping_sub(1) } else { left };
    }
    left & left.wrapping_neg()
}
