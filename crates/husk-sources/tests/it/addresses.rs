//! Which page is found at a URL.

use husk::Url;
use husk_sources::{LoadError, Source};

use crate::pages::{Pages, load, text};

/// Loads a URL from a folder of files that contain their own name; compares the name and the page's URL.
fn check(files: &[&str], address: &str, expect: Option<(&str, &str)>) {
    let folder = Pages::named(files).open_in_place();
    let page = load(&folder.1, address);
    let found = page.as_ref().ok().map(|page| (text(page), page.url.path()));
    assert_eq!(found, expect, "{address} in {files:?}");
}

impl Pages {
    /// The folder and the site in it; the folder must live as long.
    fn open_in_place(self) -> (Self, husk_sources::Folder) {
        let site = self.open();
        (self, site)
    }
}

#[test]
fn folders_have_index_pages() {
    check(&["index.html", "index.htm"], "/", Some(("index.html", "/")));
    check(&["docs/index.htm"], "/docs/", Some(("docs/index.htm", "/docs/")));
    check(
        &["docs/index.php.html"],
        "/docs/",
        Some(("docs/index.php.html", "/docs/")),
    );
    check(&["docs/other.html"], "/docs/", None);
}

#[test]
fn a_missing_slash_is_added_as_servers_do() {
    check(&["docs/index.html"], "/docs", Some(("docs/index.html", "/docs/")));
    check(
        &["docs/index.html", "docs.html"],
        "/docs",
        Some(("docs.html", "/docs.html")),
    );
    check(
        &["docs/index.html", "docs.html"],
        "/docs/",
        Some(("docs/index.html", "/docs/")),
    );
    check(&["docs.html"], "/docs/", Some(("docs.html", "/docs.html")));
}

#[test]
fn a_missing_extension_is_added() {
    check(&["about", "about.html"], "/about", Some(("about", "/about")));
    check(
        &["about.html", "about.htm"],
        "/about",
        Some(("about.html", "/about.html")),
    );
    check(&["about.htm"], "/about", Some(("about.htm", "/about.htm")));
    check(
        &["about.html"],
        "/about.html",
        Some(("about.html", "/about.html")),
    );
    check(&["about.html"], "/about.htm", None);
}

#[test]
fn names_are_decoded_or_not() {
    check(&["a b.html"], "/a%20b.html", Some(("a b.html", "/a%20b.html")));
    check(
        &["a%20b.html"],
        "/a%20b.html",
        Some(("a%20b.html", "/a%2520b.html")),
    );
    check(
        &["a b.html", "a%20b.html"],
        "/a%2520b.html",
        Some(("a%20b.html", "/a%2520b.html")),
    );
    check(
        &["café.html"],
        "/café.html",
        Some(("café.html", "/caf%C3%A9.html")),
    );
    check(
        &["p%2Fq.html"],
        "/p%2Fq.html",
        Some(("p%2Fq.html", "/p%252Fq.html")),
    );
}

#[test]
fn letter_case_gives_way_at_last() {
    check(
        &["Docs/Page.HTML"],
        "/docs/page.html",
        Some(("Docs/Page.HTML", "/Docs/Page.HTML")),
    );
    check(
        &["Page.html", "page.html"],
        "/page.html",
        Some(("page.html", "/page.html")),
    );
    check(&["Page.html", "PAGE.html"], "/page.html", None);
}

#[test]
fn a_query_needs_its_own_file() {
    check(
        &["a.php", "a.php?x=1"],
        "/a.php?x=1",
        Some(("a.php?x=1", "/a.php")),
    );
    check(
        &["a.php@x=1.html"],
        "/a.php?x=1",
        Some(("a.php@x=1.html", "/a.php@x=1.html")),
    );
    check(&["a.php", "a.php?x=2", "a.html"], "/a.php?x=1", None);
    check(&["a.html"], "/a.html?", Some(("a.html", "/a.html")));
}

#[test]
fn a_page_is_called_what_it_calls_itself() {
    let pages = Pages::new(&[
        ("about.html", "<a href=/about>About</a>"),
        ("both.html", "<a href=/both>Both</a> <a href=both.html>Both</a>"),
        (
            "far.html",
            "<a href=https://example.org/far>Far</a> <a href=#top>Top</a>",
        ),
        ("docs/index.html", "<a href=index.html>Docs</a>"),
        (
            "news.html",
            "<a href=news/>Older news, not saved</a> <a href=/news/>Here too</a>",
        ),
    ]);
    let site = pages.open();
    for (address, expect) in [
        ("/about.html", "https://example.org/about"),
        ("/about", "https://example.org/about"),
        ("/both", "https://example.org/both.html"),
        ("/far", "https://example.org/far.html"),
        ("/docs/index.html", "https://example.org/docs/"),
        ("/news/", "https://example.org/news.html"),
    ] {
        assert_eq!(load(&site, address).unwrap().url.as_str(), expect, "{address}");
    }
}

#[test]
fn other_hosts_and_paths() {
    let site = Pages::named(&["a.html"]).open_in_place();
    for same in [
        "http://www.example.org/a.html",
        "HTTP://EXAMPLE.ORG:80/a.html#x",
        "//example.org/a.html",
    ] {
        assert_eq!(
            load(&site.1, same).unwrap().url.as_str(),
            "https://example.org/a.html",
            "{same}"
        );
    }
    for other in [
        "https://example.com/a.html",
        "https://example.org:8080/a.html",
        "file:///a.html",
    ] {
        assert!(
            matches!(load(&site.1, other), Err(LoadError::OtherSite { .. })),
            "{other}"
        );
    }

    let docs = site.0.open_from("https://example.org/docs");
    assert!(load(&docs, "a.html").is_ok());
    assert!(matches!(load(&docs, "/a.html"), Err(LoadError::NotFound { .. })));
}

#[test]
fn sites_on_disk_have_file_addresses() {
    let pages = Pages::named(&["index.html", "a b/c.html"]);
    let mut site = husk_sources::Folder::open(&pages.path(), None).unwrap();
    let url = Url::from_file_path(pages.path().join("a b/c.html")).unwrap();
    let page = site.load(&url).unwrap();
    assert_eq!((text(&page), &page.url), ("a b/c.html", &url));
    let home = site.load(&url.join("../index.html").unwrap()).unwrap();
    assert_eq!(home.url, Url::from_directory_path(pages.path()).unwrap());
    assert!(site.load(&url.join("/etc/passwd").unwrap()).is_err());
}

#[test]
fn all_pages_are_listed_and_lead_back() {
    let files = [
        "index.html",
        "index.htm",
        "a.php?x=1",
        "a.php?x=a%2Fb&y=100%",
        "100%25.html",
        "c#d.html",
        "d/e f.htm",
    ];
    let html = "<!doctype html>";
    let pages = Pages::new(&files.map(|file| (file, html)));
    let mut site = pages.open();
    let addresses = site.page_urls().unwrap();
    let listed: Vec<&str> = addresses
        .iter()
        .map(|url| &url.as_str()["https://example.org".len()..])
        .collect();
    assert_eq!(
        listed,
        [
            "/index.htm",
            "/",
            "/100%2525.html",
            "/a.php?x=1",
            "/a.php?x=a%2Fb&y=100%25",
            "/c%23d.html",
            "/d/e%20f.htm"
        ]
    );
    let files_again = addresses.iter().map(|url| site.file_of(url).unwrap());
    let mut found: Vec<String> = files_again
        .map(|file| {
            file.strip_prefix(pages.path())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    found.sort();
    let mut expect = files.to_vec();
    expect.sort_unstable();
    assert_eq!(found, expect);
}

#[test]
fn pages_are_decoded_as_browsers_do() {
    let pages = Pages::named(&[]);
    std::fs::write(pages.path().join("a.html"), b"<meta charset=iso-8859-1>caf\xE9").unwrap();
    std::fs::write(pages.path().join("b.html"), b"\xFF\xFEc\0a\0f\0\xE9\0").unwrap();
    let site = pages.open();
    assert_eq!(text(&load(&site, "a.html").unwrap()), "café");
    assert_eq!(text(&load(&site, "b.html").unwrap()), "café");
}

#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let pages = Pages::named(&[]);
    std::fs::write(pages.path().join(OsStr::from_bytes(b"caf\xE9.html")), "latin").unwrap();
    let site = pages.open();
    let page = load(&site, "/caf%E9.html").unwrap();
    assert_eq!(
        (text(&page), page.url.as_str()),
        ("latin", "https://example.org/caf%E9.html")
    );
}
