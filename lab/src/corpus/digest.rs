//! The digest of a corpus: a hash of its labels and the names and contents of its pages.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::file::{is_readable, read};
use super::{CorpusError, Site, entries};

/// The digest of sites. It changes with any page, file name or label, and not with their folder or order.
pub(super) fn digest(sites: &[Site]) -> Result<String, CorpusError> {
    let mut digests: Vec<_> = sites.iter().map(site_digest).collect::<Result<_, _>>()?;
    digests.sort_unstable();
    let mut all = Hasher::default();
    for digest in digests {
        all.add(&digest.to_le_bytes());
    }
    Ok(format!("{:032x}", all.finish()))
}

fn site_digest(site: &Site) -> Result<u128, CorpusError> {
    let mut hasher = Hasher::default();
    hasher.add(site.name.as_bytes());
    hasher.add(site.base_url.as_str().as_bytes());
    if let Some(gold) = &site.gold_file {
        hasher.add(&read(gold)?);
    }
    for file in files(&site.root)? {
        hasher.add(name_below(&file, &site.root).as_bytes());
        if is_readable(&file) {
            hasher.add(&read(&file)?);
        }
    }
    Ok(hasher.finish())
}

/// All files below a folder, sorted. Symbolic links to folders are not followed: they may form a cycle.
fn files(root: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            let is_folder = fs::symlink_metadata(&entry).is_ok_and(|metadata| metadata.is_dir());
            if is_folder {
                folders.push(entry);
            } else {
                files.push(entry);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// The name of a file from the root of its site, the same on every system.
fn name_below(file: &Path, root: &Path) -> String {
    let name = file.strip_prefix(root).unwrap_or(file);
    let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// A hash of several things one after the other.
#[derive(Default)]
struct Hasher(Xxh3);

impl Hasher {
    /// The length is hashed too, so that no two sequences have the same bytes.
    fn add(&mut self, thing: &[u8]) {
        self.0.update(&(thing.len() as u64).to_le_bytes());
        self.0.update(thing);
    }

    fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::test_sites::TestFolder;

    fn start() -> TestFolder {
        TestFolder::new()
            .site("a", r#"{"key": "index.html"}"#)
            .site("b", r#"{"key": "index.html"}"#)
            .file("a/pages/index.html", "<p>a")
            .file("a/pages/x/y.html", "<p>y")
            .file("b/pages/index.html", "<p>b")
    }

    fn sites(folder: &TestFolder) -> Vec<Site> {
        Corpus::read(folder.path()).unwrap().sites
    }

    fn digest_of(folder: &TestFolder) -> String {
        digest(&sites(folder)).unwrap()
    }

    #[test]
    fn neither_place_nor_order_nor_other_files_matter() {
        let digest_here = digest_of(&start());
        assert_eq!(digest_here.len(), 32);
        assert_eq!(digest_here, digest_of(&start().file("README.md", "about")));
        let folder = start();
        let mut turned = sites(&folder);
        turned.reverse();
        assert_eq!(digest(&turned).unwrap(), digest_here);
    }

    #[test]
    fn pages_their_names_and_labels_matter() {
        let known = digest_of(&start());
        let others = [
            start().file("a/pages/x/y.html", "<p>z"),
            start().file("a/pages/x/z.html", ""),
            start().file("a/gold.json", r#"{"key": "x/y.html"}"#),
            start().file("b/site.json", r#"{"name": "b", "base_url": "https://c.example"}"#),
        ];
        for other in &others {
            assert_ne!(digest_of(other), known);
        }
        let folder = start();
        assert_ne!(digest(&sites(&folder)[..1]).unwrap(), known);
    }
}
