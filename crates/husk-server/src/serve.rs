//! The server with a socket: from its first request to the last that is under way when it is to end.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::router::around;
use crate::settings::Settings;
use crate::state::{ServeError, Server};

/// A server that listens.
pub struct Serving {
    server: Arc<Server>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Serving {
    /// Begins to listen; nothing is answered yet.
    pub async fn listen(settings: Settings) -> Result<Self, ServeError> {
        let address = settings.address;
        let failed = |cause| ServeError::Listen { address, cause };
        let server = Server::new(settings, None)?;
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        Ok(Self {
            server,
            address: listener.local_addr().map_err(failed)?,
            listener,
        })
    }

    /// Where it listens: the port is known now, also if any was welcome.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until it is to end, then those that are under way, as long as there is time.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let app = around(self.server.clone())?;
        let ending = CancellationToken::new();
        let (server, began_to_end) = (self.server.clone(), ending.clone());
        let end = async move {
            end.await;
            server.end();
            tracing::info!(
                under_way = server.queue.under_way(),
                waiting = server.queue.waiting(),
                "ending"
            );
            began_to_end.cancel();
        };
        let served = axum::serve(self.listener, app).with_graceful_shutdown(end);
        let most = self.server.settings.limits.ending;
        let time_is_up = async move {
            ending.cancelled().await;
            tokio::time::sleep(most).await;
        };
        tokio::select! {
            done = served.into_future() => done.map_err(ServeError::Io),
            () = time_is_up => {
                tracing::warn!(seconds = most.as_secs(), "not all was done in time");
                Ok(())
            }
        }
    }
}
