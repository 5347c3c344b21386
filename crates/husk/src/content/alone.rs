//! The content of a page that no other page helps to read.

use super::{Content, ToldBy};
use crate::mapping::NodeSet;
use crate::page::Page;

/// The content of a page that there is nothing to compare with.
pub(super) fn content(page: &Page) -> Content {
    Content {
        nodes: NodeSet::all(&page.dom),
        comments: NodeSet::none(&page.dom),
        told_by: ToldBy::PageAlone,
    }
}
