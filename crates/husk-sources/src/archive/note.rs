//! Problems of archives that do not stop their use.

use std::fmt;
use std::path::PathBuf;

/// A problem in an archive, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveNote {
    /// The file.
    pub path: PathBuf,
    /// Where in the file. `None` if it concerns all of it.
    pub offset: Option<u64>,
    /// What is wrong, and what was done about it.
    pub message: String,
}

impl fmt::Display for ArchiveNote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path.display())?;
        if let Some(offset) = self.offset {
            write!(out, ", offset {offset}")?;
        }
        write!(out, ": {}", self.message)
    }
}
