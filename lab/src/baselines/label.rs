//! Hashes of nodes that are comparable across the pages of a site.

use std::hash::{DefaultHasher, Hash, Hasher};

use husk::dom::{Dom, NodeId, NodeKind};
use husk::{Address, Page, Url, base_url};

/// The labels of a page's nodes.
pub(super) struct Labels {
    /// Of each node alone; [`NONE`] for ignored nodes.
    own: Vec<u64>,
    /// Of each node with its descendants.
    whole: Vec<u64>,
}

/// The label of comments and blank texts, which are ignored.
const NONE: u64 = 0;

impl Labels {
    /// Labels all nodes of a page. URLs are resolved, so that the page's folder does not matter.
    pub(super) fn of(page: &Page) -> Self {
        let base = base_url(page);
        let dom = &page.dom;
        let own: Vec<u64> = dom.nodes().map(|node| own_label(dom, node, &base)).collect();
        let mut whole = own.clone();
        // Backwards, so that all descendants of a node are done before it.
        for node in dom.nodes().rev().filter(|node| own[node.index()] != NONE) {
            let label = whole[node.index()];
            if let Some(parent) = dom.parent(node) {
                let above = &mut whole[parent.index()];
                *above = hash_of(&(*above, label));
            }
        }
        Self { own, whole }
    }

    /// The label of a node alone: its name and attributes, or its words.
    pub(super) fn own(&self, node: NodeId) -> u64 {
        self.own[node.index()]
    }

    /// The label of a node with its descendants.
    pub(super) fn whole(&self, node: NodeId) -> u64 {
        self.whole[node.index()]
    }

    /// Whether a node has a label: neither a comment nor a blank text.
    pub(super) fn has(&self, node: NodeId) -> bool {
        self.own[node.index()] != NONE
    }
}

fn own_label(dom: &Dom, node: NodeId, base: &Url) -> u64 {
    match dom.kind(node) {
        NodeKind::Comment | NodeKind::Doctype => NONE,
        NodeKind::Text if dom.is_blank_text(node) => NONE,
        NodeKind::Text => hash_of_words(dom.text_of(node)).max(1),
        NodeKind::Element | NodeKind::Document | NodeKind::Fragment => {
            // A sum, so that the order of attributes does not matter.
            let attributes = dom.attributes(node).fold(0u64, |sum, attribute| {
                let name: &str = attribute.name;
                let value = match is_url_attribute(name) {
                    true => hash_of(&target(base, attribute.value)),
                    false => hash_of(attribute.value),
                };
                sum.wrapping_add(hash_of(&(name, value)))
            });
            hash_of(&(&**dom.name(node), attributes)).max(1)
        }
    }
}

/// White space between words does not matter.
fn hash_of_words(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in text.split_ascii_whitespace() {
        word.hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether the value of an attribute is a URL.
pub(super) fn is_url_attribute(name: &str) -> bool {
    matches!(name, "href" | "src" | "action")
}

/// The resolved URL, or the value as written if it is not a URL.
pub(super) fn target(base: &Url, value: &str) -> String {
    let url = (value.len() <= MAX_URL)
        .then(|| base.join(value.trim()).ok())
        .flatten();
    url.map_or_else(
        || value.to_owned(),
        |url| {
            let place = url.fragment().unwrap_or_default();
            format!("{}#{place}", Address::of(&url).as_str())
        },
    )
}

/// Longer values are data, not URLs.
const MAX_URL: usize = 8 * 1024;

/// A hash that is the same in every run.
pub(super) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::url;

    fn check(one: (&str, &str), other: (&str, &str), is_same: bool) {
        let label = |(path, html)| {
            let page = Page::parse(url(path), html);
            Labels::of(&page).whole(page.dom.root())
        };
        assert_eq!(label(one) == label(other), is_same, "{one:?} and {other:?}");
    }

    #[test]
    fn same_to_the_reader_same_label() {
        check(("/", "<p>a  b</p>"), ("/", "<p> a b\n<!-- c --></p> "), true);
        check(("/", "<i id=a class=b>"), ("/", "<i class=b id=a>"), true);
        check(("/", "<a href=x/y>"), ("/x/", "<a href=y>"), true);
        check(("/", "<a href=y>"), ("/x/", "<a href=y>"), false);
        check(("/", "<p>a</p><p>b</p>"), ("/", "<p>b</p><p>a</p>"), false);
        check(("/", "<p><b></b></p>"), ("/", "<p></p><b></b>"), false);
        check(("/", "<a href=':::'>"), ("/", "<a href=':::'>"), true);
    }
}
