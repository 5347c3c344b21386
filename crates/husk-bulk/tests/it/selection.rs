use husk_bulk::{Manifest, Selection, Settings};

use crate::crawl::{Crawl, files, page, pages, response, rows, small_pieces};

fn run(crawl: &Crawl, out: &str, selection: Selection) -> (Vec<String>, Manifest) {
    let settings = Settings {
        selection,
        ..small_pieces()
    };
    let manifest = crawl.run(out, &settings).unwrap().manifest;
    let urls = rows(&crawl.path(out)).into_iter().map(|row| row.url).collect();
    (urls, manifest)
}

#[test]
fn urls_sites_and_statuses_select_pages() {
    let mut captures = pages(30);
    let gone = b"<html lang=de><title>Weg</title><p>Diese Seite gibt es nicht mehr, leider.";
    captures.push(response("https://a.example/gone", 404, "text/html", gone));
    let crawl = Crawl::of(&captures);
    let (urls, manifest) = run(
        &crawl,
        "urls",
        Selection {
            include: vec!["b.example/*".to_owned()],
            exclude: vec!["**/*5".to_owned()],
            ..Selection::default()
        },
    );
    assert_eq!(
        urls,
        [
            "https://b.example/0",
            "https://b.example/10",
            "https://b.example/20"
        ]
    );
    assert_eq!(manifest.counts.skipped["excluded-url"], 28);
    let (urls, manifest) = run(
        &crawl,
        "sites",
        Selection {
            sites: ["a.example".to_owned()].into(),
            ..Selection::default()
        },
    );
    assert_eq!((urls.len(), manifest.counts.skipped["excluded-site"]), (6, 24));
    let (urls, manifest) = run(
        &crawl,
        "statuses",
        Selection {
            status: vec![(400, 499)],
            ..Selection::default()
        },
    );
    assert_eq!(urls, ["https://a.example/gone"]);
    assert_eq!(manifest.counts.skipped["excluded-status"], 30);
    let (urls, manifest) = run(
        &crawl,
        "languages",
        Selection {
            status: vec![(200, 499)],
            language: vec!["de".to_owned()],
            ..Selection::default()
        },
    );
    assert_eq!(
        (urls.len(), manifest.counts.skipped["excluded-language"]),
        (1, 30)
    );
    let error = crawl.run("urls", &small_pieces()).unwrap_err().to_string();
    assert!(
        error.contains("--include was b.example/* and is not given"),
        "{error}"
    );
}

#[test]
fn the_first_pages_are_enough() {
    let crawl = Crawl::of(&pages(60));
    let limited = |limit: u64| Selection {
        limit: Some(limit),
        ..Selection::default()
    };
    let (urls, manifest) = run(&crawl, "out", limited(17));
    let mut numbers: Vec<usize> = urls
        .iter()
        .map(|url| url.rsplit('/').next().unwrap().parse().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..17).collect::<Vec<_>>());
    assert_eq!((manifest.counts.pages, manifest.totals.rows), (17, 17));
    let settings = Settings {
        selection: limited(17),
        threads: 5,
        ..small_pieces()
    };
    crawl.run("threads", &settings).unwrap();
    assert!(files(&crawl.path("out")) == files(&crawl.path("threads")));
    assert_eq!(run(&crawl, "all", limited(1000)).0.len(), 60);
}

#[test]
fn json_is_skipped_whatever_its_type() {
    let mut captures = pages(12);
    let json = b"{\"version\":\"1.0\",\"html\":\"<blockquote>\"}";
    captures.push(response(
        "https://b.example/a.oembed",
        200,
        "application/octet-stream",
        json,
    ));
    captures.push(response("https://b.example/b.oembed", 200, "text/html", json));
    captures.push(page("b.example", 99));
    let crawl = Crawl::of(&captures);
    let (urls, manifest) = run(&crawl, "out", Selection::default());
    assert_eq!((urls.len(), manifest.counts.skipped["not-html"]), (13, 2));
}
