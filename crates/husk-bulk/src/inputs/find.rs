//! The contents of an input folder: archives, saved sites of several hosts, or one site.

use std::fs;
use std::path::{Path, PathBuf};

use husk::Url;
use husk_sources::{Folder, OpenFolderError, SiteAround};

use crate::error::BulkError;

const ARCHIVE_EXTENSIONS: [&str; 3] = [".warc", ".warc.gz", ".warc.zst"];

/// The archives below a folder, sorted by path. Hidden files and links to folders are ignored.
pub(super) fn archives_below(root: &Path) -> Result<Vec<PathBuf>, BulkError> {
    let mut archives = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for (path, is_folder) in list_folder(&folder)? {
            if is_folder {
                folders.push(path);
            } else if is_archive(&path) {
                archives.push(path);
            }
        }
    }
    archives.sort();
    Ok(archives)
}

fn is_archive(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    ARCHIVE_EXTENSIONS
        .iter()
        .any(|extension| name.ends_with(extension))
        && path.is_file()
}

/// Subfolders named like hosts, as mirroring tools name them, with their URLs.
pub(super) fn host_folders(root: &Path, note: &dyn Fn(&str)) -> Result<Vec<(PathBuf, Url)>, BulkError> {
    let real = root.canonicalize().map_err(BulkError::io("read", root))?;
    if Folder::host_in_name(&real).is_some() || is_site(root)? {
        return Ok(Vec::new());
    }
    let folders: Vec<PathBuf> = list_folder(root)?
        .into_iter()
        .filter_map(|(path, is_folder)| is_folder.then_some(path))
        .collect();
    let hosts: Vec<(PathBuf, Url)> = folders
        .iter()
        .filter_map(|path| Some((path.clone(), Folder::host_in_name(path)?)))
        .filter(|(path, url)| {
            Folder::open(path, Some(url.clone())).is_ok_and(|site| site.files().next().is_some())
        })
        .collect();
    if !hosts.is_empty() {
        let names: Vec<&str> = hosts.iter().filter_map(|(_, url)| url.host_str()).collect();
        note(&format!(
            "reading {} as {}, one in each folder named like a host: {}; --base-url reads it as one site",
            root.display(),
            counted(names.len(), "site"),
            first_few(&names)
        ));
        for other in folders
            .iter()
            .filter(|path| Folder::host_in_name(path).is_none() && !path.ends_with("hts-cache"))
        {
            note(&format!(
                "skipping {}: its name is not a host name, unlike those of other folders beside it",
                other.display()
            ));
        }
    }
    Ok(hosts)
}

/// Whether a folder has pages of its own, so that its folders are parts of one site. HTTrack writes an index of all hosts
/// beside its cache.
fn is_site(root: &Path) -> Result<bool, BulkError> {
    Ok(has_pages(root)? && !root.join("hts-cache").is_dir())
}

fn has_pages(root: &Path) -> Result<bool, BulkError> {
    let entries = list_folder(root)?;
    Ok(entries
        .iter()
        .any(|(path, is_folder)| !is_folder && Folder::is_page(path)))
}

/// Says that a folder is read as one site, and what to do if its folders are sites of their own.
pub(super) fn note_one_site(root: &Path, folder: &Folder, note: &dyn Fn(&str)) -> Result<(), BulkError> {
    let folders: Vec<PathBuf> = list_folder(root)?
        .into_iter()
        .filter_map(|(path, is_folder)| is_folder.then_some(path))
        .collect();
    let indexes = folders.iter().filter(|folder| has_index(folder)).count();
    if indexes < 2 || is_site(root)? || folder.base_url().scheme() != "file" {
        return Ok(());
    }
    let mut names = Vec::new();
    for folder in &folders {
        if has_pages(folder)? {
            names.push(folder.display().to_string());
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    note(&format!(
        "reading {} as one site, since its folders are not named like hosts; if they are separate sites, name each as an input: {}",
        root.display(),
        first_few(&names)
    ));
    Ok(())
}

fn has_index(folder: &Path) -> bool {
    ["index.html", "index.htm"]
        .iter()
        .any(|name| folder.join(name).is_file())
}

/// How many names a note lists.
const NAMED: usize = 4;

fn first_few(names: &[&str]) -> String {
    let mut listed = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        listed += &format!(" and {} more", names.len() - NAMED);
    }
    listed
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A folder as one site. Its URL is given, or its name, or guessed from its pages.
pub(super) fn site_folder(
    root: &Path,
    base_url: Option<&Url>,
    note: &dyn Fn(&str),
) -> Result<Folder, OpenFolderError> {
    let named = base_url
        .cloned()
        .or_else(|| Folder::host_in_name(&root.canonicalize().ok()?));
    if named.is_some() {
        return Folder::open(root, named);
    }
    match Folder::around(root, Some(root), None) {
        Ok(SiteAround { folder, guess, .. }) => {
            if let Some(guess) = guess {
                note(&format!(
                    "assuming that {} was saved from {guess}; set it with --base-url",
                    root.display()
                ));
            }
            Ok(folder)
        }
        // Guessing needs an index page.
        Err(_) => Folder::open(root, None),
    }
}

/// The paths in a folder, sorted, and whether each is a folder.
fn list_folder(folder: &Path) -> Result<Vec<(PathBuf, bool)>, BulkError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(BulkError::io("read", folder))? {
        let entry = entry.map_err(BulkError::io("read", folder))?;
        let file_type = entry.file_type().map_err(BulkError::io("read", &entry.path()))?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            found.push((entry.path(), file_type.is_dir()));
        }
    }
    found.sort();
    Ok(found)
}
