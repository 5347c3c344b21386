//! Keeps the page within its limits: flattens what is nested too deep, and ends a page that is too large.

use std::collections::HashMap;

use web_atoms::LocalName;

use super::super::tags::Tag;
use super::super::tree::NONE;
use super::kinds;
use super::{Builder, Content, End, Start};

/// What was flattened so far.
#[derive(Default)]
pub(super) struct Flattening {
    pub(super) count: usize,
    /// Elements closed at once whose end tags are still to come.
    closed_early: HashMap<LocalName, usize>,
    /// Whether the element that was opened last holds nothing but text, so that the next end tag is its own.
    pub(super) is_in_raw_text: bool,
}

impl Builder {
    /// Whether the page has reached the limit of nodes, or of what these may hold; what follows is ignored.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.tree.len() >= self.limits.nodes || self.tree.is_full()
    }

    /// Whether the element would lie deeper than the limit, with others inside.
    #[inline]
    pub(super) fn nests_too_deep(&self, start: &Start) -> bool {
        // The document, the head and the form count as well.
        self.open.len() + self.formatting.entries.len() + 3 >= self.limits.open_elements
            && self.is_too_deep()
            && !self.stays_leaf(start)
    }

    #[cold]
    fn is_too_deep(&self) -> bool {
        let entries = self.formatting.entries.iter();
        let formatting = entries.filter(|entry| !entry.is_marker()).count();
        let others = 1 + usize::from(self.head != NONE) + usize::from(self.form != NONE);
        self.open.len() + formatting + others >= self.limits.open_elements
    }

    /// Closes the element as soon as it is open, so that what follows comes beside it.
    pub(super) fn flatten(&mut self, start: &Start) -> Content {
        let flattening = &mut self.flattening;
        flattening.count += 1;
        *flattening.closed_early.entry(start.name.clone()).or_default() += 1;
        let was_in_raw_text = flattening.is_in_raw_text;
        let content = self.take_start(start);
        self.flattening.is_in_raw_text = was_in_raw_text;
        self.take_end(&End {
            tag: start.tag,
            name: &start.name,
        });
        content
    }

    /// Whether the end tag is that of a flattened element. Each counts once.
    #[inline]
    pub(super) fn was_closed_early(&mut self, end: &End<'_>) -> bool {
        let flattening = &mut self.flattening;
        if !std::mem::take(&mut flattening.is_in_raw_text)
            && flattening.count > 0
            && let Some(count) = flattening.closed_early.get_mut(end.name)
            && *count > 0
        {
            *count -= 1;
            return true;
        }
        false
    }

    /// Whether the tag opens nothing that others could nest in. In SVG and MathML only a slash tells.
    fn stays_leaf(&self, start: &Start) -> bool {
        if self.open.is_in_kind(kinds::FOREIGN) {
            start.is_self_closing
        } else {
            is_html_leaf(start.tag)
        }
    }
}

/// HTML elements that hold no other elements, or exist once only.
#[rustfmt::skip]
fn is_html_leaf(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Html | Head | Body | Script | Style | Title | Textarea | Xmp | Iframe | Noembed | Noframes | Plaintext
            | Area | Base | Br | Col | Embed | Hr | Img | Input | Link | Meta | Param | Source | Track | Wbr
    )
}
