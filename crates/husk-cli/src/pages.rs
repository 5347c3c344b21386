//! From PAGE, `--site` and `--base-url` to the key page and the source of its siblings.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::Context;
use husk::output::Relocation;
use husk::{Page, Url};
use husk_sources::{Evidence, Folder, Source};

use crate::args::PageArgs;
use crate::failure::Failure;
use crate::output::Notes;

/// The key page, and where its siblings come from.
pub(crate) struct Opened {
    pub(crate) key_page: Page,
    pub(crate) folder: Folder,
    /// Where the site's files are, if its address is a stand-in.
    pub(crate) relocation: Option<Relocation>,
}

/// Opens the page that is meant, and the folder of its site.
pub(crate) fn open(args: &PageArgs, notes: Notes) -> anyhow::Result<Opened> {
    let opened = match web_address(&args.page) {
        Some(url) => by_address(&url, args)?,
        None => by_file(args, notes)?,
    };
    let Opened { key_page, folder, .. } = &opened;
    for note in key_page.dom.notes() {
        notes.say(&format!("{}: {note}", key_page.url));
    }
    notes.detail(&format!(
        "{} is the site's folder, its address {}",
        folder.root().display(),
        folder.base_url()
    ));
    Ok(opened)
}

/// PAGE as an address on the web, if it is one.
fn web_address(page: &OsStr) -> Option<Url> {
    Url::parse(page.to_str()?)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}

fn by_address(url: &Url, args: &PageArgs) -> anyhow::Result<Opened> {
    let Some(site) = &args.site else {
        let message = format!(
            "cannot load {url}: this version reads saved sites only; save the site and name its folder by --site FOLDER"
        );
        return Err(Failure::Usage(message).into());
    };
    let base = args.base_url.clone().or_else(|| url.join("/").ok());
    let mut folder = Folder::open(site, base)?;
    let key_page = folder.load(url)?;
    Ok(Opened {
        key_page,
        folder,
        relocation: None,
    })
}

fn by_file(args: &PageArgs, notes: Notes) -> anyhow::Result<Opened> {
    let file = file_path(&args.page);
    std::fs::metadata(&file)
        .or_else(|cause| {
            args.site
                .as_ref()
                .map_or(Err(cause), |site| std::fs::metadata(site.join(&file)))
        })
        .with_context(|| format!("cannot read {}", file.display()))?;
    let root = args.site.clone().unwrap_or_else(|| Folder::guess_root(&file));
    let guess = if args.base_url.is_none() {
        Folder::guess_base(&root)
    } else {
        None
    };
    let base = args
        .base_url
        .clone()
        .or(guess.as_ref().map(|guess| guess.url.clone()));
    let folder = Folder::open(&root, base)?;
    if let Some(guess) = &guess {
        notes.say(&format!(
            "taking {} for the site's address, since {}; --base-url says otherwise",
            guess.url, guess.evidence
        ));
    }
    let key_page = folder.page(&file)?;
    let relocation = guess
        .filter(|guess| guess.evidence == Evidence::RootLinks)
        .and_then(|_| stand_in(&folder));
    Ok(Opened {
        key_page,
        folder,
        relocation,
    })
}

/// No server answers at the stand-in for a site's address: its files do.
fn stand_in(folder: &Folder) -> Option<Relocation> {
    let to = Url::from_directory_path(folder.root()).ok()?;
    Some(Relocation {
        from: folder.base_url().clone(),
        to,
    })
}

/// PAGE as a path; it may be written as a `file:` address too.
fn file_path(page: &OsStr) -> PathBuf {
    let url = page
        .to_str()
        .and_then(|page| Url::parse(page).ok())
        .filter(|url| url.scheme() == "file");
    url.and_then(|url| url.to_file_path().ok())
        .unwrap_or_else(|| PathBuf::from(page))
}
