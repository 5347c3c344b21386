//! Nodes as XPaths, one a line.

use std::sync::Arc;

use husk_dom::{Dom, NodeId, NodeKind, XPaths};
use serde::{Serialize, Serializer};

use super::registry::{Output, PLAIN, Part};
use crate::extraction::Extraction;
use crate::work::check_length;

pub(super) const TEMPLATE_XPATH: Output = Output {
    part: Part::Template,
    name: "xpath",
    media_type: PLAIN,
    extension: "xpath.txt",
    help: "One absolute XPath a line for each node",
    options: &[],
    writer: |analysis, _| Ok(to_xpath(analysis.extraction()).into()),
};

pub(super) const CONTENT_XPATH: Output = Output {
    part: Part::Content,
    writer: |analysis, _| Ok(nodes_xpath(&analysis.page().dom, analysis.content().nodes.iter()).into()),
    ..TEMPLATE_XPATH
};

/// One absolute XPath a line for each element and each text of the template that is not blank, in document order.
pub fn to_xpath(extraction: &Extraction) -> String {
    nodes_xpath(&extraction.key_page.dom, listed(extraction))
}

/// One absolute XPath a line for each element and each text that is not blank, in the order given.
pub fn nodes_xpath(dom: &Dom, nodes: impl IntoIterator<Item = NodeId>) -> String {
    let paths = XPaths::of(dom);
    let mut out = String::new();
    for node in nodes.into_iter().filter(|&node| is_listed(dom, node)) {
        paths.write(dom, node, &mut out);
        out.push('\n');
        check_length(out.len());
    }
    out
}

/// The XPath of a node. It is made when it is written: the XPaths of all nodes of a page may be hundreds of times its size.
#[derive(Debug, Clone)]
pub struct NodePath<'a> {
    dom: &'a Dom,
    paths: Arc<XPaths>,
    node: NodeId,
}

impl std::fmt::Display for NodePath<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.paths.path(self.dom, self.node))
    }
}

impl Serialize for NodePath<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.paths.path(self.dom, self.node))
    }
}

/// Makes the XPaths of a page.
#[derive(Debug, Clone)]
pub(super) struct NodePaths<'a> {
    dom: &'a Dom,
    paths: Arc<XPaths>,
}

impl<'a> NodePaths<'a> {
    pub(super) fn of(dom: &'a Dom) -> Self {
        let paths = Arc::new(XPaths::of(dom));
        Self { dom, paths }
    }

    pub(super) fn path(&self, node: NodeId) -> NodePath<'a> {
        NodePath {
            dom: self.dom,
            paths: self.paths.clone(),
            node,
        }
    }
}

/// The nodes of the template that are listed: those that XPath can reach and that are not blank.
pub(super) fn listed(extraction: &Extraction) -> impl Iterator<Item = NodeId> + '_ {
    let dom = &extraction.key_page.dom;
    extraction.template.nodes().filter(|&node| is_listed(dom, node))
}

fn is_listed(dom: &Dom, node: NodeId) -> bool {
    let is_of_kind = match dom.kind(node) {
        NodeKind::Element => true,
        NodeKind::Text => !dom.is_blank_text(node),
        _ => false,
    };
    is_of_kind && dom.is_in_page(node)
}
