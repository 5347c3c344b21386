//! A web server whose responses a test defines, and which logs requests.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use husk::Url;

/// A response: status line and header fields as sent, and a body.
#[derive(Clone)]
pub(crate) struct Answer {
    head: String,
    body: Vec<u8>,
    is_endless: bool,
}

/// A page.
pub(crate) fn page(html: &str) -> Answer {
    answer("200 OK", "Content-Type: text/html; charset=utf-8", html)
}

/// Any response.
pub(crate) fn answer(status: &str, fields: &str, body: impl Into<Vec<u8>>) -> Answer {
    Answer {
        head: format!("{status}\r\n{fields}"),
        body: body.into(),
        is_endless: false,
    }
}

/// An endless page.
pub(crate) fn endless(html: &str) -> Answer {
    Answer {
        is_endless: true,
        ..page(html)
    }
}

/// A running server; it stops when dropped.
pub(crate) struct Web {
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<Vec<(Instant, String)>>>,
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The responses for one path: one after the other, the last repeatedly.
type Answers = BTreeMap<String, Vec<Answer>>;

impl Web {
    pub(crate) fn start<'a>(answers: impl IntoIterator<Item = (&'a str, Answer)>) -> Self {
        let mut by_path = Answers::new();
        for (path, answer) in answers {
            by_path.entry(path.to_owned()).or_default().push(answer);
        }
        let answers = Arc::new(Mutex::new(by_path));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let is_stopping = Arc::new(AtomicBool::new(false));
        let (stop, told) = (is_stopping.clone(), log.clone());
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let (answers, told) = (answers.clone(), told.clone());
                thread::spawn(move || serve(&stream, &answers, &told));
            }
        });
        Self {
            address,
            log,
            is_stopping,
            thread: Some(thread),
        }
    }

    /// The URL of a page.
    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    /// The same with another name.
    pub(crate) fn url_on(&self, host: &str, path: &str) -> Url {
        Url::parse(&format!("http://{host}:{}{path}", self.address.port())).unwrap()
    }

    /// The requests so far, with headers.
    pub(crate) fn log(&self) -> Vec<String> {
        let log = self.log.lock().unwrap();
        log.iter().map(|(_, request)| request.clone()).collect()
    }

    /// When a path was first requested.
    pub(crate) fn asked_at(&self, path: &str) -> Option<Instant> {
        let log = self.log.lock().unwrap();
        let mut asked = log
            .iter()
            .filter(|(_, request)| request.split(' ').nth(1) == Some(path));
        asked.next().map(|&(at, _)| at)
    }

    /// Whether a path was requested.
    pub(crate) fn was_asked(&self, path: &str) -> bool {
        self.asked_at(path).is_some()
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(mut stream: &TcpStream, answers: &Mutex<Answers>, log: &Mutex<Vec<(Instant, String)>>) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    // A connection without a request counts too.
    log.lock().unwrap().push((Instant::now(), head.join("\n")));
    let Some(path) = head.first().and_then(|request| request.split(' ').nth(1)) else {
        return;
    };
    let found = answers.lock().unwrap().get_mut(path).map(|answers| {
        if answers.len() > 1 {
            answers.remove(0)
        } else {
            answers[0].clone()
        }
    });
    let found =
        found.unwrap_or_else(|| answer("404 Not Found", "Content-Type: text/html", "<p>Nothing here"));
    let Answer {
        head,
        body,
        is_endless,
    } = found;
    if is_endless {
        let mut sent = write!(stream, "HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
        while sent.is_ok() {
            sent = stream.write_all(&body);
        }
        return;
    }
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all(&body);
}
