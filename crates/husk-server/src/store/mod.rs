//! The store: the template store with tables for results in the same file.

mod results;

mod sites;

pub(crate) use results::StoredResult;
pub(crate) use sites::{SiteSummary, site_of};

use std::path::Path;
use std::sync::Arc;

use husk_store::{StoreError, TemplateStore};
use redb::{Database, ReadableDatabase};

use crate::settings::Limits;

#[derive(Clone)]
pub(crate) struct Store {
    templates: TemplateStore,
    database: Arc<Database>,
    limits: Limits,
}

/// zstd level, chosen for speed.
const COMPRESSION_LEVEL: i32 = 3;

impl Store {
    /// Opens or creates the file; keeps everything in memory if there is none.
    pub(crate) fn open(file: Option<&Path>, limits: Limits) -> Result<Self, StoreError> {
        let templates = match file {
            Some(file) => TemplateStore::open(file)?,
            None => TemplateStore::in_memory()?,
        };
        let store = Self {
            database: templates.database().clone(),
            templates,
            limits,
        };
        store.create_tables().map_err(|cause| StoreError::Failed {
            action: "open",
            path: store.templates.path().to_owned(),
            cause: cause.to_string(),
        })?;
        Ok(store)
    }

    /// Reading a missing table would fail.
    fn create_tables(&self) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        results::create_tables(&writing)?;
        writing.commit()?;
        Ok(())
    }

    pub(crate) fn is_healthy(&self) -> bool {
        self.database.begin_read().is_ok()
    }
}

fn compress(bytes: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::bulk::compress(bytes, COMPRESSION_LEVEL).map_err(redb::Error::Io)
}

fn decompress(compressed: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::stream::decode_all(compressed).map_err(redb::Error::Io)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}
