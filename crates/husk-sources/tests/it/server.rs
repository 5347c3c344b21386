//! A web server for one test, on a free port of the loopback interface.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use husk::Url;

use crate::site;

/// A running server; it stops when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopping);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                thread::spawn(move || serve(&stream));
            }
        });
        Self {
            address,
            is_stopping,
            thread: Some(thread),
        }
    }

    /// The URL of the site.
    pub(crate) fn url(&self) -> Url {
        Url::parse(&format!("http://{}/", self.address)).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers one request; a client that sends nothing or disconnects is ignored.
fn serve(mut stream: &TcpStream) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(request) = lines.next() else {
        return;
    };
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let target = request.split(' ').nth(1).unwrap_or("/");
    let (status, content_type, body) = match site::answer(target) {
        Some(answer) => ("200 OK", answer.content_type, answer.body),
        None => ("404 Not Found", "text/plain", "not found".to_owned()),
    };
    let length = body.len();
    let body = if request.starts_with("HEAD ") { "" } else { &body };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
}
