//! Labelled sites on disk: folders in, [`Site`]s with their key pages and labels out.
//!
//! Two formats are read. In ours a site is a folder with `site.json`, `gold.json` and `pages/`; in that of the
//! TECO benchmark it is a folder named after its domain, with labels in the HTML of its key page.

mod error;

mod file;

mod json;

mod teco;

use std::fs;
use std::path::{Path, PathBuf};

use husk::Url;

use crate::css::Selector;

pub use error::CorpusError;
pub(crate) use teco::without_labels;

/// A saved site and its labelled pages.
#[derive(Debug, Clone)]
pub struct Site {
    /// What the site is called in reports.
    pub name: String,
    /// The folder its pages are saved in.
    pub root: PathBuf,
    /// The address that folder was saved from.
    pub base_url: Url,
    /// The pages whose template is known.
    pub key_pages: Vec<KeyPage>,
}

/// A page whose template is known.
#[derive(Debug, Clone)]
pub struct KeyPage {
    /// The page's file, from the root of its site.
    pub file: PathBuf,
    /// What the page's nodes are.
    pub labels: Labels,
    /// Where the labels were found.
    pub label_place: LabelPlace,
    /// What is odd about the files that the labels were read from.
    pub warnings: Vec<String>,
}

/// Where the labels of a page are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelPlace {
    /// Beside the page.
    OwnFile,
    /// In the page itself, as class names, which no method may see.
    Page,
}

/// The labels of a page: selectors of elements, which stand for all that is in them too.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// What is specific to this page or to a few pages.
    pub not_template: Vec<Selector>,
    /// Elements of which only the texts right in them are specific to this page.
    pub not_template_text: Vec<Selector>,
    /// What a reader came for.
    pub main_content: Vec<Selector>,
    /// Elements of which only the texts right in them are what a reader came for.
    pub main_content_text: Vec<Selector>,
    /// The main menu.
    pub main_menu: Vec<Selector>,
}

impl Site {
    /// Reads a corpus: a folder of sites, sorted by name, or the folder of one site.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, CorpusError> {
        if json::is_site(path) {
            return Ok(vec![json::read_site(path)?]);
        }
        let folders = folders_in(path)?;
        let ours: Vec<_> = folders.iter().filter(|folder| json::is_site(folder)).collect();
        let sites = if ours.is_empty() {
            teco::read_sites(path)?
        } else {
            ours.into_iter()
                .map(|folder| json::read_site(folder))
                .collect::<Result<_, _>>()?
        };
        if sites.is_empty() {
            return Err(CorpusError::NoSite(path.to_owned()));
        }
        Ok(sites)
    }
}

/// The folders right in a folder, sorted by name.
fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut folders = entries(folder)?;
    folders.retain(|entry| entry.is_dir());
    Ok(folders)
}

/// What is right in a folder, sorted by name.
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
            .file("notes/todo.txt", "not a site either")
            .site("b", r#"{"key": "index.html"}"#)
            .site("a", r#"[{"key": "index.html"}, {"key": "two.html"}]"#)
            .file("a/pages/index.html", "")
            .file("a/pages/two.html", "")
            .file("b/pages/index.html", "");
        let names = |path: &Path| -> Vec<_> {
            let sites = Site::read_all(path).unwrap();
            sites.into_iter().map(|site| site.name).collect()
        };
        assert_eq!(names(corpus.path()), ["a", "b"]);
        assert_eq!(names(&corpus.path().join("b")), ["b"]);
    }

    #[test]
    fn a_folder_without_sites_is_an_error() {
        let corpus = TestFolder::new().file("README.md", "nothing here");
        let message = Site::read_all(corpus.path()).unwrap_err().to_string();
        assert_eq!(message, format!("{}: holds no site", corpus.path().display()));
        let missing = corpus.path().join("missing");
        let message = Site::read_all(&missing).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{}: ", missing.display())),
            "{message}"
        );
    }
}
