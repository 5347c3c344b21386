//! A run in work.

use std::path::Path;

use husk_store::TemplateStore;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::BulkError;
use crate::manifest::Request;
use crate::output_folder::{OutputFolder, part_number, read_json};
use crate::settings::Settings;

const REQUEST: &str = "request.json";

/// A run in work: what it was asked for, and what it found when it began.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StartedRun {
    #[serde(flatten)]
    pub(crate) request: Request,
    /// Names this run, to recognise its update of the template store.
    pub(crate) id: String,
    pub(crate) started: Timestamp,
    /// Number of its first part.
    first_part: usize,
    /// Revision of the template store, if there is one.
    store_revision: Option<u64>,
}

impl StartedRun {
    /// The run in a work folder, if there is one.
    pub(crate) fn read(work: &Path) -> Result<Option<Self>, BulkError> {
        read_json(&work.join(REQUEST))
    }

    /// The error that says so.
    pub(crate) fn interrupted(&self, out: &Path, is_appended: bool) -> BulkError {
        let append = if is_appended { " --append" } else { "" };
        BulkError::Interrupted {
            out: out.to_owned(),
            command: self.request.command(out) + append,
        }
    }

    /// Whether a part has a name that this run gives: it may be one that a kill left without an entry in the journal.
    pub(crate) fn claims(&self, part: &str) -> bool {
        let number = part_number(part).filter(|number| *number >= self.first_part);
        number.is_some_and(|number| part == self.request.part_name(number))
    }

    /// The run in the work folder, or a new one.
    pub(crate) fn resume_or_begin(
        request: &Request,
        first_part: usize,
        settings: &Settings,
        store: Option<&TemplateStore>,
        folder: &OutputFolder,
        out: &Path,
    ) -> Result<Self, BulkError> {
        if let Some(run) = Self::read(folder.work_folder())? {
            let remedy = match settings.append {
                true => "repeat that command to resume, or drop the interrupted run with --append --restart",
                false => "repeat that command to resume, or start over with --restart",
            };
            request.require_same(&run.request, out, remedy)?;
            return Ok(run);
        }
        let run = Self::new(request.clone(), first_part, settings, store)?;
        folder.write_json(&folder.work(REQUEST), &run)?;
        Ok(run)
    }

    fn new(
        request: Request,
        first_part: usize,
        settings: &Settings,
        store: Option<&TemplateStore>,
    ) -> Result<Self, BulkError> {
        let now = Timestamp::now();
        let id = xxh3_64(format!("{} {now} {request:?}", std::process::id()).as_bytes());
        Ok(Self {
            request,
            id: format!("{id:016x}"),
            started: settings.now.unwrap_or(now),
            first_part,
            store_revision: store.map(TemplateStore::revision).transpose()?,
        })
    }

    /// Whether this run has updated the store. Fails if anything else has since it began.
    pub(crate) fn has_updated(&self, store: &TemplateStore) -> Result<bool, BulkError> {
        if store.last_run()?.as_ref() == Some(&self.id) {
            return Ok(true);
        }
        match Some(store.revision()?) == self.store_revision {
            true => Ok(false),
            false => Err(BulkError::StoreChanged {
                store: store.path().to_owned(),
            }),
        }
    }
}
