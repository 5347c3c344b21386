//! Content for the tests of those who write it.

use husk_dom::{Dom, name};
use url::Url;

use crate::mapping::NodeSet;
use crate::page::Page;

/// A page of which all is content.
pub(super) fn page(body: &str) -> (Page, NodeSet) {
    let page = Page::parse(url(), &format!("<!DOCTYPE html><body>{body}"));
    let nodes = NodeSet::all(&page.dom);
    (page, nodes)
}

/// A page of which the subtrees with class `in` are content, without those with class `out`.
pub(super) fn marked(body: &str) -> (Page, NodeSet) {
    let page = Page::parse(url(), &format!("<!DOCTYPE html><body>{body}"));
    let nodes = marked_nodes(&page.dom);
    (page, nodes)
}

/// The subtrees with class `in`, without those with class `out`.
pub(super) fn marked_nodes(dom: &Dom) -> NodeSet {
    let mut nodes = NodeSet::none(dom);
    let has = |node, class| dom.attribute(node, &name!("class")) == Some(class);
    for node in dom.nodes() {
        let mut above = std::iter::once(node).chain(dom.ancestors(node));
        let last = above.find(|&above| has(above, "in") || has(above, "out"));
        if last.is_some_and(|last| has(last, "in")) {
            nodes.insert(node);
        }
    }
    nodes
}

fn url() -> Url {
    Url::parse("https://example.org/dir/page.html").unwrap()
}
