use husk_bulk::output::FileCompression;
use husk_bulk::{ContentFormat, Row, RowFields, Settings};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, page, pages, response, rows, small_pieces};

#[test]
fn rows_are_sorted_by_site_and_input_order() {
    let crawl = Crawl::of(&pages(60));
    let done = crawl.run("out", &small_pieces()).unwrap();
    let rows = rows(&crawl.path("out"));
    assert_eq!(rows.len(), 60);
    let sites: Vec<&str> = rows.iter().map(|row| row.site.as_str()).collect();
    let expect = [
        ["a.example"; 12].as_slice(),
        &["b.example"; 12],
        &["large.example"; 36],
    ]
    .concat();
    assert_eq!(sites, expect);
    let number = |url: &str| url.rsplit('/').next().unwrap().parse::<usize>().unwrap();
    for site in rows.chunk_by(|one, other| one.site == other.site) {
        assert!(site.is_sorted_by_key(|row| number(&row.url)));
    }
    let row = &rows[59];
    assert_eq!(row.url, "https://large.example/59");
    assert_eq!(row.title.as_deref(), Some("Page 59"));
    assert_eq!(row.language.as_deref(), Some("en"));
    assert_eq!(row.date.as_deref(), Some("2023-11-14T22:13:20Z"));
    assert_eq!(row.bytes, page("large.example", 59).body.len() as u64);
    assert!(row.content.as_ref().unwrap().contains("Nobody but page 59 says"));
    assert!(row.content_words > 50 && row.words > row.content_words, "{row:?}");
    assert_eq!(row.links, 5);
    assert_eq!((&row.menu, &row.template_id), (&None, &None));
    assert_eq!(done.manifest.totals.rows, 60);
    assert_eq!(done.manifest.totals.sites, 3);
    let parts = &done.manifest.parts;
    assert_eq!(parts.iter().map(|part| part.rows).sum::<u64>(), 60);
    assert!(parts[..parts.len() - 1].iter().all(|part| part.rows == 7));
}

#[test]
fn small_sites_use_the_single_page_method() {
    let mut captures = pages(30);
    captures.extend([page("few.example", 1), page("few.example", 2)]);
    let crawl = Crawl::of(&captures);
    crawl.run("out", &small_pieces()).unwrap();
    let rows = rows(&crawl.path("out"));
    for row in &rows {
        let is_small = row.site == "few.example";
        assert_eq!(
            row.warnings.iter().any(|name| name == "too-few-pages"),
            is_small,
            "{row:?}"
        );
        if is_small {
            assert_eq!((row.method.as_str(), &row.layout), ("single-page", &None));
            assert!(!row.warnings.iter().any(|name| name == "unknown-layout"));
        }
    }
}

#[test]
fn a_page_captured_twice_has_two_rows() {
    let crawl = Crawl::of(&[page("a.example", 1), page("a.example", 1)]);
    crawl.run("out", &Settings::default()).unwrap();
    let rows = rows(&crawl.path("out"));
    assert_eq!(rows.len(), 2);
    let without_record = |row: &Row| Row {
        warc_offset: None,
        warc_record_id: None,
        ..row.clone()
    };
    assert_eq!(without_record(&rows[0]), without_record(&rows[1]));
    assert!(rows[0].warc_offset < rows[1].warc_offset);
    assert_ne!(rows[0].warc_record_id, rows[1].warc_record_id);
}

#[test]
fn rows_say_where_their_pages_came_from() {
    let mut archived = archive(&[page("a.example", 1)], Compression::None);
    // A URL as crawlers write it, which is not normalised.
    let start = archived.len();
    let given = "https://a.example?q=l\u{ed}deres#top";
    let html =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>L</title><p>All of the words of a page.";
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-17T10:00:00Z\r\n\
         WARC-Target-URI: {given}\r\nWARC-Payload-Digest: sha1:AB\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
        html.len()
    );
    archived.extend(record.as_bytes());
    let crawl = Crawl::new(&[("crawl.warc", archived)]);
    crawl.run("out", &Settings::default()).unwrap();
    let rows = rows(&crawl.path("out"));
    let row = &rows[1];
    assert_eq!(row.url, given);
    assert_eq!(row.normalized_url, "https://a.example/?q=l%C3%ADderes");
    let file = row.warc_file.as_deref().unwrap();
    assert!(file.ends_with("crawl.warc"), "{file}");
    assert_eq!(row.warc_offset, Some(start as u64));
    assert_eq!(row.warc_record_id.as_deref(), Some("<urn:uuid:1>"));
    assert_eq!(row.warc_digest.as_deref(), Some("sha1:AB"));
}

#[test]
fn rows_have_only_the_requested_fields() {
    let crawl = Crawl::of(&pages(20));
    let settings = Settings {
        fields: RowFields {
            content: false,
            menu: true,
            template_id: true,
        },
        ..small_pieces()
    };
    crawl.run("out", &settings).unwrap();
    for row in rows(&crawl.path("out")) {
        assert_eq!(row.content, None);
        assert_eq!(row.template_id.is_some(), row.layout.is_some());
        assert!(row.menu.is_none() || row.layout.is_some());
        assert!(row.content_words > 0, "words are counted without content");
    }
    let settings = Settings {
        content_format: ContentFormat::Markdown,
        ..Settings::default()
    };
    crawl.run("markdown", &settings).unwrap();
    let rows = rows(&crawl.path("markdown"));
    assert!(
        rows.iter()
            .all(|row| row.content.as_ref().unwrap().contains("# All about"))
    );
}

#[test]
fn files_are_compressed_as_requested() {
    let crawl = Crawl::of(&pages(10));
    let mut texts = Vec::new();
    for (compress, name) in [
        (FileCompression::Zst, "part-00000.jsonl.zst"),
        (FileCompression::Gz, "part-00000.jsonl.gz"),
        (FileCompression::None, "part-00000.jsonl"),
    ] {
        let settings = Settings {
            compress,
            ..Settings::default()
        };
        crawl.run(name, &settings).unwrap();
        let bytes = std::fs::read(crawl.path(name).join(name)).unwrap();
        texts.push(match compress {
            FileCompression::Zst => zstd::decode_all(&bytes[..]).unwrap(),
            FileCompression::Gz => {
                let mut text = Vec::new();
                std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text).unwrap();
                text
            }
            FileCompression::None => bytes,
        });
    }
    assert!(texts[0] == texts[1] && texts[1] == texts[2]);
    assert_eq!(texts[0].iter().filter(|&&byte| byte == b'\n').count(), 10);
}

#[test]
fn declared_charsets_are_used() {
    let latin = response(
        "https://a.example/",
        200,
        "text/html; charset=iso-8859-1",
        b"<title>Caf\xE9</title><p>Ol\xE9, said the people in the caf\xE9, and drank on.",
    );
    let crawl = Crawl::of(&[latin]);
    crawl.run("out", &Settings::default()).unwrap();
    let row = &rows(&crawl.path("out"))[0];
    assert_eq!(row.title.as_deref(), Some("Caf\u{e9}"));
    assert!(row.content.as_ref().unwrap().contains("Ol\u{e9}"), "{row:?}");
}
