//! A temporary folder of pages.

use std::fs;
use std::path::{Path, PathBuf};

use husk::{Page, Url};
use husk_sources::{Folder, LoadError, Source};
use tempfile::TempDir;

/// A folder with files.
pub(crate) struct Pages(TempDir);

impl Pages {
    /// Writes files that contain their own name.
    pub(crate) fn named(files: &[&str]) -> Self {
        Self::new(&files.iter().map(|&file| (file, file)).collect::<Vec<_>>())
    }

    /// Writes files with their texts.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let pages = Self(tempfile::tempdir().unwrap());
        for (file, text) in files {
            let path = pages.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        pages
    }

    /// The path of the folder, without symbolic links.
    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    /// The folder as a site at `https://example.org/`.
    pub(crate) fn open(&self) -> Folder {
        self.open_from("https://example.org/")
    }

    /// The folder as a site at another URL.
    pub(crate) fn open_from(&self, base: &str) -> Folder {
        Folder::open(&self.path(), Some(Url::parse(base).unwrap())).unwrap()
    }
}

/// Loads a page by its URL, relative to that of the site.
pub(crate) fn load(folder: &Folder, address: &str) -> Result<Page, LoadError> {
    let url = folder.base_url().join(address).unwrap();
    folder.clone().load(&url)
}

/// The text of a page.
pub(crate) fn text(page: &Page) -> &str {
    page.dom.text_of(page.dom.document())
}

/// A path below the folder, as text.
pub(crate) fn below<'a>(path: &'a Path, root: &Path) -> &'a str {
    path.strip_prefix(root).unwrap().to_str().unwrap()
}
