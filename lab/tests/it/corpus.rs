use std::path::PathBuf;

use husk::{Extraction, Options};
use husk_lab::Corpus;
use husk_sources::Folder;

/// The extraction of every key page of these sites of one folder, with the page's name.
pub(crate) fn extractions(sites: &[PathBuf]) -> impl Iterator<Item = (String, Extraction)> {
    let folder = sites[0].parent().unwrap();
    let corpus = Corpus::read(folder).unwrap();
    let is_wanted = |site: &husk_lab::Site| sites.iter().any(|wanted| site.root.starts_with(wanted));
    let sites: Vec<_> = corpus.sites.into_iter().filter(is_wanted).collect();
    sites.into_iter().flat_map(|site| {
        let mut folder = Folder::open(&site.root, Some(site.base_url.clone())).unwrap();
        let extract = move |key_page: husk_lab::KeyPage| {
            let page = folder.page(&site.root.join(&key_page.file)).unwrap();
            let extraction = husk_sources::run_session(page, Options::default(), &mut folder, |_| ());
            (format!("{} {}", site.name, key_page.file.display()), extraction)
        };
        site.key_pages.clone().into_iter().map(extract)
    })
}
