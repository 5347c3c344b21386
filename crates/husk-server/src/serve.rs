//! The server with a socket, from listening to graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::router::build_router;
use crate::settings::Settings;
use crate::state::{ServeError, ServerState};

/// A server that listens on a socket.
pub struct Server {
    state: Arc<ServerState>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds the socket; [`Server::run`] answers requests.
    pub async fn listen(settings: Settings) -> Result<Self, ServeError> {
        let address = settings.address;
        let failed = |cause| ServeError::Listen { address, cause };
        let state = ServerState::new(settings, None)?;
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        Ok(Self {
            state,
            address: listener.local_addr().map_err(failed)?,
            listener,
        })
    }

    /// The address it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `shutdown` resolves, then finishes running requests within the shutdown timeout.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let app = build_router(self.state.clone())?;
        let timeout = self.state.settings.limits.shutdown_timeout;
        let shutdown_started = CancellationToken::new();
        let (state, started) = (self.state, shutdown_started.clone());
        let shutdown = async move {
            shutdown.await;
            state.begin_shutdown();
            tracing::info!(
                running = state.queue.running(),
                queued = state.queue.queued(),
                "shutting down"
            );
            started.cancel();
        };
        let served = axum::serve(self.listener, app).with_graceful_shutdown(shutdown);
        let timed_out = async move {
            shutdown_started.cancelled().await;
            tokio::time::sleep(timeout).await;
        };
        tokio::select! {
            done = served.into_future() => done.map_err(ServeError::Io),
            () = timed_out => {
                tracing::warn!(timeout_seconds = timeout.as_secs(), "shutdown timed out");
                Ok(())
            }
        }
    }
}
