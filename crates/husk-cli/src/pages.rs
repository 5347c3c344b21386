//! From PAGE, `--site` and `--base-url` to the key page and the source of its siblings.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::bail;
use husk::dom::{NodeKind, name};
use husk::output::Relocation;
use husk::{Page, Url};
use husk_sources::{Around, Folder, Source};

use crate::args::PageArgs;
use crate::failure::Failure;
use crate::output::Notes;

/// The key page, and where its siblings come from.
pub(crate) struct Opened {
    pub(crate) key_page: Page,
    pub(crate) folder: Folder,
    /// Where the site's files are, if its address was guessed.
    pub(crate) relocation: Option<Relocation>,
}

/// Opens the page that is meant, and the folder of its site.
pub(crate) fn open(args: &PageArgs, notes: Notes) -> anyhow::Result<Opened> {
    let opened = match address(&args.page) {
        Some(url) if matches!(url.scheme(), "http" | "https") => by_address(&url, args)?,
        Some(url) if url.scheme() != "file" && url.has_authority() => {
            let message = format!("{url} is no address of a page: http:, https: and file: addresses are");
            return Err(Failure::Usage(message).into());
        }
        _ => by_file(args, notes)?,
    };
    let Opened { key_page, folder, .. } = &opened;
    require_something(key_page)?;
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

/// Fails if there is nothing on a page, or nothing but other pages.
fn require_something(page: &Page) -> anyhow::Result<()> {
    let dom = &page.dom;
    if let Some(frameset) = dom.part(&name!("frameset")) {
        let frames = dom
            .subtree(frameset)
            .filter(|&node| dom.is_element(node, &name!("frame")));
        let frames: Vec<&str> = frames
            .filter_map(|node| dom.attribute(node, &name!("src")))
            .collect();
        let which = match frames[..] {
            [] => String::new(),
            [one] => format!(": name {one}"),
            [ref others @ .., last] => format!(": name one of {} and {last}", others.join(", ")),
        };
        bail!(
            "{} is a set of frames, and what they show are pages of their own{which}",
            page.url
        );
    }
    let is_shown =
        |node| !matches!(dom.kind(node), NodeKind::Comment | NodeKind::Doctype) && !dom.is_blank_text(node);
    let frame = |node| {
        [name!("html"), name!("head"), name!("body")]
            .iter()
            .any(|name| dom.is_element(node, name))
    };
    let is_empty = dom.nodes().skip(1).all(|node| frame(node) || !is_shown(node));
    if is_empty {
        bail!("{} is empty: there is nothing on it to tell apart", page.url);
    }
    Ok(())
}

/// PAGE as an address, if it is one.
fn address(page: &OsStr) -> Option<Url> {
    Url::parse(page.to_str()?).ok()
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
    let Around {
        folder,
        key_page,
        guess,
    } = Folder::around(&file, args.site.as_deref(), args.base_url.clone())?;
    if let Some(guess) = &guess {
        notes.say(&format!(
            "taking {} for the site's address, since {}; --base-url says otherwise",
            guess.url, guess.evidence
        ));
    }
    // An address that nobody gave helps to find pages, but who opens the template wants to see the files.
    let relocation = guess.and_then(|_| to_files(&folder));
    Ok(Opened {
        key_page,
        folder,
        relocation,
    })
}

/// From the site's address to its folder.
fn to_files(folder: &Folder) -> Option<Relocation> {
    let to = Url::from_directory_path(folder.root()).ok()?;
    Some(Relocation {
        from: folder.base_url().clone(),
        to,
    })
}

/// PAGE as a path; it may be written as a `file:` address too.
fn file_path(page: &OsStr) -> PathBuf {
    let url = address(page).filter(|url| url.scheme() == "file");
    url.and_then(|url| url.to_file_path().ok())
        .unwrap_or_else(|| PathBuf::from(page))
}
