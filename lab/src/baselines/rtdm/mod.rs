//! The template as the nodes that the cheapest edits between pages keep.
//!
//! RTDM-TD, the template detection of Vieira and others (2006) on top of the restricted top-down mapping of Reis and
//! others (2004): of all ways to turn one tree into the other the cheapest is taken, where children keep their order
//! and nodes are mapped below mapped parents only. What is mapped to a node of the same label on every page of a
//! random sample is template, with the containers above it.
//!
//! The label of an element is its name with its attributes, that of a text are its words. Elements whose attributes
//! differ are relabelled, and their descendants may still be mapped: otherwise a class on `<body>` would end the mapping.

mod edits;

use husk::dom::{Dom, NodeId};
use husk::{Extraction, NodeSet, Page, SameSite, Template};
use husk_sources::Source;

use self::edits::cheapest;
use super::Baseline;
use super::label::Labels;
use super::loader::{BaselineResult, PageLoader};
use super::sample::sample;
use super::support::Supports;

/// Restricted top-down mapping over a random sample.
pub(crate) struct RtdmTd;

/// Maximum number of random pages to compare: the paper uses a few dozen.
const PAGES: usize = 24;

/// Minimum similarity of pages with the key page's template.
///
/// The method expects pages of one template. Reis and others cluster pages first, at 0.8; 0.4 scores best here:
/// docs/baselines.md.
const MIN_SIMILARITY: f64 = 0.4;

/// Minimum number of pages to compare, the most similar ones.
const AT_LEAST: usize = 8;

impl Baseline for RtdmTd {
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction {
        let mut loader = PageLoader::new(&key_page, same_site);
        let pages = sample(&key_page, source, &mut loader, PAGES);
        let key = Labelled::of(&key_page);
        let mappings = pages.iter().map(|page| cheapest(&key, &Labelled::of(page)));
        let mut mapped: Vec<_> = pages.iter().zip(mappings).collect();
        mapped.sort_by(|(_, one), (_, other)| other.similarity.total_cmp(&one.similarity));
        let similar = mapped.partition_point(|(_, mapping)| mapping.similarity >= MIN_SIMILARITY);
        mapped.truncate(similar.max(AT_LEAST));

        let mut supports = Supports::none(&key_page.dom);
        for (page, mapping) in &mapped {
            for &(node, mate) in &mapping.unchanged {
                supports.count((&key_page.dom, node), (&page.dom, mate));
            }
        }
        let result = BaselineResult {
            template: common_to_all(&key_page.dom, supports, mapped.len()),
            compared: mapped.iter().map(|(page, _)| page.url.clone()).collect(),
            clique: None,
        };
        loader.finish("rtdm-td", key_page, result)
    }
}

fn common_to_all(key: &Dom, supports: Supports, pages: usize) -> Template {
    let mut nodes = NodeSet::none(key);
    for node in key.nodes().filter(|&node| supports.of(node) as usize == pages) {
        nodes.insert(node);
    }
    Template::new(key, nodes, supports.into_vec(), pages)
}

/// A page with its labels.
struct Labelled<'a> {
    dom: &'a Dom,
    labels: Labels,
    /// The number of labelled nodes in each subtree.
    sizes: Vec<u32>,
}

impl<'a> Labelled<'a> {
    fn of(page: &'a Page) -> Self {
        let labels = Labels::of(page);
        let dom = &page.dom;
        let mut sizes = vec![0; dom.len()];
        for node in dom.nodes().rev().filter(|&node| labels.has(node)) {
            sizes[node.index()] += 1;
            if let Some(parent) = dom.parent(node) {
                sizes[parent.index()] += sizes[node.index()];
            }
        }
        Self { dom, labels, sizes }
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        let children = self.dom.children(node);
        children.filter(|&child| self.labels.has(child)).collect()
    }

    fn size(&self, node: NodeId) -> u32 {
        self.sizes[node.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::{TestSource, outline, texts};

    fn site(page: impl Fn(&str) -> String) -> TestSource {
        TestSource::new(["/", "/a", "/b", "/c"].map(|path| (path, page(path))))
    }

    #[test]
    fn keeps_what_is_the_same_on_all_pages() {
        let page = |path: &str| format!("<ul class=x{}><li>Home<li>News</ul><p>{path}</p>", path.len());
        assert_eq!(
            outline(&site(page).extract(&RtdmTd, "/")),
            "T body\nT   ul.x1\nT     li\nT       \"Home\"\nT     li\nT       \"News\"\nT   p\n-     \"/\"\n"
        );
    }

    #[test]
    fn loses_what_one_page_lacks() {
        // The known weakness: all pages of the sample must agree.
        let menu = |path: &str| {
            if path == "/b" {
                ""
            } else {
                "<ul><li>Home<li>News</ul>"
            }
        };
        let mut site = site(|path| format!("{}<p>{path}</p><i>the end</i>", menu(path)));
        assert_eq!(texts(&site.extract(&RtdmTd, "/")), ["the end"]);
    }

    #[test]
    fn loses_what_changes_places() {
        let mut site = site(|path| match path {
            "/" => "<h1>Name</h1><ul><li>Home<li>News</ul>".to_owned(),
            _ => "<ul><li>Home<li>News</ul><h1>Name</h1>".to_owned(),
        });
        assert_eq!(texts(&site.extract(&RtdmTd, "/")), ["Home", "News"]);
    }
}
