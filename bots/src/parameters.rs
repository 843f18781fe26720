//! Parameters of a bot: `name=value` words. The constructor of the bot reads each of them once,
//! which also describes them.

use crate::decimals::parse_decimal;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::fmt::Display;
use core::str::FromStr;

/// Given parameters that are not read yet, and descriptions of those that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    given: Vec<(String, String)>,
    described: Vec<ParameterInfo>,
}

/// The description of a parameter. Without the feature `std` nothing is described, which keeps the
/// formatting of floats out of programs that show no description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInfo {
    /// The name.
    pub name: String,
    /// The accepted values, such as `a number from 0 to 10`.
    pub expected: String,
    /// The default value; `None` if the parameter then has no effect.
    pub default: Option<String>,
}

/// An invalid parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterError {
    /// This word is not of the form `name=value`.
    NotAssigned(String),
    /// This name was given twice.
    Twice(String),
    /// The bot has no parameter of this name.
    Unknown {
        /// The name as given.
        name: String,
        /// The parameters of the bot.
        known: Vec<String>,
    },
    /// The value is invalid.
    BadValue {
        /// The parameter.
        name: String,
        /// The value as given.
        value: String,
        /// The accepted values.
        expected: String,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::NotAssigned(word) => write!(f, "`{word}` is not name=value"),
            ParameterError::Twice(name) => write!(f, "parameter `{name}` is given twice"),
            ParameterError::Unknown { name, known } => {
                write!(f, "there is no parameter `{name}`; there are: {}", known.join(", "))
            }
            ParameterError::BadValue { name, value, expected } => {
                write!(f, "parameter `{name}`: `{value}` is not {expected}")
            }
        }
    }
}

impl core::error::Error for ParameterError {}

impl Parameters {
    /// Reads `name=value` words separated by commas; an empty text has none.
    ///
    /// # Errors
    /// [`ParameterError`] naming the word at fault.
    pub fn parse(text: &str) -> Result<Parameters, ParameterError> {
        let mut given: Vec<(String, String)> = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| ParameterError::NotAssigned(word.to_string()))?;
            if given.iter().any(|(other, _)| other == name) {
                return Err(ParameterError::Twice(name.to_string()));
            }
            given.push((name.to_string(), value.to_string()));
        }
        Ok(Parameters { given, described: Vec::new() })
    }

    /// The descriptions of the parameters read so far, in order.
    #[must_use]
    pub fn described(&self) -> &[ParameterInfo] {
        &self.described
    }

    /// Removes a parameter and returns its text, if given.
    pub fn take(&mut self, name: &str) -> Option<String> {
        self.take_described(name, "a text", None)
    }

    fn take_described(
        &mut self,
        name: &str,
        expected: &str,
        default: Option<String>,
    ) -> Option<String> {
        let place = self.given.iter().position(|(given, _)| *given == name);
        if cfg!(feature = "std") {
            self.described.push(ParameterInfo {
                name: name.to_string(),
                expected: expected.to_string(),
                default,
            });
        }
        Some(self.given.remove(place?).1)
    }

    /// Removes and parses a parameter, if given; `expected` describes the accepted values for the
    /// error.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it cannot be parsed.
    pub fn take_as<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, ParameterError> {
        let value = self.take_described(name, expected, None);
        value.map(|value| value.parse().map_err(|_| bad_value(name, value, expected))).transpose()
    }

    /// Removes and parses a whole number in `lowest..=highest`; `default` if it was not given.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is not such a number.
    pub fn whole<T: FromStr + PartialOrd + Display>(
        &mut self,
        name: &str,
        default: T,
        (lowest, highest): (T, T),
    ) -> Result<T, ParameterError> {
        let expected = described(|| alloc::format!("a whole number from {lowest} to {highest}"));
        match self.take_described(name, &expected, Some(described(|| default.to_string()))) {
            None => Ok(default),
            Some(value) => match value.parse::<T>() {
                Ok(number) if (lowest..=highest).contains(&number) => Ok(number),
                _ => Err(bad_value(name, value, &expected)),
            },
        }
    }

    /// Takes a whole number in `lowest..=highest`, if it was given.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is none.
    pub fn optional_whole(
        &mut self,
        name: &str,
        (lowest, highest): (u32, u32),
    ) -> Result<Option<u32>, ParameterError> {
        let expected = described(|| alloc::format!("a whole number from {lowest} to {highest}"));
        let Some(number) = self.take_as::<u32>(name, &expected)? else { return Ok(None) };
        if (lowest..=highest).contains(&number) {
            return Ok(Some(number));
        }
        Err(bad_value(name, number.to_string(), &expected))
    }

    /// Reads `seed`, by default 1.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is not a whole number of 64 bits.
    pub fn seed(&mut self) -> Result<u64, ParameterError> {
        self.whole("seed", 1, (0, u64::MAX))
    }

    /// Reads `playouts`, the budget of every decision instead of a time plan.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is not a whole number of 64 bits.
    pub fn playouts(&mut self) -> Result<Option<u64>, ParameterError> {
        self.take_as("playouts", "a whole number; a time plan without it")
    }

    /// Reads `memory` in MiB and returns bytes, by default `default_bytes`.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is not a whole number from 1 to 1,048,576.
    pub fn memory_bytes(&mut self, default_bytes: usize) -> Result<usize, ParameterError> {
        let mib = self.whole("memory", (default_bytes as u64) >> 20, (1, 1 << 20))?;
        Ok(usize::try_from(mib << 20).unwrap_or(usize::MAX))
    }

    /// Removes and parses a decimal number (see [`parse_decimal`]) in `lowest..=highest`; `default`
    /// if it was not given.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is not such a number.
    pub fn number(
        &mut self,
        name: &str,
        default: f32,
        (lowest, highest): (f32, f32),
    ) -> Result<f32, ParameterError> {
        let expected = described(|| alloc::format!("a number from {lowest} to {highest}"));
        let text = self.take_described(name, &expected, Some(described(|| default.to_string())));
        let Some(value) = text else { return Ok(default) };
        match parse_decimal(&value) {
            Some(number) if (lowest..=highest).contains(&number) => Ok(number),
            _ => Err(bad_value(name, value, &expected)),
        }
    }

    /// Removes and parses `true` or `false`; `default` if it was not given.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is neither.
    pub fn switch(&mut self, name: &str, default: bool) -> Result<bool, ParameterError> {
        let expected = "true or false";
        let text = self.take_described(name, expected, Some(default.to_string()));
        let Some(value) = text else { return Ok(default) };
        value.parse().map_err(|_| bad_value(name, value, expected))
    }

    /// Checks that every given parameter was read.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] with the first one that was not.
    pub fn finish(self) -> Result<(), ParameterError> {
        match self.given.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => {
                let known = self.described.into_iter().map(|info| info.name).collect();
                Err(ParameterError::Unknown { name, known })
            }
        }
    }
}

/// The text of a description, with the feature `std`.
fn described(text: impl FnOnce() -> String) -> String {
    if cfg!(feature = "std") { text() } else { String::new() }
}

fn bad_value(name: &str, value: String, expected: &str) -> ParameterError {
    ParameterError::BadValue { name: name.to_string(), value, expected: expected.to_string() }
}
