//! The only network access of the browser: a proxy that connects only to hosts that may be reached.
//!
//! Every request of a page, by redirect, image, script or socket, arrives here with a host name. The name is resolved and
//! checked here, and the connection goes to the IP address that was checked. Only tabs that load pages know the password;
//! requests of the browser itself, and of other programs on this machine, are rejected.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use http_body_util::{Either, Full};
use husk::Url;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper::{Method, Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::http::Http;
use crate::source::LoadError;

/// The user name for the password.
pub(super) const USER: &str = "husk";

/// The time limit for connecting to one IP address, and for a request to the proxy.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A running proxy, until it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    /// The port on the loopback interface.
    pub(super) port: u16,
    /// The password.
    pub(super) password: String,
    failures: Failures,
    /// Stopped when dropped, with the connections of browsers.
    work: JoinHandle<()>,
    tasks: BackgroundTasks,
}

/// Background tasks beside the connections of browsers: tunnels, and connections to servers.
type BackgroundTasks = Arc<Mutex<JoinSet<()>>>;

/// Why the last attempt to reach a server failed, by host and port.
type Failures = Arc<Mutex<BTreeMap<String, Failure>>>;

/// Why a server cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// It has this private IP address.
    Private(String),
    Network(String),
}

impl Failure {
    /// The error for a page of that server.
    pub(super) fn of_page(self, url: &Url) -> LoadError {
        let object = url.to_string();
        match self {
            Self::Private(address) => LoadError::Private { object, address },
            Self::Network(cause) => LoadError::Network { object, cause },
        }
    }
}

impl Proxy {
    pub(super) async fn start(http: Http) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let password = password()?;
        let failures = Failures::default();
        let tasks = BackgroundTasks::default();
        let credentials = BASE64_STANDARD.encode(format!("{USER}:{password}"));
        let gate = Gate {
            http,
            port,
            credentials: format!("Basic {credentials}"),
            failures: failures.clone(),
            tasks: tasks.clone(),
        };
        Ok(Self {
            port,
            password,
            failures,
            tasks,
            work: tokio::spawn(serve(listener, Arc::new(gate))),
        })
    }

    /// Why the server of a page could not be reached, if it could not.
    pub(super) fn failure(&self, url: &Url) -> Option<Failure> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(&authority(url)).cloned()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.work.abort();
        // Tasks that start at this moment end with their set, which the listener holds as well.
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.abort_all();
    }
}

fn password() -> io::Result<String> {
    let mut bytes = [0; 18];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

fn authority(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or_default();
    format!("{}:{port}", url.host_str().unwrap_or_default())
}

async fn serve(listener: TcpListener, gate: Arc<Gate>) {
    // Dropped with the task, together with all connections.
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        let gate = gate.clone();
        connections.spawn(async move {
            let service = service_fn(move |request| {
                let gate = gate.clone();
                async move { Ok::<_, std::convert::Infallible>(gate.answer(request).await) }
            });
            // An error means that the browser closed the connection.
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .preserve_header_case(true)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades()
                .await;
        });
    }
}

/// A response, from the server or from the proxy itself.
type Answer = Response<Either<Incoming, Full<Bytes>>>;

/// Decides about every request.
struct Gate {
    http: Http,
    /// The address of the proxy.
    port: u16,
    credentials: String,
    failures: Failures,
    tasks: BackgroundTasks,
}

impl Gate {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let known = request.headers().get(header::PROXY_AUTHORIZATION);
        if known.is_none_or(|known| known.as_bytes() != self.credentials.as_bytes()) {
            return challenge();
        }
        let done = if request.method() == Method::CONNECT {
            self.tunnel(request).await
        } else {
            self.forward(request).await
        };
        done.unwrap_or_else(|(status, cause)| refusal(status, cause))
    }

    /// Connects the browser to a server.
    async fn tunnel(&self, request: Request<Incoming>) -> Result<Answer, (StatusCode, String)> {
        let named = request
            .uri()
            .authority()
            .map(|authority| format!("https://{authority}/"));
        let url = named
            .and_then(|named| Url::parse(&named).ok())
            .ok_or_else(bad_request)?;
        let server = self.connect(&url).await?;
        self.spawn(async move {
            if let Ok(upgraded) = hyper::upgrade::on(request).await {
                pass_on(TokioIo::new(upgraded), server).await;
            }
        });
        Ok(Response::new(Either::Right(Full::default())))
    }

    /// Sends an unencrypted request.
    async fn forward(&self, mut request: Request<Incoming>) -> Result<Answer, (StatusCode, String)> {
        let url = Url::parse(&request.uri().to_string()).map_err(|_| bad_request())?;
        if url.scheme() != "http" {
            return Err(bad_request());
        }
        let server = self.connect(&url).await?;
        let target = request
            .uri()
            .path_and_query()
            .map_or("/", |target| target.as_str());
        *request.uri_mut() = target.parse::<Uri>().map_err(|_| bad_request())?;
        *request.version_mut() = Version::HTTP_11;
        remove_hop_by_hop(request.headers_mut());
        let host = authority_of_header(&url);
        request.headers_mut().insert(
            header::HOST,
            HeaderValue::from_str(&host).map_err(|_| bad_request())?,
        );
        let failed = |cause: hyper::Error| (StatusCode::BAD_GATEWAY, self.note_cause(&url, said(&cause)));
        let builder = hyper::client::conn::http1::Builder::new();
        let (mut sender, connection) = builder.handshake(TokioIo::new(server)).await.map_err(failed)?;
        self.spawn(async move {
            // An error is reported to the sender.
            let _ = connection.await;
        });
        let mut response = sender.send_request(request).await.map_err(failed)?;
        remove_hop_by_hop(response.headers_mut());
        Ok(response.map(Either::Left))
    }

    /// Runs a background task, which ends with the proxy.
    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    /// Connects to a host that may be reached, at the IP address that was checked.
    async fn connect(&self, url: &Url) -> Result<TcpStream, (StatusCode, String)> {
        let addresses = match self.http.addresses_of(url).await {
            Ok(addresses) => addresses,
            Err(LoadError::Private { address, .. }) => {
                let failure = Failure::Private(address);
                self.note(url, failure.clone());
                return Err((StatusCode::FORBIDDEN, failure.of_page(url).to_string()));
            }
            Err(LoadError::Network { cause, .. } | LoadError::UnknownHost { cause, .. }) => {
                return Err((StatusCode::BAD_GATEWAY, self.note_cause(url, cause)));
            }
            Err(cause) => return Err((StatusCode::BAD_GATEWAY, self.note_cause(url, cause.to_string()))),
        };
        let mut last = "the host has no address".to_owned();
        for address in addresses {
            if self.is_own(address) {
                return Err((
                    StatusCode::FORBIDDEN,
                    self.note_cause(url, "this is the address of the proxy".to_owned()),
                ));
            }
            match tokio::time::timeout(TIMEOUT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // Small packets of a tunnel must not wait for each other.
                    let _ = stream.set_nodelay(true);
                    self.forget(url);
                    return Ok(stream);
                }
                Ok(Err(cause)) => last = refused(&cause),
                Err(_) => last = "the server does not answer: connecting took more than 10 s".to_owned(),
            }
        }
        Err((StatusCode::BAD_GATEWAY, self.note_cause(url, last)))
    }

    fn is_own(&self, address: SocketAddr) -> bool {
        address.ip().to_canonical().is_loopback() && address.port() == self.port
    }

    fn note_cause(&self, url: &Url, cause: String) -> String {
        self.note(url, Failure::Network(cause.clone()));
        cause
    }

    fn note(&self, url: &Url, failure: Failure) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.insert(authority(url), failure);
        // A page can name any number of hosts.
        while failures.len() > 1000 {
            failures.pop_first();
        }
    }

    fn forget(&self, url: &Url) {
        self.failures
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&authority(url));
    }
}

/// Copies bytes in both directions until the browser closes the connection.
async fn pass_on(browser: TokioIo<Upgraded>, mut server: TcpStream) {
    let (mut from_browser, mut to_browser) = tokio::io::split(browser);
    let (mut from_server, mut to_server) = server.split();
    let answers = async {
        let _ = tokio::io::copy(&mut from_server, &mut to_browser).await;
        let _ = to_browser.shutdown().await;
        // A browser that is still reading closes the connection itself.
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = tokio::io::copy(&mut from_browser, &mut to_server) => {}
        () = answers => {}
    }
}

fn challenge() -> Answer {
    let mut answer = refusal(
        StatusCode::PROXY_AUTHENTICATION_REQUIRED,
        "authentication required".to_owned(),
    );
    answer.headers_mut().insert(
        header::PROXY_AUTHENTICATE,
        HeaderValue::from_static("Basic realm=\"husk\""),
    );
    answer
}

fn refusal(status: StatusCode, cause: String) -> Answer {
    let mut answer = Response::new(Either::Right(Full::from(cause)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    answer
}

fn bad_request() -> (StatusCode, String) {
    (StatusCode::BAD_REQUEST, "not a request to a proxy".to_owned())
}

/// The `Host` header: the port only if it is not the default.
fn authority_of_header(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn refused(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        _ => format!("no connection ({cause})"),
    }
}

fn said(cause: &hyper::Error) -> String {
    if cause.is_incomplete_message() {
        "the server closed the connection without a response".to_owned()
    } else if cause.is_parse() {
        "the response is not HTTP".to_owned()
    } else {
        format!("the connection broke ({cause})")
    }
}

/// Removes hop-by-hop header fields, including the password.
fn remove_hop_by_hop(headers: &mut HeaderMap) {
    const NAMES: [HeaderName; 7] = [
        header::CONNECTION,
        header::PROXY_AUTHENTICATE,
        header::PROXY_AUTHORIZATION,
        header::TE,
        header::TRAILER,
        header::UPGRADE,
        HeaderName::from_static("keep-alive"),
    ];
    for name in NAMES {
        headers.remove(name);
    }
    headers.remove("proxy-connection");
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::http::{HttpOptions, Reach};

    async fn proxy(typed_host: &str) -> Proxy {
        let options = HttpOptions {
            reach: Reach {
                typed_hosts: vec![typed_host.to_owned()],
                ..Reach::default()
            },
            ..HttpOptions::default()
        };
        Proxy::start(Http::new(options).unwrap()).await.unwrap()
    }

    /// What the proxy answers to a request with a password.
    async fn ask(proxy: &Proxy, password: &str, request: &str) -> String {
        let credentials = BASE64_STANDARD.encode(format!("{USER}:{password}"));
        let mut stream = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
        let request = format!(
            "{request} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic {credentials}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A server that says what it was asked, once.
    async fn echo() -> (SocketAddr, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let work = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = vec![0; 1000];
            let length = stream.read(&mut asked).await.unwrap();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&asked[..length]).await.unwrap();
        });
        (address, work)
    }

    #[tokio::test]
    async fn strangers_are_turned_away() {
        let proxy = proxy("127.0.0.1").await;
        let (server, work) = echo().await;
        for request in [format!("GET http://{server}/"), format!("CONNECT {server}")] {
            let answer = ask(&proxy, "guessed", &request).await;
            assert!(answer.starts_with("HTTP/1.1 407"), "{answer}");
        }
        assert!(!work.is_finished(), "nobody came");
    }

    #[tokio::test]
    async fn requests_are_passed_on_without_the_password() {
        let proxy = proxy("127.0.0.1").await;
        let (server, _) = echo().await;
        let answer = ask(&proxy, &proxy.password, &format!("GET http://{server}/a?b=c")).await;
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("GET /a?b=c HTTP/1.1"),
            "{answer}"
        );
        assert!(
            answer.to_lowercase().contains(&format!("host: {server}")),
            "{answer}"
        );
        assert!(!answer.to_lowercase().contains("proxy-"), "{answer}");
    }

    /// A tunnel to a server that says nothing: both its ends.
    async fn tunnel(proxy: &Proxy) -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        let credentials = BASE64_STANDARD.encode(format!("{USER}:{}", proxy.password));
        let mut browser = TcpStream::connect(("127.0.0.1", proxy.port)).await.unwrap();
        let request = format!(
            "CONNECT {server} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic {credentials}\r\n\r\n"
        );
        browser.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(browser.read_u8().await.unwrap());
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"));
        let (mut server, _) = listener.accept().await.unwrap();
        browser.write_all(b"a").await.unwrap();
        assert_eq!(server.read_u8().await.unwrap(), b'a');
        server.write_all(b"b").await.unwrap();
        assert_eq!(browser.read_u8().await.unwrap(), b'b');
        (browser, server)
    }

    async fn check_closed(mut stream: TcpStream, who: &str) {
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_u8()).await;
        assert!(read.expect(who).is_err(), "{who} is still spoken to");
    }

    #[tokio::test]
    async fn a_tunnel_ends_with_the_side_of_the_browser() {
        let proxy = proxy("127.0.0.1").await;
        let (mut browser, server) = tunnel(&proxy).await;
        browser.shutdown().await.unwrap();
        check_closed(browser, "the browser").await;
        check_closed(server, "the server").await;
    }

    #[tokio::test]
    async fn the_last_words_of_a_server_arrive() {
        let proxy = proxy("127.0.0.1").await;
        let (mut browser, mut server) = tunnel(&proxy).await;
        server.write_all(&[b'c'; 100_000]).await.unwrap();
        drop(server);
        let mut said = Vec::new();
        browser.read_to_end(&mut said).await.unwrap();
        assert_eq!(said.len(), 100_000);
    }

    #[tokio::test]
    async fn a_tunnel_ends_with_the_proxy() {
        let proxy = proxy("127.0.0.1").await;
        let (browser, server) = tunnel(&proxy).await;
        drop(proxy);
        check_closed(browser, "the browser").await;
        check_closed(server, "the server").await;
    }

    #[tokio::test]
    async fn what_is_out_of_reach_stays_so() {
        let proxy = proxy("localhost").await;
        let (server, work) = echo().await;
        let mut requests = vec![
            format!("GET http://{server}/"),
            format!("CONNECT {server}"),
            format!("CONNECT [::ffff:127.0.0.1]:{}", server.port()),
            "GET http://169.254.169.254/latest".to_owned(),
        ];
        // Not even by a host that may be anywhere.
        requests.push(format!("CONNECT localhost:{}", proxy.port));
        for request in requests {
            let answer = ask(&proxy, &proxy.password, &request).await;
            assert!(answer.starts_with("HTTP/1.1 403"), "{request}: {answer}");
        }
        let page = Url::parse(&format!("http://{server}/a")).unwrap();
        let error = proxy.failure(&page).unwrap().of_page(&page);
        assert!(
            matches!(&error, LoadError::Private { address, .. } if address == "127.0.0.1"),
            "{error}"
        );
        assert!(!work.is_finished(), "nobody came");
        for request in ["GET ftp://example.org/", "GET /path", "CONNECT /"] {
            let answer = ask(&proxy, &proxy.password, request).await;
            assert!(answer.starts_with("HTTP/1.1 400"), "{request}: {answer}");
        }
    }
}
