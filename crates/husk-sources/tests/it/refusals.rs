//! What is rejected, and the error messages.

use std::fs;
use std::path::Path;

use husk_sources::{Folder, LoadError, Source};

use crate::pages::{Pages, load};

/// A site beside a secret file.
fn beside_a_secret() -> (Pages, Folder) {
    let pages = Pages::named(&["secret.html", "site/index.html"]);
    let base = husk::Url::parse("https://example.org/").unwrap();
    let site = Folder::open(&pages.path().join("site"), Some(base)).unwrap();
    (pages, site)
}

#[test]
fn no_address_leads_out() {
    let (_pages, site) = beside_a_secret();
    for address in [
        "/../secret.html",
        "/%2e%2e/secret.html",
        "/..%2Fsecret.html",
        "/..%2fsecret",
        "/..%5Csecret.html",
        "/site/..%00/secret.html",
        "/?/../../secret.html",
        "/x?/../../../secret.html",
        "/index.html/../../secret.html",
        "/%2Fetc%2Fpasswd",
        "//etc/passwd",
        "/C:/secret.html",
        "/%00",
    ] {
        assert!(load(&site, address).is_err(), "{address}");
    }
}

#[test]
fn no_file_outside_is_read() {
    let (pages, site) = beside_a_secret();
    for file in [
        pages.path().join("secret.html"),
        pages.path().join("site/../secret.html"),
        "/etc/hostname".into(),
    ] {
        let error = site.page(&file).unwrap_err();
        assert!(
            matches!(error, LoadError::Outside { .. } | LoadError::NotFound { .. }),
            "{error}"
        );
    }
    let error = site
        .page(&pages.path().join("secret.html"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("secret.html is outside the site's folder"),
        "{error}"
    );
    assert!(
        error.ends_with("copy it in, or open a folder that contains both"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn no_symbolic_link_leads_out() {
    let (pages, mut site) = beside_a_secret();
    std::os::unix::fs::symlink("../secret.html", site.root().join("a.html")).unwrap();
    std::os::unix::fs::symlink(pages.path(), site.root().join("up")).unwrap();
    std::os::unix::fs::symlink(pages.path(), site.root().join("example.org")).unwrap();
    for address in ["/a.html", "/A.HTML", "/up/secret.html"] {
        assert!(
            matches!(load(&site, address), Err(LoadError::Outside { .. })),
            "{address}"
        );
    }
    assert!(matches!(
        site.page(Path::new("a.html")),
        Err(LoadError::Outside { .. })
    ));
    assert!(site.page(Path::new("up")).is_err());
    // Neither does the folder of a host.
    site = Folder::open(site.root(), Some(site.base_url().clone())).unwrap();
    assert!(site.root().ends_with("site"));
    assert_eq!(site.page_urls().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_refused_at_once() {
    let pages = Pages::named(&["index.html"]);
    let pipe = pages.path().join("pipe.html");
    let status = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(status.success());
    let _socket = std::os::unix::net::UnixListener::bind(pages.path().join("socket.html")).unwrap();
    let mut site = pages.open();
    for name in ["pipe.html", "socket.html"] {
        let error = load(&site, name).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("{name} is a device or pipe, not a page: expected HTML")),
            "{error}"
        );
        assert!(site.page(Path::new(name)).is_err());
    }
    assert_eq!(site.page_urls().unwrap().len(), 1);
    assert!(Folder::around(&pipe, None, None).is_err());
}

#[cfg(unix)]
#[test]
fn links_in_circles_end() {
    let pages = Pages::named(&["index.html"]);
    std::os::unix::fs::symlink("b.html", pages.path().join("a.html")).unwrap();
    std::os::unix::fs::symlink("a.html", pages.path().join("b.html")).unwrap();
    let mut site = pages.open();
    assert!(matches!(load(&site, "a.html"), Err(LoadError::Io { .. })));
    assert_eq!(site.page_urls().unwrap().len(), 1);
}

#[test]
fn what_is_no_page() {
    let pages = Pages::named(&["empty/a.txt", "style.css"]);
    fs::write(pages.path().join("logo.html"), b"\x89PNG\r\n\x1a\n\0\0\0").unwrap();
    fs::write(pages.path().join("feed"), "<?xml version='1.0'?><rss></rss>").unwrap();
    let site = pages.open();
    let kind = |result| match result {
        Err(LoadError::NotAPage { kind, .. }) => kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(load(&site, "logo.html")), "a PNG image");
    assert_eq!(kind(load(&site, "feed")), "a feed");
    assert_eq!(kind(load(&site, "style.css")), "a style sheet");
    assert_eq!(kind(site.page(Path::new("empty"))), "a folder without index page");
    assert!(matches!(load(&site, "empty/"), Err(LoadError::NotFound { .. })));
}

#[test]
fn pages_have_a_limit() {
    let pages = Pages::new(&[("a.html", "<p>0123456789")]);
    let site = pages.open();
    assert!(load(&site.clone().with_max_bytes(13), "a.html").is_ok());
    let error = load(&site.with_max_bytes(12), "a.html").unwrap_err().to_string();
    assert!(
        error.ends_with("a.html is too large: the limit is 12 bytes"),
        "{error}"
    );
}

#[test]
fn files_that_are_not_there() {
    let pages = Pages::named(&["index.html"]);
    let site = pages.open();
    let root = pages.path();
    let expect = |object: &str| {
        let root = root.display();
        format!("no page {object} in {root}: save it there, or check the URL the site was saved from")
    };
    assert_eq!(
        load(&site, "/gone").unwrap_err().to_string(),
        expect("https://example.org/gone")
    );
    assert_eq!(
        site.page(Path::new("gone.html")).unwrap_err().to_string(),
        expect("gone.html")
    );
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let pages = Pages::named(&["a.html", "locked/b.html"]);
    let forbid =
        |name: &str| fs::set_permissions(pages.path().join(name), fs::Permissions::from_mode(0o000)).unwrap();
    forbid("a.html");
    forbid("locked");
    if fs::read(pages.path().join("a.html")).is_ok() {
        println!("SKIPPED: this user may read everything");
    } else {
        let mut site = pages.open();
        for name in ["a.html", "locked/b.html"] {
            let error = load(&site, name).unwrap_err().to_string();
            assert!(
                error.starts_with("cannot read ") && error.contains("ermission denied"),
                "{error}"
            );
            assert!(
                matches!(site.page(Path::new(name)), Err(LoadError::Io { .. })),
                "{name}"
            );
        }
        assert_eq!(
            site.page_urls().unwrap().len(),
            1,
            "a name ends in .html, but the folder is locked"
        );
    }
    fs::set_permissions(pages.path().join("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}
