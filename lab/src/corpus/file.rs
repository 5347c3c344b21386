//! Reading the files of a corpus: regular ones, up to a limit.

use std::fs;
use std::path::Path;

use husk_sources::Folder;

use super::CorpusError;

/// Largest file that is read: 64 MiB, as for the pages of a source.
const MAX_BYTES: u64 = Folder::MAX_BYTES;

/// Reads a whole file, unless it is too large.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, CorpusError> {
    let unreadable = |cause| CorpusError::Unreadable(file.to_owned(), cause);
    if fs::metadata(file).map_err(unreadable)?.len() > MAX_BYTES {
        return Err(CorpusError::TooLarge(file.to_owned(), MAX_BYTES));
    }
    fs::read(file).map_err(unreadable)
}

/// Whether a file is a regular file. Reading a pipe or a device may never end.
pub(super) fn is_readable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES)
}
