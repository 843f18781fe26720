//! Why a module cannot be translated.

use std::fmt;

/// Why a module cannot be translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The bytes are not a valid WebAssembly module.
    Invalid {
        /// What the validator found.
        message: String,
        /// Where, in bytes from the start of the module.
        offset: u64,
    },
    /// The module uses something valid that this translator does not support.
    Unsupported {
        /// The name of the instruction, type or section.
        what: String,
        /// Where, in bytes from the start of the module.
        offset: u64,
    },
    /// The module needs more memory at its start than the options allow.
    Memory {
        /// Bytes that the module declares as its initial memory.
        needed_bytes: u64,
        /// [`Options::memory_cap_bytes`](crate::Options::memory_cap_bytes).
        cap_bytes: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid { message, offset } => {
                write!(f, "not a valid WebAssembly module: {message} (at byte {offset})")
            }
            Error::Unsupported { what, offset } => {
                write!(f, "unsupported in WebAssembly module: {what} (at byte {offset})")
            }
            Error::Memory { needed_bytes, cap_bytes } => write!(
                f,
                "the module starts with {needed_bytes} bytes of memory, but at most {cap_bytes} are allowed"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<wasmparser::Error> for Error {
    fn from(error: wasmparser::Error) -> Self {
        Error::Invalid { message: error.message().to_string(), offset: error.offset() }
    }
}

/// Shorthand for [`Error::Unsupported`].
pub(crate) fn unsupported(what: impl Into<String>, offset: u64) -> Error {
    Error::Unsupported { what: what.into(), offset }
}
