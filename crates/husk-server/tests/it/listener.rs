use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::site;

/// Answers requests on the loopback interface, each on its own connection, and remembers them.
pub(crate) struct Listener {
    address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The path of every request; empty for a connection on which none came.
    log: Mutex<Vec<String>>,
    connections: Mutex<usize>,
}

impl Listener {
    /// Answers as a function says: with a whole answer, as it is sent.
    pub(crate) fn new(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, answer) = (Arc::<Seen>::default(), Arc::new(answer));
        // Not every system has IPv6; where there is none, nobody can get here by it.
        let by_v6 = TcpListener::bind((Ipv6Addr::LOCALHOST, address.port())).ok();
        for listener in by_v6.into_iter().chain([listener]) {
            let (seen, answer) = (seen.clone(), answer.clone());
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    *seen.connections.lock().unwrap() += 1;
                    let (seen, answer) = (seen.clone(), answer.clone());
                    thread::spawn(move || serve(&stream, &*answer, &seen));
                }
            });
        }
        Self { address, seen }
    }

    /// The small site.
    pub(crate) fn site() -> Self {
        Self::new(club)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The paths that were asked for.
    pub(crate) fn log(&self) -> Vec<String> {
        self.seen.log.lock().unwrap().clone()
    }

    /// How many pages of the small site were asked for.
    pub(crate) fn pages(&self) -> usize {
        let is_page = |path: &&String| site::NAMES.contains(&path.trim_start_matches('/'));
        self.log().iter().filter(is_page).count()
    }

    /// How often somebody connected, whether or not anything was asked.
    pub(crate) fn connections(&self) -> usize {
        *self.seen.connections.lock().unwrap()
    }
}

fn serve(mut stream: &TcpStream, answer: &dyn Fn(&str) -> String, seen: &Seen) {
    let (mut request, mut byte) = (Vec::new(), [0]);
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|count| count == 1) {
        request.push(byte[0]);
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or_default();
    seen.log.lock().unwrap().push(path.to_owned());
    // Whoever asked may have left.
    let _ = stream.write_all(answer(path).as_bytes());
}

/// The small site: its pages, and nothing else.
pub(crate) fn club(path: &str) -> String {
    let name = path.trim_start_matches('/');
    match site::NAMES.contains(&name) {
        true => page(&site::html(name)),
        false => missing(),
    }
}

pub(crate) fn page(html: &str) -> String {
    answer("200 OK", "Content-Type: text/html", html)
}

pub(crate) fn missing() -> String {
    answer("404 Not Found", "Content-Type: text/plain", "")
}

pub(crate) fn redirect(target: &str) -> String {
    answer("302 Found", &format!("Location: {target}"), "")
}

pub(crate) fn answer(status: &str, field: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{field}\r\n\r\n{body}")
}

/// Where answers wait until they may be given.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub(crate) fn wait(&self) {
        let (is_open, opened) = &*self.0;
        let is_open = is_open.lock().unwrap();
        drop(opened.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    pub(crate) fn open(&self) {
        let (is_open, opened) = &*self.0;
        *is_open.lock().unwrap() = true;
        opened.notify_all();
    }
}

/// An address of the loopback interface on the port of a listener, for names that lead there.
pub(crate) fn at_port_of(listener: &Listener, ip: &str) -> SocketAddr {
    SocketAddr::new(ip.parse::<IpAddr>().unwrap(), listener.port())
}
