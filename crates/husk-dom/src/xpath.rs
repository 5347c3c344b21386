//! Absolute XPaths with an index at every step: `/html[1]/body[1]/p[2]/text()[1]`.

use std::collections::HashMap;
use std::fmt::Write;

use crate::dom::{Dom, NodeId, NodeKind};

/// The XPaths of a page. Holds the number of each node among its siblings with the same name.
#[derive(Debug, Clone)]
pub struct XPaths {
    /// Counted from 1. 0 for nodes that XPath cannot reach.
    numbers: Vec<u32>,
}

/// The capacity up to which the map of counts is reused for the next node.
const MAX_REUSED_CAPACITY: usize = 256;

impl XPaths {
    /// Numbers the nodes of a page.
    pub fn of(dom: &Dom) -> Self {
        let mut numbers = vec![0; dom.len()];
        let mut counts = HashMap::new();
        for node in dom.nodes() {
            if dom.size(node) == 1 || dom.kind(node) == NodeKind::Fragment {
                continue;
            }
            // Clearing takes time proportional to the capacity: one wide node must not slow down all that follow.
            if counts.capacity() > MAX_REUSED_CAPACITY {
                counts = HashMap::new();
            }
            counts.clear();
            for child in dom.children(node) {
                if matches!(dom.kind(child), NodeKind::Doctype | NodeKind::Fragment) {
                    continue;
                }
                let count = counts
                    .entry((dom.kind(child) as u8, dom.name(child)))
                    .or_insert(0);
                *count += 1;
                numbers[child.index()] = *count;
            }
        }
        Self { numbers }
    }

    /// Appends the XPath of a node of the same page to `out`.
    pub fn write(&self, dom: &Dom, node: NodeId, out: &mut String) {
        let mut steps: Vec<_> = dom.ancestors(node).collect();
        steps.pop();
        for step in steps.into_iter().rev().chain([node]) {
            out.push('/');
            match dom.kind(step) {
                NodeKind::Element => out.push_str(dom.name(step)),
                NodeKind::Text => out.push_str("text()"),
                _ => out.push_str("comment()"),
            }
            // Writing to a string does not fail.
            let _ = write!(out, "[{}]", self.numbers[step.index()]);
        }
    }

    /// The XPath of a node of the same page.
    pub fn path(&self, dom: &Dom, node: NodeId) -> String {
        let mut path = String::new();
        self.write(dom, node, &mut path);
        path
    }
}

impl Dom {
    /// The XPath of a node. For many nodes of a page, [`XPaths`] is faster.
    pub fn xpath(&self, node: NodeId) -> String {
        XPaths::of(self).path(self, node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_siblings_of_the_same_name() {
        let dom = Dom::parse("<p>a<b>x</b>c<!-- n -->d<p>e");
        let paths: Vec<_> = dom.subtree(dom.root()).map(|node| dom.xpath(node)).collect();
        assert_eq!(
            paths,
            [
                "/html[1]",
                "/html[1]/head[1]",
                "/html[1]/body[1]",
                "/html[1]/body[1]/p[1]",
                "/html[1]/body[1]/p[1]/text()[1]",
                "/html[1]/body[1]/p[1]/b[1]",
                "/html[1]/body[1]/p[1]/b[1]/text()[1]",
                "/html[1]/body[1]/p[1]/text()[2]",
                "/html[1]/body[1]/p[1]/comment()[1]",
                "/html[1]/body[1]/p[1]/text()[3]",
                "/html[1]/body[1]/p[2]",
                "/html[1]/body[1]/p[2]/text()[1]",
            ]
        );
    }
}
