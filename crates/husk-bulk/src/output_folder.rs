//! The output folder of a run, with its work folder inside.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::BulkError;
use crate::hashed_file::{FileState, HashedFile};

/// Written last: a run that it lists is finished. Readers of whole folders, such as pandas and Spark, ignore names that
/// begin with `_` or a dot.
pub(crate) const MANIFEST: &str = "_manifest.json";

/// Folder of the report.
pub(crate) const REPORT_FOLDER: &str = "_report";

/// The report's page.
pub(crate) const REPORT_PAGE: &str = "_report/report.html";

/// The site summaries of a run.
pub(crate) fn sites_file(run: usize) -> String {
    match run {
        0 => format!("{REPORT_FOLDER}/sites.jsonl"),
        run => format!("{REPORT_FOLDER}/sites-{run:05}.jsonl"),
    }
}

/// Folder of the stored templates that runs with a template store found.
pub(crate) const TEMPLATES_FOLDER: &str = "_templates";

/// The stored templates that a run found.
pub(crate) fn templates_file(run: usize) -> String {
    format!("{TEMPLATES_FOLDER}/run-{run:05}")
}

pub(crate) const WORK: &str = ".work";

const LOCK: &str = "lock";

/// An output folder, locked for this process while the value lives.
#[derive(Debug)]
pub(crate) struct OutputFolder {
    out: PathBuf,
    work: PathBuf,
    _lock: File,
}

impl OutputFolder {
    /// Creates the folder if needed, and locks it.
    pub(crate) fn claim(out: &Path) -> Result<Self, BulkError> {
        fs::create_dir_all(out).map_err(BulkError::io("create the folder", out))?;
        reject_foreign_files(out)?;
        let work = out.join(WORK);
        loop {
            fs::create_dir_all(&work).map_err(BulkError::io("create the folder", &work))?;
            let path = work.join(LOCK);
            let lock = match File::create(&path) {
                // Another process has just finished and removed the work folder.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(BulkError::io("write", &path))?,
            };
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(BulkError::Locked { out: out.to_owned() }),
                Err(TryLockError::Error(cause)) => return Err(BulkError::io("lock", &path)(cause)),
                // The locked file may have been removed meanwhile.
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

    /// Path of a result file.
    pub(crate) fn result(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    pub(crate) fn work_folder(&self) -> &Path {
        &self.work
    }

    /// Path of a work file, which is deleted when the run is finished.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.work.join(name)
    }

    /// Deletes everything that an earlier run wrote, except the lock.
    pub(crate) fn clear(&self) -> Result<(), BulkError> {
        // The manifest goes first, so that a kill doesn't leave what looks like a finished run.
        remove(&self.result(MANIFEST))?;
        remove(&self.result(REPORT_FOLDER))?;
        remove(&self.result(TEMPLATES_FOLDER))?;
        self.remove_parts_except(|_| false)?;
        self.clear_work()
    }

    /// Deletes what an unfinished run wrote.
    pub(crate) fn clear_work(&self) -> Result<(), BulkError> {
        self.remove_work_except(|_| false)
    }

    /// Names of the parts.
    pub(crate) fn parts(&self) -> Result<Vec<String>, BulkError> {
        let mut names = names_in(&self.out)?;
        names.retain(|name| part_number(name).is_some());
        Ok(names)
    }

    /// Deletes parts, except those that are wanted.
    pub(crate) fn remove_parts_except(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), BulkError> {
        for name in self.parts()? {
            if !is_wanted(&name) {
                remove(&self.result(&name))?;
            }
        }
        Ok(())
    }

    /// Deletes work files, except those that are wanted.
    pub(crate) fn remove_work_except(&self, is_wanted: impl Fn(&str) -> bool) -> Result<(), BulkError> {
        for name in names_in(&self.work)? {
            if name != LOCK && !is_wanted(&name) {
                remove(&self.work(&name))?;
            }
        }
        Ok(())
    }

    /// Deletes the work folder, unless an interrupted run left something in it.
    pub(crate) fn leave(self) -> Result<(), BulkError> {
        match names_in(&self.work)?.iter().all(|name| name == LOCK) {
            true => self.finish(),
            false => Ok(()),
        }
    }

    /// Deletes the work folder of a finished run.
    pub(crate) fn finish(self) -> Result<(), BulkError> {
        fs::remove_dir_all(&self.work).map_err(BulkError::io("remove", &self.work))?;
        sync_folder(&self.out)
    }

    /// Writes a file atomically, with a digest ([`with_digest`]).
    pub(crate) fn write_json(&self, file: &Path, value: &impl Serialize) -> Result<FileState, BulkError> {
        let text = with_digest(value).map_err(|cause| BulkError::damaged(file, cause))?;
        self.write_file(file, |out| out.write_all(text.as_bytes()))
    }

    /// Writes a file atomically.
    pub(crate) fn write_file(
        &self,
        file: &Path,
        write: impl FnOnce(&mut HashedFile) -> io::Result<()>,
    ) -> Result<FileState, BulkError> {
        let temporary = self.work("temporary");
        let write_all = || {
            let mut out = HashedFile::create(&temporary)?;
            write(&mut out)?;
            out.sync()
        };
        let state = write_all().map_err(BulkError::io("write", file))?;
        self.move_into_place(&temporary, file)?;
        Ok(state)
    }

    /// Renames a file that is written and synced.
    pub(crate) fn move_into_place(&self, from: &Path, to: &Path) -> Result<(), BulkError> {
        fs::rename(from, to).map_err(BulkError::io("write", to))?;
        to.parent().map_or(Ok(()), sync_folder)
    }
}

/// Reads a file of an earlier process, if it exists.
pub(crate) fn read_json<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, BulkError> {
    let text = match fs::read(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(BulkError::io("read", file))?,
    };
    // The syntax first: its errors say more.
    let value = serde_json::from_slice(&text).map_err(|cause| BulkError::damaged(file, cause))?;
    match str::from_utf8(&text).is_ok_and(is_intact) {
        true => Ok(Some(value)),
        false => Err(BulkError::damaged(file, "its digest differs")),
    }
}

/// What an object with a digest ends with, before and behind the digest.
const DIGEST: [&str; 2] = [",\n  \"xxh128\": \"", "\"\n}\n"];

/// An object as indented JSON, with a last field `xxh128`: the digest of the text without this field.
pub(crate) fn with_digest(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let fields = text.strip_suffix("\n}").unwrap_or(&text);
    Ok(format!(
        "{fields}{}{}{}",
        DIGEST[0],
        digest_of_fields(fields),
        DIGEST[1]
    ))
}

/// Whether a text is as [`with_digest`] wrote it.
fn is_intact(text: &str) -> bool {
    let parts = text.rsplit_once(DIGEST[0]);
    parts.is_some_and(|(fields, digest)| digest.strip_suffix(DIGEST[1]) == Some(&digest_of_fields(fields)))
}

fn digest_of_fields(fields: &str) -> String {
    format!("{:032x}", xxh3_128(format!("{fields}\n}}\n").as_bytes()))
}

/// A renamed file survives a power cut only once its folder is synced.
fn sync_folder(folder: &Path) -> Result<(), BulkError> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(BulkError::io("write", folder))?;
    }
    Ok(())
}

/// Whether runs write result files of this name.
fn is_result(name: &str) -> bool {
    part_number(name).is_some() || matches!(name, MANIFEST | REPORT_FOLDER | TEMPLATES_FOLDER)
}

/// The number in the name of a part; none if it is no such name.
pub(crate) fn part_number(name: &str) -> Option<usize> {
    let (number, _) = name.strip_prefix("part-")?.split_once('.')?;
    number.parse().ok()
}

/// Protects files that `husk bulk` didn't write.
fn reject_foreign_files(out: &Path) -> Result<(), BulkError> {
    let names = names_in(out)?;
    match names.into_iter().find(|name| !is_result(name) && name != WORK) {
        Some(name) => Err(BulkError::ForeignFiles {
            out: out.to_owned(),
            name,
        }),
        None => Ok(()),
    }
}

pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>, BulkError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_to_an_object_is_noticed() {
        let text = with_digest(&serde_json::json!({"rows": 12, "parts": [{"name": "part-00000"}]})).unwrap();
        assert!(is_intact(&text));
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        for at in 0..text.len() {
            for bit in 0..7 {
                let mut damaged = text.clone().into_bytes();
                damaged[at] ^= 1 << bit;
                assert!(
                    !is_intact(&String::from_utf8(damaged).unwrap()),
                    "byte {at}, bit {bit}"
                );
            }
            assert!(!is_intact(&text[..at]));
        }
    }
}
