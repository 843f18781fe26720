//! What a game's conformance check has in common: one golden vector in, agreement or the first difference out.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use serde_json::Value;

/// The first place where the rules and a golden vector disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where in the vector, such as `positions[17]`.
    pub field: String,
    /// What the vector says.
    pub expected: String,
    /// What the rules say.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.field, self.expected, self.found)
    }
}

impl core::error::Error for Difference {}

/// Checks one case of the kind that a file's stem names (`reversi_games`, ...); `Err` holds the first difference,
/// a field that is missing or of the wrong type included.
pub type Check = fn(case: &Value) -> Result<(), Difference>;

/// A value inside a case, which knows where it stands.
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
    /// If there is none.
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
    /// If it is no list.
    pub fn items(&self) -> Result<Vec<Field<'a>>, Difference> {
        let items = self.value.as_array().ok_or_else(|| self.is_not("a list"))?;
        let item = |(at, value)| Field { value, path: format!("{}[{at}]", self.path) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The members of an object, in the order of the file or of their names.
    ///
    /// # Errors
    /// If it is no object.
    pub fn members(&self) -> Result<Vec<(&'a str, Field<'a>)>, Difference> {
        let members = self.value.as_object().ok_or_else(|| self.is_not("an object"))?;
        members.keys().map(|name| Ok((name.as_str(), self.get(name)?))).collect()
    }

    /// A text.
    ///
    /// # Errors
    /// If it is none.
    pub fn text(&self) -> Result<&'a str, Difference> {
        self.value.as_str().ok_or_else(|| self.is_not("a text"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is none.
    pub fn number(&self) -> Result<i64, Difference> {
        self.value.as_i64().ok_or_else(|| self.is_not("a whole number"))
    }

    /// A text in the notation of `T`.
    ///
    /// # Errors
    /// If it is no text, or not in that notation.
    pub fn parse<T: FromStr<Err: fmt::Display>>(&self) -> Result<T, Difference> {
        let text = self.text()?;
        text.parse().map_err(|error: T::Err| self.differs(&format!("{text:?} ({error})")))
    }

    /// Agreement if the value is exactly what the rules say.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn is(&self, found: impl Into<Value>) -> Result<(), Difference> {
        let found = found.into();
        if *self.value == found { Ok(()) } else { Err(self.differs(&found.to_string())) }
    }

    /// The difference between this value and what the rules say.
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
