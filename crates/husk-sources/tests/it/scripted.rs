//! Pages with content of their own do not need a browser.

use std::fs;
use std::path::{Path, PathBuf};

use husk::dom::Dom;
use husk::{Page, Url, needs_rendering};
use husk_testing::corpus_sites;

/// The pages below a folder of sites.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn check(folder: &Path) {
    let url = Url::parse("https://example.org/").unwrap();
    let pages = pages(folder);
    assert!(!pages.is_empty(), "{} holds pages", folder.display());
    for file in pages {
        let page = Page::new(url.clone(), Dom::from_bytes(&fs::read(&file).unwrap(), None));
        assert_eq!(needs_rendering(&page), None, "{}", file.display());
    }
}

#[test]
fn none_of_our_example_sites_needs_a_browser() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites"));
}

#[test]
#[ignore = "needs a corpus"]
fn no_page_of_the_corpus_needs_a_browser() {
    for site in corpus_sites() {
        check(&site);
    }
}
