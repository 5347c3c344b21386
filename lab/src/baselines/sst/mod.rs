//! The Site Style Tree of Yi, Liu and Li (2003).
//!
//! The pages of a site are merged into one tree. Elements whose styles or leaves differ between pages are important; the
//! others are noise, which is template, with the containers above it.
//!
//! The paper sets a threshold for each site by hand, and does not say which attributes make a style: docs/baselines.md
//! lists what was tried.

mod importance;

mod style_tree;

use husk::dom::Dom;
use husk::{Extraction, NodeSet, Page, SameSite, Support, Template};
use husk_sources::Source;

use self::importance::greatest_importance;
use self::style_tree::{ElementId, StyleTree};
use super::Baseline;
use super::loader::{BaselineResult, PageLoader};
use super::sample::sample;

/// The Site Style Tree and its measure of importance.
pub(crate) struct Sst;

/// Maximum number of pages in the tree, without the key page; the paper uses hundreds.
const PAGES: usize = 200;

/// Elements less important than this, with their descendants, are noise.
///
/// One value for all sites, as there are no labels to set it by. 0.6 to 0.8 score the same.
const MIN_IMPORTANCE: f64 = 0.7;

impl Baseline for Sst {
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction {
        let mut loader = PageLoader::new(&key_page, same_site);
        let pages = sample(&key_page, source, &mut loader, PAGES);
        let mut tree = StyleTree::default();
        let elements = tree.add(&key_page);
        for page in &pages {
            tree.add(page);
        }
        let result = BaselineResult {
            template: noise(&key_page.dom, &elements, &tree, pages.len()),
            compared: pages.iter().map(|page| page.url.clone()).collect(),
            clique: None,
        };
        loader.finish("sst", key_page, result)
    }
}

/// The nodes of the key page whose elements of the tree are noise. A node's support is the number of pages with the same
/// element; verbatim support is not counted.
fn noise(key: &Dom, elements: &[Option<ElementId>], tree: &StyleTree, pages: usize) -> Template {
    let importance = greatest_importance(tree);
    let mut nodes = NodeSet::none(key);
    let mut support = vec![Support::default(); key.len()];
    for node in key.nodes() {
        let Some(element) = elements[node.index()] else {
            continue;
        };
        support[node.index()].structural = tree.element(element).pages - 1;
        if importance[element.index()] < MIN_IMPORTANCE {
            nodes.insert(node);
        }
    }
    Template::new(key, nodes, support, pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::{TestSource, outline, texts};

    fn site(page: impl Fn(&str) -> String) -> TestSource {
        TestSource::new(["/", "/a", "/b", "/c"].map(|path| (path, page(path))))
    }

    #[test]
    fn what_all_pages_say_is_noise() {
        let page = |path: &str| format!("<ul><li>Home<li>News</ul><main><p>{path}</p></main>");
        assert_eq!(
            outline(&site(page).extract(&Sst, "/")),
            "T body\nT   ul\nT     li\nT       \"Home\"\nT     li\nT       \"News\"\n\
             -   main\n-     p\n-       \"/\"\n"
        );
    }

    #[test]
    fn a_style_of_its_own_hides_all_below() {
        // The known weakness: with one more block the body has another style, and nothing below is compared.
        let more = |path: &str| if path == "/" { "<aside>more</aside>" } else { "" };
        let mut site = site(|path| format!("<ul><li>Home<li>News</ul>{}", more(path)));
        assert!(texts(&site.extract(&Sst, "/")).is_empty());
        assert_eq!(texts(&site.extract(&Sst, "/a")), ["Home", "News"]);
    }
}
