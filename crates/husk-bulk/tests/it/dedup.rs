use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;

use husk_bulk::dedup::{DedupReader, DedupTotals, StoredPage};
use husk_bulk::{Manifest, Settings};
use husk_sources::Capture;

use crate::crawl::{Crawl, answer, files, page, pages, rows, small_pieces};

fn with_dedup() -> Settings {
    Settings {
        dedup: true,
        ..small_pieces()
    }
}

/// All pages of the files that a manifest names, in order.
fn stored(crawl: &Crawl, out: &str, manifest: &Manifest) -> Vec<StoredPage> {
    let mut stored = Vec::new();
    for part in &manifest.parts {
        let slots = part.slots.as_ref().unwrap();
        let file = File::open(crawl.path(out).join(&slots.name)).unwrap();
        assert_eq!(file.metadata().unwrap().len(), slots.totals.packed);
        let before = stored.len();
        for page in DedupReader::new(BufReader::new(file)).unwrap() {
            stored.push(page.unwrap());
        }
        let count = (stored.len() - before) as u64;
        assert_eq!((slots.totals.pages, part.rows), (count, count));
    }
    stored
}

fn hostile() -> Vec<Capture> {
    let html = "text/html; charset=iso-8859-1";
    vec![
        answer("https://odd.example/empty", 200, html, b""),
        answer(
            "https://odd.example/latin",
            203,
            html,
            b"<p>Ol\xE9, in the caf\xE9.\r\n\0",
        ),
        answer("https://odd.example/cut", 200, html, b"<p>It ends <a hre"),
        // One address twice, with other bytes.
        answer("https://odd.example/cut", 200, html, b"<p>It ends <b>here</b>"),
        page("few.example", 1),
        page("few.example", 2),
    ]
}

#[test]
fn every_page_comes_back_byte_for_byte() {
    let captures = [pages(60), hostile()].concat();
    let crawl = Crawl::of(&captures);
    let manifest = crawl.run("out", &with_dedup()).unwrap().manifest;
    let stored = stored(&crawl, "out", &manifest);
    let rows = rows(&crawl.path("out"));
    assert_eq!(stored.len(), captures.len());
    // The same pages as the rows, in the same order.
    for (page, row) in stored.iter().zip(&rows) {
        assert_eq!((&page.head.url, &page.head.layout), (&row.url, &row.layout));
        assert_eq!((&page.head.date, page.bytes.len() as u64), (&row.date, row.bytes));
    }
    assert!(stored.iter().any(|page| page.head.layout.is_some()));
    // And the same as those that were captured.
    let mut captured: BTreeMap<String, Vec<&Capture>> = BTreeMap::new();
    for capture in &captures {
        captured.entry(capture.url.to_string()).or_default().push(capture);
    }
    for page in &stored {
        let capture = captured.get_mut(&page.head.url).unwrap().remove(0);
        assert_eq!(page.bytes, capture.body, "{}", page.head.url);
        assert_eq!(page.head.status, capture.status);
        assert_eq!(page.head.content_type.as_deref(), capture.header("content-type"));
    }
}

#[test]
fn pages_are_found_by_their_address() {
    let crawl = Crawl::of(&pages(60));
    let manifest = crawl.run("out", &with_dedup()).unwrap().manifest;
    let mut found = 0;
    for part in &manifest.parts {
        let name = &part.slots.as_ref().unwrap().name;
        let mut reader = DedupReader::new(File::open(crawl.path("out").join(name)).unwrap()).unwrap();
        for page in reader.find("https://large.example/57").unwrap() {
            assert_eq!(page.bytes, self::page("large.example", 57).body);
            found += 1;
        }
    }
    assert_eq!(found, 1);
}

#[test]
fn the_manifest_says_what_it_takes() {
    let crawl = Crawl::of(&pages(200));
    let one_part = Settings {
        dedup: true,
        ..Settings::default()
    };
    let Manifest { totals, dedup, .. } = crawl.run("one", &one_part).unwrap().manifest;
    let stored: DedupTotals = dedup.unwrap();
    assert_eq!((stored.pages, stored.bytes), (totals.rows, totals.bytes));
    assert_eq!(stored.templates, totals.sites);
    let rivals = stored.rivals.unwrap();
    assert!(
        stored.packed < rivals.zstd && rivals.zstd < stored.bytes,
        "{stored:?}"
    );
    let read = fs::read_to_string(crawl.path("one/manifest.json")).unwrap();
    assert!(read.contains("\"pages-00000.slots\""), "{read}");
    // Many files repeat templates, but hold the same pages.
    let many = crawl.run("many", &with_dedup()).unwrap().manifest.dedup.unwrap();
    assert_eq!((many.pages, many.bytes), (stored.pages, stored.bytes));
    assert!(many.rivals.is_some() && many.templates > stored.templates);
}

#[test]
fn rows_are_the_same_with_it_and_without() {
    let crawl = Crawl::of(&pages(30));
    crawl.run("with", &with_dedup()).unwrap();
    crawl.run("without", &small_pieces()).unwrap();
    let rows_of = |out: &str| {
        let mut files = files(&crawl.path(out));
        files.retain(|name, _| name.starts_with("part-"));
        files
    };
    assert!(rows_of("with") == rows_of("without"));
    assert!(!files(&crawl.path("without")).contains_key("pages-00000.slots"));
}

#[test]
fn a_run_goes_on_as_it_was_begun_and_restarts_with_nothing_left() {
    let crawl = Crawl::of(&pages(20));
    crawl.run("out", &with_dedup()).unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(error.contains("--dedup was given and is not given"), "{error}");
    let again = Settings {
        restart: true,
        ..small_pieces()
    };
    crawl.run("out", &again).unwrap();
    assert!(!crawl.path("out/pages-00000.slots").exists());
}
