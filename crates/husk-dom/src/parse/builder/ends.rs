//! The end of the page.

use super::super::tags::Tag;
use super::{Builder, Mode, Step};

impl Builder {
    /// Makes what every page has, if it is not there by now.
    pub(super) fn end_of_page(&mut self) {
        self.settle_pending();
        while self.end_in_mode() == Step::Again {}
    }

    fn end_in_mode(&mut self) -> Step {
        match self.mode {
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => self.move_on(),
            Mode::Text => {
                self.open.pop();
                self.mode = self.mode_before_text;
                Step::Again
            }
            Mode::AfterBody
            | Mode::InFrameset
            | Mode::AfterFrameset
            | Mode::AfterAfterBody
            | Mode::AfterAfterFrameset => Step::Done,
            _ if self.open.has(Tag::Template) => {
                self.close_template();
                Step::Again
            }
            _ => Step::Done,
        }
    }
}
