//! Everything together, with a server on the loopback interface.

/// Which pages are loaded, and which are not.
mod pages;

/// What is kept for the next run, and for those who want to know.
mod kept;

/// Servers that have too much to do, break off, or cannot be trusted.
mod trouble;

/// What a page is shown with.
mod style_sheets;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::*;
use crate::blocking::Blocking;
use crate::source::Source;

/// Answers requests, each on its own connection, and remembers them.
struct Server {
    address: SocketAddr,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers with what is made of each request's path, and of the whole request. The answer is sent as it is; an
    /// empty one closes the connection.
    fn new(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Self {
        Self::start(answer, false)
    }

    /// The same, but connections stay open after the answer.
    fn holding(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Self {
        Self::start(answer, true)
    }

    fn start(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static, is_holding: bool) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (answer, logged) = (Arc::new(answer), log.clone());
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (answer, log) = (answer.clone(), logged.clone());
                thread::spawn(move || {
                    serve(&stream, &*answer, &log);
                    if is_holding {
                        // Until the other side goes.
                        let _ = stream.read(&mut [0]);
                    }
                });
            }
        });
        Self { address, log }
    }

    fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// The paths that were asked for.
    fn log(&self) -> Vec<String> {
        lock(&self.log).clone()
    }
}

fn serve(mut stream: &TcpStream, answer: &dyn Fn(&str, &str) -> String, log: &Mutex<Vec<String>>) {
    let mut request = Vec::new();
    let mut byte = [0];
    // Who speaks TLS waits for an answer to its first words.
    while request != [0x16]
        && !request.ends_with(b"\r\n\r\n")
        && stream.read(&mut byte).is_ok_and(|count| count == 1)
    {
        request.push(byte[0]);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let path = request.split(' ').nth(1).unwrap_or_default();
    lock(log).push(path.to_owned());
    let answer = answer(path, &request);
    let _ = stream.write_all(answer.as_bytes());
}

fn answer(status: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}\r\n{body}")
}

fn page(fields: &str) -> String {
    answer(
        "200 OK",
        &format!("Content-Type: text/html\r\n{fields}"),
        "<p>Hello</p></html>",
    )
}

fn missing() -> String {
    answer("404 Not Found", "", "")
}

/// Quick, and allowed on the loopback interface.
fn options() -> HttpOptions {
    HttpOptions {
        delay: Duration::ZERO,
        timeout: Duration::from_secs(20),
        reach: Reach {
            typed_hosts: vec!["127.0.0.1".to_owned()],
            ..Reach::default()
        },
        ..HttpOptions::default()
    }
}

fn web(options: HttpOptions) -> Blocking<Http> {
    Blocking::new(Http::new(options).unwrap()).unwrap()
}

fn load(options: HttpOptions, url: &Url) -> Result<Page, String> {
    web(options).load(url).map_err(|cause| cause.to_string())
}

/// The same, with a cache.
fn cached(folder: &Path) -> HttpOptions {
    HttpOptions {
        cache: Some(folder.to_owned()),
        ..options()
    }
}
