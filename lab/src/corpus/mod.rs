//! Labelled sites on disk: a folder in, a [`Corpus`] of [`Site`]s with their key pages and labels out.
//!
//! Two formats are read. In ours a site is a folder with `site.json`, `gold.json` and `pages/`; in that of the
//! TECO benchmark it is a folder named after its domain, with labels in the HTML of its key page.

mod error;

mod file;

mod json;

mod teco;

mod split;

mod digest;

mod sample;

use std::fs;
use std::path::{Path, PathBuf};

use husk::Url;

use crate::css::Selector;

pub use error::CorpusError;
pub use sample::Sample;
pub use split::Split;
pub(crate) use teco::without_labels;

/// Labelled sites.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// The sites, sorted by the names of their folders.
    pub sites: Vec<Site>,
    /// Which folders were skipped, and why.
    pub warnings: Vec<String>,
}

/// A saved site and its labelled pages.
#[derive(Debug, Clone)]
pub struct Site {
    /// The name of the site in reports.
    pub name: String,
    /// The folder of its pages.
    pub root: PathBuf,
    /// The URL of that folder.
    pub base_url: Url,
    /// The category of the site, if known.
    pub category: Option<String>,
    /// The language of the site, if known.
    pub language: Option<String>,
    /// The file of the labels; none where they are in the pages.
    pub gold_file: Option<PathBuf>,
    /// The labelled pages.
    pub key_pages: Vec<KeyPage>,
}

/// A labelled page.
#[derive(Debug, Clone)]
pub struct KeyPage {
    /// The page's file, from the root of its site.
    pub file: PathBuf,
    /// The labels.
    pub labels: Labels,
    /// Where the labels were found.
    pub label_place: LabelPlace,
    /// Problems of the label files.
    pub warnings: Vec<String>,
}

/// Where the labels of a page are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelPlace {
    /// Beside the page.
    OwnFile,
    /// In the page itself, as class names, which are hidden from methods.
    Page,
}

/// The labels of a page: selectors of elements, which include their descendants.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Specific to this page or a few pages.
    pub not_template: Vec<Selector>,
    /// Elements whose text children only are specific to this page.
    pub not_template_text: Vec<Selector>,
    /// The main content.
    pub main_content: Vec<Selector>,
    /// Elements whose text children only are main content.
    pub main_content_text: Vec<Selector>,
    /// The main menu.
    pub main_menu: Vec<Selector>,
    /// The copies of the main menu on the page, each by its own selectors. Any one, or all together, is right.
    pub main_menu_copies: Vec<Vec<Selector>>,
}

impl Corpus {
    /// Reads a folder of sites, or the folder of one site.
    ///
    /// Folders without labels are skipped. At least one site is required.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        let mut reader = Reader::default();
        for folder in candidates(path)? {
            reader.add(&folder)?;
        }
        reader.finish(path)
    }
}

/// The folders that may be sites or contain sites: the given one, or its subfolders.
fn candidates(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let alone = || Ok(vec![path.to_owned()]);
    if json::is_site(path) {
        return alone();
    }
    let folders = folders_in(path)?;
    // A page beside sites with `site.json` does not make their folder a TECO site.
    let are_ours = folders.iter().any(|folder| json::is_site(folder));
    if !are_ours && teco::is_site(path) {
        return alone();
    }
    Ok(folders)
}

/// A corpus while it is read.
#[derive(Default)]
struct Reader {
    sites: Vec<Site>,
    /// Why folders were skipped.
    skipped: Vec<CorpusError>,
}

impl Reader {
    fn add(&mut self, folder: &Path) -> Result<(), CorpusError> {
        if json::is_site(folder) {
            self.sites.push(json::read_site(folder)?);
            return Ok(());
        }
        match teco::site_folders(folder) {
            Ok(folders) if folders.is_empty() => self.skipped.push(CorpusError::NoSite(folder.to_owned())),
            Ok(folders) => {
                for folder in folders {
                    self.add_teco(&folder)?;
                }
            }
            Err(cause) => self.skipped.push(cause),
        }
        Ok(())
    }

    fn add_teco(&mut self, folder: &Path) -> Result<(), CorpusError> {
        match teco::read_site(folder) {
            Ok(site) => self.sites.push(site),
            Err(cause @ CorpusError::NoKeyPage(_)) => self.skipped.push(cause),
            // Wrong labels are an error.
            Err(cause) => return Err(cause),
        }
        Ok(())
    }

    /// The corpus that was read from `path`. Without any site, the first skipped folder explains the error best.
    fn finish(self, path: &Path) -> Result<Corpus, CorpusError> {
        if self.sites.is_empty() {
            let looks_like_one = |cause: &CorpusError| !matches!(cause, CorpusError::NoSite(_));
            let cause = self.skipped.into_iter().find(looks_like_one);
            return Err(cause.unwrap_or_else(|| CorpusError::NoSite(path.to_owned())));
        }
        let warnings = self.skipped.iter().map(|cause| format!("skipped {cause}"));
        Ok(Corpus {
            warnings: warnings.collect(),
            sites: self.sites,
        })
    }
}

/// The subfolders of a folder, sorted by name.
fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut folders = entries(folder)?;
    folders.retain(|entry| entry.is_dir());
    Ok(folders)
}

/// The entries of a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let unreadable = |cause| CorpusError::Unreadable(folder.to_owned(), cause);
    let mut entries = fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sites::TestFolder;

    #[test]
    fn a_corpus_is_one_site_or_a_folder_of_sites_sorted_by_name() {
        let corpus = TestFolder::new()
            .file("README.md", "not a site")
            .file("index.html", "a page about the sites")
            .site("b", r#"{"key": "index.html"}"#)
            .site("a", r#"[{"key": "index.html"}, {"key": "two.html"}]"#)
            .file("a/pages/index.html", "")
            .file("a/pages/two.html", "")
            .file("b/pages/index.html", "");
        let names = |path: &Path| -> Vec<_> {
            let corpus = Corpus::read(path).unwrap();
            assert!(corpus.warnings.is_empty(), "{:?}", corpus.warnings);
            corpus.sites.into_iter().map(|site| site.name).collect()
        };
        assert_eq!(names(corpus.path()), ["a", "b"]);
        assert_eq!(names(&corpus.path().join("b")), ["b"]);
    }

    #[track_caller]
    fn check_skipped(corpus: &TestFolder, names: &[&str], warnings: &[&str]) {
        let read = Corpus::read(corpus.path()).unwrap();
        let found: Vec<_> = read.sites.iter().map(|site| &*site.name).collect();
        assert_eq!(found, names);
        let place = format!("{}/", corpus.path().display());
        let found: Vec<_> = read
            .warnings
            .iter()
            .map(|text| text.replace(&place, ""))
            .collect();
        assert_eq!(found, warnings);
    }

    #[test]
    fn folders_without_labels_are_skipped_and_told() {
        let strays = || {
            TestFolder::new()
                .file("notes/list.txt", "no page")
                .file("old pages/index.html", "<p>no labels, and the name is no host's")
                .file("z.example/index.html", "<p>no labels")
        };
        let warnings = [
            "skipped notes: contains no site",
            "skipped old pages: no page has TECO labels",
            "skipped z.example: no page has TECO labels",
        ];
        let ours = strays()
            .site("a", r#"{"key": "index.html"}"#)
            .file("a/pages/index.html", "");
        check_skipped(&ours, &["a"], &warnings);
        let theirs = strays().file("blogs/b.example/index.html", "<p class=TECO_mainMenu>");
        check_skipped(&theirs, &["b.example"], &warnings);
        check_skipped(
            &theirs
                .site("a", r#"{"key": "index.html"}"#)
                .file("a/pages/index.html", ""),
            &["a", "b.example"],
            &warnings,
        );
    }

    #[test]
    fn a_folder_without_sites_is_an_error() {
        let corpus = TestFolder::new()
            .file("README.md", "nothing here")
            .file("notes/list.txt", "nor here");
        let message = Corpus::read(corpus.path()).unwrap_err().to_string();
        assert_eq!(message, format!("{}: contains no site", corpus.path().display()));
        let missing = corpus.path().join("missing");
        let message = Corpus::read(&missing).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{}: ", missing.display())),
            "{message}"
        );
    }
}
