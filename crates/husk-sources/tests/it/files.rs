//! Key pages given as files, and the URLs of files.

use std::path::Path;

use husk_sources::{Folder, LoadError};

use crate::pages::{Pages, below, text};

#[test]
fn files_by_every_kind_of_path() {
    let pages = Pages::named(&["index.html", "docs/a.html", "docs/index.htm"]);
    let site = pages.open();
    let root = pages.path();
    for (file, expect) in [
        (root.join("docs/a.html"), "https://example.org/docs/a.html"),
        ("docs/a.html".into(), "https://example.org/docs/a.html"),
        (
            root.join("docs/../docs/./a.html"),
            "https://example.org/docs/a.html",
        ),
        (root.join("index.html"), "https://example.org/"),
        (root.clone(), "https://example.org/"),
        ("docs".into(), "https://example.org/docs/"),
        (root.join("docs/"), "https://example.org/docs/"),
    ] {
        assert_eq!(
            site.page(&file).unwrap().url.as_str(),
            expect,
            "{}",
            file.display()
        );
    }
}

#[test]
fn files_relative_to_the_working_folder() {
    // Tests run in the folder of their crate.
    let site = Folder::open(Path::new("../../examples"), None).unwrap();
    let page = site.page(Path::new("../../examples/site/index.html")).unwrap();
    assert!(page.url.path().ends_with("/examples/site/"), "{}", page.url);
    let same = site.page(Path::new("site/index.html")).unwrap();
    assert_eq!(same.url, page.url);
}

#[test]
fn files_relative_to_the_root_of_a_mirror() {
    let pages = Pages::named(&["example.org/a.html", "index.html"]);
    let site = pages.open();
    for file in ["a.html", "example.org/a.html"] {
        assert_eq!(
            site.page(Path::new(file)).unwrap().url.as_str(),
            "https://example.org/a.html",
            "{file}"
        );
    }
    assert!(matches!(
        site.page(Path::new("index.html")),
        Err(LoadError::Outside { .. })
    ));
}

#[test]
fn addresses_of_files() {
    let files = [
        "index.html",
        "a/index.htm",
        "b/index.html",
        "b/index.htm",
        "c.php?x=1",
        "d.php?x=1.html",
        "e@x.html",
    ];
    let pages = Pages::named(&files);
    let site = pages.open();
    let address = |file: &str| site.url_of(Path::new(file)).unwrap().to_string();
    assert_eq!(address("index.html"), "https://example.org/");
    assert_eq!(address("a/index.htm"), "https://example.org/a/");
    assert_eq!(address("b/index.html"), "https://example.org/b/");
    assert_eq!(address("b/index.htm"), "https://example.org/b/index.htm");
    assert_eq!(address("c.php?x=1"), "https://example.org/c.php?x=1");
    assert_eq!(address("d.php?x=1.html"), "https://example.org/d.php%3Fx=1.html");
    assert_eq!(address("e@x.html"), "https://example.org/e@x.html");
    for file in files {
        let url = site.url_of(Path::new(file)).unwrap();
        assert_eq!(below(&site.file_of(&url).unwrap(), &pages.path()), file);
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_inside_the_folder_work() {
    let pages = Pages::named(&["real/a.html"]);
    std::os::unix::fs::symlink("real", pages.path().join("linked")).unwrap();
    std::os::unix::fs::symlink("real/a.html", pages.path().join("b.html")).unwrap();
    let site = pages.open();
    let page = site.page(Path::new("b.html")).unwrap();
    assert_eq!(
        (text(&page), page.url.as_str()),
        ("real/a.html", "https://example.org/b.html")
    );
    let page = site.page(Path::new("linked/a.html")).unwrap();
    assert_eq!(page.url.as_str(), "https://example.org/real/a.html");

    // A folder may be opened through a link, and its files named through it.
    let other = tempfile::tempdir().unwrap();
    let link = other.path().join("site");
    std::os::unix::fs::symlink(pages.path(), &link).unwrap();
    let site = Folder::open(&link, None).unwrap();
    assert_eq!(
        text(&site.page(&link.join("real/a.html")).unwrap()),
        "real/a.html"
    );
}
