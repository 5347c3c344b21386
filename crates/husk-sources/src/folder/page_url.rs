//! The URLs of files: the reverse of [`names`](super::names).

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use husk::{Address, Page, Url, base_url};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

use super::Folder;
use super::links::{hrefs, names_a_host};
use super::names::INDEX;

/// What is percent-encoded in the path of a file's URL.
const IN_PATH: &AsciiSet = &IN_QUERY
    .add(b'?')
    .add(b'/')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'^')
    .add(b'|');

/// What is percent-encoded in a query that was part of a file's name.
const IN_QUERY: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'%')
    .add(b'\'');

/// The URL of a file below the root: the most specific one that leads back to it.
pub(super) fn of_file(folder: &Folder, file: &Path) -> Url {
    let relative = file.strip_prefix(folder.root()).unwrap_or(file);
    let is_found = |url: &Url| folder.is_file_of(file, url);
    let telling = [of_index(folder, relative), with_query(folder, relative)];
    telling
        .into_iter()
        .flatten()
        .find(is_found)
        .unwrap_or_else(|| below(folder, relative))
}

/// The URL by which a page links to itself, if it differs from that of its file, which `page` has.
///
/// Files alone do not reveal what a site calls its pages: `about.html` may be `/about`, and wget turns `/a.php?x=1` into
/// `a.php?x=1.html`, but may rewrite the links to `/a.php%3Fx=1.html`. Links with a host do not count: tools keep those
/// that they did not save.
pub(super) fn of_self_link(folder: &Folder, file: &Path, page: &Page) -> Option<Url> {
    let base = base_url(page);
    let of_base: Vec<u8> = percent_decode_str(last_step(folder.base_url())).collect();
    let of_file = file.iter().rev().map(OsStr::as_encoded_bytes).take(2);
    let steps: Vec<&[u8]> = of_file.chain([&*of_base]).collect();
    let is_telling = |href: &&str| {
        !href.is_empty() && !href.starts_with('#') && !is_of_other_file(href, &steps) && !names_a_host(href)
    };
    let hrefs = hrefs(&page.dom).filter(is_telling);
    let by_name = Address::of(&page.url);
    let mut targets: Vec<Url> = Vec::new();
    let mut seen = HashSet::new();
    for href in hrefs {
        let reference = href.split_once('#').map_or(href, |(reference, _)| reference);
        if !seen.insert(reference) {
            continue;
        }
        let Ok(mut url) = base.join(href) else {
            continue;
        };
        if Address::of(&url) == by_name {
            return None;
        }
        url.set_fragment(None);
        targets.push(url);
    }
    let depth_of_page = depth(&page.url);
    let is_own = |url: &Url| depth(url) == depth_of_page && folder.is_file_of(file, url);
    targets.into_iter().find(is_own)
}

/// The last step of a folder's URL; empty for that of a host.
fn last_step(folder: &Url) -> &str {
    let path = folder.path().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a link certainly leads to another page than the one whose URL has one of these as its last step: most links do, and
/// need not be resolved.
fn is_of_other_file(href: &str, steps: &[&[u8]]) -> bool {
    if href.starts_with("https://") || href.starts_with("http://") {
        return true;
    }
    if href.contains([':', '\\']) {
        return false;
    }
    let path = href
        .split(['?', '#'])
        .next()
        .unwrap_or(href)
        .trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path).as_bytes();
    // All tools keep letters and digits; the rest of a name depends on the tool.
    let kept = name
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let begins_so = |step: &&[u8]| {
        let front = step.get(..kept);
        !step.is_ascii() || front.is_some_and(|front| front.eq_ignore_ascii_case(&name[..kept]))
    };
    kept > 0 && !steps.iter().any(begins_so)
}

/// The number of folders in a URL. At another depth the page's relative links would lead elsewhere.
fn depth(url: &Url) -> usize {
    url.path().matches('/').count()
}

fn bytes_of(name: Option<&OsStr>) -> &[u8] {
    name.unwrap_or_default().as_encoded_bytes()
}

fn below(folder: &Folder, relative: &Path) -> Url {
    let steps: Vec<String> = relative
        .iter()
        .map(|step| percent_encode(step.as_encoded_bytes(), IN_PATH).to_string())
        .collect();
    let mut url = folder.base_url().clone();
    let path = format!("{}{}", url.path(), steps.join("/"));
    url.set_path(&path);
    url
}

/// The URL of a folder, for its index page.
fn of_index(folder: &Folder, relative: &Path) -> Option<Url> {
    let name = relative.file_name()?;
    INDEX.iter().find(|index| name == **index)?;
    Some(as_folder(below(folder, relative.parent()?)))
}

fn as_folder(mut url: Url) -> Url {
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url
}

/// The URL with a query for a file that has the query in its name, unless its links were probably rewritten.
fn with_query(folder: &Folder, relative: &Path) -> Option<Url> {
    let name = bytes_of(relative.file_name());
    let mark = name.iter().position(|&byte| byte == b'?')?;
    let (front, query) = (&name[..mark], &name[mark + 1..]);
    if query.ends_with(b".html") || query.ends_with(b".htm") {
        return None;
    }
    let parent = relative.parent()?;
    let mut url = match front {
        b"index.html" => as_folder(below(folder, parent)),
        _ => below(folder, &parent.join(str::from_utf8(front).ok()?)),
    };
    // wget encodes only the slash in a query.
    let query = percent_encode(query, IN_QUERY)
        .to_string()
        .replace("%252F", "%2F");
    url.set_query(Some(&query));
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_other_files_are_seen_by_their_names() {
        let check = |href: &str, expect: bool| {
            let steps = [&b"index.html"[..], b"About-us", b"docs"];
            assert_eq!(is_of_other_file(href, &steps), expect, "{href}");
        };
        for href in [
            "contact.html",
            "/about/x/",
            "https://example.org/about-us",
            "contact?x=/about",
        ] {
            check(href, true);
        }
        for href in [
            "",
            "/",
            "..",
            "?about",
            "index.php",
            "../about-us/",
            "/x/ABOUT-US",
            "/docs",
            "%61bout",
            "x\\about",
            "http:x",
        ] {
            check(href, false);
        }
        assert!(
            !is_of_other_file("x", &["\u{212a}".as_bytes()]),
            "letter case beyond ASCII"
        );
    }
}
