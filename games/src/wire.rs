//! What the wire protocols share: a judge's strict reading of answers.

use alloc::string::ToString;

use crate::judging::Fault;
use crate::notation::{NotationError, Reader};

impl From<NotationError> for Fault {
    fn from(error: NotationError) -> Fault {
        Fault::Malformed(error.to_string())
    }
}

/// Reads `keyword` and `N` whole numbers with single spaces between them and nothing else.
pub(crate) fn numbers_after<const N: usize>(
    keyword: &str,
    line: &str,
) -> Result<[i32; N], NotationError> {
    let mut reader = Reader::new(line);
    reader.literal(keyword)?;
    let mut numbers = [0; N];
    for number in &mut numbers {
        reader.literal(" ")?;
        *number = reader.number()?;
    }
    reader.end()?;
    Ok(numbers)
}
