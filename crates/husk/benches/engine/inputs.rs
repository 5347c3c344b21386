//! What the engine is measured on: graphs of links, and pages.

use std::fs;
use std::path::{Path, PathBuf};

use husk::{CliqueSearch, Page, Url};

/// Which pages link to which.
pub(crate) struct Graph(Vec<Vec<usize>>);

impl Graph {
    /// Each pair of pages is linked both ways with this probability.
    pub(crate) fn random(pages: usize, probability: f64) -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut is_linked = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state as f64 / u64::MAX as f64) < probability
        };
        let mut graph = vec![Vec::new(); pages];
        for one in 0..pages {
            for other in 0..one {
                if is_linked() {
                    graph[one].push(other);
                    graph[other].push(one);
                }
            }
        }
        Self(graph)
    }

    /// As many links as there can be without a clique of more than `parts` pages.
    pub(crate) fn parted(pages: usize, parts: usize) -> Self {
        let links = |page| (0..pages).filter(|other| other % parts != page % parts).collect();
        Self((0..pages).map(links).collect())
    }

    /// Each page links to the one before and the one behind.
    pub(crate) fn chain(pages: usize) -> Self {
        Self(
            (0..pages)
                .map(|page| vec![page.saturating_sub(1), (page + 1).min(pages - 1)])
                .collect(),
        )
    }

    /// Gives the pages to a search one by one, until it is complete or there are no more.
    pub(crate) fn search(&self, wanted: usize) -> usize {
        let mut search = CliqueSearch::new(self.0.len(), wanted);
        for (page, links) in self.0.iter().enumerate() {
            if search.add(page, links.iter().copied()) {
                break;
            }
        }
        search.best().len()
    }
}

fn site_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/site")
}

/// A page of the example site, by the name of its folder.
pub(crate) fn example_page(name: &str) -> Page {
    let file = site_folder().join(name).join("index.html");
    let url = Url::parse("https://lighthouse.example/")
        .unwrap()
        .join(&format!("{name}/index.html"))
        .unwrap();
    Page::parse(url, &fs::read_to_string(file).unwrap())
}

/// The pages that the example site's pages link to.
pub(crate) fn example_site() -> Vec<Page> {
    let mut folders = vec![PathBuf::new()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(site_folder().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let place = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(place);
            } else if place.ends_with("index.html") {
                let mut page = example_page(folder.to_str().unwrap());
                page.url = Url::parse("https://lighthouse.example/")
                    .unwrap()
                    .join(place.to_str().unwrap())
                    .unwrap();
                pages.push(page);
            }
        }
    }
    pages
}

/// A page of about so many nodes: sections of paragraphs and lists, some of them with the page's own text.
pub(crate) fn long_page(nodes: usize, own: &str) -> Page {
    let section = format!(
        "<section class=part><h2>{own}</h2><p>Some words, <a href=/a>a link</a>, more.</p><ul class=list><li>one<li>two\
        <li>{own}</ul><p class={own}>The end.</p></section>"
    );
    let url = Url::parse("https://example.org/").unwrap().join(own).unwrap();
    let per_section = 19;
    // In chapters, as no real page has thousands of sections in one row.
    let chapter = format!("<div class=chapter>{}</div>", section.repeat(20));
    Page::parse(url, &chapter.repeat(nodes.div_ceil(per_section * 20)))
}

/// A page of about so many nodes in one list, some of them with the page's own text.
pub(crate) fn flat_page(nodes: usize, own: &str) -> Page {
    let url = Url::parse("https://example.org/").unwrap().join(own).unwrap();
    let items: String = (0..nodes / 3)
        .map(|number| match number % 3 {
            0 => format!("<li><a href=/a>entry {number}</a>"),
            1 => format!("<li><b>{own} {number}</b>"),
            _ => format!("<li class={own}><i>entry {number}</i>"),
        })
        .collect();
    Page::parse(url, &format!("<ul>{items}</ul>"))
}
