//! Randomness for games that are played side by side, a game in each place of an array: written so that a compiler
//! turns it into vector instructions.

use mcts_core::SearchRng;
use rand::Rng;

/// One bit of `set`, uniform as [`mcts_core::rng::below`] is; none of an empty set. Halves the set six times instead
/// of looking up a table, which vectors cannot.
#[inline(always)]
pub(crate) fn random_bit(set: u64, random: u64) -> u64 {
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
pub(crate) struct Generators<const LANES: usize>([[u64; LANES]; 4]);

impl<const LANES: usize> Generators<LANES> {
    pub(crate) fn new(seeds: &mut SearchRng) -> Self {
        Generators(core::array::from_fn(|_| core::array::from_fn(|_| seeds.next_u64())))
    }

    #[inline(always)]
    pub(crate) fn next(&mut self, lane: usize) -> u64 {
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
