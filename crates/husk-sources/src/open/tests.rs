use std::fs;

use super::*;

fn url(path: &str) -> Url {
    Url::parse("https://example.org/").unwrap().join(path).unwrap()
}

fn page(path: &str) -> Page {
    Page::parse(url(path), &format!("<p>On {path}"))
}

fn given() -> SiteLocation {
    SiteLocation::Given {
        pages: vec![page("/a"), page("/b")],
        name: "the test",
    }
}

fn request(page: PageLocation, site: SiteLocation) -> PageRequest {
    PageRequest {
        page,
        site,
        base_url: None,
        same_site: SameSite::Host,
        page_list: None,
    }
}

/// Opens a page; the web has two pages. Also returns what was reported.
fn open(request: PageRequest) -> (Result<OpenedPage, OpenPageError>, Vec<String>) {
    let mut reported = Vec::new();
    let connect = |typed: Option<&Url>| -> Result<Box<dyn Source>, Box<dyn std::error::Error + Send + Sync>> {
        let name = if typed.is_some() { "a typed web" } else { "the web" };
        Ok(Box::new(GivenPages::new(vec![page("/a"), page("/b")], name)))
    };
    let opened = open_page(request, Box::new(connect), &mut |event| {
        reported.push(match event {
            OpenEvent::Loading(url) => format!("loading {url}"),
            OpenEvent::SavedFrom(url) => format!("saved from {url}"),
            OpenEvent::GuessedBaseUrl(guess) => format!("guessed {}", guess.url),
            OpenEvent::OpenedFolder(folder) => format!("folder {}", folder.base_url()),
            OpenEvent::Warning(warning) => warning,
        });
    });
    (opened, reported)
}

fn error(request: PageRequest) -> OpenPageError {
    match open(request).0 {
        Ok(opened) => panic!("{} was opened", opened.key_page.url),
        Err(cause) => cause,
    }
}

#[test]
fn a_url_is_loaded_from_the_web() {
    let (opened, reported) = open(request(PageLocation::Url(url("/a")), SiteLocation::Around));
    let mut opened = opened.unwrap();
    assert_eq!((opened.key_page.url, opened.origin), (url("/a"), SiteOrigin::Web));
    assert_eq!(opened.source.load(&url("/b")).unwrap().url, url("/b"));
    assert_eq!(reported, ["loading https://example.org/a"]);
}

#[test]
fn a_stream_needs_a_url_and_only_a_typed_one_may_be_private() {
    let stream = |html: &'static str| PageLocation::Stream(Box::new(html.as_bytes()));
    let cause = error(request(stream("<p>x"), SiteLocation::Around));
    assert!(cause.is_usage_error(), "{cause}");
    let saved = "<!-- saved from url=(0022)https://example.org/a --><p>x";
    let missing = |base_url: Option<Url>| {
        let request = PageRequest {
            base_url,
            ..request(stream(saved), SiteLocation::Around)
        };
        let mut opened = open(request).0.unwrap();
        opened.source.load(&url("/missing")).unwrap_err().to_string()
    };
    assert!(missing(None).contains("in the web"), "{}", missing(None));
    assert!(missing(Some(url("/a"))).contains("in a typed web"));
}

#[test]
fn a_file_brings_its_folder_unless_siblings_are_elsewhere() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a.html");
    fs::write(&file, "<p>x <a href=b.html>b</a>").unwrap();
    fs::write(root.path().join("b.html"), "<p>y").unwrap();
    let location = || PageLocation::File(file.clone());
    let (opened, reported) = open(request(location(), SiteLocation::Around));
    assert_eq!(opened.unwrap().origin, SiteOrigin::Folder);
    assert!(reported[0].starts_with("folder file://"), "{reported:?}");
    let cause = error(request(location(), SiteLocation::Web));
    assert!(
        matches!(cause, OpenPageError::UnknownSite) && cause.is_usage_error(),
        "{cause}"
    );
    let (opened, _) = open(PageRequest {
        base_url: Some(url("/")),
        ..request(location(), SiteLocation::Web)
    });
    assert_eq!(opened.unwrap().origin, SiteOrigin::Web);
}

#[test]
fn a_parsed_page_needs_no_web() {
    let local = Page::parse(Url::parse("file:///a").unwrap(), "<p>x");
    let (opened, _) = open(request(PageLocation::Parsed(Box::new(local)), given()));
    let mut opened = opened.unwrap();
    assert_eq!(opened.origin, SiteOrigin::Given);
    assert_eq!(opened.source.page_urls().unwrap().len(), 2);
    let cause = opened.source.load(&url("/c")).unwrap_err().to_string();
    assert!(cause.contains("https://example.org/c in the test"), "{cause}");
}

#[test]
fn without_its_site_a_file_is_not_searched_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.html");
    fs::write(&file, "<p>a<a href=/b.html>b</a>").unwrap();
    fs::write(folder.path().join("b.html"), "<p>b").unwrap();
    let location = || PageLocation::File(file.clone());
    let (opened, reported) = open(request(location(), SiteLocation::Around));
    assert_eq!(opened.unwrap().key_page.url.as_str(), "http://localhost/a.html");
    assert_eq!(reported[0], "guessed http://localhost/");
    let (opened, reported) = open(request(location(), given()));
    let opened = opened.unwrap();
    assert_eq!(
        (opened.key_page.url.scheme(), opened.origin),
        ("file", SiteOrigin::Given)
    );
    assert!(reported.is_empty(), "{reported:?}");
}

#[test]
fn of_several_pages_one_must_be_named() {
    let cause = error(request(PageLocation::OnlyPage, given()));
    assert!(
        matches!(&cause, OpenPageError::AmbiguousPage { pages } if pages.len() == 2),
        "{cause}"
    );
    let none = SiteLocation::Given {
        pages: Vec::new(),
        name: "the test",
    };
    assert!(matches!(
        error(request(PageLocation::OnlyPage, none)),
        OpenPageError::EmptyArchive
    ));
    let one = SiteLocation::Given {
        pages: vec![page("/a")],
        name: "the test",
    };
    let (opened, _) = open(request(PageLocation::OnlyPage, one));
    assert_eq!(opened.unwrap().key_page.url, url("/a"));
}

#[test]
fn messages_say_what_to_do() {
    let message =
        |file: &str| error(request(PageLocation::File(file.into()), SiteLocation::Around)).to_string();
    assert_eq!(
        message("pages.warc.gz"),
        "pages.warc.gz is an archive: give the URL of a page in it, and --warc pages.warc.gz"
    );
    assert_eq!(message("missing.html"), "no file missing.html: check the path");
    assert_eq!(
        message("example.org/a"),
        "no file example.org/a: for a page on the web, use https://example.org/a"
    );
    let mut archive = ArchiveLocation::from(vec!["missing.warc".into()]);
    archive.name = Some("the archive in the test");
    let cause = error(request(PageLocation::OnlyPage, SiteLocation::Archive(archive))).to_string();
    assert!(
        cause.contains("the archive in the test") && !cause.contains("missing.warc"),
        "{cause}"
    );
}
