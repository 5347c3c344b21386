//! The navigation of a page: its menus, and what else leads around the site.
//!
//! An [`Extraction`] in, [`Navigation`] out. [`survey`] counts, [`candidates`] finds elements that could be blocks and how
//! much each is like a main menu, [`choice`] takes the best and says what the others are for, [`entries`] makes trees of
//! their links.

mod survey;

mod candidates;

mod choice;

mod entries;

use husk_dom::{Dom, NodeId};
use url::Url;

use crate::extraction::Extraction;
use survey::Survey;

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
    /// Where it leads, in full; none if it only stands above others. Never what would run a script.
    pub url: Option<Url>,
    /// Whether it is the page itself; if no entry is, whether it is the one the page marks as active, the deepest of
    /// them; if none is marked, whether its address has most of the folders that the page lies in.
    pub is_active: bool,
    /// What stands below it.
    pub children: Vec<Entry>,
    /// The element that has the label.
    pub node: NodeId,
}

impl Navigation {
    /// Finds what leads around the site.
    ///
    /// The main menu is a part of the template; a page without one has none. Other blocks may differ from page to page, as
    /// breadcrumbs do. A second copy of the main menu, as pages have for small screens, is a [`NavigationKind::Sub`].
    pub fn of(extraction: &Extraction) -> Self {
        let survey = Survey::of(extraction);
        let mut blocks = choice::blocks(&survey);
        for block in &mut blocks {
            block.entries = entries::entries(&survey, &block.roots);
        }
        Self { blocks }
    }

    /// The main menu, if there is one.
    pub fn main(&self) -> Option<&NavigationBlock> {
        self.blocks
            .iter()
            .find(|block| block.kind == NavigationKind::Main)
    }
}

impl NavigationBlock {
    /// All its nodes, in document order.
    pub fn nodes<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        self.roots.iter().flat_map(|&root| dom.subtree(root))
    }
}
