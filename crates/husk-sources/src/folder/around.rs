//! Opens the site around a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use husk::dom::Dom;
use husk::{Page, Url};

use super::guess_base::{BaseGuess, guess_base};
use super::guess_root::guess_root;
use super::open::OpenFolderError;
use super::{Folder, index_of, lookup, read};
use crate::open::suggest_url;
use crate::source::LoadError;

/// A page and the site around it.
#[derive(Debug, Clone)]
pub struct SiteAround {
    /// The folder of the site.
    pub folder: Folder,
    /// The page.
    pub key_page: Page,
    /// The guessed URL of the site, if none was given; the folder has it already.
    pub guess: Option<BaseGuess>,
}

/// Why a file and the site around it could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFileError {
    /// There is no such file.
    #[error("no file {}: {}", .file.display(), remedy(.file))]
    NotFound {
        /// The file.
        file: PathBuf,
    },
    /// The folder of the site could not be opened.
    #[error(transparent)]
    Open(#[from] OpenFolderError),
    /// The page could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
}

fn remedy(file: &Path) -> String {
    match suggest_url(file) {
        Some(url) => format!("for a page on the web, use {url}"),
        None => "check the path".to_owned(),
    }
}

/// The page's file, parsed, in the folder of its site.
struct Named {
    folder: Folder,
    file: PathBuf,
    dom: Dom,
}

/// See [`Folder::around`].
pub(super) fn around(
    file: &Path,
    site: Option<&Path>,
    base_url: Option<Url>,
) -> Result<SiteAround, OpenFileError> {
    let has_base_url = base_url.is_some();
    let Named {
        mut folder,
        file,
        dom,
    } = match site {
        Some(site) => in_site(file, site, base_url)?,
        None => alone(file, base_url)?,
    };
    let mut guess = None;
    if !has_base_url {
        guess = guess_base(folder.root(), &file, &dom);
    }
    if let Some(guess) = &guess {
        // Not reopened: the guess holds for this folder, not for one in it that is named after the host.
        folder.base = guess.url.clone();
    }
    Ok(SiteAround {
        key_page: folder.page_of(&file, dom),
        folder,
        guess,
    })
}

/// See [`Folder::page_alone`].
pub(super) fn page_alone(file: &Path) -> Result<Page, OpenFileError> {
    let file = real_file(file)?;
    let dom = read::parse_page(&file, Folder::MAX_BYTES)?;
    let folder = Folder::open(file.parent().unwrap_or(&file), None)?;
    Ok(folder.page_of(&file, dom))
}

/// Reads a page of a site whose folder is given.
fn in_site(file: &Path, site: &Path, base_url: Option<Url>) -> Result<Named, OpenFileError> {
    let folder = Folder::open(site, base_url)?;
    let file = folder.page_file(file)?;
    let dom = read::parse_page(&file, Folder::MAX_BYTES)?;
    Ok(Named { folder, file, dom })
}

/// Reads a page and guesses the folder of its site.
fn alone(file: &Path, base_url: Option<Url>) -> Result<Named, OpenFileError> {
    let file = real_file(file)?;
    let dom = read::parse_page(&file, Folder::MAX_BYTES)?;
    let folder = Folder::open(&guess_root(&file, &dom), base_url)?;
    // The folder of the host need not contain the page.
    let file = folder.page_file(&file)?;
    Ok(Named { folder, file, dom })
}

/// The path without symbolic links; for a folder, that of its index page.
fn real_file(file: &Path) -> Result<PathBuf, OpenFileError> {
    let real = fs::canonicalize(file).map_err(|cause| missing(file, cause))?;
    Ok(index_of(&real)?.unwrap_or(real))
}

fn missing(file: &Path, cause: io::Error) -> OpenFileError {
    let path = file.to_owned();
    if lookup::is_absence(&cause) {
        OpenFileError::NotFound { file: path }
    } else {
        LoadError::Io { path, cause }.into()
    }
}
