//! Guesses the root of the site that a file belongs to.

use std::cmp::Reverse;
use std::env;
use std::path::{Path, PathBuf};

use husk::Url;
use husk::dom::Dom;

use crate::file_url;

use super::links::{hrefs, names_a_host};
use super::lookup::Listings;
use super::{Folder, host, page_url};

/// Guesses the root folder of a page's site, see [`Folder::around`].
///
/// `file` must be canonical.
pub(super) fn guess_root(file: &Path, dom: &Dom) -> PathBuf {
    let folders = possible_roots(file.parent().unwrap_or(file));
    if let Some(mirrored) = folders.iter().find(|folder| is_beside_httrack_cache(folder)) {
        return mirrored.clone();
    }
    let level = level_by_root_links(&folders, dom).unwrap_or_else(|| {
        let reached = level_by_relative_links(&folders, file, dom);
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

/// The folder from which most links that begin with a slash lead to files; of several, the innermost.
fn level_by_root_links(folders: &[PathBuf], dom: &Dom) -> Option<usize> {
    // Every folder with an index page has a page at "/", so that link proves nothing.
    let links: Vec<&str> = hrefs(dom)
        .filter(|href| is_from_root(href) && href.len() > 1)
        .collect();
    let base = Url::parse("http://localhost/").ok()?;
    let mut listings = Listings::default();
    let counts = folders.iter().map(|folder| {
        let site = Folder::at(folder.clone(), base.clone());
        links
            .iter()
            .filter_map(|href| base.join(href).ok())
            .filter(|url| site.leads_to_file(&mut listings, url))
            .count()
    });
    let (level, count) = counts
        .enumerate()
        .max_by_key(|&(level, count)| (count, Reverse(level)))?;
    (count > 0).then_some(level)
}

/// The level of the outermost file that a relative link leads to.
fn level_by_relative_links(folders: &[PathBuf], file: &Path, dom: &Dom) -> usize {
    let outermost = &folders[folders.len() - 1];
    let Some(base) = file_url::of_folder(outermost) else {
        return 0;
    };
    let site = Folder::at(outermost.clone(), base);
    let own = page_url::of_file(&site, file);
    let mut listings = Listings::default();
    let relative = hrefs(dom).filter(|href| !href.starts_with('/') && !names_a_host(href));
    let targets = relative.filter_map(|href| site.find_by(&mut listings, &own.join(href).ok()?).ok());
    let levels = targets.filter_map(|target| folders.iter().position(|folder| target.starts_with(folder)));
    levels.max().unwrap_or(0)
}

/// Goes up from a level while the next folder has an index page.
fn level_by_index_pages(folders: &[PathBuf], from: usize) -> usize {
    let has_index = |folder: &&PathBuf| {
        ["index.html", "index.htm"]
            .iter()
            .any(|index| folder.join(index).is_file())
    };
    from + folders[from + 1..].iter().take_while(has_index).count()
}

fn is_from_root(href: &str) -> bool {
    href.starts_with('/') && !href.starts_with("//")
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
