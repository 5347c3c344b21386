//! The pages of a folder as responses of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use husk::dom::Dom;
use husk::{Page, SameSite, Url, links};

use super::{Folder, page_url, read, walk};
use crate::capture::Capture;
use crate::source::LoadError;

/// The responses of a site: its pages, then the redirects to them.
pub(super) struct Captures<'a> {
    folder: &'a Folder,
    files: walk::Pages,
    /// The URL of each file's page.
    pages: BTreeMap<PathBuf, Url>,
    /// Other URLs of the pages: of their files, and in links.
    others: BTreeSet<Url>,
    redirects: Option<std::vec::IntoIter<Capture>>,
}

impl<'a> Captures<'a> {
    pub(super) fn of(folder: &'a Folder) -> Self {
        Self {
            folder,
            files: walk::Pages::below(&folder.root),
            pages: BTreeMap::new(),
            others: BTreeSet::new(),
            redirects: None,
        }
    }

    fn page(&mut self, file: &Path) -> Result<Capture, LoadError> {
        let (capture, page) = capture(self.folder, file)?;
        self.others.insert(page_url::of_file(self.folder, file));
        for link in links(&page, SameSite::Host) {
            self.others.insert(link.url);
        }
        self.pages.insert(file.to_owned(), page.url);
        Ok(capture)
    }

    /// Redirects from other URLs to those of the pages.
    fn redirects(&self) -> Vec<Capture> {
        let lead_on = |other: &Url| {
            let file = self.folder.file_of(other)?;
            let page = self.pages.get(&file).filter(|page| *page != other)?;
            let location = ("Location", page.to_string());
            Some(answer(other.clone(), 301, location, Vec::new(), date_of(&file)))
        };
        self.others.iter().filter_map(lead_on).collect()
    }
}

impl Iterator for Captures<'_> {
    type Item = Result<Capture, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(file) = self.files.next() {
            return Some(self.page(&file));
        }
        if self.redirects.is_none() {
            self.redirects = Some(self.redirects().into_iter());
        }
        self.redirects.as_mut()?.next().map(Ok)
    }
}

/// The response with the page in a file, and that page.
pub(super) fn capture(folder: &Folder, file: &Path) -> Result<(Capture, Page), LoadError> {
    let body = read::read_page(file, folder.max_bytes)?;
    let page = folder.page_of(file, Dom::from_bytes(&body, None));
    let media_type = ("Content-Type", "text/html".to_owned());
    Ok((
        answer(page.url.clone(), 200, media_type, body, date_of(file)),
        page,
    ))
}

fn answer(url: Url, status: u16, (name, value): (&str, String), body: Vec<u8>, date: SystemTime) -> Capture {
    Capture {
        url,
        status,
        headers: vec![(name.to_owned(), value)],
        body,
        is_whole: true,
        date,
        ip: None,
        is_rendered: false,
    }
}

fn date_of(file: &Path) -> SystemTime {
    let modified = fs::metadata(file).and_then(|found| found.modified());
    modified.unwrap_or(SystemTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_answers_by_every_address_that_leads_to_a_page() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("about")).unwrap();
        let html = "<a href=/about>About</a> <a href=/gone>Gone</a> <a href=/>Home</a>";
        fs::write(root.path().join("index.html"), html).unwrap();
        fs::write(root.path().join("about/index.html"), "<p>Caf\u{e9}").unwrap();
        fs::write(root.path().join("style.css"), "p {}").unwrap();
        let base = Url::parse("https://example.org/").unwrap();
        let folder = Folder::open(root.path(), Some(base)).unwrap();
        let captures: Vec<Capture> = folder.captures().map(Result::unwrap).collect();
        let found: Vec<(&str, u16, Option<&str>)> = captures
            .iter()
            .map(|capture| (capture.url.as_str(), capture.status, capture.header("location")))
            .collect();
        assert_eq!(
            found,
            [
                ("https://example.org/", 200, None),
                ("https://example.org/about/", 200, None),
                (
                    "https://example.org/about",
                    301,
                    Some("https://example.org/about/")
                ),
            ]
        );
        assert_eq!(captures[1].body, "<p>Caf\u{e9}".as_bytes());
    }
}
