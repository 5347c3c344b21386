//! The navigation of a page: its menus, and what else leads around the site.
//!
//! An [`Extraction`] in, [`Navigation`] out.

use husk_dom::{Dom, NodeId};
use url::Url;

use crate::extraction::Extraction;

/// All that leads around the site on a page, in document order.
#[derive(Debug, Clone, Default)]
pub struct Navigation {
    /// Its blocks.
    pub blocks: Vec<NavigationBlock>,
}

/// Links that belong together.
#[derive(Debug, Clone)]
pub struct NavigationBlock {
    /// What they are for.
    pub kind: NavigationKind,
    /// The smallest subtrees that hold them, in document order; none lies in another.
    pub roots: Vec<NodeId>,
    /// The links as a tree.
    pub entries: Vec<Entry>,
}

/// What a block of links is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavigationKind {
    /// The main menu of the site.
    Main,
    /// The menu of a section, or another menu beside the main one.
    Sub,
    /// The way from the home page to this one.
    Breadcrumb,
    /// Links at the bottom of every page.
    Footer,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// The same page in other languages.
    Language,
}

/// An entry of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its words.
    pub label: String,
    /// Where it leads; none if it only stands above others.
    pub url: Option<Url>,
    /// Whether it is the page itself, or leads to where the page stands.
    pub is_active: bool,
    /// What stands below it.
    pub children: Vec<Entry>,
    /// The element that has the label.
    pub node: NodeId,
}

impl Navigation {
    /// Finds what leads around the site.
    pub fn of(extraction: &Extraction) -> Self {
        let _ = extraction;
        Self::default()
    }

    /// The main menu, if there is one.
    pub fn main(&self) -> Option<&NavigationBlock> {
        self.blocks
            .iter()
            .find(|block| block.kind == NavigationKind::Main)
    }
}

impl NavigationBlock {
    /// Its nodes, in document order.
    pub fn nodes<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        self.roots.iter().flat_map(|&root| dom.subtree(root))
    }
}
