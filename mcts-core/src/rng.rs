//! Seeds and random numbers: one named generator, equal on every platform.

use rand::{Rng, SeedableRng};

/// The generator of every search: xoshiro256++ (Blackman and Vigna, 2018).
pub type SearchRng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for one use of a seed; different uses of the same seed give independent streams.
#[must_use]
pub fn stream(seed: u64, usage: u64) -> SearchRng {
    SearchRng::seed_from_u64(mix(seed ^ mix(usage.wrapping_add(0x9E37_79B9_7F4A_7C15))))
}

/// A number below `n`, uniform up to a bias of `n / 2^32` (Lemire, 2019, without the rejection step).
#[inline]
pub fn below(rng: &mut SearchRng, n: usize) -> usize {
    debug_assert!(n > 0 && n as u64 <= 1 << 32, "n is positive and fits 32 bits");
    (((rng.next_u64() >> 32) * n as u64) >> 32) as usize
}

/// A number in [0, 1) with 24 random bits.
#[inline]
pub fn unit(rng: &mut SearchRng) -> f32 {
    (rng.next_u64() >> 40) as f32 * (1.0 / (1 << 24) as f32)
}

/// Spreads the bits of a number: the finalizer of splitmix64 (Steele, Lea and Flood, 2014).
#[inline]
#[must_use]
pub fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}
