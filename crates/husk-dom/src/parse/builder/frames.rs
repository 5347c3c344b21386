//! In and after framesets, and after the body.

use super::super::tags::Tag;
use super::{Builder, End, Mode, Start, Step};

impl Builder {
    /// A start tag behind the body, or behind the root.
    pub(super) fn start_after_body(&mut self, start: &Start) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            _ => self.move_on(),
        }
    }

    pub(super) fn end_after_body(&mut self, end: &End<'_>) -> Step {
        if end.tag == Tag::Html && self.mode == Mode::AfterBody {
            self.mode = Mode::AfterAfterBody;
            return Step::Done;
        }
        self.move_on()
    }

    pub(super) fn start_in_frameset(&mut self, start: &Start) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Frameset => self.open(start),
            Tag::Frame => self.insert_leaf(start),
            Tag::Noframes => self.start_in_head(start),
            _ => Step::Done,
        }
    }

    pub(super) fn end_in_frameset(&mut self, end: &End<'_>) -> Step {
        if end.tag == Tag::Frameset && self.open.len() > 1 {
            self.open.pop();
            if !self.open.is_in(Tag::Frameset) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    /// A start tag behind a frameset, or behind the root of a page that has one.
    pub(super) fn start_after_frameset(&mut self, start: &Start) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Noframes => self.start_in_head(start),
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, end: &End<'_>) -> Step {
        if end.tag == Tag::Html {
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }
}
