//! The server with a socket, from listening to graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::connections::{Connections, OpenConnection, WriteTimeout};
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
        let state = self.state.clone();
        let shutdown = async move {
            shutdown.await;
            state.begin_shutdown();
            tracing::info!(
                running = state.queue.running(),
                queued = state.queue.queued(),
                "shutting down"
            );
        };
        let limits = &self.state.settings.limits;
        let connections = Connections::new(limits.connections, limits.connections_per_client);
        let open = GracefulShutdown::new();
        tokio::pin!(shutdown);
        loop {
            let accepted = tokio::select! {
                () = &mut shutdown => break,
                accepted = self.listener.accept() => accepted,
            };
            let (stream, client) = match accepted {
                Ok(accepted) => accepted,
                Err(cause) => {
                    tracing::warn!(%cause, "cannot accept a connection");
                    // Too many files are open, for instance: some will be closed.
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let Some(connection) = connections.open(client.ip()) else {
                tracing::warn!(%client, "too many connections");
                continue;
            };
            tokio::spawn(serve_connection(
                stream,
                connection,
                app.clone(),
                limits.header_time,
                open.watcher(),
            ));
        }
        tokio::select! {
            () = open.shutdown() => {}
            () = tokio::time::sleep(limits.shutdown_timeout) => {
                tracing::warn!(timeout_seconds = limits.shutdown_timeout.as_secs(), "shutdown timed out");
            }
        }
        Ok(())
    }
}

/// Time until the next try after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Answers the requests of a connection.
async fn serve_connection(
    stream: TcpStream,
    connection: OpenConnection,
    app: Router,
    header_time: Duration,
    open: Watcher,
) {
    let has_asked = Arc::new(AtomicBool::new(false));
    let asked = has_asked.clone();
    let service = TowerToHyperService::new(app.map_request(move |request: Request<Incoming>| {
        asked.store(true, Ordering::Relaxed);
        request
    }));
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(header_time);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(header_time)
        .keep_alive_timeout(header_time)
        .max_concurrent_streams(MOST_STREAMS);
    let stream = TokioIo::new(WriteTimeout::new(stream, header_time));
    let served = open.watch(builder.serve_connection(stream, service).into_owned());
    // Until the first bytes have come, the library does not know which protocol it is, and sets no limit.
    let is_silent = async {
        tokio::time::sleep(header_time).await;
        if has_asked.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        // Clients may leave whenever they want.
        _ = served => {}
        () = is_silent => {}
    }
    drop(connection);
}

/// Requests at the same time on one connection.
const MOST_STREAMS: u32 = 64;
