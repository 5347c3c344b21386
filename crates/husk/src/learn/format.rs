//! Templates as text, to be stored: JSON.

use std::fmt;

/// Why stored templates cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(pub(super) String);

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}
