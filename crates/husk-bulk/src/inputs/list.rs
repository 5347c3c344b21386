//! Files that name inputs.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::BulkError;

/// The list that `@FILE` stands for.
pub(super) fn named_by(name: &OsStr) -> Option<PathBuf> {
    let rest = name.to_str()?.strip_prefix('@')?;
    (!rest.is_empty()).then(|| PathBuf::from(rest))
}

/// One input a line; empty lines and those that begin with `#` say nothing.
pub(super) fn read(list: &Path) -> Result<Vec<PathBuf>, BulkError> {
    let mut text = String::new();
    let read = if list == Path::new("-") {
        io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(list).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(BulkError::io("read the list", list))?;
    let lines = text.lines().map(str::trim);
    let names: Vec<PathBuf> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| OsString::from(line).into())
        .collect();
    if names.is_empty() {
        return Err(BulkError::Input(format!(
            "the list {} names nothing: write one WARC file or folder a line",
            list.display()
        )));
    }
    Ok(names)
}
