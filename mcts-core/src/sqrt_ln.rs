//! `sqrt(ln(n))` of a count by tables, since every step of a search waits for it.

/// Smaller counts have their own entry.
const SMALL: usize = 64;
/// Points between a power of two and the next; values between points are interpolated linearly.
const POINTS: usize = 32;
const POINTS_LOG2: u32 = POINTS.ilog2();
/// The float [`SMALL`] without the last bits of its mantissa: its index in [`LARGE_VALUES`] is 0.
const FIRST: u32 = (SMALL as f32).to_bits() >> (MANTISSA - POINTS_LOG2);
const MANTISSA: u32 = f32::MANTISSA_DIGITS - 1;

static SMALL_VALUES: [f32; SMALL] = small_values();
static LARGE_VALUES: [f32; LARGE] = large_values();
/// From [`SMALL`] to 2^32 and one point beyond.
const LARGE: usize = (32 - SMALL.ilog2() as usize) * POINTS + 2;

/// `sqrt(ln(count))` with a relative error below 2e-5; 0 for a count of 0 or 1.
#[inline]
pub(crate) fn sqrt_ln(count: u32) -> f32 {
    if let Some(value) = SMALL_VALUES.get(count as usize) {
        return *value;
    }
    let bits = (count as f32).to_bits();
    let below = (bits >> (MANTISSA - POINTS_LOG2)) - FIRST;
    let rest = bits & ((1 << (MANTISSA - POINTS_LOG2)) - 1);
    let share = rest as f32 * (1.0 / (1 << (MANTISSA - POINTS_LOG2)) as f32);
    let (from, to) = (LARGE_VALUES[below as usize], LARGE_VALUES[below as usize + 1]);
    from + (to - from) * share
}

const fn small_values() -> [f32; SMALL] {
    let mut values = [0.0; SMALL];
    let mut count = 2;
    while count < SMALL {
        values[count] = sqrt(ln(count as f64)) as f32;
        count += 1;
    }
    values
}

const fn large_values() -> [f32; LARGE] {
    let mut values = [0.0; LARGE];
    let mut place = 0;
    while place < LARGE {
        let bits = (FIRST + place as u32) << (MANTISSA - POINTS_LOG2);
        values[place] = sqrt(ln(f32::from_bits(bits) as f64)) as f32;
        place += 1;
    }
    values
}

/// For numbers of at least 1: halvings, and the series of the inverse hyperbolic tangent.
const fn ln(mut x: f64) -> f64 {
    let mut twos = 0.0;
    while x >= 2.0 {
        x *= 0.5;
        twos += 1.0;
    }
    let z = (x - 1.0) / (x + 1.0);
    let (mut sum, mut power, mut n) = (0.0, z, 1.0);
    while n < 50.0 {
        sum += power / n;
        power *= z * z;
        n += 2.0;
    }
    2.0 * sum + twos * core::f64::consts::LN_2
}

/// For numbers between 1/2 and 32, by Newton's method.
const fn sqrt(x: f64) -> f64 {
    let mut root = x;
    let mut steps = 0;
    while steps < 10 {
        root = 0.5 * (root + x / root);
        steps += 1;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_the_functions() {
        assert!(sqrt_ln(0).abs() + sqrt_ln(1).abs() <= 0.0);
        let powers = (17..32).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1, 11 << (k - 3)]);
        for count in (2..100_000).chain(powers).chain([u32::MAX - 1, u32::MAX]) {
            let exact = libm::sqrt(libm::log(f64::from(count)));
            let error = f64::from(sqrt_ln(count)) / exact - 1.0;
            let most = if count < 64 { 1e-7 } else { 2e-5 };
            assert!(error.abs() < most, "{count}: {error}");
        }
    }
}
