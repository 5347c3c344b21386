//! What pages are gathered from: names as they were given, to archives and folders in their order.

mod list;

mod find;

mod stamp;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use husk::{SameSite, Url};
use husk_sources::{Captures, Folder};

use crate::error::BulkError;

pub use stamp::Stamp;

/// The inputs of a run as they are named.
#[derive(Debug, Clone, Default)]
pub struct InputNames {
    /// WARC files, folders, and `@FILE` for a list of them.
    pub names: Vec<OsString>,
    /// Files that name one input a line; `-` is standard input.
    pub lists: Vec<PathBuf>,
}

/// Something that pages are gathered from.
#[derive(Debug)]
pub struct Input {
    /// Its name, as it was given or found.
    pub path: PathBuf,
    /// What it is.
    pub kind: InputKind,
    /// What tells whether it is still the same.
    pub stamp: Stamp,
}

/// What an input is.
#[derive(Debug)]
pub enum InputKind {
    /// A WARC file.
    Archive,
    /// A folder with a saved site.
    Site(Arc<Folder>),
}

impl Input {
    /// The inputs that a name stands for: a WARC file is one, a folder holds such files, the sites of several hosts, or one
    /// site, which was saved from the address that is given.
    pub fn find(name: &Path, base_url: Option<&Url>, note: &dyn Fn(&str)) -> Result<Vec<Self>, BulkError> {
        let found = std::fs::metadata(name).map_err(BulkError::io("read", name))?;
        if !found.is_dir() {
            return Ok(vec![archive(name)?]);
        }
        let archives = find::archives_below(name)?;
        if !archives.is_empty() {
            return archives.iter().map(|path| archive(path)).collect();
        }
        let sites = match base_url {
            None => find::host_folders(name, note)?,
            Some(_) => Vec::new(),
        };
        if !sites.is_empty() {
            return sites
                .into_iter()
                .map(|(path, url)| site(&path, Folder::open(&path, Some(url))))
                .collect();
        }
        Ok(vec![site(name, find::site_folder(name, base_url))?])
    }

    /// The name of the site that a page of it belongs to; that of a folder without a host is the folder.
    pub fn site_of(&self, page: &Url, same_site: SameSite) -> String {
        let name = same_site.name_of(page);
        match &self.kind {
            InputKind::Site(folder) if name.is_empty() => folder.base_url().to_string(),
            _ => name,
        }
    }
}

impl InputNames {
    /// Looks at every input. Fails if one of them cannot be read, or was named twice.
    pub(crate) fn open(
        &self,
        base_url: Option<&Url>,
        out: &Path,
        note: &dyn Fn(&str),
    ) -> Result<Vec<Input>, BulkError> {
        let mut names: Vec<PathBuf> = Vec::new();
        for name in &self.names {
            match list::named_by(name) {
                Some(list) => names.extend(list::read(&list)?),
                None => names.push(name.into()),
            }
        }
        for list in &self.lists {
            names.extend(list::read(list)?);
        }
        if names.is_empty() {
            return Err(BulkError::Input(
                "no inputs: name WARC files, folders, or lists of them".to_owned(),
            ));
        }
        let mut inputs = Vec::new();
        for name in &names {
            if name.is_dir() {
                refuse_output_within(name, out)?;
            }
            inputs.extend(Input::find(name, base_url, note)?);
        }
        refuse_twice(&inputs)?;
        Ok(inputs)
    }
}

fn archive(path: &Path) -> Result<Input, BulkError> {
    // Opened once to see whether it is one.
    Captures::open(path).map_err(BulkError::Archive)?;
    Ok(Input {
        path: path.to_owned(),
        kind: InputKind::Archive,
        stamp: Stamp::of_file(path).map_err(BulkError::io("read", path))?,
    })
}

fn site(path: &Path, folder: Result<Folder, husk_sources::OpenError>) -> Result<Input, BulkError> {
    let folder = folder.map_err(|cause| BulkError::Input(cause.to_string()))?;
    let stamp = Stamp::of_folder(&folder).map_err(BulkError::io("read", path))?;
    if stamp.files == 0 {
        return Err(BulkError::Input(format!(
            "{} has neither WARC files nor pages in it: name a folder that has",
            path.display()
        )));
    }
    Ok(Input {
        path: path.to_owned(),
        kind: InputKind::Site(Arc::new(folder)),
        stamp,
    })
}

/// What is written into an input would be read as one.
fn refuse_output_within(folder: &Path, out: &Path) -> Result<(), BulkError> {
    let real = |path: &Path| path.canonicalize().ok();
    // The folder of the output need not be there yet.
    let place = out
        .ancestors()
        .find_map(|path| match path.as_os_str().is_empty() {
            true => real(Path::new(".")),
            false => real(path),
        });
    match (real(folder), place) {
        (Some(folder), Some(place)) if place.starts_with(&folder) => Err(BulkError::Input(format!(
            "{} lies in the input {}: write to a folder outside of it",
            out.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

fn refuse_twice(inputs: &[Input]) -> Result<(), BulkError> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for input in inputs {
        let real = input.path.canonicalize().unwrap_or_else(|_| input.path.clone());
        if let Some(before) = seen.insert(real, &input.path) {
            return Err(BulkError::Input(format!(
                "{} and {} are the same: its pages would count twice",
                before.display(),
                input.path.display()
            )));
        }
    }
    Ok(())
}
