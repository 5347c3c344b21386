//! Finds the file in a folder that contains the page at a URL.

use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use husk::dom::decode;
use husk::{Address, Url};
use jiff::Timestamp;

use super::identity;
use super::listing::first_by_name;
use super::mhtml::{HEAD, Mhtml, as_ascii, is_mhtml};
use super::saved::{Origin, declared_origin, recorded_origin};
use crate::folder::{extension, read_at_most};

/// The most files that are read.
const MAX_FILES: usize = 5_000;

/// The most directory entries that are listed to find them.
const MAX_ENTRIES: usize = 50_000;

/// A saved page.
#[derive(Debug, Clone)]
pub(super) struct SavedFile {
    pub(super) url: Url,
    pub(super) file: PathBuf,
    rank: Rank,
}

impl SavedFile {
    fn given(file: PathBuf, url: &Url) -> Self {
        let rank = Rank {
            is_given: true,
            is_told_by_saver: false,
            saved_at: None,
        };
        let url = url.clone();
        Self { url, file, rank }
    }
}

/// Which of several files with one URL to use: the greatest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether the URL was given by the caller.
    is_given: bool,
    /// Whether the program that saved the page recorded the URL.
    is_told_by_saver: bool,
    saved_at: Option<Timestamp>,
}

/// The pages of a folder by URL.
#[derive(Debug, Clone, Default)]
pub(super) struct Index(BTreeMap<Address, SavedFile>);

impl Index {
    /// Reads the beginnings of all files that may be saved pages. One file may have a `given` URL other than it claims.
    pub(super) fn of(folder: &Path, given: Option<&(PathBuf, Url)>) -> Self {
        let mut index = Self::default();
        for file in files(folder) {
            let entry = match given {
                Some((named, url)) if *named == file => Some(SavedFile::given(file, url)),
                _ => entry(file),
            };
            if let Some(entry) = entry {
                index.add(entry);
            }
        }
        index
    }

    fn add(&mut self, entry: SavedFile) {
        let address = identity(&entry.url);
        match self.0.get(&address) {
            // Of equals, the first stays.
            Some(other) if other.rank >= entry.rank => {}
            _ => {
                self.0.insert(address, entry);
            }
        }
    }

    pub(super) fn find(&self, url: &Url) -> Option<&SavedFile> {
        self.0.get(&identity(url))
    }

    /// The URLs of all pages, by file name.
    pub(super) fn page_urls(&self) -> Vec<Url> {
        let mut entries: Vec<&SavedFile> = self.0.values().collect();
        entries.sort_by(|one, other| one.file.cmp(&other.file));
        entries.into_iter().map(|entry| entry.url.clone()).collect()
    }
}

/// The files that may be saved pages, in this folder and in those directly in it, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries_left = MAX_ENTRIES;
    let (mut files, folders) = listed(folder, &mut entries_left);
    for folder in folders {
        if files.len() >= MAX_FILES || entries_left == 0 {
            break;
        }
        files.extend(listed(&folder, &mut entries_left).0);
    }
    files.truncate(MAX_FILES);
    files
}

/// Files that may be saved pages, and folders, in a folder.
fn listed(folder: &Path, entries_left: &mut usize) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = first_by_name(folder, *entries_left, kind);
    *entries_left -= entries.len();
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for (path, kind) in entries {
        match kind {
            EntryKind::Page => files.push(path),
            EntryKind::Folder => folders.push(path),
        }
    }
    (files, folders)
}

/// A directory entry that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryKind {
    Page,
    Folder,
}

/// Hidden entries and symbolic links are ignored.
fn kind(entry: &DirEntry) -> Option<EntryKind> {
    let kind = entry.file_type().ok()?;
    let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
    if is_hidden {
        None
    } else if kind.is_dir() {
        Some(EntryKind::Folder)
    } else {
        (kind.is_file() && is_named_as_page(&entry.path())).then_some(EntryKind::Page)
    }
}

fn is_named_as_page(file: &Path) -> bool {
    matches!(
        extension(file).as_deref(),
        Some("html" | "htm" | "xhtml" | "mhtml" | "mht")
    )
}

/// Reads the beginning of a file.
fn entry(file: PathBuf) -> Option<SavedFile> {
    let head = read_at_most(&file, HEAD as u64).ok()?;
    let (origin, is_told_by_saver) = origin(&head)?;
    Some(SavedFile {
        url: origin.url,
        file,
        rank: Rank {
            is_given: false,
            is_told_by_saver,
            saved_at: origin.saved_at,
        },
    })
}

/// Where the page comes from, and whether the program that saved it says so.
fn origin(head: &[u8]) -> Option<(Origin, bool)> {
    if is_mhtml(head) {
        let bytes = as_ascii(head);
        let mhtml = Mhtml::parse(&bytes, "").ok()?;
        // Office programs name a folder of the machine they ran on.
        let url = mhtml.url.filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let saved_at = mhtml.saved_at;
        return Some((Origin { url, saved_at }, true));
    }
    let text = decode(head, None).text;
    match recorded_origin(&text) {
        Some(origin) => Some((origin, true)),
        None => Some((declared_origin(&text)?, false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str, file: &str, is_told_by_saver: bool, saved_at: Option<i64>) -> SavedFile {
        SavedFile {
            url: Url::parse(url).unwrap(),
            file: file.into(),
            rank: Rank {
                is_given: false,
                is_told_by_saver,
                saved_at: saved_at.map(|second| Timestamp::from_second(second).unwrap()),
            },
        }
    }

    #[test]
    fn the_last_saved_of_the_best_told_counts() {
        let mut index = Index::default();
        let url = "https://example.org/a";
        let file_of = |index: &Index| {
            index
                .find(&Url::parse("http://www.example.org/a/").unwrap())
                .unwrap()
                .file
                .clone()
        };
        for (entry, expect) in [
            (entry(url, "1", false, None), "1"),
            (entry(url, "2", false, None), "1"),
            (entry(url, "3", true, None), "3"),
            (entry(url, "4", true, Some(10)), "4"),
            (entry(url, "5", true, Some(9)), "4"),
            (entry(url, "6", false, Some(20)), "4"),
            (entry(url, "7", true, Some(11)), "7"),
            (SavedFile::given("8".into(), &Url::parse(url).unwrap()), "8"),
            (entry(url, "9", true, Some(12)), "8"),
        ] {
            index.add(entry);
            assert_eq!(file_of(&index), Path::new(expect));
        }
        assert_eq!(index.page_urls().len(), 1);
    }
}
