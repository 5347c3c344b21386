//! What is kept from one request to the next, in one file: templates of sites, and results.

mod results;

mod sites;

pub(crate) use results::KeptResult;
pub(crate) use sites::{KnownSite, SiteInfo, site_of};

use std::path::Path;
use std::sync::Arc;

use redb::backends::InMemoryBackend;
use redb::{Builder, Database, DatabaseError, ReadableDatabase};

use crate::settings::Limits;

/// The store.
#[derive(Clone)]
pub(crate) struct Store {
    database: Arc<Database>,
    limits: Limits,
}

/// How much of the file is held in memory.
const CACHE_BYTES: usize = 32 << 20;

/// How well pages are packed: quickly.
const LEVEL: i32 = 3;

impl Store {
    /// Opens a file, or keeps all in memory.
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
            .make_tables()
            .map_err(|cause| DatabaseError::Storage(redb::StorageError::Corrupted(cause.to_string())))?;
        Ok(store)
    }

    /// So that whoever reads finds them.
    fn make_tables(&self) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        sites::make_tables(&writing)?;
        results::make_tables(&writing)?;
        writing.commit()?;
        Ok(())
    }

    /// Whether it can be read.
    pub(crate) fn is_well(&self) -> bool {
        self.database.begin_read().is_ok()
    }
}

fn pack(bytes: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::bulk::compress(bytes, LEVEL).map_err(redb::Error::Io)
}

/// What was packed here is of a size that was allowed once.
fn unpack(packed: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::stream::decode_all(packed).map_err(redb::Error::Io)
}

/// The time in milliseconds since 1970.
fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}
