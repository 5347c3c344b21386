//! Limits: flattens elements that are nested too deep, and ends a page that is too large.

use std::collections::HashMap;

use web_atoms::LocalName;

use super::super::tags::Tag;
use super::super::tree::NONE;
use super::kinds;
use super::{Builder, ContentModel, EndTag, StartTag};

/// The elements flattened so far.
#[derive(Default)]
pub(super) struct Flattening {
    pub(super) count: usize,
    /// Flattened elements whose end tags are still to come.
    closed_early: HashMap<LocalName, usize>,
    /// Whether the element that was opened last contains only text, so that the next end tag is its own.
    pub(super) is_in_raw_text: bool,
}

impl Builder {
    /// Whether the page has reached a limit, so that the rest is ignored.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.tree.len() >= self.limits.nodes || self.tree.is_full()
    }

    /// Whether the element would be nested too deep and may contain others.
    #[inline]
    pub(super) fn nests_too_deep(&self, start: &StartTag) -> bool {
        // The document, the head and the form count too.
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

    /// Opens and closes the element at once, so that what follows becomes its sibling.
    pub(super) fn flatten(&mut self, start: &StartTag) -> ContentModel {
        let flattening = &mut self.flattening;
        flattening.count += 1;
        *flattening.closed_early.entry(start.name.clone()).or_default() += 1;
        let was_in_raw_text = flattening.is_in_raw_text;
        let content = self.take_start(start);
        self.flattening.is_in_raw_text = was_in_raw_text;
        self.take_end(&EndTag {
            tag: start.tag,
            name: &start.name,
        });
        content
    }

    /// Whether the end tag is that of a flattened element. Each counts once.
    #[inline]
    pub(super) fn was_closed_early(&mut self, end: &EndTag<'_>) -> bool {
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

    /// Whether the element cannot contain others. In SVG and MathML, only self-closing ones cannot.
    fn stays_leaf(&self, start: &StartTag) -> bool {
        if self.open.is_in_kind(kinds::FOREIGN) {
            start.is_self_closing
        } else {
            is_html_leaf(start.tag)
        }
    }
}

/// HTML elements that contain no other elements, or exist only once.
#[rustfmt::skip]
fn is_html_leaf(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Html | Head | Body | Script | Style | Title | Textarea | Xmp | Iframe | Noembed | Noframes | Plaintext
            | Area | Base | Br | Col | Embed | Hr | Img | Input | Link | Meta | Param | Source | Track | Wbr
    )
}
