//! The project's own example sites: all their links can be followed.

use std::path::{Path, PathBuf};

use husk::{SameSite, Url, links};
use husk_sources::{Folder, Source};

fn sites() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites");
    let entries = all
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path().join("pages"));
    entries.filter(|pages| pages.is_dir()).collect()
}

fn check(mut site: Folder) {
    let addresses = site.page_urls().unwrap();
    assert!(addresses.len() > 1, "{}", site.root().display());
    for url in &addresses {
        let page = site.load(url).unwrap();
        for link in links(&page, SameSite::Host) {
            let target = site
                .load(&link.url)
                .unwrap_or_else(|error| panic!("on {url}: {error}"));
            assert!(addresses.contains(&target.url), "{} on {url}", target.url);
        }
    }
}

#[test]
fn every_link_leads_to_a_page() {
    for pages in sites() {
        check(Folder::open(&pages, None).unwrap());
        check(Folder::open(&pages, Some(Url::parse("https://site.example/").unwrap())).unwrap());
    }
}

#[test]
fn their_roots_are_guessed_from_any_page() {
    for pages in sites() {
        let mut site = Folder::open(&pages, None).unwrap();
        for url in site.page_urls().unwrap() {
            let file = site.file_of(&url).unwrap();
            let around = Folder::around(&file, None, None).unwrap();
            assert_eq!(around.folder.root(), site.root(), "{}", file.display());
        }
    }
}
