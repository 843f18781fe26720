//! Sets of bits.

const LOWEST_OF_BYTES: u64 = 0x0101_0101_0101_0101;
const HIGHEST_OF_BYTES: u64 = 0x8080_8080_8080_8080;

/// `[byte][n]` is the `n`-th lowest bit of `byte`.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut left, mut n) = (byte as u8, 0);
        while left != 0 {
            table[byte][n] = left & left.wrapping_neg();
            left &= left - 1;
            n += 1;
        }
        byte += 1;
    }
    table
};

/// The `n`-th lowest bit of `set`, from zero, as a set of one bit. `set` must have more than `n`
/// bits.
///
/// Branch-free: prefix sums of the bits of each byte select the byte, a table selects the bit
/// (Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline]
pub(crate) fn nth_bit(set: u64, n: u32) -> u64 {
    debug_assert!(n < set.count_ones(), "the set has more than n bits");
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let up_to_byte = bytes.wrapping_mul(LOWEST_OF_BYTES);
    let n = u64::from(n);
    let skipped =
        ((n * LOWEST_OF_BYTES) | HIGHEST_OF_BYTES).wrapping_sub(up_to_byte) & HIGHEST_OF_BYTES;
    let place = (8 * skipped.count_ones()) & 63;
    let before = up_to_byte << 8 >> place & 0xFF;
    let byte = set >> place & 0xFF;
    u64::from(NTH_OF_BYTE[byte as usize][((n - before) & 7) as usize]) << place
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use mcts_core::rng;
    use rand::Rng;

    #[test]
    fn the_nth_bit_is_the_one_found_by_taking_the_lowest_away_n_times() {
        let mut rng = rng::stream(1, 0);
        let mut sets = vec![1, 1 << 63, u64::MAX, HIGHEST_OF_BYTES, LOWEST_OF_BYTES];
        for _ in 0..2_000 {
            let some = rng.next_u64();
            sets.extend([some, some & rng.next_u64(), some | rng.next_u64()]);
        }
        for set in sets {
            let mut left = set;
            for n in 0..set.count_ones() {
                assert_eq!(nth_bit(set, n), left & left.wrapping_neg(), "{set:#x}, {n}");
                left &= left - 1;
            }
        }
    }
}
