//! What is in a folder, the first by their names.

use std::collections::BinaryHeap;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

/// No folder of saved pages has so many entries; one that has is not read to its end.
const MOST_LOOKED_AT: usize = 1_000_000;

/// Those entries of a folder that are of a `kind`, in the order of their names, and of more than `most` the first.
///
/// The system tells them in any order, so all are looked at before some are left out.
pub(super) fn first_by_name<K: Ord>(
    folder: &Path,
    most: usize,
    kind: impl Fn(&DirEntry) -> Option<K>,
) -> Vec<(PathBuf, K)> {
    let mut first = BinaryHeap::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(MOST_LOOKED_AT) {
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
