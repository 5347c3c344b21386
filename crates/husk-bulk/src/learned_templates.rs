//! Templates that a run learned, on their way into the template store.
//!
//! The store stays as it is until all rows are written: a resumed run then finds the same templates as the one that was
//! killed, and strips its pages alike. Until then what was learned is in a file of the work folder. What a run found in
//! the store stays in its output, so that lost parts can be written again after the store has changed.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use husk_store::{PackedTemplates, SiteInfo, StoreUpdate, TemplateStore};

use crate::error::BulkError;
use crate::hashed_file::FileState;
use crate::output_folder::{OutputFolder, TEMPLATES_FOLDER, templates_file};
use crate::resumable_log::ResumableLog;

const FILE: &str = "templates";

/// The store as an earlier run found it.
const RESTORED: &str = "templates-found";

/// What a run learned of a site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SiteUpdate {
    pub(crate) info: SiteInfo,
    /// New templates; none if the stored ones stay.
    pub(crate) templates: Option<PackedTemplates>,
    /// What was stored of it before, if it was known.
    pub(crate) found: Option<FoundTemplates>,
}

/// What a run found in the store for a site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundTemplates {
    pub(crate) info: SiteInfo,
    pub(crate) templates: PackedTemplates,
}

impl SiteUpdate {
    /// The info as JSON, then the templates, each with its length, then what was found of both. What is missing is empty.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let templates = self.templates.as_ref().map_or(&[][..], PackedTemplates::as_bytes);
        write_bytes(&serde_json::to_vec(&self.info)?, out)?;
        write_bytes(templates, out)?;
        match &self.found {
            Some(found) => write_found(found, out),
            None => write_bytes(&[], out),
        }
    }
}

/// Makes the updates in these files ([`ChosenTemplates::packed_update`](crate::ChosenTemplates::packed_update)) at once,
/// unless this run has made them before.
pub fn store_updates(store: &TemplateStore, run: &str, files: &[PathBuf]) -> Result<(), BulkError> {
    if store.last_run()?.as_deref() == Some(run) {
        return Ok(());
    }
    store.update(Some(run), |changes| {
        for path in files {
            let mut from = File::open(path)
                .map(BufReader::new)
                .map_err(BulkError::io("read", path))?;
            make_updates(&mut from, path, changes)?;
        }
        Ok(())
    })
}

fn make_updates(
    from: &mut impl BufRead,
    path: &Path,
    changes: &mut StoreUpdate<'_>,
) -> Result<(), BulkError> {
    while let Some(update) = read_update(from).map_err(BulkError::io("read", path))? {
        match &update.templates {
            Some(templates) => changes.put(&update.info, templates)?,
            None => changes.put_info(&update.info)?,
        }
    }
    Ok(())
}

/// The sites of a run so far.
pub(crate) struct LearnedTemplates(ResumableLog);

impl LearnedTemplates {
    /// Resumes with the file as it was.
    pub(crate) fn resume(state: &FileState, folder: &OutputFolder) -> Result<Self, BulkError> {
        ResumableLog::resume(folder.work(FILE), state).map(Self)
    }

    /// Adds a site.
    pub(crate) fn add(&mut self, update: &SiteUpdate) -> Result<(), BulkError> {
        self.0.write(|out| update.write(out))
    }

    /// Syncs the file to disk, and returns what to resume with.
    pub(crate) fn sync(&mut self) -> Result<FileState, BulkError> {
        self.0.sync()
    }

    /// Keeps what the run found in the store, in its output.
    pub(crate) fn keep_found(&mut self, run: usize, folder: &OutputFolder) -> Result<FileState, BulkError> {
        self.sync()?;
        let kept = folder.result(TEMPLATES_FOLDER);
        fs::create_dir_all(&kept).map_err(BulkError::io("create the folder", &kept))?;
        folder.write_file(&folder.result(&templates_file(run)), |out| {
            let mut out = io::BufWriter::new(out);
            let mut from = self.0.read()?;
            while let Some(update) = read_update(&mut from)? {
                if let Some(found) = &update.found {
                    write_found(found, &mut out)?;
                }
            }
            out.flush()
        })
    }

    /// Makes all updates in the store, at once.
    pub(crate) fn store(&mut self, store: &TemplateStore, run: &str) -> Result<(), BulkError> {
        self.sync()?;
        let path = self.0.path();
        let mut from = self.0.read().map_err(BulkError::io("read", path))?;
        store.update(Some(run), |changes| make_updates(&mut from, path, changes))
    }
}

/// A store as a finished run found it, with the sites of that run.
pub(crate) fn store_found_by(run: usize, folder: &OutputFolder) -> Result<TemplateStore, BulkError> {
    restore(&folder.result(&templates_file(run)), folder, read_found)
}

/// A store as the run in the work folder found it, with the sites in its finished parts.
pub(crate) fn store_found_before(folder: &OutputFolder) -> Result<TemplateStore, BulkError> {
    restore(&folder.work(FILE), folder, |from| {
        while let Some(update) = read_update(from)? {
            if update.found.is_some() {
                return Ok(update.found);
            }
        }
        Ok(None)
    })
}

/// Puts templates into a store in the work folder. It is kept there as long as the run: if it is killed again, its log of
/// templates may be shorter.
fn restore(
    path: &Path,
    folder: &OutputFolder,
    next: impl Fn(&mut BufReader<File>) -> io::Result<Option<FoundTemplates>>,
) -> Result<TemplateStore, BulkError> {
    let store = TemplateStore::open(&folder.work(RESTORED))?;
    if store.revision()? > 0 {
        return Ok(store);
    }
    let file = File::open(path).map_err(BulkError::io("read", path))?;
    let mut from = BufReader::new(file);
    store.update(None, |changes| {
        let mut read = || next(&mut from).map_err(|cause| BulkError::damaged(path, cause));
        while let Some(found) = read()? {
            changes.put(&found.info, &found.templates)?;
        }
        Ok::<_, BulkError>(())
    })?;
    Ok(store)
}

fn write_found(found: &FoundTemplates, out: &mut impl Write) -> io::Result<()> {
    write_bytes(&serde_json::to_vec(&found.info)?, out)?;
    write_bytes(found.templates.as_bytes(), out)
}

fn write_bytes(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(bytes)
}

fn read_update(from: &mut impl BufRead) -> io::Result<Option<SiteUpdate>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let info = serde_json::from_slice(&read_bytes(from)?)?;
    let templates = read_bytes(from)?;
    let templates = (!templates.is_empty()).then(|| PackedTemplates::from_bytes(templates));
    let found = read_found(from)?;
    Ok(Some(SiteUpdate {
        info,
        templates,
        found,
    }))
}

/// None at the end, and where nothing was found.
fn read_found(from: &mut impl BufRead) -> io::Result<Option<FoundTemplates>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let info = read_bytes(from)?;
    if info.is_empty() {
        return Ok(None);
    }
    Ok(Some(FoundTemplates {
        info: serde_json::from_slice(&info)?,
        templates: PackedTemplates::from_bytes(read_bytes(from)?),
    }))
}

fn read_bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    let mut bytes = Vec::new();
    from.take(length.into()).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == u64::from(length) {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
