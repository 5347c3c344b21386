//! Opens the site around a page that the user names by its file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use husk::dom::Dom;
use husk::{Page, Url};

use super::guess_base::{BaseGuess, guess_base};
use super::guess_root::guess_root;
use super::open::OpenError;
use super::{Folder, index_of, lookup, read};
use crate::source::LoadError;

/// A page and the site around it.
#[derive(Debug, Clone)]
pub struct Around {
    /// The folder of the site.
    pub folder: Folder,
    /// The page that was named.
    pub key_page: Page,
    /// The address of the site, if it was guessed; the folder has it already.
    pub guess: Option<BaseGuess>,
}

/// Why a page and the site around it could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AroundError {
    /// There is no such file.
    #[error("no file {}: check the name", .file.display())]
    NotFound {
        /// The file.
        file: PathBuf,
    },
    /// The folder of the site could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The page could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// The page's file, parsed, in the folder of its site.
struct Named {
    folder: Folder,
    file: PathBuf,
    dom: Dom,
}

/// See [`Folder::around`].
pub(super) fn around(file: &Path, site: Option<&Path>, base_url: Option<Url>) -> Result<Around, AroundError> {
    let has_address = base_url.is_some();
    let Named {
        mut folder,
        file,
        dom,
    } = match site {
        Some(site) => in_site(file, site, base_url)?,
        None => alone(file, base_url)?,
    };
    let mut guess = None;
    if !has_address {
        guess = guess_base(folder.root(), &file, &dom);
    }
    if let Some(guess) = &guess {
        // Not opened anew: the guess holds for this very folder, not for one in it that is named after the host.
        folder.base = guess.url.clone();
    }
    Ok(Around {
        key_page: folder.page_of(&file, dom),
        folder,
        guess,
    })
}

/// A page of a site whose folder is known.
fn in_site(file: &Path, site: &Path, base_url: Option<Url>) -> Result<Named, AroundError> {
    let folder = Folder::open(site, base_url)?;
    let file = folder.page_file(file)?;
    let dom = read::parse_page(&file, Folder::MAX_BYTES)?;
    Ok(Named { folder, file, dom })
}

/// A page of which nothing else is known; its site's folder is guessed.
fn alone(file: &Path, base_url: Option<Url>) -> Result<Named, AroundError> {
    let file = real_file(file)?;
    let dom = read::parse_page(&file, Folder::MAX_BYTES)?;
    let folder = Folder::open(&guess_root(&file, &dom), base_url)?;
    // The folder of the host, which the address may lead to, need not hold the page.
    let file = folder.page_file(&file)?;
    Ok(Named { folder, file, dom })
}

/// Where a file really lies, symbolic links followed; for a folder its index page.
fn real_file(file: &Path) -> Result<PathBuf, AroundError> {
    let real = fs::canonicalize(file).map_err(|cause| missing(file, cause))?;
    Ok(index_of(&real)?.unwrap_or(real))
}

fn missing(file: &Path, cause: io::Error) -> AroundError {
    let path = file.to_owned();
    if lookup::is_absence(&cause) {
        AroundError::NotFound { file: path }
    } else {
        LoadError::Io { path, cause }.into()
    }
}
