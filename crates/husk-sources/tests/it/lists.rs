//! Lists of URLs, as sites and people write them.

use std::fs;

use husk::{Options, Url};
use husk_sources::{Folder, LoadError, Source, WithList, read_sitemap, run_session};

use crate::pages::Pages;

fn read(pages: &Pages, file: &str) -> Result<Vec<String>, LoadError> {
    let found = read_sitemap(&pages.path().join(file))?;
    Ok(found.iter().map(Url::to_string).collect())
}

fn sitemap(paths: &[&str]) -> String {
    let pages: String = paths
        .iter()
        .map(|path| format!("<url><loc>https://example.org/{path}</loc></url>"))
        .collect();
    format!("<?xml version='1.0'?><urlset>{pages}</urlset>")
}

#[test]
fn sitemaps_are_read_from_files() {
    let index = "<sitemapindex><sitemap><loc>https://example.org/maps/one.xml</loc></sitemap><sitemap>\
        <loc>https://example.org/two.xml</loc></sitemap><sitemap><loc>https://example.org/gone.xml</loc></sitemap>\
        <sitemap><loc>https://example.org/..%2Fsecret.xml</loc></sitemap></sitemapindex>";
    let pages = Pages::new(&[
        ("in/index.xml", index),
        ("in/one.xml", &sitemap(&["a", "b"])),
        ("in/two.xml", &sitemap(&["b", "c"])),
        ("in/list.txt", "https://example.org/x\nhttps://example.org/y\n"),
        ("secret.xml", &sitemap(&["secret"])),
    ]);
    let expect = |paths: &[&str]| -> Vec<String> {
        let full = paths.iter().map(|path| format!("https://example.org/{path}"));
        full.collect()
    };
    assert_eq!(read(&pages, "in/one.xml").unwrap(), expect(&["a", "b"]));
    assert_eq!(read(&pages, "in/index.xml").unwrap(), expect(&["a", "b", "c"]));
    assert_eq!(read(&pages, "in/list.txt").unwrap(), expect(&["x", "y"]));
}

#[test]
fn a_sitemap_that_cannot_be_read_spoils_no_other() {
    let index = "<sitemapindex><sitemap><loc>https://example.org/large.xml</loc></sitemap><sitemap>\
        <loc>https://example.org/one.xml</loc></sitemap></sitemapindex>";
    let pages = Pages::new(&[("index.xml", index), ("one.xml", &sitemap(&["a"]))]);
    let large = fs::File::create(pages.path().join("large.xml")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    assert_eq!(read(&pages, "index.xml").unwrap(), ["https://example.org/a"]);
    // Without any other, its error is reported.
    fs::remove_file(pages.path().join("one.xml")).unwrap();
    let error = read(&pages, "index.xml").unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
}

#[test]
fn what_is_no_sitemap_is_said() {
    let index = "<sitemapindex><sitemap><loc>https://example.org/gone.xml</loc></sitemap></sitemapindex>";
    let pages = Pages::new(&[("index.xml", index), ("page.html", "<p>Hello"), ("empty.xml", "")]);
    let error = |file| read(&pages, file).unwrap_err().to_string();
    assert!(error("index.xml").contains("lists other sitemaps, none of which is in the same folder"));
    for file in ["page.html", "empty.xml"] {
        assert!(
            error(file).contains("is not a list of pages: neither URLs"),
            "{}",
            error(file)
        );
    }
    assert!(
        error("gone.xml").starts_with("cannot read"),
        "{}",
        error("gone.xml")
    );
}

#[test]
fn a_list_helps_where_links_lead_nowhere() {
    let page = |words: &str| {
        format!("<ul><li>The same<li>on all<li>of them</ul><main><h1>{words}</h1><p>Only {words}</main>")
    };
    // Files that walking the folder would not find: their names are not those of pages.
    let pages = Pages::new(&[
        ("a.html", &page("a")),
        ("hidden/.b.html", &page("b")),
        ("hidden/.c.html", &page("c")),
        ("hidden/.d.html", &page("d")),
    ]);
    let url = |path: &str| Url::parse("https://example.org/").unwrap().join(path).unwrap();
    let mut folder = pages.open();
    let key_page = folder.load(&url("a.html")).unwrap();
    let alone = run_session(key_page.clone(), Options::default(), &mut folder, |_| ());
    assert_eq!(alone.compared.len(), 0);

    let list = ["a.html", "hidden/.b.html", "hidden/.c.html", "hidden/.d.html"]
        .map(url)
        .to_vec();
    let mut listed: WithList<Folder> = WithList::new(folder, list);
    let addresses = listed.page_urls().unwrap();
    assert_eq!(addresses.len(), 4, "each once: {addresses:?}");
    let helped = run_session(key_page, Options::default(), &mut listed, |_| ());
    assert_eq!(helped.compared.len(), 3);
    assert_eq!(listed.inner().base_url().as_str(), "https://example.org/");
}
