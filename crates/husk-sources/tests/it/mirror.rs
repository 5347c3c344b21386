//! Runs mirroring tools, and compares a mirror with what was served.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use husk::dom::name;
use husk::{Page, Url, base_url};
use husk_sources::{Folder, Source};

use crate::site::{self, PAGES};

/// Whether a tool is installed. Tests of mirrors pass without, unless `HUSK_REQUIRE_TOOLS` is set.
pub(crate) fn is_installed(tool: &str) -> bool {
    if tool == "chromium" && env::var_os("HUSK_WITHOUT_BROWSER").is_some() {
        println!("SKIPPED: what needs a browser, as HUSK_WITHOUT_BROWSER says");
        return false;
    }
    let version = Command::new(tool)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if version.is_ok() {
        return true;
    }
    assert!(
        env::var_os("HUSK_REQUIRE_TOOLS").is_none_or(|value| value != "1"),
        "{tool} is required but not installed"
    );
    println!("SKIPPED: {tool} not installed");
    false
}

/// Runs a tool in a folder, without its own settings and proxies.
pub(crate) fn run(tool: &str, arguments: &[&str], folder: &Path) {
    let mut command = Command::new(tool);
    for variable in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "WGETRC"] {
        command.env_remove(variable);
    }
    command
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{tool} {arguments:?}: {}\n{said}",
        output.status
    );
}

/// The folder in a mirror that is named after the host.
pub(crate) fn host_folder(mirror: &Path) -> PathBuf {
    let entries = mirror.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut hosts = entries
        .filter(|path| path.is_dir() && path.file_name().unwrap().to_str().unwrap().starts_with("127."));
    hosts
        .next()
        .unwrap_or_else(|| panic!("no host in {}", mirror.display()))
        .canonicalize()
        .unwrap()
}

/// Loads every page by its original URL.
pub(crate) fn check_by_address(mut folder: Folder, base: &Url) {
    for path in PAGES {
        let url = base.join(path).unwrap();
        let page = folder.load(&url).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(text(&page), site::text_of(path), "{url}");
        let again = folder.load(&page.url).unwrap();
        assert_eq!(
            (text(&again), &again.url),
            (text(&page), &page.url),
            "{url} again"
        );
    }
}

/// Follows the links of the mirror from one file: every page must be found, and no link fail.
pub(crate) fn check_by_links(mut folder: Folder, start: &Path) {
    let first = folder.page(start).unwrap();
    let mut waiting = links(&first);
    let mut texts = BTreeSet::from([text(&first)]);
    let mut seen = BTreeSet::new();
    while let Some(url) = waiting.pop() {
        if !seen.insert(url.clone()) {
            continue;
        }
        let page = folder.load(&url).unwrap_or_else(|error| panic!("{url}: {error}"));
        texts.insert(text(&page));
        waiting.extend(links(&page));
    }
    let expect: BTreeSet<String> = PAGES.iter().map(|page| site::text_of(page)).collect();
    assert_eq!(texts, expect);
}

/// Every file of the mirror is listed once, and leads back to itself.
pub(crate) fn check_listing(mut folder: Folder) {
    let addresses = folder.page_urls().unwrap();
    let texts: BTreeSet<String> = addresses
        .iter()
        .map(|url| text(&folder.load(url).unwrap()))
        .collect();
    assert_eq!(texts.len(), PAGES.len(), "{addresses:#?}");
    assert_eq!(addresses.len(), PAGES.len(), "{addresses:#?}");
}

/// A page given as a file has the URL by which the pages of its mirror link to it.
pub(crate) fn check_key_pages(folder: &mut Folder) {
    let home = folder.page(folder.root()).unwrap();
    let known: BTreeSet<husk::Address> = links(&home).iter().map(husk::Address::of).collect();
    for url in folder.page_urls().unwrap() {
        let file = folder.file_of(&url).unwrap();
        let page = folder.page(&file).unwrap();
        assert!(
            known.contains(&husk::Address::of(&page.url)),
            "{} of {}",
            page.url,
            file.display()
        );
    }
}

fn links(page: &Page) -> Vec<Url> {
    let dom = &page.dom;
    let anchors = dom.nodes().filter(|&node| dom.is_element(node, &name!("a")));
    let base = base_url(page);
    anchors
        .map(|node| base.join(dom.attribute(node, &name!("href")).unwrap()).unwrap())
        .collect()
}

fn text(page: &Page) -> String {
    let dom = &page.dom;
    let main = dom
        .nodes()
        .find(|&node| dom.is_element(node, &name!("main")))
        .expect("every page has a <main>");
    dom.text_of(main).trim().to_owned()
}
