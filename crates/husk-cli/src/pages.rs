//! From PAGE, `--site` and `--base-url` to the key page and the source of its siblings.

use std::path::{Path, PathBuf};

use anyhow::Context;
use husk::{Page, Url};
use husk_sources::{Folder, Source};

use crate::args::PageArgs;
use crate::failure::Failure;
use crate::output::Notes;

/// The key page, and where its siblings come from.
pub(crate) fn open(args: &PageArgs, notes: Notes) -> anyhow::Result<(Page, Folder)> {
    let (page, folder) = match web_address(&args.page) {
        Some(url) => by_address(url, args)?,
        None => by_file(args, notes)?,
    };
    for note in page.dom.notes() {
        notes.say(&format!("{}: {note}", page.url));
    }
    notes.detail(&format!(
        "{} is the site's folder, its address {}",
        folder.root().display(),
        folder.base_url()
    ));
    Ok((page, folder))
}

/// PAGE as an address on the web, if it is one.
fn web_address(page: &str) -> Option<Url> {
    Url::parse(page)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}

fn by_address(url: Url, args: &PageArgs) -> anyhow::Result<(Page, Folder)> {
    let Some(site) = &args.site else {
        let message = format!(
            "cannot load {url}: this version reads saved sites only; save the site and name its folder by --site FOLDER"
        );
        return Err(Failure::Usage(message).into());
    };
    let base = args.base_url.clone().or_else(|| url.join("/").ok());
    let mut folder = Folder::open(site, base)?;
    let page = folder.load(&url)?;
    Ok((page, folder))
}

fn by_file(args: &PageArgs, notes: Notes) -> anyhow::Result<(Page, Folder)> {
    let file = file_path(&args.page);
    let folder = match &args.site {
        Some(site) => Folder::open(site, args.base_url.clone())?,
        None => guessed_site(&file, args, notes)?,
    };
    let page = folder.page(&file)?;
    Ok((page, folder))
}

/// PAGE as a path; it may be written as a `file:` address too.
fn file_path(page: &str) -> PathBuf {
    let url = Url::parse(page).ok().filter(|url| url.scheme() == "file");
    url.and_then(|url| url.to_file_path().ok())
        .unwrap_or_else(|| PathBuf::from(page))
}

/// The site that a file seems to belong to, when the user names no folder.
fn guessed_site(file: &Path, args: &PageArgs, notes: Notes) -> anyhow::Result<Folder> {
    std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
    let root = Folder::guess_root(file);
    let mut base = args.base_url.clone();
    if base.is_none()
        && let Some(guess) = Folder::guess_base(&root)
    {
        notes.detail(&format!(
            "links suggest that the site was saved from {}",
            guess.url
        ));
        base = Some(guess.url);
    }
    Ok(Folder::open(&root, base)?)
}
