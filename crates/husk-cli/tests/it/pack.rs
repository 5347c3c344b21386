use std::fs;
use std::path::Path;

use crate::run::{Done, example_site, husk_in, small_site};
use crate::web::{Answer, Web};

fn husk(folder: &Path, arguments: &[&str]) -> Done {
    husk_in(folder, arguments)
}

/// What every command prints about a page, from the place that is given.
fn all_of(folder: &Path, page: &str, place: &[&str]) -> Vec<String> {
    let commands: [&[&str]; 6] = [
        &["template"],
        &["template", "--format", "json"],
        &["menu", "--format", "json", "--all"],
        &["content", "--format", "json"],
        &["pagelets", "--format", "json"],
        &["inspect"],
    ];
    let run = |command: &&[&str]| {
        let arguments = [command, &[page][..], place].concat();
        husk(folder, &arguments).ok().stdout
    };
    commands.iter().map(run).collect()
}

/// A site with all that can happen: redirects, a page that is gone, one that robots.txt forbids, one that is no page.
fn eventful_web(root: &Path) -> Web {
    let root = root.to_owned();
    Web::new(move |path| match path {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /three\n"),
        "/two.html" => Answer::redirect("/moved.html"),
        "/moved.html" => Answer::html(fs::read(root.join("two.html")).unwrap()),
        "/index.html" => Answer::status(410),
        _ => fs::read(root.join(&path[1..])).map_or(Answer::status(404), Answer::html),
    })
}

#[test]
fn an_archive_gives_the_same_byte_for_byte() {
    let site = small_site();
    let web = eventful_web(site.path());
    let page = format!("{}one.html", web.url);
    let live = all_of(site.path(), &page, &["--cache", "cache", "--delay", "0"]);
    for archive in ["site.warc.gz", "site.warc.zst", "site.warc"] {
        husk(
            site.path(),
            &["pack", &page, "-o", archive, "--cache", "cache", "--delay", "0"],
        )
        .ok();
        web.asked();
        let packed = all_of(site.path(), &page, &["--warc", archive]);
        assert!(live == packed, "{archive}");
        assert_eq!(web.asked(), [""; 0], "the archive is enough");
    }
    let json = &live[1];
    for told in ["410 Gone", "robots.txt", "moved.html"] {
        assert!(json.contains(told), "{told} in {json}");
    }
}

#[test]
fn a_folder_is_packed_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let site = example_site();
    let site = site.to_str().unwrap();
    let base = "https://lighthouse.example/";
    husk(
        folder.path(),
        &["pack", site, "--base-url", base, "-o", "site.warc.gz", "--index"],
    )
    .ok();
    assert!(folder.path().join("site.warc.gz.cdxj").is_file());
    for page in ["visit/tickets/", "stories/force-eleven-and-other-remarks/", ""] {
        let page = format!("{base}{page}");
        let saved = all_of(folder.path(), &page, &["--site", site, "--base-url", base]);
        assert!(
            saved == all_of(folder.path(), &page, &["--warc", "site.warc.gz"]),
            "{page}"
        );
    }
}

#[test]
fn packing_twice_gives_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let site = example_site();
    let pack = |archive: &str| {
        let arguments = [
            "pack",
            site.to_str().unwrap(),
            "--base-url",
            "https://lighthouse.example/",
            "-o",
            archive,
        ];
        husk(folder.path(), &arguments).ok();
        fs::read(folder.path().join(archive)).unwrap()
    };
    assert!(pack("one.warc.gz") == pack("two.warc.gz"));
}

#[test]
fn what_cannot_be_packed_is_said() {
    let site = small_site();
    let pack = |arguments: &[&str]| husk(site.path(), &[&["pack"], arguments].concat());
    pack(&[".", "-o", "site.warc.gz"]).fails(2, &["--base-url"]);
    pack(&[".", "--base-url", "https://example.org/"]).fails(2, &["--output <FILE>"]);
    pack(&[".", "--base-url", "https://example.org/", "-o", "site.zip"]).fails(2, &["site.zip", ".warc.gz"]);
    pack(&["nowhere", "-o", "site.warc.gz"])
        .fails(1, &["nowhere", "neither an address of the web nor a folder"]);
    pack(&[".", "--base-url", "https://example.org/", "-o", "no/site.warc"]).fails(1, &["no/site.warc"]);
    let left: Vec<_> = fs::read_dir(site.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".html"))
        .collect();
    assert_eq!(left, [""; 0], "nothing half written stays");
}

#[test]
fn archives_that_are_none_are_named() {
    let site = small_site();
    fs::write(site.path().join("empty.warc.gz"), "").unwrap();
    let template = |archive: &str| {
        husk(
            site.path(),
            &["template", "https://example.org/", "--warc", archive],
        )
    };
    template("nowhere.warc.gz").fails(1, &["nowhere.warc.gz"]);
    template("one.html").fails(1, &["one.html"]);
    template("empty.warc.gz").fails(1, &["empty.warc.gz"]);
}

#[test]
fn a_folder_without_files_is_an_error() {
    let site = small_site();
    fs::create_dir(site.path().join("empty")).unwrap();
    let done = husk(
        site.path(),
        &[
            "pack",
            "empty",
            "--base-url",
            "https://a.example/",
            "-o",
            "site.warc.gz",
        ],
    );
    assert_eq!(done.status, 1);
    assert!(
        done.stderr.contains("nothing to pack in empty"),
        "{}",
        done.stderr
    );
    assert!(!site.path().join("site.warc.gz").exists());
}
