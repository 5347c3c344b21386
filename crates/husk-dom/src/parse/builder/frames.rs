//! Insertion modes for framesets, and after the body.

use super::super::tags::Tag;
use super::{Builder, EndTag, InsertionMode, StartTag, Step};

impl Builder {
    /// A start tag after the body, or after the root.
    pub(super) fn start_after_body(&mut self, start: &StartTag) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            _ => self.move_on(),
        }
    }

    pub(super) fn end_after_body(&mut self, end: &EndTag<'_>) -> Step {
        if end.tag == Tag::Html && self.mode == InsertionMode::AfterBody {
            self.mode = InsertionMode::AfterAfterBody;
            return Step::Done;
        }
        self.move_on()
    }

    pub(super) fn start_in_frameset(&mut self, start: &StartTag) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Frameset => self.open(start),
            Tag::Frame => self.insert_leaf(start),
            Tag::Noframes => self.start_in_head(start),
            _ => Step::Done,
        }
    }

    pub(super) fn end_in_frameset(&mut self, end: &EndTag<'_>) -> Step {
        if end.tag == Tag::Frameset && self.open.len() > 1 {
            self.open.pop();
            if !self.open.is_in(Tag::Frameset) {
                self.mode = InsertionMode::AfterFrameset;
            }
        }
        Step::Done
    }

    /// A start tag after a frameset, or after the root of a page with one.
    pub(super) fn start_after_frameset(&mut self, start: &StartTag) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Noframes => self.start_in_head(start),
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, end: &EndTag<'_>) -> Step {
        if end.tag == Tag::Html {
            self.mode = InsertionMode::AfterAfterFrameset;
        }
        Step::Done
    }
}
