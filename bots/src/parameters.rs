//! Parameters of a bot: `name=value` words, read once by whoever builds it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Parameters that were given to a bot and not yet read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    given: Vec<(String, String)>,
}

/// What is wrong with a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterError {
    /// This word is not of the form `name=value`.
    NotAssigned(String),
    /// This name was given twice.
    Twice(String),
    /// The bot has no parameter of this name.
    Unknown(String),
    /// The value does not fit.
    BadValue {
        /// The parameter.
        name: String,
        /// What was given.
        value: String,
        /// What fits.
        expected: String,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::NotAssigned(word) => write!(f, "`{word}` is not name=value"),
            ParameterError::Twice(name) => write!(f, "parameter `{name}` is given twice"),
            ParameterError::Unknown(name) => write!(f, "there is no parameter `{name}`"),
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
        Ok(Parameters { given })
    }

    /// Takes the text of a parameter, if it was given.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let place = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.remove(place).1)
    }

    /// Takes a parameter, if it was given; `expected` says what fits, for the error.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it cannot be read.
    pub fn take_as<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, ParameterError> {
        self.take(name)
            .map(|value| {
                value.parse().map_err(|_| ParameterError::BadValue {
                    name: name.to_string(),
                    value,
                    expected: expected.to_string(),
                })
            })
            .transpose()
    }

    /// Takes a finite number in `lowest..=highest`, or `default` if it was not given.
    ///
    /// # Errors
    /// [`ParameterError::BadValue`] if it is none.
    pub fn number(
        &mut self,
        name: &str,
        default: f32,
        (lowest, highest): (f32, f32),
    ) -> Result<f32, ParameterError> {
        let text = self.take(name);
        let Some(value) = text else { return Ok(default) };
        match value.parse::<f32>() {
            Ok(number) if (lowest..=highest).contains(&number) => Ok(number),
            _ => Err(ParameterError::BadValue {
                name: name.to_string(),
                value,
                expected: alloc::format!("a number from {lowest} to {highest}"),
            }),
        }
    }

    /// Refuses what nobody has taken.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] naming the first of them.
    pub fn finish(self) -> Result<(), ParameterError> {
        match self.given.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(ParameterError::Unknown(name)),
        }
    }
}
