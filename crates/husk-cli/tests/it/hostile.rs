//! Pages that would cost far more than they are worth, on the command line and over HTTP.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::run::husk_in;

const START: &str = "<!DOCTYPE html><title>About tea</title><nav><ul><li><a href=b.html>Cups</a><li><a href=c.html>Pots</a>\
    <li><a href=a.html>Teas</a></ul></nav><h1>About tea</h1>";

/// Names of families of pages, each with a page of about so many bytes.
fn hostile(bytes: usize) -> Vec<(&'static str, String)> {
    let some = |part: &str| part.repeat(bytes / part.len());
    let numbered =
        |part: &dyn Fn(usize) -> String, each: usize| (0..bytes / each).map(part).collect::<String>();
    let base = format!("<base href=\"/{}/\">", "a".repeat(500));
    vec![
        ("nested", some("<div>")),
        ("paragraphs", some("<p>x")),
        ("links", base.clone() + &some("<a href=x>y</a> ")),
        ("srcset", format!("{base}<img srcset=\"{}\">", some("a,"))),
        ("style", format!("{base}<style>{}</style>", some("a{b:url(a)}"))),
        (
            "formatting",
            (0..900)
                .map(|number| format!("<b class={number}>"))
                .collect::<String>()
                + &some("<p>x"),
        ),
        ("fonts", numbered(&|number| format!("<font color={number}>x"), 20)),
        ("attributes", {
            let names: String = (0..1000).map(|number| format!(" a{number}=x")).collect();
            some(&format!("<div{names}>x</div>"))
        }),
        ("lists", "<ul><li>".repeat(250) + &some("<br>x ")),
        ("quotes", "<blockquote>".repeat(400) + &some("<p>x")),
        ("tables", some("<table><tr><td>x")),
        (
            "headings",
            numbered(&|number| format!("<h2>t{number}</h2><p>words {number}"), 30),
        ),
        ("text", some("word ")),
    ]
}

#[test]
fn an_output_is_a_small_multiple_of_its_page() {
    let site = tempfile::tempdir().unwrap();
    for (name, body) in [("key", "x"), ("a", "y"), ("b", "z"), ("c", "w")] {
        let page = START.replace("tea<", &format!("tea {body}<")) + &"<div>".repeat(10_000);
        fs::write(site.path().join(format!("{name}.html")), page).unwrap();
    }
    let template = |more: &[&str]| {
        let args = ["template", "key.html", "--format", "json", "-q"];
        husk_in(site.path(), args.iter().chain(more))
    };
    template(&[]).fails(1, &["template-json", "key.html", "bytes", "--max-output"]);
    let whole = template(&["--max-output", "100000000"]).ok();
    assert!(whole.stdout.len() > 16 * 50_000 && whole.stdout.ends_with("}\n"));
    let bytes = whole.stdout.len().to_string();
    assert_eq!(template(&["--max-output", &bytes]).ok().stdout, whole.stdout);
}

/// A hard limit of 512 MiB of data.
const LIMIT: &str = "ulimit -d 524288;";

struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(limit: &str, more: &str) -> Self {
        let husk = env!("CARGO_BIN_EXE_husk");
        let script = format!("{limit} exec {husk} serve --port 0 --no-store --log none {more}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let port = line.trim().trim_end_matches('/').rsplit(':').next();
        let port = port.unwrap().parse().unwrap_or_else(|_| panic!("{line:?}"));
        Self { process, port }
    }

    /// The status that a request is answered with; 413 as well if the server does not read it to the end.
    fn post(&self, route: &str, body: &str) -> u16 {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let head = format!(
            "POST /v1/{route} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let sent = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()));
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let status = String::from_utf8_lossy(&answer)
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        match status {
            Some(status) => status,
            None if sent.is_err() || read.is_err() => 413,
            None => panic!("no answer"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn request(html: &str) -> String {
    let page = |name: &str, html: &str| serde_json::json!({"url": format!("https://example.org/{name}.html"), "html": format!("{}{html}", START.replace("tea", name))});
    let siblings = [
        page("b", &html.replace("About", "Upon")),
        page("c", &(html.to_owned() + "<p>More")),
    ];
    serde_json::json!({"page": page("a", html), "siblings": siblings}).to_string()
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_with_little_memory_survives_hostile_pages() {
    let mut server = Server::start(LIMIT, "--max-time 20");
    let (answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let routes = ["template", "menu", "content", "pagelets", "inspect", "results"];
    thread::scope(|scope| {
        for bytes in [20_000, 300_000, 5_000_000] {
            for (name, html) in hostile(bytes) {
                let (server, answered, refused) = (&server, &answered, &refused);
                scope.spawn(move || {
                    let body = request(&html);
                    for route in routes {
                        let status = server.post(route, &body);
                        let expected = [200, 201, 413, 422, 429, 503, 504];
                        assert!(expected.contains(&status), "{name} {bytes} {route}: {status}");
                        let counter = if status < 300 { answered } else { refused };
                        counter.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        }
    });
    assert!(server.process.try_wait().unwrap().is_none(), "the server ended");
    let usual = request("<p>A page with a few words that somebody wants to have.");
    for route in routes {
        let status = server.post(route, &usual);
        assert!(status < 300, "{route}: {status}");
    }
    let (answered, refused) = (answered.into_inner(), refused.into_inner());
    assert!(answered > 50 && refused > 50, "{answered} {refused}");
    let status = fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 512 << 10, "{peak} KiB");
}

/// The number of running extractions.
#[cfg(target_os = "linux")]
fn running(server: &Server) -> Option<u32> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).ok()?;
    let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let line = answer
        .lines()
        .find(|line| line.contains("running") && !line.starts_with('#'))?;
    line.rsplit(' ').next()?.parse().ok()
}

#[test]
#[cfg(target_os = "linux")]
fn a_job_that_timed_out_ends() {
    let server = Server::start("", "--max-time 1 --max-memory 8000000000");
    let mut is_timeout = false;
    for (_, html) in hostile(3_000_000) {
        is_timeout |= server.post("results", &request(&html)) == 504;
        // Much more than a second, for machines that do other things as well.
        let ends = (0..50).any(|_| {
            let has_ended = running(&server) == Some(0);
            if !has_ended {
                thread::sleep(Duration::from_millis(100));
            }
            has_ended
        });
        assert!(ends, "it works on after the answer");
    }
    assert!(is_timeout);
}
