//! Uniformly random games of Reversi side by side: the same steps on arrays with a place for each game, which a
//! compiler turns into vector instructions with a game in each place.

use mcts_core::SearchRng;
use rand::Rng;

use super::rules::{Position, Side};

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

/// One bit of `set`, uniform as [`mcts_core::rng::below`] is; none of an empty set. Halves the set six times instead
/// of looking up a table, which vectors cannot.
#[inline(always)]
fn random_bit(set: u64, random: u64) -> u64 {
    let mut n = ((random >> 32) * u64::from(set.count_ones())) >> 32;
    let mut place = 0;
    let mut left = set;
    for half in [32, 16, 8, 4, 2, 1] {
        let in_lower_half = u64::from((left & ((1 << half) - 1)).count_ones());
        let is_above = n >= in_lower_half;
        n -= if is_above { in_lower_half } else { 0 };
        place += if is_above { half } else { 0 };
        left = if is_above { left >> half } else { left };
    }
    // An empty set leads to place 63, which is not in it.
    (1 << place) & set
}

/// A generator for each lane, all seeded by another one: xoshiro256++ (Blackman and Vigna, 2018) side by side.
struct Generators<const LANES: usize>([[u64; LANES]; 4]);

impl<const LANES: usize> Generators<LANES> {
    fn new(seeds: &mut SearchRng) -> Self {
        Generators(core::array::from_fn(|_| core::array::from_fn(|_| seeds.next_u64())))
    }

    #[inline(always)]
    fn next(&mut self, lane: usize) -> u64 {
        let [s0, s1, s2, s3] = &mut self.0;
        let random = s0[lane].wrapping_add(s3[lane]).rotate_left(23).wrapping_add(s0[lane]);
        let shifted = s1[lane] << 17;
        s2[lane] ^= s0[lane];
        s3[lane] ^= s1[lane];
        s1[lane] ^= s2[lane];
        s0[lane] ^= s3[lane];
        s2[lane] ^= shifted;
        s3[lane] = s3[lane].rotate_left(45);
        random
    }
}
