//! Uniformly random games of Reversi side by side: the same steps on arrays with a place for each game, which a
//! compiler turns into vector instructions with a game in each place.

use mcts_core::SearchRng;

use super::rules::{Position, Side};
use crate::lanes::{Generators, random_bit};

/// Distances between neighbouring cells: along a row, a column and both diagonals.
const STEPS: [u32; 4] = [1, 8, 7, 9];

const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Cells that a line in the direction of the same place in [`STEPS`] crosses without leaving the board. Along a column
/// a shift leaves the board by itself.
const CROSSED: [u64; 4] = [INNER_COLUMNS, !0, INNER_COLUMNS, INNER_COLUMNS];

/// Discs of Black minus discs of White after a random game from each of `positions`.
pub(super) fn margins_of_random_games<const LANES: usize>(
    positions: &[Position; LANES],
    rng: &mut SearchRng,
) -> [i32; LANES] {
    let mut own = positions.map(|position| position.own());
    let mut opponent = positions.map(|position| position.opponent());
    let mut generators = Generators::<LANES>::new(rng);
    let (mut steps, mut idle_steps) = (0u32, 0);
    // A side that cannot move passes by turning nothing; a game that is over passes on until all are.
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

/// The moves of the side to move, and the board after one of them, seen by the other side.
#[inline(always)]
fn step(own: u64, opponent: u64, random: u64) -> (u64, (u64, u64)) {
    let (mut ups, mut downs) = ([0; 4], [0; 4]);
    let mut moves = 0;
    for direction in 0..4 {
        let step = STEPS[direction];
        let inner = opponent & CROSSED[direction];
        let pairs_up = inner & (inner << step);
        let pairs_down = pairs_up >> step;
        let mut up = inner & (own << step);
        let mut down = inner & (own >> step);
        up |= inner & (up << step);
        down |= inner & (down >> step);
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        moves |= up << step | down >> step;
        (ups[direction], downs[direction]) = (up, down);
    }
    moves &= !(own | opponent);
    let disc = random_bit(moves, random);
    let mut turned = 0;
    for direction in 0..4 {
        let step = STEPS[direction];
        let (up, down) = (ups[direction], downs[direction]);
        let (pairs_up, pairs_down) = (up & (up >> step), down & (down << step));
        let mut back = up & (disc >> step);
        let mut forth = down & (disc << step);
        back |= up & (back >> step);
        forth |= down & (forth << step);
        back |= pairs_up & (back >> (2 * step));
        forth |= pairs_down & (forth << (2 * step));
        back |= pairs_up & (back >> (2 * step));
        forth |= pairs_down & (forth << (2 * step));
        turned |= back | forth;
    }
    (moves, (opponent & !turned, own | turned | disc))
}
