//! The contents of an input folder: archives, saved sites of several hosts, or one site.

use std::fs;
use std::path::{Path, PathBuf};

use husk::Url;
use husk_sources::{Folder, OpenFolderError};

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
    if Folder::host_in_name(&real).is_some() {
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

/// A folder as one site. Its URL is given, or its name, or guessed from its pages.
pub(super) fn site_folder(root: &Path, base_url: Option<&Url>) -> Result<Folder, OpenFolderError> {
    let named = base_url
        .cloned()
        .or_else(|| Folder::host_in_name(&root.canonicalize().ok()?));
    if named.is_some() {
        return Folder::open(root, named);
    }
    match Folder::around(root, Some(root), None) {
        Ok(around) => Ok(around.folder),
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
