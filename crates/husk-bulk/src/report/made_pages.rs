//! Test pages: elements of class `t`, with their texts and ancestors, are the template.

use std::sync::Arc;

use husk::dom::{Name, NodeKind};
use husk::{Content, ContentMethod, NodeSet, Page, Stripped, Support, Template, Url, Warning};

pub(super) fn page(html: &str) -> Page {
    Page::parse(Url::parse("https://example.org/").unwrap(), html)
}

/// The stripped page, if it has a known layout.
pub(super) fn stripped(page: &Page, layout: usize) -> Stripped {
    let dom = &page.dom;
    let mut nodes = NodeSet::none(dom);
    for node in dom.nodes() {
        let element = match dom.kind(node) {
            NodeKind::Element => Some(node),
            _ => dom.parent(node),
        };
        let is_marked = |node| dom.attribute(node, &Name::from("class")) == Some("t");
        if element.is_some_and(is_marked) {
            nodes.insert(node);
        }
    }
    let mut content = Content::of_single_page(page);
    content.method = ContentMethod::Template;
    Stripped {
        layout: Some(layout),
        template: Template::new(dom, nodes, vec![Support::default(); dom.len()], 1),
        content,
        warnings: Vec::new(),
        layout_fit: Some(1.0),
        titles: Arc::default(),
    }
}

/// The stripped page, if its layout is unknown.
pub(super) fn unknown_layout(page: &Page) -> Stripped {
    let dom = &page.dom;
    Stripped {
        layout: None,
        template: Template::new(dom, NodeSet::all(dom), vec![Support::default(); dom.len()], 0),
        content: Content::of_single_page(page),
        warnings: vec![Warning::UnknownLayout],
        layout_fit: None,
        titles: Arc::default(),
    }
}
