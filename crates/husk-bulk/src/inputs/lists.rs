//! Lists of inputs: one path per line; empty lines and lines that begin with `#` are ignored.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::BulkError;

/// The list that `@FILE` stands for.
pub(super) fn list_in_argument(name: &OsStr) -> Option<PathBuf> {
    let rest = name.to_str()?.strip_prefix('@')?;
    (!rest.is_empty()).then(|| PathBuf::from(rest))
}

/// Reads a list from a file, or from standard input if it is `-`.
pub(super) fn read_list(list: &Path) -> Result<Vec<PathBuf>, BulkError> {
    if list == Path::new("-") {
        return read_list_from(io::stdin(), list);
    }
    let file = File::open(list).map_err(BulkError::io("read the list", list))?;
    read_list_from(file, list)
}

/// Reads a list; `name` is for messages.
pub(super) fn read_list_from(mut from: impl Read, name: &Path) -> Result<Vec<PathBuf>, BulkError> {
    let mut text = String::new();
    from.read_to_string(&mut text)
        .map_err(BulkError::io("read the list", name))?;
    let lines = text.lines().map(str::trim);
    let names: Vec<PathBuf> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| OsString::from(line).into())
        .collect();
    if names.is_empty() {
        return Err(BulkError::Input(format!(
            "the list {} is empty: expected one WARC file or folder per line",
            name.display()
        )));
    }
    Ok(names)
}
