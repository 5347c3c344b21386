use husk_bulk::{RowFields, Settings};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, everything, files, pages, rows, small_pieces};

#[test]
fn the_number_of_threads_does_not_matter() {
    let crawl = Crawl::of(&pages(120));
    let fields = RowFields {
        content: true,
        menu: true,
        template_id: true,
    };
    let run = |threads: usize| {
        let out = format!("out-{threads}");
        let settings = Settings {
            threads,
            fields,
            ..everything()
        };
        crawl.run(&out, &settings).unwrap();
        files(&crawl.path(&out))
    };
    let one = run(1);
    assert!(one.len() > 10 && one.contains_key("_manifest.json"));
    for threads in [2, 4, 7] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn the_sizes_of_pieces_do_not_matter() {
    let crawl = Crawl::of(&pages(90));
    let large = Settings {
        part_rows: 6,
        report: true,
        ..Settings::default()
    };
    let mut small = everything();
    // What is learned depends on the sample.
    small.tuning.sample_pages = large.tuning.sample_pages;
    crawl.run("large", &large).unwrap();
    crawl.run("small", &small).unwrap();
    assert!(files(&crawl.path("large")) == files(&crawl.path("small")));
}

#[test]
fn the_compression_of_archives_does_not_matter() {
    let captures = pages(40);
    let parts: Vec<_> = [Compression::Gzip, Compression::Zstd, Compression::None]
        .into_iter()
        .map(|compression| {
            let crawl = Crawl::new(&[("crawl.warc", archive(&captures, compression))]);
            crawl.run("out", &small_pieces()).unwrap();
            let mut rows = rows(&crawl.path("out"));
            for row in &mut rows {
                // Where the page is in the archive.
                assert!(row.warc_file.take().is_some() && row.warc_offset.take().is_some());
            }
            rows
        })
        .collect();
    assert!(parts[0] == parts[1] && parts[1] == parts[2]);
}
