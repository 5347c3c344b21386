//! The format of the TECO benchmark: the labels are class names in the HTML of the key page.
//!
//! A site is a folder named after its domain. Its key page is the one page in it with such classes; they include
//! the descendants of their elements.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use husk::Url;
use husk_dom::{Dom, decode};
use regex::{Regex, bytes};

use super::file::{is_readable, read};
use super::{CorpusError, KeyPage, LabelPlace, Labels, Site, entries, folders_in};
use crate::css::{Selector, select};

/// The class names, as a regular expression. The numbered ones mark undocumented variants of the template.
const LABEL: &str = r"\bTECO_(?:notTemplate[23]?|mainContent|mainMenu)\b";

/// The sites of a folder: itself, or its subfolders if it is a category.
pub(super) fn site_folders(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    if is_site(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let mut sites = folders_in(folder)?;
    sites.retain(|inner| is_site(inner));
    Ok(sites)
}

/// Whether a folder is a site: it is named after a domain, or has a page in it.
pub(super) fn is_site(folder: &Path) -> bool {
    let is_page_file = |entry: &PathBuf| entry.is_file() && is_page(entry);
    is_domain(&name_of(folder)) || entries(folder).is_ok_and(|entries| entries.iter().any(is_page_file))
}

/// The name of a folder, also where its path is `.` or ends with `..`.
fn name_of(folder: &Path) -> String {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn is_domain(name: &str) -> bool {
    let is_top_level = |label: &str| label.len() > 1 && label.chars().all(char::is_alphabetic);
    name.rsplit_once('.')
        .is_some_and(|(rest, last)| !rest.is_empty() && is_top_level(last))
}

/// Whether a file is a page, by its extension.
fn is_page(file: &Path) -> bool {
    const STARTS: [&str; 8] = ["htm", "xhtm", "shtm", "php", "asp", "jsp", "cfm", "cgi"];
    let Some(extension) = file.extension() else {
        return false;
    };
    // Saved files keep the query in their name, as in `index.php?id=3`.
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    STARTS.iter().any(|start| extension.starts_with(start))
}

pub(super) fn read_site(folder: &Path) -> Result<Site, CorpusError> {
    // A folder without labels is not a site, whatever its name.
    let key_page = find_key_page(folder)?;
    let name = name_of(folder);
    let Ok(base_url) = Url::parse(&format!("http://{name}/")) else {
        return Err(CorpusError::NoDomain(folder.to_owned()));
    };
    Ok(Site {
        name,
        root: folder.to_owned(),
        base_url,
        category: None,
        language: None,
        gold_file: None,
        key_pages: vec![key_page],
    })
}

/// Finds the page of a site with labels.
fn find_key_page(root: &Path) -> Result<KeyPage, CorpusError> {
    let mut found: Option<KeyPage> = None;
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            if entry.is_symlink() {
                continue;
            } else if entry.is_dir() {
                folders.push(entry);
            } else if !is_readable(&entry) {
                // The site's source skips it too.
                continue;
            } else if let Some(labels) = labels_in(&entry)? {
                let file = entry.strip_prefix(root).unwrap_or(&entry).to_owned();
                if let Some(before) = found {
                    return Err(CorpusError::SeveralKeyPages(root.to_owned(), [before.file, file]));
                }
                found = Some(KeyPage {
                    file,
                    labels,
                    label_place: LabelPlace::Page,
                    warnings: Vec::new(),
                });
            }
        }
    }
    found.ok_or_else(|| CorpusError::NoKeyPage(root.to_owned()))
}

/// The labels of a file, if it is a page whose elements have some.
fn labels_in(file: &Path) -> Result<Option<Labels>, CorpusError> {
    static LABELS: LazyLock<bytes::Regex> = LazyLock::new(|| known(bytes::Regex::new(LABEL)));
    if !is_page(file) && file.extension().is_some() {
        return Ok(None);
    }
    let bytes = read(file)?;
    if !LABELS.is_match(&bytes) {
        return Ok(None);
    }
    let dom = Dom::parse(&decode(&bytes, None).text);
    let labels = Labels {
        not_template: matching(&dom, ".TECO_notTemplate, .TECO_notTemplate2, .TECO_notTemplate3"),
        main_content: matching(&dom, ".TECO_mainContent"),
        main_menu: matching(&dom, ".TECO_mainMenu"),
        main_menu_copies: Vec::new(),
        ..Labels::default()
    };
    let is_labelled = [&labels.not_template, &labels.main_content, &labels.main_menu]
        .iter()
        .any(|selectors| !selectors.is_empty());
    Ok(is_labelled.then_some(labels))
}

/// The selector, if it matches anything: not every page has every label.
fn matching(dom: &Dom, selector: &str) -> Vec<Selector> {
    let mut selectors = vec![known(Selector::parse(selector))];
    selectors.retain(|selector| !select(dom, std::slice::from_ref(selector)).is_empty());
    selectors
}

/// A page without its labels, as the site published it; none if its nodes would change.
///
/// Nodes keep their ids, so that results hold for both.
pub(crate) fn without_labels(labelled: &Dom, text: &str) -> Option<Dom> {
    static ALONE: LazyLock<Regex> = LazyLock::new(|| {
        let labels = format!(r"\s*(?:{LABEL}\s*)+");
        known(Regex::new(&format!(
            r#"(?i:\sclass)\s*=\s*(?:"{labels}"|'{labels}'|{LABEL})"#
        )))
    });
    static AMONG_OTHERS: LazyLock<Regex> =
        LazyLock::new(|| known(Regex::new(&format!(r"\s{LABEL}|{LABEL}\s?"))));
    let text = ALONE.replace_all(text, " ");
    let dom = Dom::parse(&AMONG_OTHERS.replace_all(&text, ""));
    have_same_nodes(labelled, &dom).then_some(dom)
}

fn have_same_nodes(one: &Dom, other: &Dom) -> bool {
    one.len() == other.len()
        && one.nodes().all(|node| {
            one.kind(node) == other.kind(node)
                && one.name(node) == other.name(node)
                && one.size(node) == other.size(node)
        })
}

/// The result of parsing a constant.
fn known<T, E: std::fmt::Debug>(parsed: Result<T, E>) -> T {
    parsed.expect("the constants of this file are well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::test_sites::TestFolder;
    use husk_dom::{outline, serialize};

    const KEY_PAGE: &str = "<!DOCTYPE html><body><ul class='TECO_mainMenu nav'><li>a</ul>\
        <div class=\"wide TECO_notTemplate\"><h1 class=TECO_mainContent id=h>b</h1>c</div>";

    fn key_page(folder: &Path) -> KeyPage {
        Corpus::read(folder).unwrap().sites.remove(0).key_pages.remove(0)
    }

    #[test]
    fn finds_the_page_with_labels() {
        let corpus = TestFolder::new()
            .file("forum/www.b.example/style.css", ".TECO_notTemplate {}")
            .file(
                "forum/www.b.example/about.html",
                "<p>the class TECO_notTemplate</p>",
            )
            .file("forum/www.b.example/x/view.php?id=2", KEY_PAGE)
            .file("media/a.example/index.html", KEY_PAGE);
        let sites = Corpus::read(corpus.path()).unwrap().sites;
        let found: Vec<_> = sites
            .iter()
            .map(|site| (site.base_url.as_str(), site.key_pages[0].file.to_str().unwrap()))
            .collect();
        assert_eq!(
            found,
            [
                ("http://www.b.example/", "x/view.php?id=2"),
                ("http://a.example/", "index.html"),
            ]
        );
        let alone = key_page(&corpus.path().join("media/a.example"));
        assert_eq!(alone.label_place, LabelPlace::Page);
        assert_eq!(alone.labels.main_menu.len(), 1);
    }

    #[test]
    fn a_site_has_one_key_page() {
        let none = TestFolder::new().file("a.example/index.html", "<p>");
        let message = Corpus::read(none.path()).unwrap_err().to_string();
        assert!(
            message.ends_with("a.example: no page has TECO labels"),
            "{message}"
        );
        let two = none
            .file("a.example/b.htm", KEY_PAGE)
            .file("a.example/c.htm", KEY_PAGE);
        let message = Corpus::read(two.path()).unwrap_err().to_string();
        assert!(message.ends_with("such as b.htm and c.htm"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_waited_for() {
        let corpus = TestFolder::new().file("a.example/index.html", KEY_PAGE);
        for name in ["pipe", "pipe.html"] {
            let pipe = corpus.path().join("a.example").join(name);
            let made = std::process::Command::new("mkfifo").arg(pipe).status().unwrap();
            assert!(made.success());
        }
        let (done, wait) = std::sync::mpsc::channel();
        let path = corpus.path().to_owned();
        std::thread::spawn(move || done.send(key_page(&path).file));
        let found = wait.recv_timeout(std::time::Duration::from_secs(20));
        assert_eq!(found.unwrap(), Path::new("index.html"));
    }

    #[test]
    fn files_too_large_for_a_page_are_passed_over() {
        let corpus = TestFolder::new()
            .file("a.example/index.html", KEY_PAGE)
            .large_file("a.example/large.html", KEY_PAGE);
        assert_eq!(key_page(corpus.path()).file, Path::new("index.html"));
    }

    #[track_caller]
    fn check_hiding(html: &str, expect: &str) {
        let labelled = Dom::parse(html);
        let hidden = without_labels(&labelled, html).unwrap();
        let body = hidden.part(&husk_dom::name!("body")).unwrap();
        let written: String = hidden
            .children(body)
            .map(|node| serialize(&hidden, node))
            .collect();
        assert_eq!(written, expect);
    }

    #[test]
    fn labels_are_hidden_without_a_trace() {
        check_hiding(
            KEY_PAGE,
            "<ul class=\"nav\"><li>a</li></ul><div class=\"wide\"><h1 id=\"h\">b</h1>c</div>",
        );
        check_hiding("<p class=\"TECO_notTemplate2\"id=x>", "<p id=\"x\"></p>");
        check_hiding("<p CLASS = ' TECO_notTemplate TECO_mainContent '>", "<p></p>");
        check_hiding(
            "<p class='a TECO_notTemplate3 TECO_mainContent b'>",
            "<p class=\"a b\"></p>",
        );
        check_hiding(
            "<p class=''><i class=teco>",
            "<p class=\"\"><i class=\"teco\"></i></p>",
        );
    }

    #[test]
    fn hiding_labels_keeps_every_node() {
        let html = KEY_PAGE.repeat(3);
        let labelled = Dom::parse(&html);
        let hidden = without_labels(&labelled, &html).unwrap();
        assert_eq!(labelled.len(), hidden.len());
        let xpaths = |dom: &Dom| -> Vec<_> { dom.nodes().skip(1).map(|node| dom.xpath(node)).collect() };
        assert_eq!(xpaths(&labelled), xpaths(&hidden));
        assert!(!outline(&hidden).contains("TECO"));
    }

    #[test]
    fn labels_that_are_text_cannot_be_hidden() {
        let html = "<p class=TECO_mainMenu>TECO_mainMenu";
        assert!(without_labels(&Dom::parse(html), html).is_none());
    }
}
