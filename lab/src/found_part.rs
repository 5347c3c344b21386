//! The part of a page to score: a [`Part`] and an [`Extraction`] in, its nodes and its text out.

use husk::output::content_text;
use husk::{Content, Extraction, Navigation, NodeSet, Page};

use crate::part::Part;

/// A part of a page as a method found it.
pub(crate) struct FoundPart {
    /// Its nodes.
    pub(crate) nodes: NodeSet,
    /// Its text as the `husk` command prints it, for content.
    pub(crate) text: Option<String>,
}

impl FoundPart {
    /// The part of the key page; none without a sibling page, where the `husk` command fails too.
    pub(crate) fn of(part: Part, extraction: &Extraction) -> Option<Self> {
        let is_compared = !extraction.compared.is_empty();
        let page = &extraction.key_page;
        match part {
            Part::Template => is_compared.then(|| Self::of_nodes(page, extraction.template.nodes())),
            Part::Menu => is_compared.then(|| Self::menu(extraction)),
            Part::Content => Some(Self::content(page, Content::of(extraction))),
            Part::ContentAlone => Some(Self::content(page, Content::of_single_page(page))),
            // Does not come from an extraction.
            Part::ContentStripped => None,
        }
    }

    /// No nodes.
    pub(crate) fn nothing(page: &Page) -> Self {
        Self::of_nodes(page, [])
    }

    fn of_nodes(page: &Page, nodes: impl IntoIterator<Item = husk_dom::NodeId>) -> Self {
        let mut found = NodeSet::none(&page.dom);
        for node in nodes {
            found.insert(node);
        }
        Self {
            nodes: found,
            text: None,
        }
    }

    fn menu(extraction: &Extraction) -> Self {
        let page = &extraction.key_page;
        let navigation = Navigation::of(extraction);
        let nodes = navigation
            .main()
            .into_iter()
            .flat_map(|block| block.nodes(&page.dom));
        Self::of_nodes(page, nodes)
    }

    /// The content of a page.
    pub(crate) fn content(page: &Page, content: Content) -> Self {
        Self {
            text: Some(content_text(page, &content)),
            nodes: content.nodes,
        }
    }
}
