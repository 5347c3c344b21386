use std::path::PathBuf;

use husk::{Extraction, Options};
use husk_lab::Corpus;
use husk_sources::Folder;

use crate::run::repository;

/// The folders of sites: the project's own, and the corpus where there is one.
fn corpora() -> Vec<PathBuf> {
    let named = std::env::var_os("HUSK_CORPUS").map(PathBuf::from);
    let corpus = named.unwrap_or_else(|| repository().join("../shared/corpus"));
    if !corpus.is_dir() {
        eprintln!("SKIPPED: no corpus; name one by HUSK_CORPUS or put it at ../shared/corpus");
    }
    let own = repository().join("fixtures/sites");
    [own, corpus]
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect()
}

/// The extraction of every key page of every site, with the page's name.
pub(crate) fn extractions() -> impl Iterator<Item = (String, Extraction)> {
    let sites = corpora()
        .into_iter()
        .flat_map(|folder| Corpus::read(&folder).unwrap().sites);
    sites.flat_map(|site| {
        let mut folder = Folder::open(&site.root, Some(site.base_url.clone())).unwrap();
        let extract = move |key_page: husk_lab::KeyPage| {
            let page = folder.page(&site.root.join(&key_page.file)).unwrap();
            let extraction = husk_sources::run_session(page, Options::default(), &mut folder, |_| ());
            (format!("{} {}", site.name, key_page.file.display()), extraction)
        };
        site.key_pages.clone().into_iter().map(extract)
    })
}
