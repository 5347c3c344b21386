//! WARC files as sources of pages.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use flate2::write::GzEncoder;
use husk::{Options, Page, Url};
use husk_sources::{
    Archive, ArchiveWriter, Capture, Captures, Compression, Folder, LoadError, Source, WarcError, run_session,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::pages::text;

const ALL: [Compression; 3] = [Compression::Gzip, Compression::Zstd, Compression::None];

fn url(address: &str) -> Url {
    Url::parse("https://example.org/").unwrap().join(address).unwrap()
}

fn day(number: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(number * 86_400)
}

fn response(address: &str, status: u16, fields: &[(&str, &str)], body: &str) -> Capture {
    let mut headers = vec![("Content-Type".to_owned(), "text/html".to_owned())];
    headers.extend(
        fields
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned())),
    );
    Capture {
        url: url(address),
        status,
        headers,
        body: body.as_bytes().to_vec(),
        is_whole: true,
        date: day(1),
        ip: None,
        is_rendered: false,
    }
}

fn page(address: &str, body: &str) -> Capture {
    response(address, 200, &[], body)
}

fn redirect(address: &str, to: &str) -> Capture {
    response(address, 302, &[("Location", to)], "")
}

fn archive_bytes(compression: Compression, captures: &[Capture]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new(), compression);
    writer.set_info(&[("software", "husk")]);
    for capture in captures {
        writer.write_capture(capture).unwrap();
    }
    writer.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Archives in a temporary folder.
struct Files {
    _folder: TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths = files.iter().map(|(name, bytes)| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        });
        let paths = paths.collect();
        Self {
            _folder: folder,
            paths,
        }
    }

    fn open(&self) -> Result<Archive, WarcError> {
        let archives = self
            .paths
            .iter()
            .filter(|path| path.extension().is_none_or(|ending| ending != "cdxj"));
        Archive::open(&archives.cloned().collect::<Vec<_>>())
    }
}

fn archive(bytes: &[u8]) -> (Files, Archive) {
    let files = Files::new(&[("site.warc", bytes)]);
    let archive = files.open().unwrap();
    (files, archive)
}

fn load(archive: &mut Archive, address: &str) -> Result<String, String> {
    match archive.load(&url(address)) {
        Ok(page) => Ok(format!("{} {}", page.url.path(), text(&page))),
        Err(cause) => Err(cause.to_string()),
    }
}

fn notes(archive: &Archive) -> Vec<String> {
    archive.notes().iter().map(ToString::to_string).collect()
}

/// A record written by hand.
fn record(kind: &str, address: &str, fields: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://example.org{address}\r\n\
         WARC-Date: 2026-01-02T00:00:00Z\r\n{fields}Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn html(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}")
}

#[test]
fn pages_are_found_in_every_compression() {
    let captures = [
        page("/", "<p>Home"),
        redirect("/old", "/new"),
        page("/new", "<p>New"),
        response("/gone", 404, &[], "<p>Gone"),
        redirect("/away", "https://example.com/"),
        redirect("/circle", "/circle"),
    ];
    for compression in ALL {
        let (_files, mut archive) = archive(&archive_bytes(compression, &captures));
        assert_eq!(load(&mut archive, "/"), Ok("/ Home".to_owned()));
        assert_eq!(load(&mut archive, "/old#part"), Ok("/new New".to_owned()));
        assert_eq!(
            load(&mut archive, "http://www.example.org/new/"),
            Ok("/new New".to_owned())
        );
        let error = |archive: &mut Archive, address| load(archive, address).unwrap_err();
        assert!(error(&mut archive, "/gone").contains("answers 404"));
        assert!(error(&mut archive, "/circle").contains("in a loop"));
        assert!(error(&mut archive, "/away").contains("no page https://example.com/ in "));
        archive.stay_on(&url("/"), husk::SameSite::Host);
        assert!(error(&mut archive, "/away").contains("leads to another site"));
        let missing = archive.load(&url("/never")).unwrap_err();
        assert!(matches!(missing, LoadError::NotInArchive { .. }), "{missing}");
        assert!(
            missing.to_string().contains("site.warc: check the URL"),
            "{missing}"
        );
        assert!(matches!(
            archive.load(&Url::parse("file:///etc/passwd").unwrap()),
            Err(LoadError::Scheme { .. })
        ));
        assert_eq!(archive.page_urls().unwrap(), [url("/"), url("/new")]);
        assert_eq!(notes(&archive), [""; 0]);
    }
}

#[test]
fn the_newest_page_counts() {
    let at = |capture: Capture, date| Capture {
        date: day(date),
        ..capture
    };
    let first = archive_bytes(
        Compression::Gzip,
        &[at(page("/", "<p>third"), 3), at(page("/", "<p>first"), 1)],
    );
    let second = archive_bytes(
        Compression::Zstd,
        &[at(page("/", "<p>second"), 2), at(response("/", 500, &[], ""), 9)],
    );
    let files = Files::new(&[("a.warc.gz", &first), ("b.warc.zst", &second)]);
    assert_eq!(load(&mut files.open().unwrap(), "/"), Ok("/ third".to_owned()));
}

#[test]
fn redirects_to_an_equivalent_url_are_not_a_loop() {
    let secure = Capture {
        url: Url::parse("http://example.org/a").unwrap(),
        ..redirect("/a", "https://example.org/a")
    };
    let (_files, mut without) = archive(&archive_bytes(Compression::Gzip, std::slice::from_ref(&secure)));
    let error = without.load(&secure.url).unwrap_err();
    assert!(matches!(error, LoadError::NotInArchive { .. }), "{error}");
    let (_files, mut with) = archive(&archive_bytes(
        Compression::Gzip,
        &[secure.clone(), page("/a", "<p>Safe")],
    ));
    assert_eq!(load(&mut with, "http://example.org/a"), Ok("/a Safe".to_owned()));
    // A relative redirect is resolved against the URL it is stored for.
    let other = Capture {
        url: Url::parse("https://www.example.org/x/b").unwrap(),
        ..redirect("/", "c")
    };
    let target = Capture {
        url: Url::parse("https://www.example.org/x/c").unwrap(),
        ..page("/", "<p>There")
    };
    let (_files, mut archive) = archive(&archive_bytes(Compression::Gzip, &[other, target]));
    assert_eq!(load(&mut archive, "/x/b"), Ok("/x/c There".to_owned()));
}

#[test]
fn failures_keep_their_message() {
    let words = "https://example.org/b: the answer took more than 3 s;\n \\allow more time (--timeout) äöü ";
    for compression in ALL {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.write_capture(&redirect("/a", "/b")).unwrap();
        writer.write_failure(&url("/b"), words).unwrap();
        writer.write_failure(&url("/a"), "another").unwrap();
        let file = writer.finish().unwrap();
        let (_files, mut archive) = archive(&file);
        let error = archive.load(&url("/b")).unwrap_err();
        assert!(
            matches!(&error, LoadError::Recorded { cause } if cause == words),
            "{error}"
        );
        assert_eq!(
            load(&mut archive, "/a"),
            Err("another".to_owned()),
            "the last record"
        );
        assert_eq!(archive.page_urls(), Some(Vec::new()));
    }
}

#[test]
fn rendered_pages_round_trip() {
    let rendered = Capture {
        is_rendered: true,
        ..page("/app", "<nav>Menu</nav>")
    };
    let gone = Capture {
        is_rendered: true,
        ..response("/gone", 404, &[], "<p>No")
    };
    let moved = Capture {
        is_rendered: true,
        ..redirect("/old", "/app")
    };
    let file = archive_bytes(
        Compression::None,
        &[rendered.clone(), gone.clone(), moved.clone()],
    );
    assert!(String::from_utf8_lossy(&file).contains("WARC-Type: resource"));
    let read: Vec<Capture> = Captures::from_reader(&file[..])
        .unwrap()
        .map(|entry| entry.unwrap().capture)
        .collect();
    assert_eq!(read, [rendered, gone, moved]);
    let (_files, mut archive) = archive(&file);
    assert_eq!(load(&mut archive, "/app"), Ok("/app Menu".to_owned()));
    assert!(load(&mut archive, "/gone").unwrap_err().contains("404"));
    assert_eq!(load(&mut archive, "/old"), Ok("/app Menu".to_owned()));
}

#[test]
fn revisits_are_resolved() {
    let original = record(
        "response",
        "/a",
        "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Payload-Digest: sha1:AAAA\r\n",
        &html("<p>Body"),
    );
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let ways = [
        ("WARC-Refers-To: <urn:uuid:1>\r\n", head),
        ("WARC-Refers-To: <urn:uuid:1>\r\n", ""),
        (
            "WARC-Refers-To-Target-URI: https://example.org/a\r\nWARC-Refers-To-Date: 2026-01-02T00:00:00Z\r\n",
            head,
        ),
        ("WARC-Refers-To-Target-URI: <https://example.org/a>\r\n", head),
        ("WARC-Payload-Digest: sha1:aaaa\r\n", head),
        (
            "WARC-Refers-To: <urn:uuid:9>\r\nWARC-Payload-Digest: sha1:AAAA\r\n",
            "HTTP/1.1 304 Not Modified\r\n\r\n",
        ),
    ];
    for (fields, block) in ways {
        let file = [&record("revisit", "/b", fields, block)[..], &original].concat();
        for bytes in [file.clone().into_bytes(), gzip(file.as_bytes())] {
            let (_files, mut archive) = archive(&bytes);
            assert_eq!(load(&mut archive, "/b"), Ok("/b Body".to_owned()), "{fields}");
            assert_eq!(archive.page_urls().unwrap().len(), 2);
        }
    }
    // Not modified: the same URL, earlier.
    let same = record("revisit", "/a", "", "HTTP/1.1 304 Not Modified\r\n\r\n");
    let (_files, mut archive1) =
        archive(format!("{original}{}", same.replace("2026-01-02", "2026-01-03")).as_bytes());
    assert_eq!(load(&mut archive1, "/a"), Ok("/a Body".to_owned()));
    let lost = record(
        "revisit",
        "/b",
        "WARC-Refers-To-Target-URI: https://example.org/z\r\n",
        head,
    );
    let (_files, mut archive2) = archive(lost.as_bytes());
    let error = load(&mut archive2, "/b").unwrap_err();
    assert!(
        error.contains("stored with an earlier response for https://example.org/z"),
        "{error}"
    );
    // A digest that differs rules a record out.
    let other = record("revisit", "/b", "WARC-Payload-Digest: sha1:BBBB\r\n", head);
    let (_files, mut archive3) = archive(format!("{original}{other}").as_bytes());
    assert!(load(&mut archive3, "/b").is_err());
    let changed = record("revisit", "/a", "WARC-Payload-Digest: sha1:BBBB\r\n", head);
    let changed = changed.replace("2026-01-02", "2026-01-03");
    let (_files, mut archive6) = archive(format!("{original}{changed}").as_bytes());
    assert_eq!(
        load(&mut archive6, "/a"),
        Ok("/a Body".to_owned()),
        "the newest that can be read"
    );
    assert!(
        notes(&archive6)[0].contains("another response is used"),
        "{:?}",
        notes(&archive6)
    );
    // Two records that refer to each other.
    let circle = [
        record(
            "revisit",
            "/b",
            "WARC-Record-ID: <x>\r\nWARC-Refers-To: <y>\r\n",
            head,
        ),
        record(
            "revisit",
            "/c",
            "WARC-Record-ID: <y>\r\nWARC-Refers-To: <x>\r\n",
            head,
        ),
    ];
    let (_files, mut archive4) = archive(circle.concat().as_bytes());
    assert!(load(&mut archive4, "/b").is_err());
    let moved = record("revisit", "/d", "", "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n");
    let (_files, mut archive5) = archive(format!("{original}{moved}").as_bytes());
    assert_eq!(load(&mut archive5, "/d"), Ok("/a Body".to_owned()));
}

#[test]
fn a_revisit_has_the_status_of_its_original() {
    let id = |number: u8| format!("WARC-Record-ID: <urn:uuid:{number}>\r\n");
    let to = |number: u8| format!("WARC-Refers-To: <urn:uuid:{number}>\r\n");
    let later = |record: String, day: &str| record.replace("2026-01-02", day);
    let moved = "HTTP/1.1 301 Moved\r\nLocation: new\r\n\r\n";
    let gone = "HTTP/1.1 404 Gone\r\nContent-Type: text/html\r\n\r\n<p>No";
    let unchanged = "HTTP/1.1 304 Not Modified\r\n\r\n";
    let file = [
        record("response", "/x/old", &id(1), moved),
        record("response", "/gone", &id(2), gone),
        record("response", "/x/new", &id(3), &html("<p>New")),
        // A page, then a redirect.
        record("response", "/both", "", &html("<p>Both")),
        later(record("revisit", "/both", &to(1), ""), "2026-01-03"),
        later(record("revisit", "/gone", "", unchanged), "2026-01-03"),
        record("revisit", "/y", &to(1), ""),
        // A page before an error.
        record("revisit", "/page", &to(3), ""),
        later(record("response", "/page", "", gone), "2026-01-03"),
        // No page: the newest response counts.
        record("response", "/late", "", gone),
        later(record("revisit", "/late", &to(1), unchanged), "2026-01-03"),
        // No page, and the revisit is older.
        record("revisit", "/early", &to(1), ""),
        later(record("response", "/early", "", gone), "2026-01-03"),
    ];
    let (_files, mut archive) = archive(file.concat().as_bytes());
    assert_eq!(load(&mut archive, "/both"), Ok("/both Both".to_owned()));
    assert_eq!(load(&mut archive, "/y"), Ok("/x/new New".to_owned()));
    assert_eq!(load(&mut archive, "/page"), Ok("/page New".to_owned()));
    assert_eq!(load(&mut archive, "/late"), Ok("/x/new New".to_owned()));
    for address in ["/gone", "/early"] {
        assert!(
            load(&mut archive, address).unwrap_err().contains("404"),
            "{address}"
        );
    }
    let listed = archive.page_urls().unwrap();
    assert!(!listed.contains(&url("/gone")), "{listed:?}");
}

#[test]
fn chains_of_revisits_end() {
    // Each refers to an id that many records have.
    let chain: String = (0..200)
        .map(|number| {
            let fields = "WARC-Record-ID: <x>\r\nWARC-Refers-To: <x>\r\n";
            record("revisit", &format!("/{}", number % 2), fields, "")
        })
        .collect();
    let (_files, mut archive) = archive(chain.as_bytes());
    let error = load(&mut archive, "/1").unwrap_err();
    assert!(error.contains("more than 64 records"), "{error}");
}

#[test]
fn odd_records_are_read() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n4\r\nHere\r\n0\r\n\r\n";
    let false_claim = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>Here";
    let packed_body = [
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        gzip(b"<p>Here"),
    ]
    .concat();
    let wget = record("response", "/a", "", &html("<p>Here"))
        .replace("https://example.org/a", "<https://example.org/a>");
    let files: [Vec<u8>; 8] = [
        record("response", "/a", "", chunked).into_bytes(),
        record("response", "/a", "", false_claim).into_bytes(),
        wget.clone().into_bytes(),
        record("response", "/a", "", &html("<p>Here").replace("\r\n", "\n"))
            .replace("\r\n", "\n")
            .into_bytes(),
        wget.replace("Content-Length", "X-Length").into_bytes(),
        record(
            "response",
            "/a",
            "",
            &html("<p>Here").replace(" OK", "\r\nbroken\r\n: \r\n\u{fe}"),
        )
        .into_bytes(),
        record("resource", "/a", "Content-Type: text/html\r\n", "<p>Here").into_bytes(),
        record("resource", "/a", "", "").into_bytes(),
    ];
    for (number, file) in files.iter().enumerate() {
        let (_files, mut archive) = archive(file);
        let expect = if number == 7 { "/a " } else { "/a Here" };
        assert_eq!(
            load(&mut archive, "/a"),
            Ok(expect.to_owned()),
            "{}",
            file.escape_ascii()
        );
    }
    let mut bytes = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/a\r\nContent-Length: {}\r\n\r\n",
        packed_body.len()
    )
    .into_bytes();
    bytes.extend(packed_body);
    let (_files, mut archive) = archive(&bytes);
    assert_eq!(load(&mut archive, "/a"), Ok("/a Here".to_owned()));
}

#[test]
fn records_compressed_as_one_are_found() {
    let filler = page("/filler", &"x y z ".repeat(500_000));
    let plain = archive_bytes(
        Compression::None,
        &[page("/a", "<p>One"), filler, page("/b", "<p>Two")],
    );
    for bytes in [gzip(&plain), zstd::encode_all(&plain[..], 3).unwrap()] {
        let (_files, mut archive) = archive(&bytes);
        assert_eq!(load(&mut archive, "/a"), Ok("/a One".to_owned()));
        assert_eq!(load(&mut archive, "/b"), Ok("/b Two".to_owned()));
        let notes = notes(&archive);
        assert!(
            notes.len() == 1 && notes[0].contains("compressed as one"),
            "{notes:?}"
        );
    }
}

#[test]
fn segments_are_skipped() {
    let file = [
        record(
            "response",
            "/a",
            "WARC-Segment-Number: 1\r\n",
            &html("<p>Half a pa"),
        ),
        record("continuation", "/a", "WARC-Segment-Number: 2\r\n", "ge"),
        record("response", "/b", "", &html("<p>Whole")),
    ];
    let (_files, mut archive) = archive(file.concat().as_bytes());
    assert_eq!(load(&mut archive, "/b"), Ok("/b Whole".to_owned()));
    assert!(load(&mut archive, "/a").is_err());
    let notes = notes(&archive);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(
        notes[0].contains("site.warc, offset 0: this record is only a part"),
        "{notes:?}"
    );
}

#[test]
fn other_files_are_refused() {
    let check = |name: &str, bytes: &[u8], expect: &str| {
        let files = Files::new(&[(name, bytes)]);
        let error = files.open().unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
        let streamed = Captures::open(&files.paths[0]).err().unwrap().to_string();
        assert_eq!(streamed, error);
    };
    check("a.warc", b"", "a.warc is empty, not a WARC file");
    check(
        "a.wacz",
        b"PK\x03\x04....",
        "a ZIP file, not a WARC file: if it is a WACZ, unzip it",
    );
    check("a.html", b"<html>", "an HTML or XML file, not a WARC file");
    check("a.gz", &gzip(b"<html>"), "in another format, not a WARC file");
    check(
        "a.gz",
        &gzip(&vec![b'x'; 3_000_000]),
        "in another format, not a WARC file",
    );
    check(
        "a.zst",
        &zstd::encode_all(&b"<html>"[..], 3).unwrap(),
        "in another format, not a WARC file",
    );
    check("a.warc", &vec![b'\n'; 3_000_000], "not a WARC file");
    check(
        "a.gz",
        &gzip(b"WARC/1.0\r\nx")[..12],
        "offset 0: the file ends within this record",
    );
    let folder = tempfile::tempdir().unwrap();
    let error = Archive::open(&[folder.path().to_owned()])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("is a folder, not a WARC file: name the WARC files in it"),
        "{error}"
    );
    let error = Archive::open(&[folder.path().join("none.warc")])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("none.warc") && error.contains("check that the file exists"),
        "{error}"
    );
}

#[test]
fn large_records_are_skipped() {
    let large = page("/large", &"<p>words ".repeat(300_000));
    for compression in ALL {
        let bytes = archive_bytes(compression, &[large.clone(), page("/small", "<p>Small")]);
        let (files, archive) = archive(&bytes);
        let mut archive = archive.with_max_bytes(1000);
        let error = archive.load(&url("/large")).unwrap_err();
        assert!(
            matches!(error, LoadError::TooLarge { limit: 1000, .. }),
            "{error}"
        );
        assert_eq!(load(&mut archive, "/small"), Ok("/small Small".to_owned()));
        let mut captures = Captures::open(&files.paths[0]).unwrap().with_max_bytes(1000);
        let broken = captures.next().unwrap().unwrap_err().to_string();
        assert!(broken.contains("larger than 1000 bytes"), "{broken}");
        assert_eq!(captures.next().unwrap().unwrap().capture.url, url("/small"));
        assert!(captures.next().is_none());
    }
}

#[test]
fn a_wrong_length_loses_one_record() {
    let file = |count: usize| {
        let lost = record("response", "/lost", "", &html(&"x".repeat(count)));
        let length = format!("Content-Length: {}", html("").len() + count);
        let lost = lost.replace(&length, "Content-Length: 999999999");
        let info = record("warcinfo", "/", "", "");
        let rest = [
            record("response", "/a", "", &html("<p>One")),
            record("response", "/b", "", &html("<p>Two")),
        ];
        (info.len(), [info, lost, rest.concat()].concat())
    };
    // The next record starts anywhere within a buffer.
    for count in (65_000..65_540).step_by(7).chain([0, 1, 200_000]) {
        let (offset, file) = file(count);
        let (_files, mut archive) = archive(file.as_bytes());
        assert_eq!(load(&mut archive, "/a"), Ok("/a One".to_owned()), "{count}");
        assert_eq!(load(&mut archive, "/b"), Ok("/b Two".to_owned()), "{count}");
        let notes = notes(&archive);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].contains(&format!(
                "offset {offset}: the Content-Length of this record is wrong"
            )),
            "{notes:?}"
        );
    }
}

#[test]
fn an_older_page_replaces_one_that_is_too_large() {
    let large = html(&"<p>words ".repeat((66 << 20) / 9));
    let newer = record("response", "/a", "", &large).replace("2026-01-02", "2026-01-03");
    let file = [newer, record("response", "/a", "", &html("<p>One"))].concat();
    let (_files, mut archive) = archive(&gzip(file.as_bytes()));
    assert_eq!(load(&mut archive, "/a"), Ok("/a One".to_owned()));
    assert!(
        notes(&archive)[0].contains("larger than"),
        "{:?}",
        notes(&archive)
    );
    assert_eq!(archive.page_urls().unwrap(), [url("/a")]);
}

#[test]
fn a_cdxj_index_is_used_if_it_fits() {
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    writer.write_capture(&page("/a", "<p>One")).unwrap();
    writer.write_capture(&redirect("/b", "/a")).unwrap();
    writer.write_failure(&url("/c"), "no").unwrap();
    let index = writer.index("site.warc.gz");
    let file = writer.finish().unwrap();
    let check = |index_name: &str, index: &str, note: Option<&str>| {
        let files = Files::new(&[("site.warc.gz", &file), (index_name, index.as_bytes())]);
        let mut archive = files.open().unwrap();
        assert_eq!(load(&mut archive, "/b"), Ok("/a One".to_owned()), "{index}");
        assert_eq!(load(&mut archive, "/c"), Err("no".to_owned()), "{index}");
        assert_eq!(archive.page_urls().unwrap(), [url("/a")]);
        let notes = notes(&archive);
        assert_eq!(notes.len(), usize::from(note.is_some()), "{notes:?}");
        assert!(
            notes.iter().all(|found| found.contains(note.unwrap())),
            "{notes:?}"
        );
    };
    check("site.cdxj", &index, None);
    check("site.warc.gz.cdxj", &index, None);
    check("site.cdxj", "", Some("it is empty"));
    check(
        "site.cdxj",
        &index.replace("site.warc.gz", "other.warc.gz"),
        Some("it belongs to another file, other.warc.gz"),
    );
    check(
        "site.cdxj",
        &index.replace("\"offset\":\"", "\"offset\":\"9"),
        Some("is past the end"),
    );
    // It swaps two URLs.
    let swapped = index
        .replace("org/a\"", "org/x\"")
        .replace("org/b\"", "org/a\"")
        .replace("org/x\"", "org/b\"");
    check(
        "site.cdxj",
        &swapped,
        Some("its CDXJ index is wrong: the file was read instead"),
    );
    // A large record does not make the index wrong.
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    let large = "<p>words ".repeat(300_000);
    writer.write_capture(&page("/large", &large)).unwrap();
    let large_index = writer.index("site.warc.gz");
    let files = Files::new(&[
        ("site.warc.gz", &writer.finish().unwrap()),
        ("site.cdxj", large_index.as_bytes()),
    ]);
    let mut archive = files.open().unwrap().with_max_bytes(1000);
    let error = archive.load(&url("/large")).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
    assert!(notes(&archive).is_empty(), "{:?}", notes(&archive));
    // An incomplete index is used.
    let files = Files::new(&[
        ("site.warc.gz", &file),
        ("site.cdxj", index.lines().next().unwrap().as_bytes()),
    ]);
    let mut archive = files.open().unwrap();
    assert!(load(&mut archive, "/c").unwrap_err().contains("no page"));
    File::options()
        .write(true)
        .open(&files.paths[1])
        .unwrap()
        .set_modified(day(1))
        .unwrap();
    let mut archive = files.open().unwrap();
    assert_eq!(
        load(&mut archive, "/c"),
        Err("no".to_owned()),
        "an old index is not used"
    );
    assert!(notes(&archive)[0].contains("it is older than the WARC file"));
}

fn three() -> [Capture; 3] {
    [
        page("/a", "<p>One <b>and</b> more"),
        response("/b", 404, &[("X", "y")], "<p>Two"),
        page("/c", "<p>Three\r\n\r\nand the end</html>"),
    ]
}

#[test]
fn a_truncated_file_has_its_complete_pages() {
    for compression in ALL {
        let file = archive_bytes(compression, &three());
        let (_files, mut archive) = archive(&file[..file.len() - 30]);
        assert_eq!(load(&mut archive, "/a"), Ok("/a One and more".to_owned()));
        let notes = notes(&archive);
        assert!(
            notes.len() == 1 && notes[0].contains("the file ends within this record"),
            "{notes:?}"
        );
    }
}

proptest! {
    #[test]
    fn nothing_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12),
        compression in prop::sample::select(&ALL[..]),
    ) {
        let mut file = archive_bytes(compression, &three());
        for (index, byte, edit) in edits {
            let at = index.index(file.len());
            match edit {
                0 => file[at] = byte,
                1 => file.insert(at, byte),
                2 => drop(file.remove(at)),
                _ => file.extend_from_within(at..file.len().min(at + usize::from(byte))),
            }
            if file.is_empty() {
                break;
            }
        }
        let files = Files::new(&[("site.warc", &file)]);
        if let Ok(mut archive) = files.open() {
            for address in ["/a", "/b", "/c"] {
                let _ = archive.load(&url(address));
            }
        }
    }
}

#[test]
fn a_packed_folder_gives_the_same_template() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites");
    let mut compared = 0;
    for site in fs::read_dir(root).unwrap() {
        let pages = site.unwrap().path().join("pages");
        let Ok(mut folder) = Folder::open(&pages, Some(url("/"))) else {
            continue;
        };
        let addresses = folder.page_urls().unwrap();
        let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
        for address in &addresses {
            let page = folder.load(address).unwrap();
            let html = husk::dom::serialize(&page.dom, page.dom.document());
            writer
                .write_capture(&self::page(address.as_str(), &html))
                .unwrap();
        }
        let (_files, mut archive) = archive(&writer.finish().unwrap());
        let Some(key) = addresses.first() else {
            continue;
        };
        let from = |source: &mut dyn Source| {
            let key_page = source.load(key).unwrap();
            let extraction = run_session(key_page, Options::default(), source, |_| ());
            (extraction.compared, extraction.loaded)
        };
        assert_eq!(from(&mut folder), from(&mut archive), "{}", pages.display());
        compared += 1;
    }
    assert!(compared > 0, "no sites");
}

/// A site on the web: its pages are not listed.
struct Live(Archive);

impl Source for Live {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.0.load(url)
    }
}

#[test]
fn an_extraction_from_an_archive_is_the_same() {
    let menu = "<ul><li><a href=/>Home</a><li><a href=/b>B</a><li><a href=/old>C</a><li><a href=/gone>D</a>\
                <li><a href=/never>E</a><li><a href=/file>F</a></ul>";
    let html = |path: &str| format!("{menu}<main><h1>On {path}</h1><p>Only on {path}: words</main>");
    let plain = |address: &str, body: &str| Capture {
        headers: vec![("Content-Type".to_owned(), "text/plain".to_owned())],
        ..page(address, body)
    };
    let site = [
        plain("/robots.txt", "User-agent: *"),
        page("/", &html("/")),
        page("/b", &html("/b")),
        redirect("/old", "/c"),
        page("/c", &html("/c")),
        response("/gone", 404, &[], "<p>No"),
        plain("/file", "just words"),
        page("/unlinked", &html("/unlinked")),
    ];
    let result = |source: &mut dyn Source| {
        let key_page = source.load(&url("/")).unwrap();
        let found = run_session(key_page, Options::default(), source, |_| ());
        (found.compared, found.loaded, found.failures, found.visits)
    };
    let (_files, whole) = archive(&archive_bytes(Compression::Gzip, &site));
    let live = result(&mut Live(whole));
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    for capture in site.iter().filter(|capture| capture.url.path() != "/unlinked") {
        writer.write_capture(capture).unwrap();
    }
    for visit in &live.3 {
        if let Some(failure) = live.2.iter().find(|failure| failure.url == visit.url) {
            writer.write_failure(&visit.url, &failure.cause).unwrap();
        }
    }
    writer.write_page_list(&[]).unwrap();
    let index = writer.index("site.warc");
    let file = writer.finish().unwrap();
    let (_files, mut again) = archive(&file);
    assert_eq!(result(&mut again), live);
    let with_index = Files::new(&[("site.warc", &file), ("site.cdxj", index.as_bytes())]);
    assert_eq!(result(&mut with_index.open().unwrap()), live);
    assert!(live.2.len() >= 2 && live.0.len() == 2, "{live:?}");
}

#[test]
fn page_lists_round_trip() {
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    writer.write_capture(&page("/a", "<p>One")).unwrap();
    writer.write_page_list(&[url("/b"), url("/x?y=z")]).unwrap();
    writer.write_page_list(&[url("/c"), url("/b")]).unwrap();
    let index = writer.index("site.warc.gz");
    let file = writer.finish().unwrap();
    for files in [
        Files::new(&[("site.warc.gz", &file)]),
        Files::new(&[("site.warc.gz", &file), ("site.cdxj", index.as_bytes())]),
    ] {
        let listed = files.open().unwrap().page_urls().unwrap();
        assert_eq!(listed, [url("/b"), url("/x?y=z"), url("/c")]);
    }
}
