use std::fs;
use std::path::{Path, PathBuf};

use husk::dom::serialize;
use husk::output::{HtmlOptions, Links, Scripts, fill, slots, to_html};
use husk::{Extraction, Options, Session};
use husk_sources::{Folder, Source};
use serde_json::Value;

use crate::run::repository;

/// The labelled corpus, where there is one.
fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("HUSK_CORPUS").map(PathBuf::from);
    let found = named
        .or_else(|| Some(repository().join("../shared/corpus")))
        .filter(|folder| folder.is_dir());
    if found.is_none() {
        eprintln!("SKIPPED: no corpus; name one by HUSK_CORPUS or put it at ../shared/corpus");
    }
    found
}

/// The sites below a folder, the project's own included.
pub(crate) fn sites() -> Vec<PathBuf> {
    let folders = corpus().into_iter().chain([repository().join("fixtures/sites")]);
    let mut sites: Vec<_> = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|site| site.join("site.json").is_file())
        .collect();
    sites.sort();
    sites
}

fn read_json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn key_pages(site: &Path) -> Vec<String> {
    let gold = read_json(&site.join("gold.json"));
    let all = gold.as_array().cloned().unwrap_or_else(|| vec![gold]);
    all.iter()
        .map(|label| label["key"].as_str().unwrap().to_owned())
        .collect()
}

/// What is found out about every key page of every site, under a name.
pub(crate) fn extractions() -> impl Iterator<Item = (String, Extraction)> {
    sites().into_iter().flat_map(|site| {
        let base = read_json(&site.join("site.json"))["base_url"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let mut folder = Folder::open(&site.join("pages"), Some(base)).unwrap();
        let site = &site;
        let mut extract = |key_page: String| {
            let page = folder.page(&folder.root().join(&key_page)).unwrap();
            let mut session = Session::new(page, Options::default());
            while let Some(url) = session.next_wanted().cloned() {
                match folder.load(&url) {
                    Ok(page) => session.give(page),
                    Err(cause) => session.give_up(cause.to_string()),
                }
            }
            (format!("{} {key_page}", site.display()), session.finish())
        };
        key_pages(site).into_iter().map(&mut extract).collect::<Vec<_>>()
    })
}

#[test]
fn template_and_cuts_give_every_key_page_back() {
    for (name, extraction) in extractions() {
        let dom = &extraction.key_page.dom;
        let contents: Vec<_> = slots(&extraction).iter().map(|slot| slot.content(dom)).collect();
        let as_it_is = HtmlOptions {
            scripts: Scripts::Keep,
            links: Links::AsWritten,
            relocation: None,
        };
        let filled = fill(&to_html(&extraction, &as_it_is), &contents);
        assert!(filled == serialize(dom, dom.document()), "{name}");
    }
}

#[test]
fn pages_survive_being_written_and_read() {
    let mut differing = Vec::new();
    let mut pages = 0;
    for site in sites() {
        for file in html_files(&site.join("pages")) {
            let dom = husk::dom::Dom::from_bytes(&fs::read(&file).unwrap(), None);
            let again = husk::dom::Dom::parse(&serialize(&dom, dom.document()));
            pages += 1;
            if dom.content_hash(dom.document()) != again.content_hash(again.document()) {
                differing.push(file);
            }
        }
    }
    // HTML cannot express every tree: a table in a paragraph that a broken page left there, say.
    assert!(
        differing.len() * 50 <= pages,
        "{} of {pages} pages differ: {differing:?}",
        differing.len()
    );
}

pub(crate) fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
