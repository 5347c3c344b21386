//! Lists the first entries of a folder by name.

use std::collections::BinaryHeap;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

/// The most entries of a folder that are read.
const MAX_ENTRIES: usize = 1_000_000;

/// The entries of a folder for which `kind` returns something, sorted by name, at most `most`.
///
/// The system lists entries in any order, so all are read before some are dropped.
pub(super) fn first_by_name<K: Ord>(
    folder: &Path,
    most: usize,
    kind: impl Fn(&DirEntry) -> Option<K>,
) -> Vec<(PathBuf, K)> {
    let mut first = BinaryHeap::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(MAX_ENTRIES) {
        if let Some(kind) = kind(&entry) {
            first.push((entry.path(), kind));
        }
        if first.len() > most {
            first.pop();
        }
    }
    first.into_sorted_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_the_same_in_whatever_order_they_came() {
        for step in [1, 7, 99] {
            let folder = tempfile::tempdir().unwrap();
            for at in 0..100 {
                fs::write(folder.path().join(format!("{:02}", at * step % 100)), "").unwrap();
            }
            let is_even = |entry: &DirEntry| {
                let name = entry.file_name().into_string().ok()?;
                name.parse::<usize>().ok().filter(|number| number % 2 == 0)
            };
            let found = first_by_name(folder.path(), 4, is_even);
            assert_eq!(
                found.iter().map(|(_, number)| *number).collect::<Vec<_>>(),
                [0, 2, 4, 6]
            );
            assert_eq!(first_by_name(folder.path(), 1000, is_even).len(), 50);
        }
        assert!(first_by_name(Path::new("gone"), 4, |_| Some(())).is_empty());
    }
}
