//! The way through the nodes that are to be written: in document order, each entered and left.
//!
//! A set of nodes in; [`Visit`]s out. What is above a node of the set is visited with it, for the structure it gives: a
//! text that is content stands in a list even if the list itself is not.

use husk_dom::{Dom, Name, NodeId, NodeKind, name};

use super::elements::{Meaning, meaning};
use crate::hints::{Hint, Hints};
use crate::lexicon;
use crate::mapping::NodeSet;
use crate::work::check;

/// Some nodes of a page, as something to be written.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    pub(super) dom: &'a Dom,
    nodes: &'a NodeSet,
    /// The nodes and all above them.
    visited: Vec<bool>,
    /// The innermost node that holds them all.
    innermost: NodeId,
}

/// A step on the way through a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// A node begins.
    Enter(NodeId),
    /// A node ends that is no text.
    Leave(NodeId),
}

impl<'a> Selection<'a> {
    pub(super) fn new(dom: &'a Dom, nodes: &'a NodeSet) -> Self {
        let mut visited = vec![false; dom.len()];
        for node in dom.nodes().rev() {
            if visited[node.index()] || nodes.contains(node) {
                visited[node.index()] = true;
                if let Some(parent) = dom.parent(node) {
                    visited[parent.index()] = true;
                }
            }
        }
        leave_out_hidden_code(dom, &mut visited);
        let mut selection = Self {
            dom,
            nodes,
            visited,
            innermost: dom.document(),
        };
        selection.innermost = selection.find_innermost();
        selection
    }

    /// Descends from the document as long as there is only one way to go.
    fn find_innermost(&self) -> NodeId {
        let mut node = self.dom.document();
        loop {
            let mut below = self
                .dom
                .children(node)
                .filter(|child| self.visited[child.index()] && !self.is_blank_or_unshown(*child));
            match (below.next(), below.next()) {
                (Some(only), None) if !self.nodes.contains(node) => node = only,
                _ => return node,
            }
        }
    }

    fn is_blank_or_unshown(&self, node: NodeId) -> bool {
        self.dom.is_blank_text(node) || !self.may_show(node)
    }

    /// Whether the node itself is one of those to be written.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(node)
    }

    /// Whether the node, or something in it, is to be written.
    pub(super) fn is_visited(&self, node: NodeId) -> bool {
        self.visited[node.index()] && self.may_show(node)
    }

    /// Whether the node is not to be written itself and holds everything that is: it says nothing about its parts.
    pub(super) fn is_around_all(&self, node: NodeId) -> bool {
        !self.nodes.contains(node) && self.dom.is_within(self.innermost, node)
    }

    /// Whether readers get to see the node, by what kind of node it is.
    fn may_show(&self, node: NodeId) -> bool {
        match self.dom.kind(node) {
            NodeKind::Doctype | NodeKind::Comment | NodeKind::Fragment => false,
            NodeKind::Element => !is_unshown(self.dom.name(node)) || is_formula(self.dom, node),
            NodeKind::Document | NodeKind::Text => true,
        }
    }

    /// The children of a node that are visited.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.dom.children(node).filter(|&child| self.is_visited(child))
    }

    /// The text that is to be written of a subtree.
    pub(super) fn text_of(&self, node: NodeId) -> String {
        let mut text = String::new();
        let mut visits = self.visits_in(node);
        while let Some(visit) = visits.next() {
            match visit {
                Visit::Enter(node) if is_formula(self.dom, node) => visits.skip(),
                Visit::Enter(node) if self.dom.kind(node) == NodeKind::Text => {
                    text.push_str(self.dom.text_of(node));
                }
                _ => {}
            }
        }
        text
    }

    /// Whether what is to be written of a subtree begins with a line end.
    pub(super) fn text_starts_with_line_end(&self, node: NodeId) -> bool {
        let first = self.children(node).next();
        first.is_some_and(|first| {
            self.dom.kind(first) == NodeKind::Text && self.dom.text_of(first).starts_with('\n')
        })
    }

    /// The way through everything.
    pub(super) fn visits(&self) -> Visits<'_> {
        self.visits_in(self.dom.document())
    }

    /// The way through a subtree.
    pub(super) fn visits_in(&self, node: NodeId) -> Visits<'_> {
        Visits {
            selection: self,
            open: Vec::new(),
            next: node.index(),
            end: self.dom.range(node).end,
        }
    }
}

/// Leaves out what readers do not get to see in code, such as the lines that complete an example.
fn leave_out_hidden_code(dom: &Dom, visited: &mut [bool]) {
    let (mut code_until, mut hidden_until) = (0, 0);
    for node in dom.nodes() {
        let index = node.index();
        if matches!(meaning(dom, node), Meaning::Preformatted | Meaning::Code) {
            code_until = code_until.max(dom.range(node).end);
        } else if (hidden_until..code_until).contains(&index) && is_hidden_in_code(dom, node) {
            hidden_until = dom.range(node).end;
        }
        if index < hidden_until {
            visited[index] = false;
        }
    }
}

fn is_hidden_in_code(dom: &Dom, node: NodeId) -> bool {
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    let mut names = class.split_ascii_whitespace();
    names.any(|name| lexicon::entries("hidden-code").contains(&name))
        || Hints::of(dom, node).has(Hint::Hidden)
}

/// Whether an element is a script that holds a formula, to be shown by another script.
pub(super) fn is_formula(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("script"))
        && dom
            .attribute(node, &name!("type"))
            .is_some_and(|kind| kind.trim_start().starts_with("math/tex"))
}

/// Elements that are not for readers, whatever is in them.
fn is_unshown(name: &Name) -> bool {
    const UNSHOWN: [Name; 7] = [
        name!("script"),
        name!("style"),
        name!("noscript"),
        name!("template"),
        name!("head"),
        name!("link"),
        name!("meta"),
    ];
    UNSHOWN.contains(name)
}

/// The way through a selection. Not an iterator, since one may step over what is in a node.
#[derive(Debug)]
pub(super) struct Visits<'a> {
    selection: &'a Selection<'a>,
    open: Vec<NodeId>,
    next: usize,
    end: usize,
}

impl Visits<'_> {
    pub(super) fn next(&mut self) -> Option<Visit> {
        check();
        let dom = self.selection.dom;
        loop {
            if let Some(&innermost) = self.open.last()
                && self.next >= dom.range(innermost).end
            {
                self.open.pop();
                return Some(Visit::Leave(innermost));
            }
            if self.next >= self.end {
                return None;
            }
            let node = NodeId::from_index(self.next);
            if !self.selection.is_visited(node) {
                self.next = dom.range(node).end;
                continue;
            }
            self.next += 1;
            if dom.kind(node) != NodeKind::Text {
                self.open.push(node);
            }
            return Some(Visit::Enter(node));
        }
    }

    /// Steps over what is in the node that was entered last: it is left next.
    pub(super) fn skip(&mut self) {
        if let Some(&innermost) = self.open.last() {
            self.next = self.selection.dom.range(innermost).end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::test_content::marked_nodes;

    fn check(html: &str, expect: &str) {
        let dom = Dom::parse(html);
        let nodes = marked_nodes(&dom);
        let selection = Selection::new(&dom, &nodes);
        let mut visits = selection.visits();
        let mut way = Vec::new();
        while let Some(visit) = visits.next() {
            match visit {
                Visit::Enter(node) if dom.kind(node) == NodeKind::Text => {
                    way.push(dom.text_of(node).to_owned())
                }
                Visit::Enter(node) if selection.is_around_all(node) => {}
                Visit::Enter(node) => way.push(format!("<{}>", &**dom.name(node))),
                Visit::Leave(_) => {}
            }
        }
        assert_eq!(way.join(" "), expect, "{html}");
    }

    #[test]
    fn visits_what_is_in_and_what_is_above() {
        check("<ul><li class=in>a<li>b<li class=in>c</ul>", "<li> a <li> c");
        check("<ul><li class=in>a</ul><p class=in>b", "<ul> <li> a <p> b");
        check(
            "<div class=in>a<p class=out>b<i class=in>c</i></p>d</div>",
            "<div> a <p> <i> c d",
        );
        check(
            "<div class=in>a<script>b</script><style>c</style></div>",
            "<div> a",
        );
        check("<p>nothing", "");
    }
}
