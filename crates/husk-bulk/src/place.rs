//! The folder that a run writes to, and the one in it that the run works in.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BulkError;

/// What a finished run leaves beside its parts.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The page of the report.
pub(crate) const REPORT: &str = "report.html";

/// What that was made from.
pub(crate) const REPORT_FOLDER: &str = "report";

const WORK: &str = ".work";

const LOCK: &str = "lock";

/// A folder that this process alone works in, as long as this lives.
#[derive(Debug)]
pub(crate) struct Place {
    out: PathBuf,
    work: PathBuf,
    _lock: File,
}

impl Place {
    /// Makes the folder where there is none, and claims it.
    pub(crate) fn claim(out: &Path) -> Result<Self, BulkError> {
        fs::create_dir_all(out).map_err(BulkError::io("make the folder", out))?;
        refuse_others(out)?;
        let work = out.join(WORK);
        loop {
            fs::create_dir_all(&work).map_err(BulkError::io("make the folder", &work))?;
            let path = work.join(LOCK);
            let lock = match File::create(&path) {
                // Another process has just finished and taken the folder away.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(BulkError::io("write", &path))?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(BulkError::Locked { out: out.to_owned() }),
                Err(TryLockError::Error(cause)) => return Err(BulkError::io("lock", &path)(cause)),
                // What was locked may have been taken away in between.
                Ok(()) if !path.exists() => continue,
                Ok(()) => {
                    return Ok(Self {
                        out: out.to_owned(),
                        work,
                        _lock: lock,
                    });
                }
            }
        }
    }

    /// A file of the result.
    pub(crate) fn result(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    /// A file that is needed until the run is done.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// Throws away all that a run wrote, the lock excepted.
    pub(crate) fn clear(&self) -> Result<(), BulkError> {
        // In this order, so that what is left by a kill is not taken for a finished run.
        remove(&self.result(MANIFEST))?;
        self.keep_results(|_| false)?;
        self.keep_work(|_| false)
    }

    /// Removes the parts that are not wanted.
    pub(crate) fn keep_results(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), BulkError> {
        for name in names_in(&self.out)? {
            if is_result(&name) && name != MANIFEST && !is_wanted(&name) {
                remove(&self.result(&name))?;
            }
        }
        Ok(())
    }

    /// Removes the files at work that are not wanted.
    pub(crate) fn keep_work(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), BulkError> {
        for name in names_in(&self.work)? {
            if name != LOCK && !is_wanted(&name) {
                remove(&self.work(&name))?;
            }
        }
        Ok(())
    }

    /// Takes the folder of work away, since the run is done.
    pub(crate) fn finish(self) -> Result<(), BulkError> {
        fs::remove_dir_all(&self.work).map_err(BulkError::io("remove", &self.work))?;
        sync_folder(&self.out)
    }

    /// Writes a file as a whole: after a kill it is there with all that is in it, or as it was before.
    pub(crate) fn write_json(&self, file: &Path, value: &impl Serialize) -> Result<(), BulkError> {
        let mut text =
            serde_json::to_string_pretty(value).map_err(|cause| BulkError::damaged(file, cause))?;
        text.push('\n');
        self.write_file(file, |out| out.write_all(text.as_bytes()))
    }

    /// The same for a file of any kind.
    pub(crate) fn write_file(
        &self,
        file: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), BulkError> {
        let beside = self.work("beside");
        let written = || {
            let mut out = File::create(&beside)?;
            write(&mut out)?;
            out.sync_all()
        };
        written().map_err(BulkError::io("write", &beside))?;
        self.put(&beside, file)
    }

    /// Moves a file that is written and synced to where it belongs.
    pub(crate) fn put(&self, from: &Path, to: &Path) -> Result<(), BulkError> {
        fs::rename(from, to).map_err(BulkError::io("write", to))?;
        to.parent().map_or(Ok(()), sync_folder)
    }
}

/// What an earlier process wrote, if it did.
pub(crate) fn read_json<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, BulkError> {
    let text = match fs::read_to_string(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(BulkError::io("read", file))?,
    };
    serde_json::from_str(&text).map_err(|cause| BulkError::damaged(file, cause))
}

/// A new name in a folder is safe only when the folder is.
fn sync_folder(folder: &Path) -> Result<(), BulkError> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(BulkError::io("write", folder))?;
    }
    Ok(())
}

/// Whether a name is one that runs give to their results.
fn is_result(name: &str) -> bool {
    let number = name.strip_prefix("part-").unwrap_or_default();
    number.starts_with(|letter: char| letter.is_ascii_digit())
        || matches!(name, MANIFEST | REPORT | REPORT_FOLDER)
}

/// Nobody's files are written over but our own.
fn refuse_others(out: &Path) -> Result<(), BulkError> {
    let names = names_in(out)?;
    match names.into_iter().find(|name| !is_result(name) && name != WORK) {
        Some(name) => Err(BulkError::NotOurs {
            out: out.to_owned(),
            name,
        }),
        None => Ok(()),
    }
}

fn names_in(folder: &Path) -> Result<Vec<String>, BulkError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(BulkError::io("read", folder))? {
        let entry = entry.map_err(BulkError::io("read", folder))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn remove(path: &Path) -> Result<(), BulkError> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(BulkError::io("remove", path)(cause)),
        _ => Ok(()),
    }
}
