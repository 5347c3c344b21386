//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use husk_sources::{Http, HttpError, Lookup};

use crate::kept::Store;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::settings::Settings;

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The file with what was learned and found cannot be used.
    #[error("cannot keep results in {}: {cause}; name another file (--store), or keep nothing (--no-store)", .file.display())]
    Store {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The web cannot be asked.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {cause}; choose another port (--port) or address (--address)")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system said.
        cause: std::io::Error,
    },
    /// An origin is none.
    #[error("{0:?} is no origin: write it as https://example.org")]
    Origin(String),
    /// The connection to the network broke.
    #[error("cannot go on: {0}")]
    Io(std::io::Error),
}

/// The server: what all requests share.
pub(crate) struct Server {
    pub(crate) settings: Settings,
    pub(crate) queue: Queue,
    pub(crate) http: Http,
    pub(crate) store: Store,
    pub(crate) metrics: Metrics,
    is_ending: AtomicBool,
}

impl Server {
    pub(crate) fn new(settings: Settings, lookup: Option<Arc<Lookup>>) -> Result<Arc<Self>, ServeError> {
        let http = match lookup {
            Some(lookup) => Http::with_lookup(settings.http.clone(), lookup)?,
            None => Http::new(settings.http.clone())?,
        };
        let limits = &settings.limits;
        let store =
            Store::open(settings.store.as_deref(), limits.clone()).map_err(|cause| ServeError::Store {
                file: settings.store.clone().unwrap_or_default(),
                cause: cause.to_string(),
            })?;
        Ok(Arc::new(Self {
            queue: Queue::new(limits.at_once, limits.waiting),
            http,
            store,
            metrics: Metrics::new(),
            is_ending: AtomicBool::new(false),
            settings,
        }))
    }

    /// From now on no more requests are wanted.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }
}
