//! The end of the page.

use super::super::tags::Tag;
use super::{Builder, InsertionMode, Step};

impl Builder {
    /// Creates the elements that every page has, if they are missing.
    pub(super) fn end_of_page(&mut self) {
        self.settle_pending();
        while self.end_in_mode() == Step::Again {}
    }

    fn end_in_mode(&mut self) -> Step {
        match self.mode {
            InsertionMode::Initial
            | InsertionMode::BeforeHtml
            | InsertionMode::BeforeHead
            | InsertionMode::InHead
            | InsertionMode::InHeadNoscript
            | InsertionMode::AfterHead => self.move_on(),
            InsertionMode::Text => {
                self.open.pop();
                self.mode = self.mode_before_text;
                Step::Again
            }
            InsertionMode::AfterBody
            | InsertionMode::InFrameset
            | InsertionMode::AfterFrameset
            | InsertionMode::AfterAfterBody
            | InsertionMode::AfterAfterFrameset => Step::Done,
            _ if self.open.has(Tag::Template) => {
                self.close_template();
                Step::Again
            }
            _ => Step::Done,
        }
    }
}
