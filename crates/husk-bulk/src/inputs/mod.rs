//! Inputs: from the names on the command line to archives and folders in order.

mod lists;

mod stream;

mod find;

mod stamp;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use husk::{SameSite, Url};
use husk_sources::{Captures, Folder};

use crate::error::BulkError;

pub use stamp::InputStamp;
pub(crate) use stream::StreamCaptures;
pub use stream::WarcStream;
use stream::{StandardInput, open_stream};

/// The inputs of a run as named by the user.
#[derive(Debug, Clone, Default)]
pub struct InputNames {
    /// WARC files, folders, `@FILE` for a list of them, and `-` for a WARC stream or a list on standard input.
    pub names: Vec<OsString>,
    /// Lists with one input per line; `-` is standard input.
    pub lists: Vec<PathBuf>,
}

/// An archive or a folder to read pages from.
#[derive(Debug)]
pub struct Input {
    /// Its path, as given or found.
    pub path: PathBuf,
    /// Archive, stream or folder.
    pub kind: InputKind,
    /// Detects changes between runs.
    pub stamp: InputStamp,
}

/// The kind of an input.
#[derive(Debug)]
pub enum InputKind {
    /// A WARC file.
    Archive,
    /// A WARC stream on standard input.
    Stream(WarcStream),
    /// A folder with a saved site.
    Site(Arc<Folder>),
}

impl Input {
    /// The inputs at a path: a WARC file, or a folder with WARC files, with saved sites of several hosts, or with one site
    /// that was saved from `base_url`.
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
        let found = site(name, find::site_folder(name, base_url, note))?;
        if let (InputKind::Site(folder), None) = (&found.kind, base_url) {
            find::note_one_site(name, folder, note)?;
        }
        Ok(vec![found])
    }

    /// The site of one of its pages. In a folder without a host, it is the folder.
    pub fn site_of(&self, page: &Url, same_site: SameSite) -> String {
        let name = same_site.name_of(page);
        match &self.kind {
            InputKind::Site(folder) if name.is_empty() => folder.base_url().to_string(),
            _ => name,
        }
    }
}

impl InputNames {
    /// Opens every input. Fails if one can't be read or is named twice.
    pub(crate) fn open(
        &self,
        base_url: Option<&Url>,
        out: &Path,
        note: &dyn Fn(&str),
    ) -> Result<Vec<Input>, BulkError> {
        let mut names: Vec<PathBuf> = Vec::new();
        for name in &self.names {
            match lists::list_in_argument(name) {
                Some(list) => names.extend(lists::read_list(&list)?),
                None => names.push(name.into()),
            }
        }
        for list in &self.lists {
            names.extend(lists::read_list(list)?);
        }
        if names.is_empty() {
            return Err(BulkError::Input(
                "no inputs: expected WARC files, folders, or lists of them".to_owned(),
            ));
        }
        let mut inputs = Vec::new();
        for name in names {
            if name != Path::new("-") {
                inputs.extend(find_outside(&name, base_url, out, note)?);
                continue;
            }
            match open_stream(Box::new(io::stdin()))? {
                StandardInput::Archive(input) => inputs.push(input),
                StandardInput::List(listed) => {
                    for name in listed {
                        inputs.extend(find_outside(&name, base_url, out, note)?);
                    }
                }
            }
        }
        reject_duplicates(&inputs)?;
        Ok(inputs)
    }
}

/// The inputs at a path, which must not contain the output folder.
impl Input {
    /// Where the files of a folder are, if nothing says which URL it was saved from.
    pub fn unknown_site(&self) -> Option<&Url> {
        match &self.kind {
            InputKind::Site(folder) => Some(folder.base_url()).filter(|url| url.scheme() == "file"),
            _ => None,
        }
    }
}

fn find_outside(
    name: &Path,
    base_url: Option<&Url>,
    out: &Path,
    note: &dyn Fn(&str),
) -> Result<Vec<Input>, BulkError> {
    if name.is_dir() {
        reject_output_within(name, out)?;
    }
    Input::find(name, base_url, note)
}

fn archive(path: &Path) -> Result<Input, BulkError> {
    // A file of another type should fail before the run starts.
    Captures::open(path).map_err(BulkError::Archive)?;
    Ok(Input {
        path: path.to_owned(),
        kind: InputKind::Archive,
        stamp: InputStamp::of_file(path).map_err(BulkError::io("read", path))?,
    })
}

fn site(path: &Path, folder: Result<Folder, husk_sources::OpenFolderError>) -> Result<Input, BulkError> {
    let folder = folder.map_err(|cause| BulkError::Input(cause.to_string()))?;
    let stamp = InputStamp::of_folder(&folder).map_err(BulkError::io("read", path))?;
    if stamp.files == 0 {
        return Err(BulkError::Input(format!(
            "{} contains no WARC files and no pages",
            path.display()
        )));
    }
    Ok(Input {
        path: path.to_owned(),
        kind: InputKind::Site(Arc::new(folder)),
        stamp,
    })
}

/// Output inside an input would be read as input by the next run.
fn reject_output_within(folder: &Path, out: &Path) -> Result<(), BulkError> {
    let real = |path: &Path| path.canonicalize().ok();
    // The output folder may not exist yet.
    let existing = out
        .ancestors()
        .find_map(|path| match path.as_os_str().is_empty() {
            true => real(Path::new(".")),
            false => real(path),
        });
    match (real(folder), existing) {
        (Some(folder), Some(existing)) if existing.starts_with(&folder) => Err(BulkError::Input(format!(
            "{} is inside the input {}: choose a folder outside of it",
            out.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

fn reject_duplicates(inputs: &[Input]) -> Result<(), BulkError> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for input in inputs {
        let real = input.path.canonicalize().unwrap_or_else(|_| input.path.clone());
        if let Some(before) = seen.insert(real, &input.path) {
            return Err(BulkError::Input(format!(
                "{} and {} are the same input",
                before.display(),
                input.path.display()
            )));
        }
    }
    Ok(())
}
