use std::fs;
use std::path::Path;

use husk_bulk::dedup::{DedupWriter, PageHead, SharedBytes, Slots};
use husk_sources::Captures;

use crate::run::{Done, husk_in};

fn husk(folder: &Path, arguments: &[&str]) -> Done {
    husk_in(folder, arguments)
}

fn page(number: usize) -> String {
    let menu = "<li><a href=/somewhere>Somewhere</a></li>\n".repeat(30);
    format!("<!DOCTYPE html>\n<ul>{menu}</ul><p>Only on page {number}.</p>\r\n")
}

fn url(number: usize) -> String {
    format!("https://example.org/{number}")
}

/// A folder as `husk bulk --dedup` leaves it, with twenty pages in two files.
fn stored() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (page(1), page(2));
    let shared = SharedBytes::of_pages(&[one.as_bytes(), two.as_bytes()]);
    fs::create_dir(folder.path().join("out")).unwrap();
    for part in 0..2 {
        let mut writer = DedupWriter::new(Vec::new()).unwrap();
        writer.site("example.org", &shared).unwrap();
        for number in part * 10..part * 10 + 10 {
            let head = PageHead {
                url: url(number),
                status: 200,
                date: Some(format!("2026-11-16T06:14:{number:02}Z")),
                content_type: Some("text/html; charset=utf-8".to_owned()),
                layout: (number > 0).then(|| "a1".to_owned()),
            };
            writer
                .page(&head, &Slots::of(page(number).as_bytes(), &shared), None)
                .unwrap();
        }
        let file = folder.path().join(format!("out/part-0000{part}.slots"));
        fs::write(file, writer.finish().unwrap().0).unwrap();
    }
    folder
}

#[test]
fn one_page_goes_to_standard_output() {
    let folder = stored();
    for number in [0, 9, 10, 19] {
        let done = husk(folder.path(), &["restore", "out", &url(number)]).ok();
        assert_eq!(done.stdout, page(number));
    }
    let done = husk(
        folder.path(),
        &["restore", "out/part-00001.slots", "https://EXAMPLE.org:443/12"],
    )
    .ok();
    assert_eq!(done.stdout, page(12), "addresses are read as browsers do");
}

#[test]
fn all_pages_become_an_archive() {
    let folder = stored();
    for archive in ["all.warc.gz", "all.warc.zst", "all.warc"] {
        let done = husk(folder.path(), &["restore", "out", "-o", archive]).ok();
        assert!(done.stderr.contains("20 pages in all.warc"), "{}", done.stderr);
        let captures = Captures::open(&folder.path().join(archive)).unwrap();
        for (number, entry) in captures.enumerate() {
            let capture = entry.unwrap().capture;
            assert_eq!(capture.url.as_str(), url(number));
            assert_eq!(capture.body, page(number).into_bytes());
            assert_eq!(capture.header("content-type"), Some("text/html; charset=utf-8"));
            let seconds = capture
                .date
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .as_secs();
            assert_eq!(seconds, 1_794_809_640 + number as u64);
        }
    }
}

#[test]
fn named_pages_become_files() {
    let folder = stored();
    let done = husk(
        folder.path(),
        &["restore", "out", &url(3), &url(17), "-o", "pages"],
    )
    .ok();
    assert!(done.stderr.contains("2 pages in pages"), "{}", done.stderr);
    for number in [3, 17] {
        let file = folder
            .path()
            .join(format!("pages/example.org/{number}/index.html"));
        assert_eq!(fs::read_to_string(file).unwrap(), page(number));
    }
}

#[test]
fn what_is_stored_is_listed() {
    let folder = stored();
    let listed = husk(folder.path(), &["restore", "out", "--list"]).ok().stdout;
    assert_eq!(listed.lines().count(), 20);
    let first = format!(
        "https://example.org/0\t2026-11-16T06:14:00Z\t{}\t-",
        page(0).len()
    );
    assert_eq!(listed.lines().next(), Some(first.as_str()));
    assert!(listed.lines().nth(19).unwrap().ends_with("\ta1"));
}

#[test]
fn what_cannot_be_restored_is_said() {
    let folder = stored();
    let restore = |arguments: &[&str]| husk(folder.path(), &[&["restore"], arguments].concat());
    restore(&["out"]).fails(2, &["--output"]);
    restore(&["out", &url(1), &url(2)]).fails(2, &["--output"]);
    restore(&["out", "https://example.org/none"])
        .fails(1, &["not stored: https://example.org/none", "--list"]);
    restore(&["out", &url(1), "https://example.org/none", "-o", "pages"])
        .fails(1, &["1 pages", "not stored"]);
    restore(&["nowhere", &url(1)]).fails(1, &["nowhere"]);
    restore(&[".", &url(1)]).fails(1, &["no .slots file", "husk bulk --dedup"]);
    restore(&["out", "-o", "no/where.warc.gz"]).fails(1, &["no/where.warc.gz"]);
    fs::write(folder.path().join("other.slots"), "something else").unwrap();
    restore(&["other.slots", "--list"])
        .fails(1, &["other.slots", "not a file that husk bulk --dedup writes"]);
}

#[test]
fn damaged_files_are_said_to_be() {
    let folder = stored();
    let file = folder.path().join("out/part-00000.slots");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let restore = |arguments: &[&str]| husk(folder.path(), &[&["restore"], arguments].concat());
    restore(&["out", &url(1)]).fails(1, &["part-00000.slots", "not written or copied to its end"]);
    restore(&["out", "-o", "all.warc"]).fails(1, &["part-00000.slots"]);
    assert!(
        !folder.path().join("all.warc").exists(),
        "nothing half written stays"
    );
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    fs::write(&file, damaged).unwrap();
    restore(&["out", "-o", "all.warc"]).fails(1, &["damaged at byte 9"]);
}
