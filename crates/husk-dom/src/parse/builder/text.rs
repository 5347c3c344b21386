//! Text.

use super::{Builder, InsertionMode, Step, kinds};
use crate::dom::is_blank;

impl Builder {
    /// Processes text without NULs.
    #[inline]
    pub(in crate::parse) fn text(&mut self, text: &str) {
        if self.is_full() {
            return;
        }
        let mut text = text;
        if std::mem::take(&mut self.skips_line_end) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        if !text.is_empty() {
            self.take_text(text);
        }
    }

    #[inline]
    fn take_text(&mut self, text: &str) {
        if self.is_foreign_text() {
            return self.add_text(text);
        }
        match self.mode {
            InsertionMode::InBody
            | InsertionMode::InCaption
            | InsertionMode::InCell
            | InsertionMode::InTemplate => self.text_in_body(text),
            InsertionMode::Text => self.tree.add_text(self.insertion_point(), text),
            InsertionMode::InTable | InsertionMode::InTableBody | InsertionMode::InRow => {
                self.text_in_table(text)
            }
            _ => self.text_around_body(text),
        }
    }

    fn is_foreign_text(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is(kinds::FOREIGN) && !open.is(kinds::INTEGRATION_POINT))
    }

    #[inline]
    fn add_text(&mut self, text: &str) {
        self.may_be_frameset = self.may_be_frameset && is_blank(text.as_bytes());
        self.tree.add_text(self.insertion_point(), text);
    }

    #[inline]
    pub(super) fn text_in_body(&mut self, text: &str) {
        self.reopen_formatting();
        self.add_text(text);
    }

    fn text_in_table(&mut self, text: &str) {
        if self.holds_pending() {
            self.pending.push_str(text);
        } else {
            self.is_fostering = true;
            self.text_in_body(text);
            self.is_fostering = false;
        }
    }

    /// Whether text is held back until all of it is known.
    fn holds_pending(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is(kinds::FOSTERS) || open.tag == super::Tag::Template)
    }

    /// Inserts the text held back in a table: white space in point, other text before the table.
    #[inline]
    pub(super) fn settle_pending(&mut self) {
        if !self.pending.is_empty() {
            self.place_pending();
        }
    }

    fn place_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        if is_blank(pending.as_bytes()) {
            self.tree.add_text(self.insertion_point(), &pending);
        } else {
            self.is_fostering = true;
            self.text_in_body(&pending);
            self.is_fostering = false;
        }
        pending.clear();
        self.pending = pending;
    }

    /// Text outside the body, where white space and other text differ.
    fn text_around_body(&mut self, text: &str) {
        let is_letter = |byte: &u8| !byte.is_ascii_whitespace();
        let blanks = text
            .bytes()
            .position(|byte| is_letter(&byte))
            .unwrap_or(text.len());
        let (blank, rest) = text.split_at(blanks);
        if !blank.is_empty() {
            self.blank_around_body(blank);
        }
        if rest.is_empty() {
            return;
        }
        if self.move_on() == Step::Again {
            return self.take_text(rest);
        }
        let word = rest
            .bytes()
            .position(|byte| !is_letter(&byte))
            .unwrap_or(rest.len());
        self.ignored_word(&rest[word..]);
    }

    /// Continues after a word that is ignored here.
    fn ignored_word(&mut self, rest: &str) {
        // A loop and not a recursion, since there may be many.
        for run in rest.split_inclusive(|letter: char| !letter.is_ascii_whitespace()) {
            let blanks = run.trim_end_matches(|letter: char| !letter.is_ascii_whitespace());
            if !blanks.is_empty() {
                self.blank_around_body(blanks);
            }
        }
    }

    fn blank_around_body(&mut self, blank: &str) {
        match self.mode {
            InsertionMode::Initial | InsertionMode::BeforeHtml | InsertionMode::BeforeHead => {}
            InsertionMode::AfterBody | InsertionMode::AfterAfterBody | InsertionMode::AfterAfterFrameset => {
                self.text_in_body(blank)
            }
            _ => self.tree.add_text(self.insertion_point(), blank),
        }
    }

    /// Processes a NUL.
    pub(in crate::parse) fn nul(&mut self) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        if self.is_foreign_text() {
            return self.tree.add_text(self.insertion_point(), "\u{fffd}");
        }
        while self.move_on() == Step::Again {}
    }
}
