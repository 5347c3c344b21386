//! Guesses the URL that a site was saved from, if its links need one.

use std::collections::BTreeSet;
use std::fmt;
use std::iter;
use std::path::{Path, PathBuf};

use husk::Url;
use husk::dom::Dom;

use super::declared::{declared_urls, without_path};
use super::links::{BoundLinks, MIN_HOST_LINKS, hrefs, names_a_host};
use super::lookup::Listings;
use super::walk::Pages;
use super::{Folder, host, read};

/// How many pages are examined beside the key page.
const OTHER_PAGES: usize = 8;

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
    /// Links that begin with it lead to files.
    Links,
    /// Links begin with a slash, as on a server.
    RootLinks,
}

impl fmt::Display for Evidence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Canonical => "its pages declare URLs below it",
            Self::FolderName => "the folder is named like a host",
            Self::Links => "links to it lead to files in the folder",
            Self::RootLinks => "links begin with a slash",
        })
    }
}

impl fmt::Display for BaseGuess {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, because {}", self.url, self.evidence)
    }
}

/// A page that is examined.
struct ExaminedPage<'a> {
    /// Its path below the root.
    place: &'a Path,
    dom: &'a Dom,
    links: BoundLinks,
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
            let links = BoundLinks::of(dom);
            Some(ExaminedPage { place, dom, links })
        })
        .collect();
    let mut listings = Listings::default();
    let mut votes = Votes {
        root,
        pages: &pages,
        listings: &mut listings,
    };
    let declared = declared_bases(&pages);
    let (private, public): (Vec<_>, Vec<_>) =
        declared.into_iter().partition(|(url, _)| host::is_private(url));
    let by_name = host::url_of_folder(root).map(|url| (url, Evidence::FolderName));
    let by_declared = |(url, _)| (url, Evidence::Canonical);
    let known = public.iter().cloned().map(by_declared).chain(by_name);
    let known: Vec<_> = known.chain(votes.linked_hosts()).collect();
    let local = Url::parse("http://localhost/").map(|url| (url, Evidence::RootLinks));
    let unknown: Vec<_> = private.iter().cloned().map(by_declared).chain(local).collect();
    let known = votes.best(known, &public);
    // A private host says where a copy of the site was tried.
    let unknown = votes.best(unknown, &[]);
    let best = match (known, unknown) {
        (Some(known), Some(unknown)) => Some(if unknown.from_root > known.count {
            unknown
        } else {
            known
        }),
        (known, unknown) => known.or(unknown),
    };
    best.map(|best| best.guess)
}

/// A possible URL of the root, and what speaks for it.
struct Voted {
    guess: BaseGuess,
    /// The pages that declare it, and the links that lead to files.
    count: usize,
    /// The links without a host among them.
    from_root: usize,
}

/// What the pages of a site say about the URL of its root.
struct Votes<'a> {
    root: &'a Path,
    pages: &'a [ExaminedPage<'a>],
    listings: &'a mut Listings,
}

impl Votes<'_> {
    /// The URL for which most speaks; of several, the first. `declared` are the URLs that pages declare, with their numbers.
    fn best(&mut self, urls: Vec<(Url, Evidence)>, declared: &[(Url, usize)]) -> Option<Voted> {
        let mut best: Option<Voted> = None;
        for (url, evidence) in urls {
            let site = Folder::at(self.root.to_owned(), url.clone());
            if !self
                .pages
                .iter()
                .any(|page| leads_to_file(self.listings, page, &site))
            {
                continue;
            }
            let declaring = declared.iter().find(|(other, _)| is_same_base(other, &url));
            let from_root = self.count(|page, listings| page.links.root_links_to(&site, listings).collect());
            let by_host = self.count(|page, listings| page.links.by_host_to(&site, listings).collect());
            let count = declaring.map_or(0, |(_, pages)| *pages) + from_root + by_host;
            if best.as_ref().is_none_or(|best| count > best.count) {
                best = Some(Voted {
                    guess: BaseGuess { url, evidence },
                    count,
                    from_root,
                });
            }
        }
        best
    }

    /// The number of pages that links lead to.
    fn count(&mut self, targets: impl Fn(&ExaminedPage, &mut Listings) -> Vec<Url>) -> usize {
        let mut paths = BTreeSet::new();
        for page in self.pages {
            let urls = targets(page, self.listings);
            paths.extend(urls.iter().map(|url| url.path().to_owned()));
        }
        paths.len()
    }

    /// The hosts that pages name in links to files. If pages declare a URL of a host, only that one.
    fn linked_hosts(&mut self) -> Vec<(Url, Evidence)> {
        let declared: Vec<Url> = self
            .pages
            .iter()
            .flat_map(|page| declared_urls(page.dom))
            .collect();
        let declared: Vec<&Url> = declared.iter().filter(|url| !host::is_private(url)).collect();
        let mut hosts: Vec<Url> = Vec::new();
        for host in self.pages.iter().flat_map(|page| page.links.hosts()) {
            let can_be = declared.is_empty() || declared.iter().any(|url| host::share_host(url, &host));
            let is_known = hosts.iter().any(|known| host::share_host(known, &host));
            if can_be && !is_known && !host::is_private(&host) {
                hosts.push(host);
            }
        }
        let leads_often = |host: &Url| {
            let site = Folder::at(self.root.to_owned(), host.clone());
            self.count(|page, listings| page.links.by_host_to(&site, listings).collect()) >= MIN_HOST_LINKS
        };
        hosts.retain(leads_often);
        hosts.into_iter().map(|host| (host, Evidence::Links)).collect()
    }
}

/// The URLs of the root that follow from those that pages declare, each with the number of pages.
fn declared_bases(pages: &[ExaminedPage]) -> Vec<(Url, usize)> {
    let mut bases: Vec<(Url, usize)> = Vec::new();
    for page in pages {
        let mut of_page: Vec<Url> = Vec::new();
        for url in declared_urls(page.dom) {
            let base = without_path(url, page.place);
            of_page.extend(base.filter(|base| !of_page.iter().any(|other| is_same_base(other, base))));
        }
        for base in of_page {
            match bases.iter_mut().find(|(other, _)| is_same_base(other, &base)) {
                Some((_, pages)) => *pages += 1,
                None => bases.push((base, 1)),
            }
        }
    }
    bases
}

fn is_same_base(one: &Url, other: &Url) -> bool {
    host::share_host(one, other) && one.path() == other.path()
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
    fn pages_vote() {
        let declaring =
            |path: &str, links: &str| format!("<link rel=canonical href=https://example.org/{path}>{links}");
        // The front page shows a post and declares the URL of that.
        let home = declaring(
            "post/",
            "<a href=https://example.org/post/feed/><a href=https://example.org/a/>",
        );
        let (a, b) = (declaring("a/", ""), declaring("b/", ""));
        let files = [
            ("index.html", &*home),
            ("a/index.html", &a),
            ("b/index.html", &b),
            ("feed/index.html", ""),
        ];
        check(
            "site",
            &files,
            Some(("https://example.org/", Evidence::Canonical)),
        );
    }

    #[test]
    fn links_to_files_name_the_host() {
        let links = "<a href=https://example.org/a.html><a href=http://www.example.org/b.html>";
        let files = |home| [("index.html", home), ("a.html", ""), ("b.html", "")];
        let expect = Some(("https://example.org/", Evidence::Links));
        check("site", &files(links), expect);
        // A copy of the site was tried on somebody's computer.
        let tried = format!("<link rel=canonical href=http://localhost:4000/><a href=/a.html>{links}");
        check("site", &files(&tried), expect);
        let once = "<a href=https://example.org/a.html><a href=https://example.org/c.html>";
        check("site", &files(once), None);
        let of_another = format!("<link rel=canonical href=https://example.com/>{links}");
        check("site", &files(&of_another), None);
    }

    #[test]
    fn links_from_the_root_outweigh_a_few_with_a_host() {
        let home = "<link rel=canonical href=https://example.org/x/><a href=https://example.org/x/a.html>\
            <a href=/a.html><a href=/b.html><a href=/c.html>";
        let files = [
            ("index.html", home),
            ("a.html", ""),
            ("b.html", ""),
            ("c.html", ""),
        ];
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
}
