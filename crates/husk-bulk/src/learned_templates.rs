//! Templates that a run learned, on their way into the template store.
//!
//! The store stays as it is until all rows are written: a resumed run then finds the same templates as the one that was
//! killed, and strips its pages alike. Until then what was learned is in a file of the work folder.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use husk_store::{PackedTemplates, SiteInfo, StoreUpdate, TemplateStore};

use crate::error::BulkError;
use crate::output_folder::OutputFolder;
use crate::resumable_log::ResumableLog;

const FILE: &str = "templates";

/// What a run learned of a site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SiteUpdate {
    pub(crate) info: SiteInfo,
    /// New templates; none if the stored ones stay.
    pub(crate) templates: Option<PackedTemplates>,
}

impl SiteUpdate {
    /// The info as JSON, then the templates, each with its length; templates that stay have none.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let info = serde_json::to_vec(&self.info)?;
        let templates = self.templates.as_ref().map_or(&[][..], PackedTemplates::as_bytes);
        for bytes in [&info[..], templates] {
            let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
            out.write_all(&length.to_le_bytes())?;
            out.write_all(bytes)?;
        }
        Ok(())
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
    /// Resumes with the first `bytes` of the file.
    pub(crate) fn resume(bytes: u64, folder: &OutputFolder) -> Result<Self, BulkError> {
        ResumableLog::resume(folder.work(FILE), bytes).map(Self)
    }

    /// Adds a site.
    pub(crate) fn add(&mut self, update: &SiteUpdate) -> Result<(), BulkError> {
        self.0.write(|out| update.write(out))
    }

    /// Syncs the file to disk, and returns its length.
    pub(crate) fn sync(&mut self) -> Result<u64, BulkError> {
        self.0.sync()
    }

    /// Makes all updates in the store, at once.
    pub(crate) fn store(mut self, store: &TemplateStore, run: &str) -> Result<(), BulkError> {
        self.sync()?;
        let path = self.0.path();
        let mut from = self.0.read().map_err(BulkError::io("read", path))?;
        store.update(Some(run), |changes| make_updates(&mut from, path, changes))
    }
}

fn read_update(from: &mut impl BufRead) -> io::Result<Option<SiteUpdate>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let info = serde_json::from_slice(&read_bytes(from)?)?;
    let templates = read_bytes(from)?;
    let templates = (!templates.is_empty()).then(|| PackedTemplates::from_bytes(templates));
    Ok(Some(SiteUpdate { info, templates }))
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
