//! Text.

use super::{Builder, Mode, Step, kinds};
use crate::dom::is_blank;

impl Builder {
    /// Takes text without NULs.
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
            Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => self.text_in_body(text),
            Mode::Text => self.tree.add_text(self.place(), text),
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.text_in_table(text),
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
        self.may_be_frameset = self.may_be_frameset && is_blank(text);
        self.tree.add_text(self.place(), text);
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

    /// Whether text that comes now waits for the rest of it.
    fn holds_pending(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is(kinds::FOSTERS) || open.tag == super::Tag::Template)
    }

    /// Puts the text that came right into a table where it belongs: blanks stay, all else goes before the table.
    #[inline]
    pub(super) fn settle_pending(&mut self) {
        if !self.pending.is_empty() {
            self.place_pending();
        }
    }

    fn place_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        if is_blank(&pending) {
            self.tree.add_text(self.place(), &pending);
        } else {
            self.is_fostering = true;
            self.text_in_body(&pending);
            self.is_fostering = false;
        }
        pending.clear();
        self.pending = pending;
    }

    /// Text outside of a body, where blanks are one thing and all else is another.
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

    /// Goes on behind a word that has no place where it stands.
    fn ignored_word(&mut self, rest: &str) {
        // In a loop: there may be very many.
        for run in rest.split_inclusive(|letter: char| !letter.is_ascii_whitespace()) {
            let blanks = run.trim_end_matches(|letter: char| !letter.is_ascii_whitespace());
            if !blanks.is_empty() {
                self.blank_around_body(blanks);
            }
        }
    }

    fn blank_around_body(&mut self, blank: &str) {
        match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
            Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset => self.text_in_body(blank),
            _ => self.tree.add_text(self.place(), blank),
        }
    }

    /// Takes a NUL.
    pub(in crate::parse) fn nul(&mut self) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        if self.is_foreign_text() {
            return self.tree.add_text(self.place(), "\u{fffd}");
        }
        while self.move_on() == Step::Again {}
    }
}
