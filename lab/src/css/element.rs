//! A page as the matcher sees it: a tree of elements.

use std::fmt;

use husk_dom::{Dom, Namespace, NodeId, NodeKind, name};
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;

use super::language::{Css, Unsupported, Word};

/// A page with what matching needs beside the [`Dom`].
#[derive(Debug)]
pub(super) struct Tree<'a> {
    dom: &'a Dom,
    /// The element before each element under the same parent.
    ///
    /// A node's slot in this table also identifies the element to the matcher.
    previous: Vec<Option<NodeId>>,
}

impl<'a> Tree<'a> {
    pub(super) fn of(dom: &'a Dom) -> Self {
        let mut previous = vec![None; dom.len()];
        for parent in dom.nodes().filter(|&node| dom.size(node) > 1) {
            let mut last = None;
            for child in dom.children(parent) {
                previous[child.index()] = last;
                if dom.kind(child) == NodeKind::Element {
                    last = Some(child);
                }
            }
        }
        Self { dom, previous }
    }

    pub(super) fn element(&'a self, node: NodeId) -> Element<'a> {
        Element { tree: self, node }
    }
}

/// An element of a page, as the matcher sees it.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    tree: &'a Tree<'a>,
    node: NodeId,
}

impl<'a> Element<'a> {
    fn dom(&self) -> &'a Dom {
        self.tree.dom
    }

    fn at(self, node: NodeId) -> Self {
        Self { node, ..self }
    }

    fn is_element(&self, node: NodeId) -> bool {
        self.dom().kind(node) == NodeKind::Element
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.dom().xpath(self.node))
    }
}

impl selectors::Element for Element<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.tree.previous[self.node.index()])
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.dom().parent(self.node)?;
        self.is_element(parent).then(|| self.at(parent))
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.tree.previous[self.node.index()].map(|node| self.at(node))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let parent = self.dom().parent(self.node)?;
        let mut next = self.dom().range(self.node).end;
        while next < self.dom().range(parent).end {
            let node = NodeId::from_index(next);
            if self.is_element(node) {
                return Some(self.at(node));
            }
            next = self.dom().range(node).end;
        }
        None
    }

    fn first_element_child(&self) -> Option<Self> {
        let first = self
            .dom()
            .children(self.node)
            .find(|&child| self.is_element(child))?;
        Some(self.at(first))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.dom().namespace(self.node) == Namespace::Html
    }

    fn has_local_name(&self, name: &Word) -> bool {
        **self.dom().name(self.node) == *name.0
    }

    fn has_namespace(&self, namespace: &Word) -> bool {
        let url = match self.dom().namespace(self.node) {
            Namespace::Html => "http://www.w3.org/1999/xhtml",
            Namespace::Svg => "http://www.w3.org/2000/svg",
            Namespace::MathMl => "http://www.w3.org/1998/Math/MathML",
        };
        namespace.0 == url
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.dom().name(self.node) == other.dom().name(other.node)
            && self.dom().namespace(self.node) == other.dom().namespace(other.node)
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Word>,
        name: &Word,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        if matches!(namespace, NamespaceConstraint::Specific(url) if !url.0.is_empty()) {
            return false;
        }
        self.dom()
            .attributes(self.node)
            .any(|attribute| **attribute.name == *name.0 && operation.eval_str(attribute.value))
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.dom()
            .attribute(self.node, &name!("id"))
            .is_some_and(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, class: &Word, case: CaseSensitivity) -> bool {
        self.dom()
            .attribute(self.node, &name!("class"))
            .is_some_and(|value| {
                value
                    .split_ascii_whitespace()
                    .any(|part| case.eq(part.as_bytes(), class.0.as_bytes()))
            })
    }

    fn is_empty(&self) -> bool {
        let is_something = |node| match self.dom().kind(node) {
            NodeKind::Element => true,
            NodeKind::Text => !self.dom().text_of(node).is_empty(),
            _ => false,
        };
        !self.dom().children(self.node).any(is_something)
    }

    fn is_root(&self) -> bool {
        self.node == self.dom().root()
    }

    fn is_link(&self) -> bool {
        let is_anchor = matches!(*self.dom().name(self.node), name!("a") | name!("area"));
        is_anchor && self.dom().attribute(self.node, &name!("href")).is_some()
    }

    fn match_non_ts_pseudo_class(&self, class: &Unsupported, _: &mut MatchingContext<'_, Css>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Unsupported, _: &mut MatchingContext<'_, Css>) -> bool {
        match *element {}
    }

    // The rest concerns styling, scripting and changes of the tree, none of which happens here.

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }

    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _: &Word) -> bool {
        false
    }
}
