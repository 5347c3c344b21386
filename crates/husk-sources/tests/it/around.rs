//! A key page given as a file, and the site found around it.

use std::error::Error;
use std::path::Path;

use husk::Url;
use husk_sources::{Evidence, Folder, LoadError, OpenFileError, OpenFolderError, SiteAround, Source};

use crate::pages::{Pages, below, text};

/// A site whose links begin with a slash, and whose first pages are stubs.
fn with_stubs() -> Pages {
    Pages::new(&[
        ("site/m/a.html", "<a href=/m/b.html>B</a>"),
        ("site/m/b.html", "<a href=/m/a.html>A</a>"),
        ("site/404.html", ""),
        ("site/bing.html", ""),
        ("site/google1.html", ""),
        ("site/google2.html", ""),
        ("site/yandex.html", ""),
    ])
}

fn example_org() -> Url {
    Url::parse("https://example.org/").unwrap()
}

/// Compares the root of the site, the URL of the key page and the evidence for the guess.
fn check(pages: &Pages, around: &SiteAround, expect: (&str, &str, Option<Evidence>)) {
    let found = (
        below(around.folder.root(), &pages.path()),
        around.key_page.url.as_str(),
        around.guess.as_ref().map(|guess| guess.evidence),
    );
    assert_eq!(found, expect);
    let again = around.folder.clone().load(&around.key_page.url).unwrap();
    assert_eq!(
        (text(&again), &again.url),
        (text(&around.key_page), &around.key_page.url)
    );
}

#[test]
fn root_and_address_are_guessed() {
    let pages = with_stubs();
    let around = Folder::around(&pages.path().join("site/m/a.html"), None, None).unwrap();
    let expect = ("site", "http://localhost/m/a.html", Some(Evidence::RootLinks));
    check(&pages, &around, expect);
    assert_eq!(*around.folder.base_url(), around.guess.unwrap().url);
}

#[test]
fn the_address_is_guessed_for_a_given_site() {
    let pages = with_stubs();
    let site = pages.path().join("site");
    for file in [site.join("m/a.html"), "m/a.html".into()] {
        let around = Folder::around(&file, Some(&site), None).unwrap();
        let expect = ("site", "http://localhost/m/a.html", Some(Evidence::RootLinks));
        check(&pages, &around, expect);
    }
}

#[test]
fn a_given_address_is_not_guessed() {
    let pages = with_stubs();
    let site = pages.path().join("site");
    for given in [None, Some(site.as_path())] {
        let around = Folder::around(&site.join("m/a.html"), given, Some(example_org())).unwrap();
        check(&pages, &around, ("site", "https://example.org/m/a.html", None));
    }
}

#[test]
fn without_need_there_is_no_guess() {
    let pages = Pages::new(&[("site/a.html", "<a href=b.html>B</a>"), ("site/b.html", "")]);
    let around = Folder::around(&pages.path().join("site/a.html"), None, None).unwrap();
    assert_eq!(around.guess, None);
    assert_eq!(around.key_page.url.scheme(), "file");
}

#[test]
fn a_folder_stands_for_its_index_page() {
    let pages = Pages::new(&[
        ("x/site/docs/index.html", "<a href=/docs/a.html>A</a>"),
        ("x/site/docs/a.html", ""),
    ]);
    let docs = pages.path().join("x/site/docs");
    let around = Folder::around(&docs, None, None).unwrap();
    let expect = ("x/site", "http://localhost/docs/", Some(Evidence::RootLinks));
    check(&pages, &around, expect);
}

#[cfg(unix)]
#[test]
fn a_page_behind_a_link_is_taken_where_it_lies() {
    let pages = Pages::new(&[
        ("site/m/a.html", ""),
        ("real/s.html", "<a href=t.html>T</a>"),
        ("real/t.html", ""),
    ]);
    let link = pages.path().join("site/m/c.html");
    std::os::unix::fs::symlink("../../real/s.html", &link).unwrap();
    let around = Folder::around(&link, None, None).unwrap();
    assert_eq!(below(around.folder.root(), &pages.path()), "real");
    assert!(around.key_page.url.path().ends_with("/real/s.html"));

    // In a given site, it would lead out of it.
    let error = Folder::around(&link, Some(&pages.path().join("site")), None).unwrap_err();
    assert!(
        matches!(error, OpenFileError::Load(LoadError::Outside { .. })),
        "{error}"
    );
}

#[test]
fn what_is_wrong_is_said() {
    let pages = Pages::named(&["site/a.css", "example.org/a.html", "a.html"]);
    let file = |name: &str| pages.path().join(name);
    let error = Folder::around(Path::new("gone.html"), None, None).unwrap_err();
    assert_eq!(error.to_string(), "no file gone.html: check the path");
    let error = Folder::around(&file("site/a.css"), None, None).unwrap_err();
    assert!(
        matches!(error, OpenFileError::Load(LoadError::NotAPage { .. })),
        "{error}"
    );
    let error = Folder::around(&file("site"), None, None).unwrap_err();
    assert!(
        error.to_string().contains("a folder without index page"),
        "{error}"
    );
    let error = Folder::around(&file("a.html"), Some(&file("gone")), None).unwrap_err();
    assert!(
        matches!(error, OpenFileError::Open(OpenFolderError::NotFound { .. })),
        "{error}"
    );
    let error = Folder::around(&file("a.html"), None, Some(example_org())).unwrap_err();
    assert!(
        matches!(error, OpenFileError::Load(LoadError::Outside { .. })),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn causes_are_said_once() {
    let pages = Pages::named(&["index.html"]);
    let link = pages.path().join("a.html");
    std::os::unix::fs::symlink("a.html", &link).unwrap();
    let error = Folder::around(&link, None, None).unwrap_err();
    assert!(error.to_string().contains("os error"), "{error}");
    assert!(error.source().is_none());
}
