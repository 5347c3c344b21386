//! The main content of a page: what a reader came for.
//!
//! An [`Extraction`] in, or a [`Page`] that there is nothing to compare with; [`Content`] out.

mod alone;

use crate::extraction::Extraction;
use crate::mapping::NodeSet;
use crate::page::Page;

/// The main content of a page.
#[derive(Debug, Clone)]
pub struct Content {
    /// Its nodes. What is between them and the root is not among them.
    pub nodes: NodeSet,
    /// What readers wrote about it; not part of the content.
    pub comments: NodeSet,
    /// What it was told by.
    pub told_by: ToldBy,
}

/// What a page's content was told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// The template: other pages of the site say what is not content.
    Template,
    /// The page alone, for want of other pages.
    PageAlone,
}

impl Content {
    /// The content of a page whose template is known; of the page alone if it was compared with nothing.
    pub fn of(extraction: &Extraction) -> Self {
        let page = &extraction.key_page;
        if extraction.template.compared() == 0 {
            return Self::of_page_alone(page);
        }
        let mut nodes = NodeSet::none(&page.dom);
        for node in page
            .dom
            .nodes()
            .filter(|&node| !extraction.template.contains(node))
        {
            nodes.insert(node);
        }
        Self {
            nodes,
            comments: NodeSet::none(&page.dom),
            told_by: ToldBy::Template,
        }
    }

    /// The content of a page that there is nothing to compare with.
    pub fn of_page_alone(page: &Page) -> Self {
        alone::content(page)
    }
}
