//! Decimal numbers as text, in both directions, with little code: the standard library's tables for
//! floats are larger than some bots.

use core::fmt;

/// Writes a number with four decimals; numbers beyond a million are clamped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FourDecimals(pub f64);

impl fmt::Display for FourDecimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ten_thousandths = (self.0.abs().min(1e6) * 1e4 + 0.5) as u64;
        let sign = match (self.0 < 0.0 && ten_thousandths > 0, f.sign_plus()) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        };
        write!(f, "{sign}{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000)
    }
}

/// Maximum number of digits, leading zeros not counted.
const DIGITS: u32 = 19;

/// Maximum number of digits after the point.
const DECIMALS: u32 = 27;

/// The float nearest to a decimal number such as `-0.25`: digits, at most one point, no exponent, at most
/// 19 significant digits and 27 after the point. `None` if the text is not such a number.
#[must_use]
pub fn parse_decimal(text: &str) -> Option<f32> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mut mantissa, mut digits, mut decimals) = (0_u64, 0, 0);
    let (mut any, mut is_fraction) = (false, false);
    for byte in unsigned.bytes() {
        match byte {
            b'.' if !is_fraction => is_fraction = true,
            b'0'..=b'9' => {
                any = true;
                digits += u32::from(mantissa > 0 || byte > b'0');
                decimals += u32::from(is_fraction);
                if digits > DIGITS || decimals > DECIMALS {
                    return None;
                }
                mantissa = mantissa * 10 + u64::from(byte - b'0');
            }
            _ => return None,
        }
    }
    let value = quotient(mantissa, 10_u128.pow(decimals));
    any.then_some(if text.starts_with('-') { -value } else { value })
}

/// The float nearest to `dividend / divisor`, ties to even; `divisor` is at most 10^27.
fn quotient(dividend: u64, divisor: u128) -> f32 {
    if dividend == 0 {
        return 0.0;
    }
    let shift = u128::from(dividend).leading_zeros();
    let scaled = u128::from(dividend) << shift;
    let exact = scaled / divisor;
    // 24 bits, one bit for rounding, and a sticky bit for everything below
    let below = 128 - exact.leading_zeros() - 25;
    let rest = exact & ((1 << below) - 1) != 0 || !scaled.is_multiple_of(divisor);
    let rounded = (exact >> below) as u32;
    let up = rounded & 1 == 1 && (rest || rounded & 2 == 2);
    let bits = (rounded >> 1) + u32::from(up);
    // both factors are exact, and so is the product: the decimals are too few for subnormal results
    let exponent = below as i32 + 1 - shift as i32;
    bits as f32 * f32::from_bits(((exponent + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use mcts_core::rng;

    #[test]
    fn four_decimals_are_those_of_the_standard_library_but_for_ties_and_the_sign_of_zero() {
        for step in -30_000..30_000 {
            let value = f64::from(step) / 7_919.0;
            assert_eq!(
                FourDecimals(value).to_string(),
                format!("{value:.4}").replace("-0.0000", "0.0000")
            );
        }
        assert_eq!(FourDecimals(-0.00001).to_string(), "0.0000");
        assert_eq!(FourDecimals(-12.5).to_string(), "-12.5000");
        assert_eq!(
            format!("{:+} {:+}", FourDecimals(0.25), FourDecimals(-0.25)),
            "+0.2500 -0.2500"
        );
    }

    #[test]
    fn decimals_are_read_as_the_standard_library_reads_them() {
        let mut rng = rng::stream(3, 0);
        for _ in 0..200_000 {
            let digits = 1 + rng::below(&mut rng, 19) as u32;
            let nine = |rng: &mut _| rng::below(rng, 1_000_000_000) as u64;
            let number = (nine(&mut rng) * 1_000_000_000 + nine(&mut rng)) % 10_u64.pow(digits);
            let decimals = rng::below(&mut rng, 28);
            let text = format!("{number:028}");
            let (whole, fraction) = text.split_at(28 - decimals);
            let text = format!("-{whole}.{fraction}");
            assert_eq!(parse_decimal(&text), text.parse().ok(), "{text}");
        }
        // halfway between two floats, and slightly above
        for text in
            ["16777217", "16777219", "16777217.0000001", "0.5", ".5", "5.", "+1", "0", "0.000"]
        {
            assert_eq!(parse_decimal(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_plain_decimal_number_is_refused() {
        for text in
            ["", "-", ".", "1e5", "inf", "NaN", "1.2.3", " 1", "1_0", "12345678901234567890"]
        {
            assert_eq!(parse_decimal(text), None, "{text}");
        }
    }
}
