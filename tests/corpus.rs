//! The sites that tests run over. Tests of several crates include this file as their module `sites`.
#![allow(
    dead_code,
    unused_macros,
    unused_imports,
    reason = "not every crate uses all of it"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The test sites of this repository.
pub(crate) fn fixture_sites() -> Vec<PathBuf> {
    sites_in(&repository().join("fixtures/sites"))
}

/// A fixed sample of the corpus in `HUSK_CORPUS` or `../shared/corpus`, or all of it with `HUSK_CORPUS_ALL=1`.
///
/// Panics where there is no corpus, so tests that call this are ignored by default; `./test` includes them.
pub(crate) fn corpus_sites() -> Vec<PathBuf> {
    let folder =
        std::env::var_os("HUSK_CORPUS").map_or_else(|| repository().join("../shared/corpus"), PathBuf::from);
    assert!(
        folder.is_dir(),
        "no corpus at {}: set HUSK_CORPUS to a folder of labelled sites",
        folder.display()
    );
    let mut sites = sites_in(&folder);
    if std::env::var_os("HUSK_CORPUS_ALL").is_none_or(|value| value != "1") {
        sites.retain(|site| is_in_sample(site));
    }
    assert!(!sites.is_empty(), "no sites in {}", folder.display());
    sites
}

/// About a quarter of all sites, chosen by name, so that new sites do not change which of the others are in it.
fn is_in_sample(site: &Path) -> bool {
    // FNV-1a. The remainder 3 has the widest choice of languages and generators.
    let name = site.file_name().unwrap_or_default().as_encoded_bytes();
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash % 4 == 3
}

fn sites_in(folder: &Path) -> Vec<PathBuf> {
    let mut sites: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|site| site.join("site.json").is_file())
        .collect();
    sites.sort();
    sites
}

/// The HTML files below a folder, in order.
pub(crate) fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .find(|folder| folder.join("fixtures/sites").is_dir())
        .unwrap()
}

/// Declares a test twice: over the sites of this repository, and over the corpus.
macro_rules! over_sites {
    ($name:ident, $check:ident) => {
        mod $name {
            #[test]
            fn on_fixtures() {
                super::$check(&$crate::sites::fixture_sites());
            }

            #[test]
            #[ignore = "needs a corpus"]
            fn on_corpus() {
                super::$check(&$crate::sites::corpus_sites());
            }
        }
    };
}
pub(crate) use over_sites;
