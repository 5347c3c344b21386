//! Finds the sites that tests run over: those of this repository, and those of a labelled corpus.
//!
//! By default a test takes a fixed sample of the corpus; `HUSK_CORPUS_ALL=1` makes it take all sites. Tests that need the
//! corpus are ignored by default, since not everybody has it; `./test` includes them where there is one.

use std::env;
use std::path::{Path, PathBuf};

/// How many sites a test takes by default.
const SAMPLE: usize = 10;

/// The sites of the corpus that a test should run over, sorted by name: a sample, or all with `HUSK_CORPUS_ALL=1`.
///
/// # Panics
///
/// If there is no corpus, as [`corpus`].
pub fn corpus_sites() -> Vec<PathBuf> {
    let sites = sites_in(&corpus());
    if env::var_os("HUSK_CORPUS_ALL").is_some_and(|all| all == "1") {
        return sites;
    }
    sample(sites)
}

/// The folder of the corpus: `HUSK_CORPUS`, or else `../shared/corpus` beside the repository.
///
/// # Panics
///
/// If there is no such folder: a test that needs the corpus must not pass without it.
pub fn corpus() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = env::var_os("HUSK_CORPUS").map_or(beside, PathBuf::from);
    assert!(
        folder.is_dir(),
        "no corpus at {}: set HUSK_CORPUS to its folder, or leave out the ignored tests",
        folder.display()
    );
    folder
}

/// The test sites of this repository, sorted by name.
pub fn fixture_sites() -> Vec<PathBuf> {
    sites_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites"))
}

/// The HTML files below a folder, sorted by path.
pub fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
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

/// Declares a test twice: over [`fixture_sites`], and, ignored by default, over [`corpus_sites`].
///
/// `over_sites!(name, check)` calls `check(&[PathBuf])`, a function of the same module.
#[macro_export]
macro_rules! over_sites {
    ($name:ident, $check:ident) => {
        mod $name {
            #[test]
            fn on_fixtures() {
                super::$check(&$crate::fixture_sites());
            }

            #[test]
            #[ignore = "needs a corpus"]
            fn on_corpus() {
                super::$check(&$crate::corpus_sites());
            }
        }
    };
}

/// The folders that hold a site, sorted by name.
pub fn sites_in(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut sites: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|site| site.join("site.json").is_file())
        .collect();
    sites.sort();
    sites
}

/// The sites whose names have the lowest hashes, so that a new site replaces at most one of the sample.
fn sample(mut sites: Vec<PathBuf>) -> Vec<PathBuf> {
    sites.sort_by_key(|site| fnv1a(site.file_name().unwrap_or_default().as_encoded_bytes()));
    sites.truncate(SAMPLE);
    sites.sort();
    sites
}

/// The 64-bit FNV-1a hash, which is the same on every machine and with every version of Rust.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_the_same_whatever_the_order_and_stable_when_a_site_is_added() {
        let sites: Vec<PathBuf> = (0..60)
            .map(|number| PathBuf::from(format!("site-{number}")))
            .collect();
        let first = sample(sites.clone());
        assert_eq!(first.len(), SAMPLE);
        assert_eq!(sample(sites.iter().rev().cloned().collect()), first);
        let more = sites.into_iter().chain([PathBuf::from("another")]).collect();
        let kept = sample(more)
            .into_iter()
            .filter(|site| first.contains(site))
            .count();
        assert!(kept >= SAMPLE - 1, "{kept}");
    }

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
