//! The trees to map: a page, or what is left of it.

use std::ops::Range;

use husk_dom::{Attribute, Dom, Name, NodeId};

/// A set of nodes of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSet(Vec<bool>);

impl NodeSet {
    /// The empty set.
    pub fn none(dom: &Dom) -> Self {
        Self(vec![false; dom.len()])
    }

    /// All nodes of a page.
    pub fn all(dom: &Dom) -> Self {
        Self(vec![true; dom.len()])
    }

    /// The nodes of a page with `true`, by index.
    pub(crate) fn of(is_in: Vec<bool>) -> Self {
        Self(is_in)
    }

    /// Whether a node is in the set.
    pub fn contains(&self, node: NodeId) -> bool {
        self.0[node.index()]
    }

    /// Adds a node.
    pub fn insert(&mut self, node: NodeId) {
        self.0[node.index()] = true;
    }

    /// Adds a run of nodes.
    pub(crate) fn insert_range(&mut self, range: Range<usize>) {
        self.0[range].fill(true);
    }

    /// Removes a node.
    pub fn remove(&mut self, node: NodeId) {
        self.0[node.index()] = false;
    }

    /// The nodes in document order.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|&(_, &is_in)| is_in)
            .map(|(index, _)| NodeId::from_index(index))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.0.iter().filter(|&&is_in| is_in).count()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A page, or what is left of it when only some nodes may be mapped.
///
/// A node keeps its number of children and its position however much is cut out around it. Otherwise a container that
/// lost its content to the first page would have no children left to compare with the second.
#[derive(Debug, Clone, Copy)]
pub struct Tree<'a> {
    /// The page.
    pub dom: &'a Dom,
    kept: Option<&'a NodeSet>,
}

impl<'a> Tree<'a> {
    /// The whole page.
    pub fn whole(dom: &'a Dom) -> Self {
        Self { dom, kept: None }
    }

    /// The kept nodes of a page; parents of kept nodes must be kept.
    pub fn kept(dom: &'a Dom, kept: &'a NodeSet) -> Self {
        Self {
            dom,
            kept: Some(kept),
        }
    }

    /// The `<html>` element.
    pub fn root(self) -> NodePosition<'a> {
        self.place(self.dom.root(), 0, 1)
    }

    /// The kept children of a node.
    pub fn children(self, node: NodeId) -> Vec<NodePosition<'a>> {
        let siblings = self.dom.children(node).count();
        self.dom
            .children(node)
            .enumerate()
            .filter(|&(_, child)| self.kept.is_none_or(|kept| kept.contains(child)))
            .map(|(position, child)| self.place(child, position, siblings))
            .collect()
    }

    fn place(self, node: NodeId, position: usize, siblings: usize) -> NodePosition<'a> {
        let children = self.dom.children(node).count();
        let attributes = sorted_attributes(self.dom, node);
        NodePosition {
            dom: self.dom,
            node,
            children,
            position,
            siblings,
            attributes,
        }
    }
}

/// A node with its position: everything an equality may use.
#[derive(Debug, Clone)]
pub struct NodePosition<'a> {
    /// The page.
    pub dom: &'a Dom,
    /// The node.
    pub node: NodeId,
    /// Number of children on the page, kept or not.
    pub children: usize,
    /// Position among its siblings, from 0.
    pub position: usize,
    /// Number of its siblings, itself included.
    pub siblings: usize,
    /// Its attributes by name, sorted once since a node is compared with many others.
    attributes: Vec<Attribute<'a>>,
}

impl<'a> NodePosition<'a> {
    /// Its attributes, sorted by name.
    pub fn attributes(&self) -> &[Attribute<'a>] {
        &self.attributes
    }

    /// Its attributes, sorted by name, with exceptions.
    pub fn attributes_without(&self, ignored: &[String]) -> impl Iterator<Item = &Attribute<'a>> {
        self.attributes
            .iter()
            .filter(move |attribute| ignored.iter().all(|name| **name != **attribute.name))
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &Name) -> Option<&'a str> {
        let place = self
            .attributes
            .binary_search_by_key(&&**name, |attribute| &**attribute.name);
        place.ok().map(|place| self.attributes[place].value)
    }
}

/// By characters, since the order of interned names changes from run to run.
fn sorted_attributes(dom: &Dom, node: NodeId) -> Vec<Attribute<'_>> {
    let mut attributes: Vec<_> = dom.attributes(node).collect();
    attributes.sort_unstable_by_key(|attribute| &**attribute.name);
    attributes
}
