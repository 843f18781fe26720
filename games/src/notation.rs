//! Shared parts of the text forms: a reader by characters, and errors that name the position.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write};

/// Why a text is not a position or action, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    /// The character that is wrong, counted from 1; one past the last if the text ends too early.
    pub at: usize,
    /// What was expected there, or why the character is invalid.
    pub expected: String,
    /// The character found; `None` at the end of the text.
    pub found: Option<char>,
}

impl NotationError {
    /// Adds the whole that the expected thing is a part of.
    pub(crate) fn of(mut self, whole: &str) -> Self {
        self.expected = format!("{} of {whole}", self.expected);
        self
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: expected {}, found ", self.at, self.expected)?;
        match self.found {
            Some(found) if found.is_control() => write!(f, "'{}'", found.escape_default()),
            Some(found) => write!(f, "'{found}'"),
            None => f.write_str("the end"),
        }
    }
}

impl core::error::Error for NotationError {}

/// A text in quotation marks, with U+FFFD for everything except printable ASCII. Smaller code than
/// `{:?}`, which includes Unicode tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let printable =
            |c: char| if matches!(c, ' '..='~') { c } else { char::REPLACEMENT_CHARACTER };
        self.0.chars().try_for_each(|c| f.write_char(printable(c)))?;
        f.write_char('"')
    }
}

/// Reads a text from its first character and tracks the position.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the first character of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Reader { rest: text, at: 1 }
    }

    /// The error that names the next character.
    #[must_use]
    pub fn error(&self, expected: &str) -> NotationError {
        NotationError {
            at: self.at,
            expected: expected.to_string(),
            found: self.rest.chars().next(),
        }
    }

    /// Reads one of the ASCII characters `allowed` and returns its index among them.
    ///
    /// # Errors
    /// If another character or the end comes next.
    pub fn one_of(&mut self, allowed: &str) -> Result<usize, NotationError> {
        let next = self.rest.chars().next();
        match next.and_then(|next| allowed.find(next)) {
            Some(place) => {
                self.skip(1);
                Ok(place)
            }
            None => Err(self.error(&format!("one of {}", Quoted(allowed)))),
        }
    }

    /// Reads exactly the ASCII text `literal`.
    ///
    /// # Errors
    /// At its first character that differs.
    pub fn literal(&mut self, literal: &str) -> Result<(), NotationError> {
        for wanted in literal.chars() {
            if !self.rest.starts_with(wanted) {
                return Err(self.error(&format!("'{wanted}'")));
            }
            self.skip(1);
        }
        Ok(())
    }

    /// Reads a whole number as programs write it: an optional `-`, then digits without a leading
    /// zero. Numbers out of range saturate.
    ///
    /// # Errors
    /// If something else comes next.
    pub fn number(&mut self) -> Result<i32, NotationError> {
        let negative = self.rest.starts_with('-');
        if negative {
            self.skip(1);
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.error("a digit"));
        }
        let leading_zero = self.rest.starts_with('0');
        if leading_zero && (digits > 1 || negative) {
            return Err(self.error("a number without leading zero"));
        }
        let size = self.rest[..digits].bytes().fold(0i32, |size, digit| {
            size.saturating_mul(10).saturating_add(i32::from(digit - b'0'))
        });
        self.skip(digits);
        Ok(if negative { -size } else { size })
    }

    /// Checks that the text ends here.
    ///
    /// # Errors
    /// If characters are left.
    pub fn end(&self) -> Result<(), NotationError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.error("the end")) }
    }

    fn skip(&mut self, ascii_characters: usize) {
        self.rest = &self.rest[ascii_characters..];
        self.at += ascii_characters;
    }
}
