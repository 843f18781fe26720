//! Sets of bits.

/// The `n`-th lowest bit of `set`, from zero, as a set of its own; no bit if there are no more than `n`.
#[inline]
pub(crate) fn nth_bit(mut set: u64, n: u32) -> u64 {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set & set.wrapping_neg()
}
