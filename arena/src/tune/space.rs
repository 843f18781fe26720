//! The parameter space: parameters with their ranges, and points in the box.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Resolution of a coordinate: the ends of a range are 0 and this.
pub const UNITS: u32 = 1_000_000;

/// A parameter of a bot and its range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in the bot's specification.
    pub name: String,
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
    /// Whether it takes only whole numbers.
    pub whole: bool,
}

/// Why a text is not a parameter with a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeError {
    /// The text.
    pub text: String,
    /// What is wrong.
    pub reason: &'static str,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not NAME=LOW..HIGH: {}", self.text, self.reason)
    }
}

impl std::error::Error for RangeError {}

impl FromStr for Parameter {
    type Err = RangeError;

    /// Reads `name=low..high`; without a decimal point in either end the parameter takes only whole
    /// numbers.
    fn from_str(text: &str) -> Result<Parameter, RangeError> {
        let wrong = |reason| RangeError { text: text.to_owned(), reason };
        let (name, range) = text.split_once('=').ok_or_else(|| wrong("`=` is missing"))?;
        let (low, high) = range.split_once("..").ok_or_else(|| wrong("`..` is missing"))?;
        if high.starts_with('.') {
            return Err(wrong("there are more than two dots between the ends"));
        }
        let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
        let (Some(from), Some(to)) = (number(low), number(high)) else {
            return Err(wrong("an end is not a number"));
        };
        if name.is_empty() || name.contains([',', ' ', ':']) {
            return Err(wrong("the name is empty or has a comma, a colon or a blank"));
        }
        if from >= to {
            return Err(wrong("the low end must be below the high one"));
        }
        let whole = !low.contains(['.', 'e']) && !high.contains(['.', 'e']);
        Ok(Parameter { name: name.to_owned(), low: from, high: to, whole })
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.whole {
            write!(f, "{}={}..{}", self.name, self.low, self.high)
        } else {
            write!(f, "{}={:?}..{:?}", self.name, self.low, self.high)
        }
    }
}

impl Parameter {
    /// Whether the scale is logarithmic: the range is positive and its ends differ by a factor of
    /// ten or more.
    #[must_use]
    pub fn is_logarithmic(&self) -> bool {
        self.low > 0.0 && self.high / self.low >= 10.0
    }

    /// The value at a coordinate from 0 to 1.
    #[must_use]
    pub fn value(&self, place: f64) -> f64 {
        let value = if self.is_logarithmic() {
            self.low * (self.high / self.low).powf(place)
        } else {
            self.low + (self.high - self.low) * place
        };
        if self.whole { value.round() } else { value }
    }

    /// The coordinate of a value, from 0 to 1 within the range.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        if self.is_logarithmic() {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// The value at a coordinate as bots read it: four digits, or a whole number.
    #[must_use]
    pub fn text(&self, place: f64) -> String {
        let value = self.value(place);
        if self.whole || value == 0.0 {
            return value.to_string();
        }
        let digits_before = value.abs().log10().floor() as i32 + 1;
        let decimals = usize::try_from(4 - digits_before).unwrap_or(0);
        format!("{value:.decimals$}")
    }
}

/// A point: the coordinate of each parameter, from 0 to [`UNITS`], so that it is stored without
/// loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Point(pub Vec<u32>);

impl Point {
    /// The coordinate of each parameter, from 0 to 1.
    #[must_use]
    pub fn places(&self) -> Vec<f64> {
        self.0.iter().map(|units| f64::from(*units) / f64::from(UNITS)).collect()
    }
}

/// The box that the parameters span.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Space(pub Vec<Parameter>);

impl Space {
    /// Number of parameters.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// The point nearest to these coordinates whose values bots can read.
    #[must_use]
    pub fn point(&self, places: &[f64]) -> Point {
        let unit = |(parameter, place): (&Parameter, &f64)| {
            let place = place.clamp(0.0, 1.0);
            let place =
                if parameter.whole { parameter.place(parameter.value(place)) } else { place };
            (place.clamp(0.0, 1.0) * f64::from(UNITS)).round() as u32
        };
        Point(self.0.iter().zip(places).map(unit).collect())
    }

    /// Names and values at a point, as bots read them.
    #[must_use]
    pub fn assignments(&self, point: &Point) -> Vec<(&str, String)> {
        let places = point.places();
        let named = self.0.iter().zip(places);
        named.map(|(parameter, place)| (parameter.name.as_str(), parameter.text(place))).collect()
    }

    /// The same for people: `exploration=0.5210, lanes=4`.
    #[must_use]
    pub fn text(&self, point: &Point) -> String {
        let assigned = self.assignments(point);
        let words: Vec<_> =
            assigned.iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str) -> Parameter {
        text.parse().expect("a parameter")
    }

    #[test]
    fn wide_positive_ranges_are_logarithmic_and_others_even() {
        let wide = parameter("exploration=0.1..3.0");
        assert!(wide.is_logarithmic());
        assert!((wide.value(0.5) - 0.3f64.sqrt()).abs() < 1e-12);
        assert!((wide.place(wide.value(0.3)) - 0.3).abs() < 1e-12);
        let even = parameter("bias=-1.0..1.0");
        assert!((even.value(0.25) + 0.5).abs() < 1e-12);
        assert!((even.place(0.5) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn values_have_four_digits_or_are_whole() {
        let wide = parameter("x=0.001..5000.0");
        assert_eq!((wide.text(0.0), wide.text(1.0)), ("0.001000".to_owned(), "5000".to_owned()));
        assert_eq!(parameter("x=0.0..1.0").text(0.5), "0.5000");
        let space = Space(vec![parameter("lanes=1..9")]);
        assert_eq!(space.text(&space.point(&[0.3])), "lanes=3");
        // the model uses the value that the bot was given
        assert_eq!(space.point(&[0.3]), space.point(&[0.25]));
        assert_eq!(parameter("lanes=1..9").to_string(), "lanes=1..9");
        assert_eq!(parameter("x=0.5..1.0").to_string(), "x=0.5..1.0");
    }

    #[test]
    fn what_is_no_range_is_refused_with_the_reason() {
        for (text, reason) in [
            ("exploration", "`=` is missing"),
            ("exploration=1", "`..` is missing"),
            ("exploration=a..b", "an end is not a number"),
            ("exploration=1..inf", "an end is not a number"),
            ("exploration=0...5", "there are more than two dots between the ends"),
            ("=1..2", "the name is empty or has a comma, a colon or a blank"),
            ("a,b=1..2", "the name is empty or has a comma, a colon or a blank"),
            ("x=2..1", "the low end must be below the high one"),
            ("x=1.0..1.0", "the low end must be below the high one"),
        ] {
            assert_eq!(text.parse::<Parameter>().map_err(|error| error.reason), Err(reason));
        }
    }
}
