//! Pages saved each in one file.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use husk::output::{OutputOptions, content_html, to_html};
use husk::{Content, Options, Page, Url};
use husk_sources::{LoadError, Snapshot, Snapshots, Source, run_session};

use crate::pages::{Pages, text};

/// A page as Chromium saves it. The names of its style sheet and frame are new each time.
fn mhtml(path: &str, names: &str) -> String {
    let links: String = ["a", "b", "c", "d"]
        .iter()
        .map(|page| format!("<li><a href=3D\"https://example.org/{page}\">Page {page}</a></li>"))
        .collect();
    format!(
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/{path}\r\n\
         Subject: =?utf-8?Q?Caf=C3=A9?=\r\nDate: Mon, 16 Nov 2026 06:16:46 GMT\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----Boundary--{names}----\"\r\n\r\n\r\n\
         ------Boundary--{names}----\r\nContent-Type: text/html\r\nContent-ID: <frame-{names}@mhtml.blink>\r\n\
         Content-Transfer-Encoding: quoted-printable\r\nContent-Location: https://example.org/{path}\r\n\r\n\
         <!DOCTYPE html><html><head><meta http-equiv=3D\"Content-Type\" content=3D\"text/html; charset=3DUTF-8\">\
         <link rel=3D\"stylesheet\" type=3D\"text/css\" href=3D\"cid:css-{names}@mhtml.bl=\r\nink\" />\
         <link rel=3D\"stylesheet\" href=3D\"https://example.org/site.css\"><title>Caf=C3=A9 {path}</title></head>\
         <body><ul>{links}</ul><img src=3D\"https://example.org/logo.png\">\
         <iframe src=3D\"cid:frame-inner-{names}@mhtml.blink\"></iframe>\
         <main><h1>On {path}</h1><p>Only on {path}, and at some length.</p>\
         <img src=3D\"https://example.org/{path}.png\"></main></body></html>\r\n\
         ------Boundary--{names}----\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: cid:css-{names}@mhtml.blink\r\n\r\n\
         @charset \"utf-8\";\r\n\r\nbody {{ background: url(\"paper.png\"); }}\r\n\
         ------Boundary--{names}----\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: https://example.org/site.css\r\n\r\nul {{ background: url(\"logo.png\"); }}\r\n\
         ------Boundary--{names}----\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\
         Content-Location: https://example.org/logo.png\r\n\r\nbG9n\r\nbw==\r\n\r\n\
         ------Boundary--{names}----\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\
         Content-Location: https://example.org/paper.png\r\n\r\ncGFwZXI=\r\n\r\n\
         ------Boundary--{names}----\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\
         Content-Location: https://example.org/{path}.png\r\n\r\nb3du\r\n\r\n\
         ------Boundary--{names}----\r\nContent-Type: text/html\r\nContent-ID: <frame-inner-{names}@mhtml.blink>\r\n\
         Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>In a frame<script>alert(1)</script></p>\r\n\
         ------Boundary--{names}------\r\n"
    )
}

/// A message with one part.
fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"x\"\r\n\r\n--x\r\n{fields}\r\n\r\n"
    );
    [head.as_bytes(), body, b"\r\n--x--\r\n"].concat()
}

fn around(folder: &Pages, file: &str) -> Result<Option<Snapshot>, LoadError> {
    Snapshots::around(&folder.path().join(file), None)
}

/// The page in a file of these bytes.
fn saved(name: &str, bytes: &[u8]) -> Result<Page, String> {
    let folder = Pages::new(&[]);
    fs::write(folder.path().join(name), bytes).unwrap();
    let snapshot = around(&folder, name).map_err(|cause| {
        cause
            .to_string()
            .replace(&format!("{}/", folder.path().display()), "")
    })?;
    Ok(snapshot.unwrap().key_page)
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn site_of_mhtml() -> Pages {
    let files = [
        ("first.mhtml", mhtml("a", "1f")),
        ("second.mht", mhtml("b", "2a")),
        ("third.mhtml", mhtml("c", "3c")),
        ("older/fourth.mhtml", mhtml("d", "4d")),
    ];
    Pages::new(&files.each_ref().map(|(name, text)| (*name, text.as_str())))
}

#[test]
fn saved_pages_are_siblings_by_the_addresses_they_come_from() {
    let folder = site_of_mhtml();
    let Snapshot {
        key_page,
        resources,
        mut site,
        ..
    } = around(&folder, "first.mhtml").unwrap().unwrap();
    assert_eq!(key_page.url.as_str(), "https://example.org/a");
    let addresses = site.page_urls().unwrap();
    let expect = ["a", "d", "b", "c"].map(|path| url(&format!("https://example.org/{path}")));
    assert_eq!(
        addresses.into_iter().collect::<std::collections::BTreeSet<_>>(),
        expect.into()
    );
    let extraction = run_session(key_page, Options::default(), &mut site, |_| ());
    assert_eq!(extraction.compared.len(), 3);

    let options = OutputOptions {
        resources: Some(resources.clone()),
        ..OutputOptions::default()
    };
    let html = to_html(&extraction, &options);
    // The style sheet without URL has other names in other files, but is the same.
    assert!(
        html.contains("<style>body { background: url(\"data:image/png;base64,cGFwZXI=\"); }</style>"),
        "{html}"
    );
    assert!(html.contains("href=\"data:text/css;charset=utf-8,ul%20{%20background:%20url(%22data:image/png;base64,bG9nbw==%22);%20}\""), "{html}");
    assert!(
        html.contains("<img src=\"data:image/png;base64,bG9nbw==\">"),
        "{html}"
    );
    assert!(html.contains("<a href=\"https://example.org/b\">"), "{html}");
    assert!(!html.contains("cid:") && !html.contains("Only on"), "{html}");
    assert!(
        html.contains("<iframe></iframe>"),
        "a document is left out: {html}"
    );

    let options = OutputOptions {
        resources: Some(resources),
        ..OutputOptions::default()
    };
    let content = content_html(&extraction.key_page, &Content::of(&extraction), &options);
    assert!(
        content.contains("<img src=\"data:image/png;base64,b3du\""),
        "{content}"
    );
    assert!(content.contains("Only on a, and at some length."), "{content}");
}

#[test]
fn frames_stay_for_those_who_want_scripts() {
    let page = saved("a.mhtml", mhtml("a", "1").as_bytes()).unwrap();
    let dom = &page.dom;
    let frame = dom.nodes().find(|&node| &**dom.name(node) == "iframe").unwrap();
    let src = dom.attributes(frame).next().unwrap().value;
    assert!(src.starts_with("data:text/html;charset=utf-8;base64,"), "{src}");
}

#[test]
fn every_packing_and_encoding() {
    let check = |fields: &str, body: &[u8]| {
        let fields = format!("{fields}\r\nContent-Location: https://example.org/");
        let page = saved("x.mht", &message(&fields, body)).unwrap();
        assert_eq!(
            (text(&page).trim(), page.url.as_str()),
            ("café", "https://example.org/"),
            "{fields}"
        );
    };
    let utf16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    check(
        "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit",
        "<p>café".as_bytes(),
    );
    check(
        "content-type: TEXT/HTML;\r\n charset=\"ISO-8859-1\"",
        b"<p>caf\xE9",
    );
    check(
        "Content-Type: text/html\r\nContent-Transfer-Encoding: Quoted-Printable",
        b"<meta charset=3Dwindows-12=\r\n52><p>caf=E9",
    );
    check(
        "Content-Type: text/html\r\nContent-Transfer-Encoding: base64",
        b"PHA+Y2Fmw6k=",
    );
    // Internet Explorer's name for UTF-16.
    check("Content-Type: text/html; charset=unicode", &utf16("<p>café"));
    check("Content-Type: text/html; charset=us-ascii", "<p>café".as_bytes());
    check("Content-Type: application/xhtml+xml", "<p>café".as_bytes());
}

#[test]
fn a_file_in_utf_16() {
    let text = String::from_utf8(message(
        "Content-Type: text/html\r\nContent-Location: https://example.org/",
        b"<p>Hello",
    ))
    .unwrap();
    let bytes: Vec<u8> = "\u{feff}"
        .chars()
        .chain(text.chars())
        .collect::<String>()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        saved("x.mht", &bytes).unwrap().url.as_str(),
        "https://example.org/"
    );
}

#[test]
fn the_page_among_the_parts() {
    // Office programs nest parts, and name folders of their own machine.
    let nested = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"x\"; start=\"<two@x>\"\n\n\
        Shown to those who cannot.\n\n--x\nContent-Type: multipart/alternative; boundary=y\n\n\
        --y\nContent-Type: text/plain\n\nplain\n--y\nContent-Type: text/html\n\n<p>one\n--y--\n\n\
        --x\nContent-Type: text/html\nContent-ID: <two@x>\nContent-Location: file:///C:/1/two.htm\n\n\
        <p>two<img src=two_files/a.png>\n\
        --x\nContent-Type: image/png\nContent-Location: file:///C:/1/two_files/a.png\n\nPNG\n--x--";
    let folder = Pages::new(&[("x.mht", nested)]);
    let snapshot = around(&folder, "x.mht").unwrap().unwrap();
    assert_eq!(text(&snapshot.key_page).trim(), "two");
    assert_eq!(snapshot.key_page.url.as_str(), "file:///C:/1/two.htm");
    assert!(!snapshot.resources.is_empty());
    let without_start = nested.replace("; start=\"<two@x>\"", "");
    assert_eq!(
        text(&saved("x.mht", without_start.as_bytes()).unwrap()).trim(),
        "one"
    );
    // A page that does not say where it comes from has the URL of its file.
    let page = saved("x.mht", &message("Content-Type: text/html", b"<p>x")).unwrap();
    assert_eq!(page.url.scheme(), "file");
    let alone =
        b"MIME-Version: 1.0\nContent-Type: text/html\nContent-Location: https://example.org/\n\n<p>alone";
    assert_eq!(text(&saved("x.mht", alone).unwrap()), "alone");
}

#[test]
fn an_address_that_is_given_counts_more_than_what_a_file_claims() {
    let folder = site_of_mhtml();
    let nowhere = message("Content-Type: text/html", b"<a href=b>B</a>");
    fs::write(folder.path().join("nowhere.mht"), nowhere).unwrap();
    fs::write(folder.path().join("s.html"), single_file("s", EARLY, "x")).unwrap();
    let given = url("https://example.org/given");
    for file in ["first.mhtml", "nowhere.mht", "s.html"] {
        let told = around(&folder, file).unwrap().unwrap();
        assert!(!told.is_url_given && told.key_page.url != given, "{file}");
        let found = Snapshots::around(&folder.path().join(file), Some(&given));
        let mut found = found.unwrap().unwrap();
        assert!(found.is_url_given, "{file}");
        assert_eq!(found.key_page.url, given, "{file}");
        let itself = fs::canonicalize(folder.path().join(file)).unwrap();
        assert_eq!(found.site.file_of(&given), Some(itself), "{file}");
        // By the URL it claims, it would be its own sibling.
        assert_eq!(found.site.file_of(&told.key_page.url), None, "{file}");
        assert!(
            found.site.file_of(&url("https://example.org/b")).is_some(),
            "{file}"
        );
    }
}

#[test]
fn what_is_wrong_is_said() {
    let check = |bytes: &[u8], expect: &str| assert_eq!(saved("x.mhtml", bytes).unwrap_err(), expect);
    check(
        b"<p>Hello",
        "x.mhtml is not a complete MHTML file: it does not begin with MIME headers; save the page again",
    );
    check(
        b"MIME-Version: 1.0\nContent-Type: multipart/related\n\n--x\n",
        "x.mhtml is not a complete MHTML file: it does not declare a boundary; save the page again",
    );
    check(
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n",
        "x.mhtml is not a complete MHTML file: it ends before its first part; save the page again",
    );
    check(
        &message("Content-Type: image/png", b"PNG"),
        "x.mhtml is not a complete MHTML file: none of its parts is a page; save the page again",
    );
    check(
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>Hel",
        "x.mhtml is not a complete MHTML file: it ends in the middle of the page; save the page again",
    );
    check(
        &message("Content-Type: text/html", b"%PDF-1.7"),
        "x.mhtml is a PDF document, not a page: expected HTML",
    );
}

#[test]
fn a_file_that_breaks_off_anywhere_is_a_page_or_an_error() {
    let whole = mhtml("a", "1").into_bytes();
    let end_of_page = whole.windows(7).position(|window| window == b"</html>").unwrap() + 7;
    let folder = Pages::new(&[]);
    let file = folder.path().join("x.mhtml");
    for end in 0..whole.len() {
        fs::write(&file, &whole[..end]).unwrap();
        let found = Snapshots::around(&file, None);
        if end >= end_of_page {
            let page = found.unwrap().unwrap().key_page;
            assert!(text(&page).contains("Only on a"), "at {end}");
        } else {
            assert!(!matches!(found, Ok(None)), "at {end}");
        }
    }
}

#[test]
fn broken_bytes_anywhere_do_no_harm() {
    let whole = mhtml("a", "1").into_bytes();
    let folder = Pages::new(&[]);
    let file = folder.path().join("x.mhtml");
    for at in (0..whole.len()).step_by(7) {
        for byte in [0, b'\n', b'=', b'-', b':', 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            fs::write(&file, &bytes).unwrap();
            let _ = Snapshots::around(&file, None);
        }
    }
}

#[test]
fn large_parts_and_many_names_are_bounded() {
    let started = Instant::now();
    let picture = "QUJD".repeat(8 << 20);
    let images = "<img src=cid:big>".repeat(100_000);
    let message = format!(
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\
         Content-Location: https://example.org/\n\n{images}\n--x\nContent-Type: image/png\nContent-ID: <big>\n\
         Content-Transfer-Encoding: base64\n\n{picture}\n--x--\n"
    );
    let page = saved("x.mhtml", message.as_bytes()).unwrap();
    let bytes: usize = page
        .dom
        .nodes()
        .flat_map(|node| page.dom.attributes(node))
        .map(|attribute| attribute.value.len())
        .sum();
    assert!(bytes < 100 << 20, "{bytes}");
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let folder = Pages::new(&[("a.mhtml", &mhtml("a", "1"))]);
    let mut site = Snapshots::open(&folder.path()).unwrap().with_max_bytes(1000);
    let error = site.load(&url("https://example.org/a")).unwrap_err();
    assert!(
        matches!(error, LoadError::TooLarge { limit: 1000, .. }),
        "{error}"
    );
    let file = fs::File::create(folder.path().join("huge.mhtml")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let error = around(&folder, "huge.mhtml").unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
}

/// A page as SingleFile saves it.
fn single_file(path: &str, date: &str, words: &str) -> String {
    format!(
        "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://example.org/{path} \n saved date: \
         {date}\n--><meta charset=utf-8>\n<title>{path}</title><style>p{{color:red}}</style>\
         <nav><a href=https://example.org/a>A</a> <a href=https://example.org/b>B</a> <a href=https://example.org/c>C</a></nav>\
         <p>{words}"
    )
}

const EARLY: &str = "Mon Nov 16 2026 06:19:51 GMT+0100 (Central European Standard Time)";
const LATE: &str = "Mon Nov 16 2026 06:00:00 GMT+0000 (Coordinated Universal Time)";

#[test]
fn of_two_files_with_one_address_the_last_saved_counts() {
    let folder = Pages::new(&[
        ("A.html", &single_file("a", EARLY, "key")),
        ("B (1).html", &single_file("b", EARLY, "early")),
        ("B.html", &single_file("b", LATE, "late")),
        (
            "c.html",
            "<!-- saved from url=(0021)https://example.org/c --><p>C",
        ),
        (
            "weak.html",
            "<link rel=canonical href=https://example.org/c><p>weak",
        ),
        ("d.html", "<link rel=canonical href=https://example.org/d><p>D"),
        ("notes.txt", "<!-- saved from url=(0021)https://example.org/e -->"),
    ]);
    let mut snapshot = around(&folder, "A.html").unwrap().unwrap();
    assert_eq!(snapshot.key_page.url.as_str(), "https://example.org/a");
    let mut load = |path: &str| snapshot.site.load(&url(&format!("http://www.example.org{path}")));
    assert!(text(&load("/b/").unwrap()).ends_with("late"));
    assert_eq!(text(&load("/c").unwrap()), "C");
    assert_eq!(text(&load("/d").unwrap()), "D");
    let error = load("/e").unwrap_err();
    assert!(matches!(error, LoadError::NotFound { .. }), "{error}");
}

#[test]
fn pages_of_mirrors_are_no_snapshots() {
    let mark = "<!-- saved from url=(0020)https://example.org/ -->";
    let folder = Pages::new(&[
        (
            "index.html",
            &format!(
                "{mark}<a href=a.html>A</a><a href=b%20c.html#x>B</a><a href=https://example.org/>H</a>"
            ),
        ),
        ("a.html", ""),
        ("b c.html", ""),
        ("plain.html", "<a href=a.html>A</a>"),
        (
            "httrack.html",
            "<!-- Mirrored from example.org/ by HTTrack --><a href=a.html>A</a>",
        ),
        (
            "saved.html",
            &format!("{mark}<a href=a.html>A</a><a href=https://example.org/>H</a>"),
        ),
    ]);
    for file in ["index.html", "plain.html", "httrack.html", "a.html"] {
        assert!(around(&folder, file).unwrap().is_none(), "{file}");
    }
    assert!(around(&folder, "saved.html").unwrap().is_some());
    assert!(
        Snapshots::around(&folder.path(), None).unwrap().is_none(),
        "a folder"
    );
    assert!(
        Snapshots::around(Path::new("gone.mhtml"), None)
            .unwrap()
            .is_none()
    );
}

#[test]
fn what_browsers_save_beside_a_page_is_shown() {
    let page = "<!-- saved from url=(0021)https://example.org/a --><link rel=stylesheet href='./My%20page_files/s.css'>\
        <img src='./My%20page_files/logo.svg'><img src='secret/x.png'><a href=https://example.org/b>B</a>";
    let folder = Pages::new(&[
        ("My page.html", page),
        ("My page_files/s.css", "p{background:url(\"logo.svg\")}"),
        ("My page_files/logo.svg", "<svg/>"),
        ("My page_files/a.js", "alert(1)"),
        ("secret/x.png", "secret"),
    ]);
    let Snapshot {
        key_page, resources, ..
    } = around(&folder, "My page.html").unwrap().unwrap();
    let extraction = husk::Session::new(key_page, Options::default()).finish();
    let options = OutputOptions {
        resources: Some(resources),
        ..OutputOptions::default()
    };
    let html = to_html(&extraction, &options);
    assert!(
        html.contains("<img src=\"data:image/svg+xml;base64,PHN2Zy8+\">"),
        "{html}"
    );
    assert!(
        html.contains(
            "href=\"data:text/css;charset=utf-8,p{background:url(%22data:image/svg+xml;base64,PHN2Zy8+%22)}\""
        ),
        "{html}"
    );
    assert!(
        html.contains("src=\"https://example.org/secret/x.png\""),
        "{html}"
    );
}

#[test]
fn what_is_beside_several_pages_agrees() {
    let page = |name: &str, path: &str| {
        format!(
            "<!-- saved from url=(0021)https://example.org/{path} --><link rel=stylesheet href=\"./{name}_files/s.css\">\
             <ul><li><a href=https://example.org/a>A</a><li><a href=https://example.org/b>B</a>\
             <li><a href=https://example.org/c>C</a></ul><img src=\"{}_files/logo.png\" alt=Logo>\
             <main><h1>{path}</h1><p>Only on {path}, at some length.<img src=\"{name}_files/{path}.png\"></main>",
            name.replace(' ', "%20")
        )
    };
    let mut files = Vec::new();
    for (name, path) in [("Page A & more", "a"), ("Page B", "b"), ("Page C", "c")] {
        files.push((format!("{name}.html"), page(name, path)));
        for file in ["s.css", "logo.png", &format!("{path}.png")] {
            files.push((format!("{name}_files/{file}"), file.to_owned()));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = Pages::new(&files);
    let Snapshot {
        key_page,
        resources,
        mut site,
        ..
    } = around(&folder, "Page A & more.html").unwrap().unwrap();
    let extraction = run_session(key_page, Options::default(), &mut site, |_| ());
    assert_eq!(extraction.compared.len(), 2);
    let dom = &extraction.key_page.dom;
    let logo = dom.nodes().find(|&node| &**dom.name(node) == "img").unwrap();
    assert_eq!(extraction.template.support(logo).verbatim, 2);
    let options = OutputOptions {
        resources: Some(resources),
        ..OutputOptions::default()
    };
    let html = to_html(&extraction, &options);
    assert!(
        html.contains("<img src=\"data:image/png;base64,bG9nby5wbmc=\""),
        "{html}"
    );
    assert!(
        html.contains("href=\"data:text/css;charset=utf-8,s.css\""),
        "{html}"
    );
}

#[test]
fn pages_of_an_archive_on_the_web_find_each_other() {
    let page = |time: &str, path: &str| {
        format!(
            "<!-- saved from url=(0061)https://web.archive.org/web/{time}/https://example.org/{path} --><p>{path}"
        )
    };
    let folder = Pages::new(&[
        ("a.html", &page("20200101000000", "a")),
        ("b.html", &page("20210101000000", "b")),
    ]);
    let mut snapshot = around(&folder, "a.html").unwrap().unwrap();
    let linked = url("https://web.archive.org/web/20200101000000/http://example.org/b");
    assert_eq!(text(&snapshot.site.load(&linked).unwrap()), "b");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed() {
    let folder = Pages::new(&[
        ("in/a.html", &single_file("a", EARLY, "key")),
        ("out/b.html", &single_file("b", EARLY, "out")),
    ]);
    let path = folder.path();
    std::os::unix::fs::symlink(path.join("out/b.html"), path.join("in/b.html")).unwrap();
    std::os::unix::fs::symlink(path.join("out"), path.join("in/out")).unwrap();
    let mut snapshot = around(&folder, "in/a.html").unwrap().unwrap();
    assert_eq!(snapshot.site.page_urls().unwrap().len(), 1);
}
