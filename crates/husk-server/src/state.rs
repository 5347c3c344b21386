//! State shared by all requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use husk_sources::{Http, HttpError, Lookup};
use husk_store::StoreError;

use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::settings::Settings;
use crate::store::Store;

/// Why a server cannot start or run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The store cannot be opened.
    #[error("{0}; choose another file (--store) or use memory only (--no-store)")]
    Store(StoreError),
    /// The HTTP client cannot be set up.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The socket cannot be bound.
    #[error("cannot listen on {address}: {cause}; choose another port (--port) or address (--address)")]
    Listen {
        /// The socket address.
        address: std::net::SocketAddr,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// A CORS origin is invalid.
    #[error("invalid origin {0:?}: expected scheme and host, such as https://example.org")]
    Origin(String),
    /// Accepting connections failed.
    #[error("cannot accept connections: {0}")]
    Io(std::io::Error),
}

/// A page that is being loaded may take this part of the memory that there is for each of the extractions that run at the same
/// time. They load several pages at once.
const TRANSFERS_IN_SHARE: usize = 16;

/// State shared by all requests.
pub(crate) struct ServerState {
    pub(crate) settings: Settings,
    pub(crate) queue: Queue,
    /// For extractions.
    pub(crate) memory: Memory,
    /// For bodies of requests, which are there before the extraction: a share of its own, so that neither waits for the other.
    pub(crate) body_memory: Memory,
    pub(crate) http: Http,
    pub(crate) store: Store,
    pub(crate) metrics: Metrics,
    is_shutting_down: AtomicBool,
}

impl ServerState {
    pub(crate) fn new(mut settings: Settings, lookup: Option<Arc<Lookup>>) -> Result<Arc<Self>, ServeError> {
        let share = settings.limits.memory_bytes / settings.limits.concurrency.max(1);
        settings.http.max_bytes = settings.http.max_bytes.min((share / TRANSFERS_IN_SHARE) as u64);
        let http = match lookup {
            Some(lookup) => Http::with_lookup(settings.http.clone(), lookup)?,
            None => Http::new(settings.http.clone())?,
        };
        let limits = &settings.limits;
        let store = Store::open(settings.store.as_deref(), limits.clone()).map_err(ServeError::Store)?;
        Ok(Arc::new(Self {
            queue: Queue::new(limits.concurrency, limits.queue),
            memory: Memory::new(limits.memory_bytes / 4 * 3),
            body_memory: Memory::new(limits.memory_bytes / 4),
            http,
            store,
            metrics: Metrics::new(),
            is_shutting_down: AtomicBool::new(false),
            settings,
        }))
    }

    pub(crate) fn begin_shutdown(&self) {
        self.is_shutting_down.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.is_shutting_down.load(Ordering::SeqCst)
    }
}
