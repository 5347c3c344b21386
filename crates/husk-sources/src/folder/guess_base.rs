//! Guesses the URL that a site was saved from, if its links need one.

use std::fmt;
use std::iter;
use std::path::{Path, PathBuf};

use husk::Url;
use husk::dom::{Dom, Name, NodeId, name};
use percent_encoding::percent_decode_str;

use super::links::{hrefs, names_a_host};
use super::lookup::Listings;
use super::names::INDEX;
use super::walk::Pages;
use super::{Folder, host, read};

/// How many pages are examined beside the key page.
const OTHER_PAGES: usize = 5;

/// How many directory entries are visited to find them: a page may be in a folder with anything else.
const MAX_ENTRIES: usize = 2_000;

/// A guess at the URL that a site was saved from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseGuess {
    /// The URL.
    pub url: Url,
    /// The evidence for it.
    pub evidence: Evidence,
}

/// The evidence for the URL of a saved site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A page declares its own URL.
    Canonical,
    /// The folder is named like a host.
    FolderName,
    /// Links begin with a slash, as on a server.
    RootLinks,
}

impl fmt::Display for Evidence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Canonical => "a page declares it as its URL",
            Self::FolderName => "the folder is named like a host",
            Self::RootLinks => "links begin with a slash",
        })
    }
}

/// A page that is examined.
struct ExaminedPage<'a> {
    /// Its path below the root.
    place: &'a Path,
    dom: &'a Dom,
}

/// Guesses the URL that a site was saved from, see [`Folder::around`].
///
/// `root` must be canonical and contain the file of the key page.
pub(super) fn guess_base(root: &Path, key_file: &Path, key_dom: &Dom) -> Option<BaseGuess> {
    let others = other_pages(root, key_file);
    let others = others.iter().map(|(file, dom)| (file.as_path(), dom));
    // The key page first: the first files of a folder may be stubs without links.
    let pages: Vec<ExaminedPage> = iter::once((key_file, key_dom))
        .chain(others)
        .filter_map(|(file, dom)| {
            let place = file.strip_prefix(root).ok()?;
            Some(ExaminedPage { place, dom })
        })
        .collect();
    let canonical = pages
        .iter()
        .flat_map(canonical_bases)
        .map(|url| (url, Evidence::Canonical));
    let by_name = host::url_of_folder(root).map(|url| (url, Evidence::FolderName));
    let local = Url::parse("http://localhost/").map(|url| (url, Evidence::RootLinks));
    let mut guesses = canonical
        .chain(by_name)
        .chain(local)
        .map(|(url, evidence)| BaseGuess { url, evidence });
    let mut listings = Listings::default();
    guesses.find(|guess| {
        let site = Folder::at(root.to_owned(), guess.url.clone());
        pages.iter().any(|page| leads_to_file(&mut listings, page, &site))
    })
}

fn other_pages(root: &Path, key_file: &Path) -> Vec<(PathBuf, Dom)> {
    Pages::below(root)
        .within_entries(MAX_ENTRIES)
        .filter(|file| file != key_file)
        .take(OTHER_PAGES)
        .filter_map(|file| {
            let dom = read::parse_page(&file, Folder::MAX_BYTES).ok()?;
            Some((file, dom))
        })
        .collect()
}

/// Whether a link that does not work with `file:` URLs leads to a page of the site.
fn leads_to_file(listings: &mut Listings, page: &ExaminedPage, site: &Folder) -> bool {
    let is_bound = |href: &&str| href.starts_with('/') || names_a_host(href);
    let mut targets = hrefs(page.dom)
        .filter(is_bound)
        .filter_map(|href| site.base_url().join(href).ok());
    targets.any(|url| site.leads_to_file(listings, &url))
}

/// The URLs of the root that follow from the URL a page declares.
fn canonical_bases(page: &ExaminedPage) -> Vec<Url> {
    let dom = page.dom;
    let named = dom
        .nodes()
        .filter_map(|node| declared_url(dom, node))
        .filter_map(|text| Url::parse(text.trim()).ok());
    let named = named.filter(|url| matches!(url.scheme(), "http" | "https"));
    named.filter_map(|url| without_path(url, page.place)).collect()
}

/// The page's own URL, if an element declares it.
pub(crate) fn declared_url(dom: &Dom, node: NodeId) -> Option<&str> {
    let says = |key: Name, value| {
        dom.attribute(node, &key)
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    if dom.is_element(node, &name!("link")) && says(name!("rel"), "canonical") {
        return dom.attribute(node, &name!("href"));
    }
    if dom.is_element(node, &name!("meta")) && says(name!("property"), "og:url") {
        return dom.attribute(node, &name!("content"));
    }
    None
}

/// The URL of the root, if the page at `place` below it has the URL `url`.
///
/// `docs/a.html` is at `docs/a.html`, `docs/a` or `docs/a/`, and `docs/index.html` at `docs/` too.
fn without_path(mut url: Url, place: &Path) -> Option<Url> {
    let path = percent_decode_str(url.path().trim_end_matches('/'))
        .decode_utf8()
        .ok()?
        .into_owned();
    let is_index = INDEX.iter().any(|index| place.ends_with(index));
    let short = if is_index {
        place.parent()?.to_owned()
    } else {
        place.with_extension("")
    };
    let front = [place, &short]
        .into_iter()
        .find_map(|end| path_before(&path, end))?;
    url.set_path(&format!("{front}/"));
    url.set_query(None);
    url.set_fragment(None);
    Some(url)
}

/// What precedes the segments of `end` in a path, without the slash.
fn path_before<'a>(path: &'a str, end: &Path) -> Option<&'a str> {
    let mut front = path;
    for step in end.iter().rev() {
        front = front.strip_suffix(step.to_str()?)?.strip_suffix('/')?;
    }
    Some(front)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Writes files with their texts into a folder of that name, and guesses its URL from the first one.
    fn check(folder: &str, files: &[(&str, &str)], expect: Option<(&str, Evidence)>) {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().canonicalize().unwrap().join(folder);
        for (file, text) in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        let guess = guess_base(&root, &root.join(files[0].0), &Dom::parse(files[0].1));
        let guess = guess.as_ref().map(|guess| (guess.url.as_str(), guess.evidence));
        assert_eq!(guess, expect, "{folder}: {files:?}");
    }

    #[test]
    fn relative_links_need_no_address() {
        let page = "<link rel=canonical href=https://example.org/><a href=about.html>";
        check("example.org", &[("index.html", page), ("about.html", "")], None);
        check("example.org", &[("index.html", "<a href=/gone>")], None);
    }

    #[test]
    fn pages_name_their_address() {
        let home = "<link rel=Canonical href=https://example.org/blog/><a href=/blog/about/>";
        let expect = Some(("https://example.org/blog/", Evidence::Canonical));
        check("site", &[("index.html", home), ("about/index.html", "")], expect);
        let about = "<meta property=og:url content='https://example.org/blog/about?x=1'><a href=https://example.org/blog/>";
        check("site", &[("index.html", ""), ("about/index.html", about)], expect);
        check("site", &[("index.html", ""), ("about.html", about)], expect);
    }

    #[test]
    fn the_key_page_is_asked_before_stubs() {
        let stubs = ["404.html", "a.html", "b.html", "c.html", "d.html", "e.html"];
        let mut files = vec![("m/z.html", "<a href=/m/y.html>"), ("m/y.html", "")];
        files.extend(stubs.map(|stub| (stub, "")));
        check("site", &files, Some(("http://localhost/", Evidence::RootLinks)));
    }

    #[test]
    fn other_pages_are_asked_too() {
        let files = [("a.html", ""), ("b.html", "<a href=/a.html>")];
        check("site", &files, Some(("http://localhost/", Evidence::RootLinks)));
    }

    #[test]
    fn a_large_folder_is_not_searched_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for number in 0..MAX_ENTRIES {
            fs::write(root.join(format!("{number}.txt")), "").unwrap();
        }
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("sub/a.html"), "").unwrap();
        assert!(other_pages(&root, &root.join("key.html")).is_empty());
    }

    #[test]
    fn a_wrong_canonical_address_does_not_count() {
        let page = "<link rel=canonical href=https://example.com/other><a href=/about.html>";
        let files = [("index.html", page), ("about.html", "")];
        check("site", &files, Some(("http://localhost/", Evidence::RootLinks)));
    }

    #[test]
    fn folders_named_like_hosts() {
        let files = [
            ("index.html", "<a href=http://example.org/about>"),
            ("about", "<p>"),
        ];
        check(
            "example.org",
            &files,
            Some(("https://example.org/", Evidence::FolderName)),
        );
        check("example.com", &files, None);
        let files = [("index.html", "<a href=/about>"), ("about", "<p>")];
        check(
            "127.0.0.1:8000",
            &files,
            Some(("http://127.0.0.1:8000/", Evidence::FolderName)),
        );
        check(
            "site.v2",
            &files,
            Some(("http://localhost/", Evidence::RootLinks)),
        );
    }

    #[test]
    fn places_at_the_end_of_an_address() {
        let check = |url: &str, place: &str, expect: Option<&str>| {
            let found = without_path(Url::parse(url).unwrap(), Path::new(place));
            assert_eq!(found.as_ref().map(Url::as_str), expect, "{url} {place}");
        };
        check("https://e.org", "index.html", Some("https://e.org/"));
        check("https://e.org/index.html", "index.html", Some("https://e.org/"));
        check(
            "https://e.org/x/docs/",
            "docs/index.html",
            Some("https://e.org/x/"),
        );
        check("https://e.org/x/docs/a", "docs/a.html", Some("https://e.org/x/"));
        check(
            "https://e.org/caf%C3%A9.html#top",
            "café.html",
            Some("https://e.org/"),
        );
        check("https://e.org/xdocs/", "docs/index.html", None);
        check("https://e.org/b.html", "a.html", None);
    }
}
