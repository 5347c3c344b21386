use std::fs;

use husk::{SameSite, Url};
use husk_bulk::{InputNames, Progress, Settings, bulk};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, page, pages, response, rows, small_pieces};

#[test]
fn skipped_records_are_counted_by_reason() {
    let mut captures = pages(12);
    captures.insert(
        3,
        response("https://a.example/gone", 404, "text/html", b"<p>Not here"),
    );
    captures.insert(4, response("https://a.example/moved", 301, "text/html", b""));
    captures.insert(
        9,
        response("https://a.example/logo.png", 200, "image/png", b"\x89PNG"),
    );
    captures.push(response(
        "https://a.example/feed",
        200,
        "application/pdf",
        b"%PDF",
    ));
    captures.push(response("urn:a:page", 200, "text/html", b"<p>Nowhere"));
    let crawl = Crawl::of(&captures);
    let counts = crawl.run("out", &small_pieces()).unwrap().manifest.counts;
    assert_eq!(counts.pages, 12);
    let skipped: Vec<(&str, u64)> = counts
        .skipped
        .iter()
        .map(|(name, times)| (name.as_str(), *times))
        .collect();
    assert_eq!(
        skipped,
        [
            ("http-error", 1),
            ("not-a-response", 1),
            ("not-html", 2),
            ("redirect", 1),
            ("unusable-url", 1)
        ]
    );
    assert_eq!(counts.records, 18);
}

#[test]
fn damaged_records_are_skipped_and_counted() {
    let captures = pages(40);
    let mut bytes = archive(&captures, Compression::Gzip);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 30].fill(0x55);
    bytes.truncate(bytes.len() - 40);
    let crawl = Crawl::new(&[("crawl.warc.gz", bytes)]);
    let notes = std::sync::Mutex::new(Vec::new());
    let inputs = InputNames {
        names: vec![crawl.inputs[0].clone().into()],
        ..InputNames::default()
    };
    let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
    let done = bulk(
        &inputs,
        &crawl.path("out"),
        &small_pieces(),
        &Progress::default(),
        &note,
    )
    .unwrap();
    let counts = done.manifest.counts;
    let notes = notes.into_inner().unwrap();
    assert!(counts.skipped["damaged"] >= 2, "{counts:?}");
    let archives: Vec<&String> = counts.damaged.keys().collect();
    assert_eq!(archives, [&crawl.inputs[0].display().to_string()]);
    assert_eq!(counts.damaged[archives[0]], counts.skipped["damaged"]);
    assert!((36..40).contains(&counts.pages), "{counts:?}");
    assert_eq!(counts.pages, rows(&crawl.path("out")).len() as u64);
    assert!(
        notes.len() >= 2 && notes.iter().all(|note| note.contains("crawl.warc.gz")),
        "{notes:?}"
    );
}

#[test]
fn unreadable_inputs_fail_before_the_run_starts() {
    let good = archive(&pages(3), Compression::Gzip);
    for (bad, message) in [
        (
            &b"<html>"[..],
            "bad.warc.gz is an HTML or XML file, not a WARC file",
        ),
        (b"", "bad.warc.gz is empty"),
    ] {
        let crawl = Crawl::new(&[("good.warc.gz", good.clone()), ("bad.warc.gz", bad.to_vec())]);
        let error = crawl.run("out", &Settings::default()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(!crawl.path("out").exists());
    }
    let mut crawl = Crawl::new(&[("good.warc.gz", good)]);
    crawl.inputs.push(crawl.path("nowhere.warc"));
    let error = crawl.run("out", &Settings::default()).unwrap_err().to_string();
    assert!(
        error.contains("cannot read") && error.contains("nowhere.warc"),
        "{error}"
    );
    crawl.inputs[1] = crawl.inputs[0].clone();
    let error = crawl.run("out", &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("are the same input"), "{error}");
    crawl.inputs = vec![crawl.folder.path().to_owned()];
    let error = crawl.run("out", &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("is inside the input"), "{error}");
}

#[test]
fn an_archive_without_pages_gives_no_rows() {
    let crawl = Crawl::of(&[response("https://a.example/x.png", 200, "image/png", b"\x89PNG")]);
    let done = crawl.run("out", &Settings::default()).unwrap();
    assert_eq!((done.manifest.totals.rows, done.manifest.parts.len()), (0, 0));
    assert_eq!(done.manifest.counts.skipped["not-html"], 1);
}

#[test]
fn lists_name_inputs_in_their_order() {
    let files: Vec<(String, Vec<u8>)> = (0..3)
        .map(|number| {
            let captures = [page("a.example", number), page("b.example", number)];
            (format!("{number}.warc"), archive(&captures, Compression::None))
        })
        .collect();
    let files: Vec<(&str, Vec<u8>)> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.clone()))
        .collect();
    let mut crawl = Crawl::new(&files);
    let line = |number: usize| crawl.inputs[number].display().to_string();
    let list = format!("# crawls\n\n{}\n  {}\n", line(2), line(0));
    fs::write(crawl.path("list.txt"), list).unwrap();
    crawl.inputs = vec![
        format!("@{}", crawl.path("list.txt").display()).into(),
        crawl.inputs[1].clone(),
    ];
    crawl.run("out", &Settings::default()).unwrap();
    let urls: Vec<String> = rows(&crawl.path("out")).into_iter().map(|row| row.url).collect();
    let expect = ["a", "b"].map(|site| [2, 0, 1].map(|number| format!("https://{site}.example/{number}")));
    assert_eq!(urls, expect.concat());
    fs::write(crawl.path("list.txt"), "# nothing\n").unwrap();
    let error = crawl.run("out-2", &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("list.txt is empty"), "{error}");
}

/// Writes pages of a site into a folder.
fn save(folder: &std::path::Path, count: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..count {
        fs::write(
            folder.join(format!("{number}.html")),
            page("x.example", number).body,
        )
        .unwrap();
    }
}

#[test]
fn folders_hold_archives_or_sites() {
    let mut crawl = Crawl::new(&[]);
    let input = crawl.path("in");
    save(&input.join("one.example"), 3);
    save(&input.join("two.example"), 2);
    save(&input.join("notes"), 1);
    crawl.inputs = vec![input.clone()];
    crawl.run("hosts", &Settings::default()).unwrap();
    let urls: Vec<String> = rows(&crawl.path("hosts"))
        .into_iter()
        .map(|row| row.url)
        .collect();
    assert_eq!(urls.len(), 5);
    assert_eq!(urls[0], "https://one.example/0");
    assert_eq!(urls[4], "https://two.example/1");

    crawl.inputs = vec![input.join("notes")];
    crawl.run("file", &Settings::default()).unwrap();
    let row = &rows(&crawl.path("file"))[0];
    assert!(
        row.url.starts_with("file:///") && row.site.ends_with("/notes/"),
        "{row:?}"
    );

    let settings = Settings {
        base_url: Some(Url::parse("https://www.known.example/docs/").unwrap()),
        ..Settings::default()
    };
    crawl.run("base", &settings).unwrap();
    let row = &rows(&crawl.path("base"))[0];
    assert_eq!(
        (row.url.as_str(), row.site.as_str()),
        ("https://www.known.example/docs/0.html", "known.example")
    );

    fs::create_dir(input.join("notes/deep")).unwrap();
    fs::write(
        input.join("notes/deep/a.warc.gz"),
        archive(&pages(4), Compression::Gzip),
    )
    .unwrap();
    crawl.inputs = vec![input];
    crawl.run("archives", &Settings::default()).unwrap();
    assert_eq!(rows(&crawl.path("archives")).len(), 4);

    crawl.inputs = vec![crawl.path("empty")];
    fs::create_dir(crawl.path("empty")).unwrap();
    let error = crawl.run("none", &Settings::default()).unwrap_err().to_string();
    assert!(
        error.contains("empty contains no WARC files and no pages"),
        "{error}"
    );
}

#[test]
fn sites_are_hosts_or_domains() {
    let crawl = Crawl::of(&[
        page("news.a.example", 1),
        page("www.a.example", 2),
        page("a.example", 3),
    ]);
    for (same_site, expect) in [
        (SameSite::Host, &["a.example", "a.example", "news.a.example"][..]),
        (SameSite::Domain, &["a.example"; 3]),
    ] {
        let settings = Settings {
            same_site,
            restart: true,
            ..Settings::default()
        };
        crawl.run("out", &settings).unwrap();
        let rows = rows(&crawl.path("out"));
        let sites: Vec<&str> = rows.iter().map(|row| row.site.as_str()).collect();
        assert_eq!(sites, expect);
    }
}
