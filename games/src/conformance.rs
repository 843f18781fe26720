//! Shared parts of the conformance checks: each takes one golden vector and returns the first
//! difference.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde_json::Value;

/// The first difference between the rules and a golden vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where in the vector, such as `positions[17]`.
    pub field: String,
    /// The value in the vector.
    pub expected: String,
    /// The value by the rules.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.field, self.expected, self.found)
    }
}

impl core::error::Error for Difference {}

/// Checks one case of the kind that a file's stem names (`reversi_games`, ...). `Err` holds the
/// first difference, including missing fields and fields of the wrong type.
pub type Check = fn(case: &Value) -> Result<(), Difference>;

/// A value inside a case, with its path.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Field<'a> {
    /// The whole case.
    #[must_use]
    pub fn case(value: &'a Value) -> Self {
        Field { value, path: String::new() }
    }

    /// The member `name` of an object.
    ///
    /// # Errors
    /// If the object has no such member.
    pub fn get(&self, name: &str) -> Result<Field<'a>, Difference> {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{name}", self.path);
        match self.value.get(name) {
            Some(value) => Ok(Field { value, path }),
            None => Err(Difference {
                field: path,
                expected: "a value".to_string(),
                found: "nothing".to_string(),
            }),
        }
    }

    /// The items of a list.
    ///
    /// # Errors
    /// If the value is not a list.
    pub fn items(&self) -> Result<Vec<Field<'a>>, Difference> {
        let items = self.value.as_array().ok_or_else(|| self.is_not("a list"))?;
        let item = |(at, value)| Field { value, path: format!("{}[{at}]", self.path) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The members of an object, in the order of the file or of their names.
    ///
    /// # Errors
    /// If the value is not an object.
    pub fn members(&self) -> Result<Vec<(&'a str, Field<'a>)>, Difference> {
        let members = self.value.as_object().ok_or_else(|| self.is_not("an object"))?;
        members.keys().map(|name| Ok((name.as_str(), self.get(name)?))).collect()
    }

    /// A text.
    ///
    /// # Errors
    /// If the value is not a text.
    pub fn text(&self) -> Result<&'a str, Difference> {
        self.value.as_str().ok_or_else(|| self.is_not("a text"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// If the value is not a whole number.
    pub fn number(&self) -> Result<i64, Difference> {
        self.value.as_i64().ok_or_else(|| self.is_not("a whole number"))
    }

    /// A text in the notation of `T`.
    ///
    /// # Errors
    /// If the value is not a text in that notation.
    pub fn parse<T: FromStr<Err: fmt::Display>>(&self) -> Result<T, Difference> {
        let text = self.text()?;
        text.parse().map_err(|error: T::Err| self.differs(&format!("{text:?} ({error})")))
    }

    /// Compares the value with the result of the rules.
    ///
    /// # Errors
    /// If they differ.
    pub fn is(&self, found: impl Into<Value>) -> Result<(), Difference> {
        let found = found.into();
        if *self.value == found { Ok(()) } else { Err(self.differs(&found.to_string())) }
    }

    /// The difference between this value and the result of the rules.
    #[must_use]
    pub fn differs(&self, found: &str) -> Difference {
        Difference {
            field: self.path.clone(),
            expected: self.value.to_string(),
            found: found.to_string(),
        }
    }

    fn is_not(&self, expected: &str) -> Difference {
        Difference {
            field: self.path.clone(),
            expected: expected.to_string(),
            found: self.value.to_string(),
        }
    }
}
