//! A small web server on this machine, which remembers what it was asked for.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

/// What the server answers.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn html(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("Content-Type", "text/html; charset=utf-8".to_owned())],
            body: body.into(),
        }
    }

    pub(crate) fn text(body: &str) -> Self {
        Self {
            headers: vec![("Content-Type", "text/plain".to_owned())],
            ..Self::html(body)
        }
    }

    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::html("<p>No such page")
        }
    }

    pub(crate) fn redirect(to: impl Into<String>) -> Self {
        Self {
            status: 302,
            headers: vec![("Location", to.into())],
            body: Vec::new(),
        }
    }
}

/// A server; it lives as long as the test.
pub(crate) struct Web {
    /// Its address, with a slash at the end.
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// Answers by the path that is asked for.
    pub(crate) fn new(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self::with_host(move |_, path| answer(path))
    }

    /// Answers by the server's own host and the path that is asked for.
    pub(crate) fn with_host(answer: impl Fn(&str, &str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let url = format!("http://{host}/");
        let answer = move |path: &str| answer(&host, path);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (asked.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                thread::spawn(move || {
                    let _ = serve(stream, &log, &*answer);
                });
            }
        });
        Self { url, asked }
    }

    /// The files of a folder, index pages under the names of their folders.
    pub(crate) fn of_folder(root: &Path) -> Self {
        let root = root.to_owned();
        Self::new(move |path| {
            let mut file = root.join(path.trim_start_matches('/'));
            if file.is_dir() {
                file = file.join("index.html");
            }
            match std::fs::read(&file) {
                Ok(bytes) if file.extension().is_some_and(|found| found == "html") => Answer::html(bytes),
                _ => Answer::status(404),
            }
        })
    }

    /// The paths that were asked for since the last time, in that order.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

fn serve(
    stream: TcpStream,
    log: &Mutex<Vec<String>>,
    answer: &dyn Fn(&str) -> Answer,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let Some(path) = request.split(' ').nth(1) else {
        return Ok(());
    };
    log.lock().unwrap().push(path.to_owned());
    let Answer {
        status,
        headers,
        body,
    } = answer(path);
    let fields: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} Answer\r\n{fields}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}
