//! The store: learned templates and results in one redb file.

mod results;

mod sites;

pub(crate) use results::StoredResult;
pub(crate) use sites::{SiteInfo, StoredSite, site_of};

use std::path::Path;
use std::sync::Arc;

use redb::backends::InMemoryBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase};

use crate::settings::Limits;

#[derive(Clone)]
pub(crate) struct Store {
    database: Arc<Database>,
    limits: Limits,
}

/// Size of the database cache.
const CACHE_BYTES: usize = 32 << 20;

/// zstd level, chosen for speed.
const COMPRESSION_LEVEL: i32 = 3;

impl Store {
    /// Opens or creates the file; keeps everything in memory if there is none.
    pub(crate) fn open(file: Option<&Path>, limits: Limits) -> Result<Self, DatabaseError> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE_BYTES);
        let database = match file {
            Some(file) => builder.create(file)?,
            None => builder.create_with_backend(InMemoryBackend::new())?,
        };
        let store = Self {
            database: Arc::new(database),
            limits,
        };
        store
            .create_tables()
            .map_err(|cause| DatabaseError::Storage(redb::StorageError::Corrupted(cause.to_string())))?;
        Ok(store)
    }

    /// Reading a missing table would fail.
    fn create_tables(&self) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        sites::create_tables(&writing)?;
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
