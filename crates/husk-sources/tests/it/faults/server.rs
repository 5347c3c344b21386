//! Servers on free ports of the loopback interface.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use husk::Url;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use super::site;

/// A request in the log.
#[derive(Debug, Clone)]
pub(crate) struct LoggedRequest {
    /// The request's target as sent: the path with its query.
    pub(crate) target: String,
    /// `HTTP/1.1` or `HTTP/2.0`.
    pub(crate) version: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) at: Instant,
    status: Arc<AtomicU16>,
}

impl LoggedRequest {
    /// The status of the application's response; zero until there is one.
    pub(crate) fn answered(&self) -> u16 {
        self.status.load(Ordering::SeqCst)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(field, _)| field.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// The log of a server.
#[derive(Debug, Clone, Default)]
struct Log {
    asked: Arc<Mutex<Vec<LoggedRequest>>>,
    connections: Arc<AtomicU64>,
    sent: Arc<AtomicU64>,
}

/// The first byte of a TLS connection.
const TLS_HANDSHAKE: u8 = 0x16;

/// A running server; it stops when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    scheme: &'static str,
    log: Log,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A real server with an application.
    pub(crate) fn app(app: Router) -> Self {
        Self::app_at(Ipv4Addr::LOCALHOST.into(), app)
    }

    /// The same at a given address of this machine.
    pub(crate) fn app_at(ip: IpAddr, app: Router) -> Self {
        Self::start(ip, "http", move |stream, log| serve_app(stream, app.clone(), log))
    }

    /// A real server with an application over TLS; HTTP/2 if the client supports it.
    pub(crate) fn tls(app: Router, mut config: ServerConfig) -> Self {
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Self::tls_without_h2(app, config)
    }

    /// The same, but HTTP/1.1 for all clients.
    pub(crate) fn tls_without_h2(app: Router, config: ServerConfig) -> Self {
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Self::start(Ipv4Addr::LOCALHOST.into(), "https", move |stream, log| {
            let (acceptor, app) = (acceptor.clone(), app.clone());
            async move {
                let stream = acceptor.accept(stream).await?;
                serve_app(stream, app, log).await
            }
        })
    }

    /// A real server with and without TLS on one port, with an application for each.
    pub(crate) fn plain_or_tls(plain: Router, secure: Router, mut config: ServerConfig) -> Self {
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Self::start(Ipv4Addr::LOCALHOST.into(), "https", move |stream, log| {
            let (acceptor, plain, secure) = (acceptor.clone(), plain.clone(), secure.clone());
            async move {
                let mut first = [0];
                stream.peek(&mut first).await?;
                if first == [TLS_HANDSHAKE] {
                    serve_app(acceptor.accept(stream).await?, secure, log).await
                } else {
                    serve_app(stream, plain, log).await
                }
            }
        })
    }

    /// The good site, but requests for one path are answered by `fault`.
    pub(crate) fn with_fault<F, R>(path: &'static str, fault: F) -> Self
    where
        F: Fn(Connection) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = io::Result<()>> + Send,
    {
        Self::lines(move |asked, line| {
            let fault = fault.clone();
            async move {
                if asked.target == path {
                    fault(line).await
                } else {
                    line.answer_well(&asked.target).await
                }
            }
        })
    }

    /// A server that reads requests, and leaves every response to a test.
    pub(crate) fn lines<F, R>(answer: F) -> Self
    where
        F: Fn(LoggedRequest, Connection) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = io::Result<()>> + Send,
    {
        Self::connections(move |mut line| {
            let answer = answer.clone();
            async move {
                let asked = line.read_request().await?;
                line.log.asked.lock().unwrap().push(asked.clone());
                answer(asked, line).await
            }
        })
    }

    /// A server that leaves every connection to a test, before anything is read.
    pub(crate) fn connections<F, R>(serve: F) -> Self
    where
        F: Fn(Connection) -> R + Clone + Send + Sync + 'static,
        R: Future<Output = io::Result<()>> + Send,
    {
        Self::start(Ipv4Addr::LOCALHOST.into(), "http", move |stream, log| {
            serve(Connection { stream, log })
        })
    }

    fn start<F, R>(ip: IpAddr, scheme: &'static str, serve: F) -> Self
    where
        F: Fn(TcpStream, Log) -> R + Clone + Send + 'static,
        R: Future<Output = io::Result<()>> + Send,
    {
        let log = Log::default();
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = thread::spawn({
            let log = log.clone();
            move || {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(1)
                    .enable_all()
                    .build()
                    .unwrap();
                runtime.block_on(async move {
                    let listener = TcpListener::bind((ip, 0)).await.unwrap();
                    tell.send(listener.local_addr().unwrap()).unwrap();
                    tokio::select! {
                        _ = stopped => (),
                        () = accept(listener, log, serve) => (),
                    }
                });
                runtime.shutdown_background();
            }
        });
        Self {
            address: told.recv().unwrap(),
            scheme,
            log,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a page on this server.
    pub(crate) fn url(&self, path: &str) -> Url {
        self.url_by(&self.address.ip().to_string(), path)
    }

    /// The same with another name of this machine.
    pub(crate) fn url_by(&self, host: &str, path: &str) -> Url {
        Url::parse(&format!("{}://{host}:{}{path}", self.scheme, self.address.port())).unwrap()
    }

    /// The same with another scheme.
    pub(crate) fn url_with(&self, scheme: &str, path: &str) -> Url {
        Url::parse(&format!("{scheme}://{}{path}", self.address)).unwrap()
    }

    /// Every request, in order.
    pub(crate) fn log(&self) -> Vec<LoggedRequest> {
        self.log.asked.lock().unwrap().clone()
    }

    /// The target of every request, in order.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.log().into_iter().map(|asked| asked.target).collect()
    }

    /// How often a path was requested.
    pub(crate) fn times(&self, path: &str) -> usize {
        self.log().iter().filter(|asked| asked.target == path).count()
    }

    /// How many connections were accepted.
    pub(crate) fn connected(&self) -> u64 {
        self.log.connections.load(Ordering::SeqCst)
    }

    /// How many bytes could be sent before the client closed the connection; not counted for applications.
    pub(crate) fn sent(&self) -> u64 {
        self.log.sent.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves every connection. Errors are for the client to notice.
async fn accept<F, R>(listener: TcpListener, log: Log, serve: F)
where
    F: Fn(TcpStream, Log) -> R + Clone + Send + 'static,
    R: Future<Output = io::Result<()>> + Send,
{
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        log.connections.fetch_add(1, Ordering::SeqCst);
        let (serve, log) = (serve.clone(), log.clone());
        tokio::spawn(async move {
            let _ = serve(stream, log).await;
        });
    }
}

async fn serve_app<S>(stream: S, app: Router, log: Log) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let note = move |request: Request, next: Next| {
        let asked = LoggedRequest {
            target: request
                .uri()
                .path_and_query()
                .map_or("", |target| target.as_str())
                .to_owned(),
            version: format!("{:?}", request.version()),
            headers: request
                .headers()
                .iter()
                .map(|(name, value)| {
                    (
                        name.to_string(),
                        String::from_utf8_lossy(value.as_bytes()).into_owned(),
                    )
                })
                .collect(),
            at: Instant::now(),
            status: Arc::default(),
        };
        let status = Arc::clone(&asked.status);
        log.asked.lock().unwrap().push(asked);
        async move {
            let answer = next.run(request).await;
            status.store(answer.status().as_u16(), Ordering::SeqCst);
            answer
        }
    };
    let service = TowerToHyperService::new(app.layer(middleware::from_fn(note)));
    Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), service)
        .await
        .map_err(io::Error::other)
}

/// A connection on which anything can be sent.
pub(crate) struct Connection {
    stream: TcpStream,
    log: Log,
}

impl Connection {
    /// Reads the head of a request.
    async fn read_request(&mut self) -> io::Result<LoggedRequest> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.stream.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut lines = head.lines();
        let mut request = lines.next().unwrap_or_default().split(' ');
        let headers = lines.filter_map(|line| line.split_once(':'));
        Ok(LoggedRequest {
            target: request.nth(1).unwrap_or_default().to_owned(),
            version: request.next().unwrap_or_default().to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
                .collect(),
            at: Instant::now(),
            status: Arc::default(),
        })
    }

    /// Sends bytes. Fails once the client has closed the connection.
    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let bytes = bytes.as_ref();
        self.stream.write_all(bytes).await?;
        self.log.sent.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        Ok(())
    }

    /// Repeats bytes, until the client closes the connection or so many were sent.
    pub(crate) async fn repeat(&mut self, bytes: &[u8], most: u64) -> io::Result<()> {
        let times = most / bytes.len() as u64;
        for _ in 0..times {
            self.say(bytes).await?;
        }
        Ok(())
    }

    /// Sends one byte at a time, with a pause after each.
    pub(crate) async fn drip(&mut self, bytes: &[u8], pause: Duration) -> io::Result<()> {
        for byte in bytes {
            self.say([*byte]).await?;
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    /// Sends nothing more, but stays open until the client closes the connection.
    pub(crate) async fn hang(mut self) -> io::Result<()> {
        let mut rest = [0; 1024];
        while self.stream.read(&mut rest).await? > 0 {}
        Ok(())
    }

    /// Resets the connection.
    pub(crate) fn reset(self) -> io::Result<()> {
        self.stream.set_zero_linger()
    }

    /// Sends a correct response, then closes.
    pub(crate) async fn answer(mut self, status: &str, headers: &[&str], body: &[u8]) -> io::Result<()> {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        self.say(format!(
            "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        ))
        .await?;
        self.say(body).await?;
        self.stream.shutdown().await
    }

    /// Responds as the good site does.
    pub(crate) async fn answer_well(self, path: &str) -> io::Result<()> {
        let html = ["Content-Type: text/html; charset=utf-8"];
        match site::html(path) {
            Some(page) => self.answer("200 OK", &html, page.as_bytes()).await,
            None => self.answer("404 Not Found", &html, b"<h1>Not found</h1>").await,
        }
    }
}
