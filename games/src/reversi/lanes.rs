//! Several uniformly random games of Reversi at a time: each step is applied to arrays with one
//! element for each game, which the compiler vectorizes.

use mcts_core::SearchRng;

use super::lines::Lines;
use super::rules::{Position, Side};
use crate::lanes::{Generators, random_bit};

/// Discs of Black minus discs of White after a random game from each of `positions`.
pub(super) fn margins_of_random_games<const LANES: usize>(
    positions: &[Position; LANES],
    rng: &mut SearchRng,
) -> [i32; LANES] {
    let mut own = positions.map(|position| position.own());
    let mut opponent = positions.map(|position| position.opponent());
    let mut generators = Generators::<LANES>::new(rng);
    let (mut steps, mut idle_steps) = (0u32, 0);
    // A side that cannot move passes by turning nothing; a finished game passes until all games are
    // over.
    while idle_steps < 2 {
        let mut moves_of_any = 0;
        for lane in 0..LANES {
            let random = generators.next(lane);
            let (moves, after) = step(own[lane], opponent[lane], random);
            moves_of_any |= moves;
            (own[lane], opponent[lane]) = after;
        }
        idle_steps = if moves_of_any == 0 { idle_steps + 1 } else { 0 };
        steps += 1;
    }
    core::array::from_fn(|lane| {
        let margin = own[lane].count_ones() as i32 - opponent[lane].count_ones() as i32;
        let own_is_black = (positions[lane].side() == Side::Black) == steps.is_multiple_of(2);
        if own_is_black { margin } else { -margin }
    })
}

/// The moves of the side to move, and the board after one of them from the view of the other side.
#[inline(always)]
fn step(own: u64, opponent: u64, random: u64) -> (u64, (u64, u64)) {
    let lines = Lines::new(own, opponent);
    let moves = lines.ends(!(own | opponent));
    let disc = random_bit(moves, random);
    let turned = lines.turned_by(disc);
    (moves, (opponent & !turned, own | turned | disc))
}
