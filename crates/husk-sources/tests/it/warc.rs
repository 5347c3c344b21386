//! Archives: made here in every kind, broken in every way.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use flate2::write::GzEncoder;
use husk::{Options, Page, Url};
use husk_sources::{
    Archive, ArchiveError, ArchiveWriter, Capture, Captures, Compression, Folder, LoadError, Source, extract,
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

fn answer(address: &str, status: u16, fields: &[(&str, &str)], body: &str) -> Capture {
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
    answer(address, 200, &[], body)
}

fn redirect(address: &str, to: &str) -> Capture {
    answer(address, 302, &[("Location", to)], "")
}

fn packed(compression: Compression, captures: &[Capture]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new(), compression);
    writer.info(&[("software", "husk")]);
    for capture in captures {
        writer.write(capture).unwrap();
    }
    writer.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Archives in a folder that vanishes with its test.
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

    fn open(&self) -> Result<Archive, ArchiveError> {
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
fn pages_are_found_in_every_packing() {
    let captures = [
        page("/", "<p>Home"),
        redirect("/old", "/new"),
        page("/new", "<p>New"),
        answer("/gone", 404, &[], "<p>Gone"),
        redirect("/away", "https://example.com/"),
        redirect("/circle", "/circle"),
    ];
    for compression in ALL {
        let (_files, mut archive) = archive(&packed(compression, &captures));
        assert_eq!(load(&mut archive, "/"), Ok("/ Home".to_owned()));
        assert_eq!(load(&mut archive, "/old#part"), Ok("/new New".to_owned()));
        assert_eq!(
            load(&mut archive, "http://www.example.org/new/"),
            Ok("/new New".to_owned())
        );
        let error = |archive: &mut Archive, address| load(archive, address).unwrap_err();
        assert!(error(&mut archive, "/gone").contains("answers 404"));
        assert!(error(&mut archive, "/circle").contains("in a circle"));
        assert!(error(&mut archive, "/away").contains("no page https://example.com/ in "));
        archive.stay_on(&url("/"), husk::SameSite::Host);
        assert!(error(&mut archive, "/away").contains("leads to another site"));
        let missing = archive.load(&url("/never")).unwrap_err();
        assert!(matches!(missing, LoadError::NotInArchive { .. }), "{missing}");
        assert!(
            missing.to_string().contains("site.warc: check the address"),
            "{missing}"
        );
        assert!(matches!(
            archive.load(&Url::parse("file:///etc/passwd").unwrap()),
            Err(LoadError::Scheme { .. })
        ));
        assert_eq!(archive.addresses().unwrap(), [url("/"), url("/new")]);
        assert_eq!(notes(&archive), [""; 0]);
    }
}

#[test]
fn the_newest_page_counts() {
    let at = |capture: Capture, date| Capture {
        date: day(date),
        ..capture
    };
    let first = packed(
        Compression::Gzip,
        &[at(page("/", "<p>third"), 3), at(page("/", "<p>first"), 1)],
    );
    let second = packed(
        Compression::Zstd,
        &[at(page("/", "<p>second"), 2), at(answer("/", 500, &[], ""), 9)],
    );
    let files = Files::new(&[("a.warc.gz", &first), ("b.warc.zst", &second)]);
    assert_eq!(load(&mut files.open().unwrap(), "/"), Ok("/ third".to_owned()));
}

#[test]
fn redirects_to_another_way_to_write_the_address_are_no_circle() {
    let secure = Capture {
        url: Url::parse("http://example.org/a").unwrap(),
        ..redirect("/a", "https://example.org/a")
    };
    let (_files, mut without) = archive(&packed(Compression::Gzip, std::slice::from_ref(&secure)));
    let error = without.load(&secure.url).unwrap_err();
    assert!(matches!(error, LoadError::NotInArchive { .. }), "{error}");
    let (_files, mut with) = archive(&packed(
        Compression::Gzip,
        &[secure.clone(), page("/a", "<p>Safe")],
    ));
    assert_eq!(load(&mut with, "http://example.org/a"), Ok("/a Safe".to_owned()));
    // Stored for the other host, it leads where it led from there.
    let other = Capture {
        url: Url::parse("https://www.example.org/x/b").unwrap(),
        ..redirect("/", "c")
    };
    let target = Capture {
        url: Url::parse("https://www.example.org/x/c").unwrap(),
        ..page("/", "<p>There")
    };
    let (_files, mut archive) = archive(&packed(Compression::Gzip, &[other, target]));
    assert_eq!(load(&mut archive, "/x/b"), Ok("/x/c There".to_owned()));
}

#[test]
fn failures_fail_with_the_same_words() {
    let words = "https://example.org/b: the answer took more than 3 s;\n \\allow more time (--timeout) äöü ";
    for compression in ALL {
        let mut writer = ArchiveWriter::new(Vec::new(), compression);
        writer.write(&redirect("/a", "/b")).unwrap();
        writer.failure(&url("/b"), words).unwrap();
        writer.failure(&url("/a"), "another").unwrap();
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
            "what was said last"
        );
        assert_eq!(archive.addresses(), Some(Vec::new()));
    }
}

#[test]
fn what_a_browser_made_comes_back() {
    let rendered = Capture {
        is_rendered: true,
        ..page("/app", "<nav>Menu</nav>")
    };
    let gone = Capture {
        is_rendered: true,
        ..answer("/gone", 404, &[], "<p>No")
    };
    let moved = Capture {
        is_rendered: true,
        ..redirect("/old", "/app")
    };
    let file = packed(
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
fn repetitions_are_resolved() {
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
            assert_eq!(archive.addresses().unwrap().len(), 2);
        }
    }
    // Not modified: the same address, earlier.
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
        error.contains("a repetition of an earlier answer for https://example.org/z"),
        "{error}"
    );
    // Another body is not the one.
    let other = record("revisit", "/b", "WARC-Payload-Digest: sha1:BBBB\r\n", head);
    let (_files, mut archive3) = archive(format!("{original}{other}").as_bytes());
    assert!(load(&mut archive3, "/b").is_err());
    let changed = record("revisit", "/a", "WARC-Payload-Digest: sha1:BBBB\r\n", head);
    let changed = changed.replace("2026-01-02", "2026-01-03");
    let (_files, mut archive6) = archive(format!("{original}{changed}").as_bytes());
    assert_eq!(
        load(&mut archive6, "/a"),
        Ok("/a Body".to_owned()),
        "what can be read"
    );
    assert!(
        notes(&archive6)[0].contains("another answer is used"),
        "{:?}",
        notes(&archive6)
    );
    // Two that refer to each other.
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
fn a_repetition_has_the_status_of_its_original() {
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
        // Stored once, then a redirect.
        record("response", "/both", "", &html("<p>Both")),
        later(record("revisit", "/both", &to(1), ""), "2026-01-03"),
        later(record("revisit", "/gone", "", unchanged), "2026-01-03"),
        record("revisit", "/y", &to(1), ""),
        // A page before an error.
        record("revisit", "/page", &to(3), ""),
        later(record("response", "/page", "", gone), "2026-01-03"),
        // No page, the newest of these.
        record("response", "/late", "", gone),
        later(record("revisit", "/late", &to(1), unchanged), "2026-01-03"),
        // No page, and not the newest.
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
    let listed = archive.addresses().unwrap();
    assert!(!listed.contains(&url("/gone")), "{listed:?}");
}

#[test]
fn chains_of_repetitions_end() {
    // Each refers to an id that many have.
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
fn one_member_for_all_works_too() {
    let filler = page("/filler", &"x y z ".repeat(500_000));
    let plain = packed(
        Compression::None,
        &[page("/a", "<p>One"), filler, page("/b", "<p>Two")],
    );
    for bytes in [gzip(&plain), zstd::encode_all(&plain[..], 3).unwrap()] {
        let (_files, mut archive) = archive(&bytes);
        assert_eq!(load(&mut archive, "/a"), Ok("/a One".to_owned()));
        assert_eq!(load(&mut archive, "/b"), Ok("/b Two".to_owned()));
        let notes = notes(&archive);
        assert!(
            notes.len() == 1 && notes[0].contains("packed as one"),
            "{notes:?}"
        );
    }
}

#[test]
fn parts_of_answers_are_left_out() {
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
fn what_is_no_archive_is_told() {
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
        "a ZIP file, not a WARC file: if it is a WACZ, unpack it",
    );
    check("a.html", b"<html>", "something else, not a WARC file");
    check("a.gz", &gzip(b"<html>"), "something else, not a WARC file");
    check(
        "a.gz",
        &gzip(&vec![b'x'; 3_000_000]),
        "something else, not a WARC file",
    );
    check(
        "a.zst",
        &zstd::encode_all(&b"<html>"[..], 3).unwrap(),
        "something else, not a WARC file",
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
        error.contains("none.warc") && error.contains("check that the file is there"),
        "{error}"
    );
}

#[test]
fn large_records_are_not_held() {
    let large = page("/large", &"<p>words ".repeat(300_000));
    for compression in ALL {
        let bytes = packed(compression, &[large.clone(), page("/small", "<p>Small")]);
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
fn a_wrong_length_costs_one_record() {
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
    // The next record begins anywhere in what is read at once.
    for count in (65_000..65_540).step_by(7).chain([0, 1, 200_000]) {
        let (offset, file) = file(count);
        let (_files, mut archive) = archive(file.as_bytes());
        assert_eq!(load(&mut archive, "/a"), Ok("/a One".to_owned()), "{count}");
        assert_eq!(load(&mut archive, "/b"), Ok("/b Two".to_owned()), "{count}");
        let notes = notes(&archive);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].contains(&format!("offset {offset}: this record says a wrong length")),
            "{notes:?}"
        );
    }
}

#[test]
fn what_is_too_large_hides_no_older_page() {
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
    assert_eq!(archive.addresses().unwrap(), [url("/a")]);
}

#[test]
fn an_index_beside_the_file_is_used_if_it_fits() {
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    writer.write(&page("/a", "<p>One")).unwrap();
    writer.write(&redirect("/b", "/a")).unwrap();
    writer.failure(&url("/c"), "no").unwrap();
    let index = writer.index("site.warc.gz");
    let file = writer.finish().unwrap();
    let check = |index_name: &str, index: &str, note: Option<&str>| {
        let files = Files::new(&[("site.warc.gz", &file), (index_name, index.as_bytes())]);
        let mut archive = files.open().unwrap();
        assert_eq!(load(&mut archive, "/b"), Ok("/a One".to_owned()), "{index}");
        assert_eq!(load(&mut archive, "/c"), Err("no".to_owned()), "{index}");
        assert_eq!(archive.addresses().unwrap(), [url("/a")]);
        let notes = notes(&archive);
        assert_eq!(notes.len(), usize::from(note.is_some()), "{notes:?}");
        assert!(
            notes.iter().all(|found| found.contains(note.unwrap())),
            "{notes:?}"
        );
    };
    check("site.cdxj", &index, None);
    check("site.warc.gz.cdxj", &index, None);
    check("site.cdxj", "", Some("there is nothing in it"));
    check(
        "site.cdxj",
        &index.replace("site.warc.gz", "other.warc.gz"),
        Some("about another archive, other.warc.gz"),
    );
    check(
        "site.cdxj",
        &index.replace("\"offset\":\"", "\"offset\":\"9"),
        Some("behind the end"),
    );
    // It says that another address is there.
    let swapped = index
        .replace("org/a\"", "org/x\"")
        .replace("org/b\"", "org/a\"")
        .replace("org/x\"", "org/b\"");
    check("site.cdxj", &swapped, Some("does not fit, so it was built anew"));
    // What is too large is no fault of the index.
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    let large = "<p>words ".repeat(300_000);
    writer.write(&page("/large", &large)).unwrap();
    let large_index = writer.index("site.warc.gz");
    let files = Files::new(&[
        ("site.warc.gz", &writer.finish().unwrap()),
        ("site.cdxj", large_index.as_bytes()),
    ]);
    let mut archive = files.open().unwrap().with_max_bytes(1000);
    let error = archive.load(&url("/large")).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
    assert!(notes(&archive).is_empty(), "{:?}", notes(&archive));
    // An index that knows less is believed.
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
    assert!(notes(&archive)[0].contains("it is older than the archive"));
}

/// Some captures with enough in them to be cut anywhere.
fn three() -> [Capture; 3] {
    [
        page("/a", "<p>One <b>and</b> more"),
        answer("/b", 404, &[("X", "y")], "<p>Two"),
        page("/c", "<p>Three\r\n\r\nand the end</html>"),
    ]
}

#[test]
fn cut_anywhere_what_is_whole_is_found() {
    let captures = three();
    for compression in ALL {
        let file = packed(compression, &captures);
        let ends: Vec<u64> = Captures::from_reader(&file[..])
            .unwrap()
            .map(|entry| entry.map(|entry| entry.offset + entry.len).unwrap())
            .collect();
        for cut in 0..file.len() {
            let whole = ends.iter().filter(|&&end| end <= cut as u64).count();
            let found: Vec<_> = match Captures::from_reader(&file[..cut]) {
                Ok(found) => found.collect(),
                Err(_) => Vec::new(),
            };
            let good: Vec<&Capture> = found.iter().flatten().map(|entry| &entry.capture).collect();
            assert!(good.len() >= whole, "{compression:?} cut at {cut}: {found:?}");
            for (read, written) in good.iter().zip(&captures).take(whole) {
                assert_eq!(*read, written, "{compression:?} cut at {cut}");
            }
            // What is cut short says so.
            for (read, written) in good.iter().zip(&captures) {
                assert!(
                    !read.is_whole || read.body == written.body,
                    "{compression:?} cut at {cut}: {read:?}"
                );
            }
        }
    }
}

#[test]
fn a_cut_file_serves_its_pages() {
    for compression in ALL {
        let file = packed(compression, &three());
        let (_files, mut archive) = archive(&file[..file.len() - 30]);
        assert_eq!(load(&mut archive, "/a"), Ok("/a One and more".to_owned()));
        let notes = notes(&archive);
        assert!(
            notes.len() == 1 && notes[0].contains("the file ends within this record"),
            "{notes:?}"
        );
    }
}

#[test]
fn damage_anywhere_costs_no_more_than_its_neighbours() {
    for compression in [Compression::Gzip, Compression::Zstd] {
        let file = packed(compression, &three());
        for at in 0..file.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                let Ok(found) = Captures::from_reader(&damaged[..]) else {
                    assert!(at < 4, "only the first bytes say how the file is packed: {at}");
                    continue;
                };
                let good = found
                    .flatten()
                    .filter(|entry| three().contains(&entry.capture))
                    .count();
                assert!(good >= 2, "{compression:?}, byte {at}: {good}");
            }
        }
    }
}

#[test]
fn hostile_files_end() {
    // Each record claims all that follows it.
    let greedy: String = (0..20_000)
        .map(|_| "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org/\r\nContent-Length: 9999999\r\n\r\n\r\n\r\n")
        .collect();
    // Each of these begins as a member does.
    let false_members = [
        gzip(b"WARC/1.0\r\n"),
        b"\x1F\x8B\x08\x00\0\0\0\0\0\x03".repeat(200_000),
    ]
    .concat();
    let bomb = gzip(
        &[
            &b"WARC/1.0\r\nContent-Length: 200000000\r\n\r\n"[..],
            &vec![0; 200_000_000],
        ]
        .concat(),
    );
    for file in [greedy.as_bytes(), &false_members, &bomb] {
        if let Ok(captures) = Captures::from_reader(file) {
            captures.count();
        }
    }
}

proptest! {
    #[test]
    fn nothing_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12),
        compression in prop::sample::select(&ALL[..]),
    ) {
        let mut file = packed(compression, &three());
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
        let addresses = folder.addresses().unwrap();
        let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
        for address in &addresses {
            let page = folder.load(address).unwrap();
            let html = husk::dom::serialize(&page.dom, page.dom.document());
            writer.write(&self::page(address.as_str(), &html)).unwrap();
        }
        let (_files, mut archive) = archive(&writer.finish().unwrap());
        let Some(key) = addresses.first() else {
            continue;
        };
        let from = |source: &mut dyn Source| {
            let key_page = source.load(key).unwrap();
            let extraction = extract(key_page, Options::default(), source, |_| ());
            (extraction.compared, extraction.loaded)
        };
        assert_eq!(from(&mut folder), from(&mut archive), "{}", pages.display());
        compared += 1;
    }
    assert!(compared > 0, "there are sites");
}

/// A site as the web shows it: nobody lists its pages.
struct Live(Archive);

impl Source for Live {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.0.load(url)
    }
}

#[test]
fn what_was_loaded_gives_the_same_answer_again() {
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
        answer("/gone", 404, &[], "<p>No"),
        plain("/file", "just words"),
        page("/unlinked", &html("/unlinked")),
    ];
    let result = |source: &mut dyn Source| {
        let key_page = source.load(&url("/")).unwrap();
        let found = extract(key_page, Options::default(), source, |_| ());
        (found.compared, found.loaded, found.failures, found.visits)
    };
    let (_files, whole) = archive(&packed(Compression::Gzip, &site));
    let live = result(&mut Live(whole));
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    for capture in site.iter().filter(|capture| capture.url.path() != "/unlinked") {
        writer.write(capture).unwrap();
    }
    for visit in &live.3 {
        if let Some(failure) = live.2.iter().find(|failure| failure.url == visit.url) {
            writer.failure(&visit.url, &failure.cause).unwrap();
        }
    }
    writer.listing(&[]).unwrap();
    let index = writer.index("site.warc");
    let file = writer.finish().unwrap();
    let (_files, mut again) = archive(&file);
    assert_eq!(result(&mut again), live);
    let with_index = Files::new(&[("site.warc", &file), ("site.cdxj", index.as_bytes())]);
    assert_eq!(result(&mut with_index.open().unwrap()), live);
    assert!(live.2.len() >= 2 && live.0.len() == 2, "{live:?}");
}

#[test]
fn what_was_listed_is_listed_again() {
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    writer.write(&page("/a", "<p>One")).unwrap();
    writer.listing(&[url("/b"), url("/x?y=z")]).unwrap();
    writer.listing(&[url("/c"), url("/b")]).unwrap();
    let index = writer.index("site.warc.gz");
    let file = writer.finish().unwrap();
    for files in [
        Files::new(&[("site.warc.gz", &file)]),
        Files::new(&[("site.warc.gz", &file), ("site.cdxj", index.as_bytes())]),
    ] {
        let listed = files.open().unwrap().addresses().unwrap();
        assert_eq!(listed, [url("/b"), url("/x?y=z"), url("/c")]);
    }
}
