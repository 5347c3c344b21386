//! Guesses the root of the site that a file belongs to.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use husk::Url;
use husk::dom::Dom;

use crate::file_url;

use super::declared::{declared_urls, without_path};
use super::links::{BoundLinks, MIN_HOST_LINKS, hrefs, names_a_host};
use super::lookup::Listings;
use super::{Folder, host, page_url, read};

/// How many hosts are tried as that of the site, those with the most links first.
const MAX_HOSTS: usize = 3;

/// Guesses the root folder of a page's site, see [`Folder::around`].
///
/// `file` must be canonical.
pub(super) fn guess_root(file: &Path, dom: &Dom) -> PathBuf {
    let folders = possible_roots(file.parent().unwrap_or(file));
    if let Some(mirrored) = folders.iter().find(|folder| is_beside_httrack_cache(folder)) {
        return mirrored.clone();
    }
    let relative = levels_of_relative_links(&folders, file, dom);
    let level = level_by_urls(&folders, file, dom, &relative).unwrap_or_else(|| {
        let reached = relative.iter().copied().max().unwrap_or(0);
        level_by_index_pages(&folders, reached)
    });
    folders[level].clone()
}

/// The folders that may be the root, innermost first; the index of a folder is its level.
fn possible_roots(own: &Path) -> Vec<PathBuf> {
    let limits: Vec<PathBuf> = [env::home_dir(), Some(env::temp_dir())]
        .into_iter()
        .flatten()
        .filter_map(|limit| limit.canonicalize().ok())
        .collect();
    let mut folders = vec![own.to_owned()];
    let mut below = own;
    while let Some(folder) = below.parent() {
        let is_limit = folder.parent().is_none() || limits.iter().any(|limit| limit == folder);
        if is_limit || host::is_host_folder(below) {
            break;
        }
        folders.push(folder.to_owned());
        below = folder;
    }
    folders
}

fn is_beside_httrack_cache(folder: &Path) -> bool {
    host::is_host_folder(folder) && folder.with_file_name("hts-cache").is_dir()
}

/// The folder for which most speaks, if it explains a URL with a host or a slash at its beginning; of several, the innermost.
///
/// What speaks for a folder: the links that lead to files if it is the root, and the folders below it that the page's declared
/// URL names.
fn level_by_urls(folders: &[PathBuf], file: &Path, dom: &Dom, relative: &[usize]) -> Option<usize> {
    let guess = UrlGuess {
        declared: declared_urls(dom),
        links: BoundLinks::of(dom),
    };
    let mut listings = Listings::default();
    let by_urls = folders
        .iter()
        .map(|root| guess.evidence_for(root, file, &mut listings));
    let by_urls: Vec<usize> = by_urls.collect();
    let within = |level: usize| relative.iter().filter(|&&reached| reached <= level).count();
    let best = (0..folders.len()).max_by_key(|&level| (by_urls[level] + within(level), Reverse(level)))?;
    (by_urls[best] > 0).then_some(best)
}

/// The URLs of a page that depend on the root of its site.
struct UrlGuess {
    declared: Vec<Url>,
    links: BoundLinks,
}

impl UrlGuess {
    /// How much the URLs say for a root.
    fn evidence_for(&self, root: &Path, file: &Path, listings: &mut Listings) -> usize {
        let Ok(place) = file.strip_prefix(root) else {
            return 0;
        };
        let depth = place.iter().count() - 1;
        let declared = self
            .declared
            .iter()
            .filter_map(|url| without_path(url.clone(), place));
        let by_declared = declared.map(|base| depth + self.links_to_files(root, base, 1, listings));
        let unknown = Url::parse("http://localhost/").ok();
        let by_links = self
            .hosts()
            .into_iter()
            .chain(unknown)
            .map(|base| (base, MIN_HOST_LINKS));
        let by_declared = by_declared.max().unwrap_or(0);
        let by_links = by_links.map(|(base, least)| self.links_to_files(root, base, least, listings));
        by_links.max().unwrap_or(0).max(by_declared)
    }

    /// The hosts that may be that of the site: the declared ones, or else those of most links.
    fn hosts(&self) -> Vec<Url> {
        let mut hosts: Vec<Url> = self
            .declared
            .iter()
            .filter_map(|url| url.join("/").ok())
            .collect();
        if hosts.is_empty() {
            hosts = self.links.hosts();
        }
        hosts.truncate(MAX_HOSTS);
        hosts
    }

    /// How many links lead to files if a root has a URL; of those with a host, at least `least`.
    fn links_to_files(&self, root: &Path, base: Url, least: usize, listings: &mut Listings) -> usize {
        let site = Folder::at(root.to_owned(), base);
        let with_host = self.links.by_host_to(&site, listings).count();
        let from_root = self.links.root_links_to(&site, listings).count();
        from_root + if with_host < least { 0 } else { with_host }
    }
}

/// The levels that relative links lead to, one for each page.
fn levels_of_relative_links(folders: &[PathBuf], file: &Path, dom: &Dom) -> Vec<usize> {
    let outermost = &folders[folders.len() - 1];
    let Some(base) = file_url::of_folder(outermost) else {
        return Vec::new();
    };
    let site = Folder::at(outermost.clone(), base);
    let own = page_url::of_file(&site, file);
    let mut listings = Listings::default();
    let relative = hrefs(dom).filter(|href| !href.starts_with('/') && !names_a_host(href));
    let targets: BTreeSet<PathBuf> = relative
        .filter_map(|href| site.find_by(&mut listings, &own.join(href).ok()?).ok())
        .collect();
    let level_of = |target: &PathBuf| folders.iter().position(|folder| target.starts_with(folder));
    targets.iter().filter_map(level_of).collect()
}

/// Goes up from a level to the index pages above it: to that of the next folder, and over folders without one if the page
/// links to the folder below.
fn level_by_index_pages(folders: &[PathBuf], from: usize) -> usize {
    let mut level = from;
    for above in from + 1..folders.len() {
        let Some(index) = index_page(&folders[above]) else {
            continue;
        };
        if above == level + 1 || links_into(&folders[above], &folders[above - 1], &index) {
            level = above;
        }
    }
    level
}

fn index_page(folder: &Path) -> Option<PathBuf> {
    ["index.html", "index.htm"]
        .iter()
        .map(|index| folder.join(index))
        .find(|index| index.is_file())
}

/// Whether a link of the index page of a folder leads to a file in a folder below it.
fn links_into(folder: &Path, below: &Path, index: &Path) -> bool {
    let Ok(dom) = read::parse_page(index, Folder::MAX_BYTES) else {
        return false;
    };
    let Ok(base) = Url::parse("http://localhost/") else {
        return false;
    };
    let site = Folder::at(folder.to_owned(), base.clone());
    let mut listings = Listings::default();
    // Which host the site has is unknown: only the paths of links count.
    let mut targets = hrefs(&dom)
        .filter_map(|href| base.join(base.join(href).ok()?.path()).ok())
        .filter_map(|url| site.find_by(&mut listings, &url).ok());
    targets.any(|target| target.starts_with(below))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Writes files with their texts and guesses the root of the first one.
    fn check(files: &[(&str, &str)], expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        // The folder of temporary files is a limit: the test's lies below it.
        let top = folder.path().canonicalize().unwrap();
        for (file, text) in files {
            fs::create_dir_all(top.join(file).parent().unwrap()).unwrap();
            fs::write(top.join(file), text).unwrap();
        }
        let root = guess_root(&top.join(files[0].0), &Dom::parse(files[0].1));
        assert_eq!(root.strip_prefix(&top).unwrap(), Path::new(expect), "{files:?}");
    }

    #[test]
    fn alone_its_own_folder() {
        check(&[("a/b/page.html", "")], "a/b");
        check(
            &[(
                "a/b/page.html",
                "<a href=gone.html> <a href=../gone.html> <a href=/gone>",
            )],
            "a/b",
        );
    }

    #[test]
    fn upwards_along_index_pages() {
        check(
            &[
                ("site/a/b/page.html", ""),
                ("site/a/index.html", ""),
                ("site/index.htm", ""),
            ],
            "site",
        );
        check(&[("site/a/b/page.html", ""), ("site/index.html", "")], "site/a/b");
    }

    #[test]
    fn as_far_as_relative_links_lead() {
        let page = "<a href=../../about.html>";
        check(
            &[("x/site/2021/07/page.html", page), ("x/site/about.html", "")],
            "x/site",
        );
        check(
            &[
                ("x/site/2021/07/page.html", page),
                ("x/site/about.html", ""),
                ("x/index.html", ""),
            ],
            "x",
        );
    }

    #[test]
    fn where_links_from_the_root_lead_to_files() {
        let page = "<a href=/>Home</a> <a href=/about/>About</a> <a href=/docs/x>X</a>";
        let site = [
            ("x/public/posts/a/index.html", page),
            ("x/public/about/index.html", ""),
            ("x/index.html", ""),
        ];
        check(&site, "x/public");
    }

    #[test]
    fn over_folders_without_index_pages() {
        let page = "<link rel=canonical href=https://e.org/2018/02/a-post/>";
        let site = [("x/site/2018/02/a-post/index.html", page), ("x/index.html", "")];
        check(&site, "x/site");
        let page = "<meta property=og:url content=https://e.org/blog/2018/a.html>";
        check(&[("x/site/2018/a.html", page)], "x/site");
        let elsewhere = "<link rel=canonical href=https://e.org/other/>";
        check(&[("x/site/2018/a.html", elsewhere)], "x/site/2018");
    }

    #[test]
    fn where_links_with_a_host_lead_to_files() {
        let page = "<a href=https://e.org/about/>About</a> <a href=//e.org/tag/x/>X</a> <a href=https://f.org/>F</a>";
        let others = [("site/about/index.html", ""), ("site/tag/x/index.html", "")];
        let check_page = |page: &str, expect: &str| {
            check(
                &[&[("site/category/a/index.html", page)], &others[..]].concat(),
                expect,
            )
        };
        check_page(page, "site");
        // The declared URL is that of the front page, on each page.
        check_page(&format!("<link rel=canonical href=https://e.org/>{page}"), "site");
        // One page of that path may be there by chance, and so may those of other sites.
        check_page("<a href=https://e.org/about/>About</a>", "site/category/a");
        check_page(
            &format!("<link rel=canonical href=https://f.org/>{page}"),
            "site/category/a",
        );
    }

    #[test]
    fn up_to_an_index_page_that_links_down() {
        for link in ["a/b/page.html", "/a/c/", "https://e.org/a/b/page"] {
            let index = format!("<a href={link}>");
            let site = [
                ("x/site/a/b/page.html", ""),
                ("x/site/a/c/index.html", ""),
                ("x/site/index.html", &index),
            ];
            check(&site, "x/site");
        }
    }

    #[test]
    fn never_above_a_host() {
        let site = [
            ("m/example.org/a/page.html", ""),
            ("m/example.org/a/index.html", ""),
            ("m/index.html", ""),
        ];
        check(&site, "m/example.org/a");
        let site = [("m/example.org/page.html", ""), ("m/index.html", "")];
        check(&site, "m/example.org");
        let site = [("m/example.org/a/page.html", ""), ("m/hts-cache/new.txt", "")];
        check(&site, "m/example.org");
    }

    #[test]
    fn a_missing_file_is_no_trouble() {
        assert_eq!(
            guess_root(Path::new("/nowhere/site/page.html"), &Dom::parse("")),
            Path::new("/nowhere/site/page.html").parent().unwrap()
        );
    }
}
