//! Rejects pages without content of their own.

use std::fmt;

use husk::Page;
use husk::dom::{NodeKind, name};

/// A page without content of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoContent {
    /// The page only shows other pages.
    #[error("{url} is a frameset, and its frames are pages of their own{}", Choice(.frames))]
    Frameset {
        /// The page.
        url: String,
        /// What its frames show, as the page names it.
        frames: Vec<String>,
    },
    /// Nothing is on the page.
    #[error("{url} is empty: it has no elements and no text")]
    Empty {
        /// The page.
        url: String,
    },
}

/// Fails if a page is empty, or only shows other pages in frames.
pub fn check_content(page: &Page) -> Result<(), NoContent> {
    let dom = &page.dom;
    let url = page.url.to_string();
    if let Some(frameset) = dom.part(&name!("frameset")) {
        let frames = dom
            .subtree(frameset)
            .filter(|&node| dom.is_element(node, &name!("frame")));
        let frames = frames
            .filter_map(|node| dom.attribute(node, &name!("src")))
            .map(str::to_owned)
            .collect();
        return Err(NoContent::Frameset { url, frames });
    }
    let is_shown =
        |node| !matches!(dom.kind(node), NodeKind::Comment | NodeKind::Doctype) && !dom.is_blank_text(node);
    let is_implied = |node| {
        [name!("html"), name!("head"), name!("body")]
            .iter()
            .any(|name| dom.is_element(node, name))
    };
    if dom
        .nodes()
        .skip(1)
        .all(|node| is_implied(node) || !is_shown(node))
    {
        return Err(NoContent::Empty { url });
    }
    Ok(())
}

struct Choice<'a>(&'a [String]);

impl fmt::Display for Choice<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [one] => write!(out, ": open {one}"),
            [others @ .., last] => write!(out, ": open one of {} and {last}", others.join(", ")),
        }
    }
}
