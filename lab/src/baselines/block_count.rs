//! Blocks that recur across a site, counted by their hashes.
//!
//! After Gibson, Punera and Tomkins (2005), who hash every node of the DOM with all below it and count the pages of the
//! site that contain it. What counts as a block, and on which share of pages
//! it must be, varies between papers: docs/baselines.md lists what was tried.

use std::collections::{HashMap, HashSet};

use husk::dom::{Dom, NodeId, NodeKind};
use husk::{Extraction, NodeSet, Page, SameSite, Support, Template};
use husk_sources::Source;

use super::Baseline;
use super::label::Labels;
use super::loader::{BaselineResult, PageLoader};
use super::sample::sample;

/// Counts the blocks of a site.
pub(crate) struct BlockCount;

/// Maximum number of pages to count, without the key page.
const PAGES: usize = 200;

/// Minimum share of pages with the block.
const MIN_SHARE: f64 = 0.6;

/// Minimum size of an element in bytes of HTML: `<td></td>` is not a block.
const MIN_HTML: usize = 15;

/// Minimum length of a text in characters: `,` is not a block.
const MIN_TEXT: usize = 3;

impl Baseline for BlockCount {
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction {
        let mut loader = PageLoader::new(&key_page, same_site);
        let pages = sample(&key_page, source, &mut loader, PAGES);
        let result = BaselineResult {
            template: frequent(&key_page, &pages),
            compared: pages.iter().map(|page| page.url.clone()).collect(),
            clique: None,
        };
        loader.finish("block-count", key_page, result)
    }
}

/// The blocks of the key page that enough pages have.
fn frequent(key_page: &Page, pages: &[Page]) -> Template {
    let dom = &key_page.dom;
    let counts = counts(pages);
    let needed = MIN_SHARE * pages.len() as f64;
    let labels = Labels::of(key_page);
    let html_sizes = html_sizes(dom);
    let mut support = vec![Support::default(); dom.len()];
    let mut nodes = NodeSet::none(dom);
    for node in dom.nodes().filter(|&node| labels.has(node)) {
        let count = counts.get(&labels.whole(node)).copied().unwrap_or_default();
        support[node.index()] = Support {
            structural: count,
            verbatim: count,
        };
        let is_frequent = f64::from(count) >= needed && is_large(dom, node, &html_sizes);
        // Descendants of a block belong to it, whatever their size. Parents come first.
        if is_frequent || dom.parent(node).is_some_and(|parent| nodes.contains(parent)) {
            nodes.insert(node);
        }
    }
    Template::new(dom, nodes, support, pages.len())
}

/// The number of pages that have each block.
fn counts(pages: &[Page]) -> HashMap<u64, u32> {
    let mut counts = HashMap::new();
    for page in pages {
        let labels = Labels::of(page);
        let nodes = page.dom.nodes().filter(|&node| labels.has(node));
        let blocks: HashSet<u64> = nodes.map(|node| labels.whole(node)).collect();
        for block in blocks {
            *counts.entry(block).or_default() += 1;
        }
    }
    counts
}

fn is_large(dom: &Dom, node: NodeId, html_sizes: &[usize]) -> bool {
    match dom.kind(node) {
        NodeKind::Text => dom.text_of(node).trim().chars().count() >= MIN_TEXT,
        _ => html_sizes[node.index()] >= MIN_HTML,
    }
}

/// The approximate size of each node in bytes of HTML.
fn html_sizes(dom: &Dom) -> Vec<usize> {
    let mut sizes = vec![0; dom.len()];
    for node in dom.nodes().rev() {
        sizes[node.index()] += match dom.kind(node) {
            NodeKind::Text => dom.text_of(node).trim().len(),
            NodeKind::Element => tags_size(dom, node),
            _ => 0,
        };
        if let Some(parent) = dom.parent(node) {
            sizes[parent.index()] += sizes[node.index()];
        }
    }
    sizes
}

/// The bytes of `<name a="b"></name>`.
fn tags_size(dom: &Dom, node: NodeId) -> usize {
    let attributes = dom.attributes(node);
    let attributes = attributes.map(|attribute| attribute.name.len() + attribute.value.len() + 4);
    2 * dom.name(node).len() + 5 + attributes.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::{TestSource, outline, texts};

    fn site(page: impl Fn(&str) -> String) -> TestSource {
        TestSource::new(["/", "/a", "/b", "/c"].map(|path| (path, page(path))))
    }

    #[test]
    fn keeps_what_most_pages_have_wherever_it_stands() {
        let mut site = site(|path| match path {
            "/" => "<div><ul><li>Home<li>News</ul></div><main><h1>Welcome</h1></main>".to_owned(),
            _ => format!("<main><p>{path}</p></main><ul><li>Home<li>News</ul>"),
        });
        let extraction = site.extract(&BlockCount, "/");
        assert_eq!(
            outline(&extraction),
            "T body\nT   div\nT     ul\nT       li\nT         \"Home\"\nT       li\nT         \"News\"\n\
             -   main\n-     h1\n-       \"Welcome\"\n"
        );
        assert_eq!((extraction.loaded.len(), extraction.compared.len()), (4, 3));
    }

    #[test]
    fn loses_what_differs_in_one_letter() {
        // The known weakness: a block that contains the page's name differs on each page.
        let page = |path: &str| format!("<footer>Page {path} of our little site</footer><i>the end</i>");
        assert_eq!(texts(&site(page).extract(&BlockCount, "/")), ["the end"]);
    }

    #[test]
    fn tiny_nodes_are_not_blocks() {
        let page = |path: &str| format!("<p>{path} is new<i>,</i></p><b class=end>.</b>");
        let outline = outline(&site(page).extract(&BlockCount, "/"));
        assert!(
            outline.contains("-     i\n-       \",\"\n") && outline.contains("T   b.end\n"),
            "{outline}"
        );
    }
}
