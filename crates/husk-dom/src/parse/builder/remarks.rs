//! Comments and doctypes.

use std::borrow::Cow;

use super::super::tree::Place;
use super::quirks::makes_quirky;
use super::{Builder, DOCUMENT, Mode};
use crate::dom::NodeKind;

/// What a doctype says.
#[derive(Default)]
pub(in crate::parse) struct Doctype<'p> {
    pub(in crate::parse) name: Option<Cow<'p, str>>,
    pub(in crate::parse) public_id: Option<Cow<'p, str>>,
    pub(in crate::parse) system_id: Option<Cow<'p, str>>,
    /// Whether it breaks off, or is written in a way that nobody understands.
    pub(in crate::parse) is_broken: bool,
}

impl Builder {
    /// Takes a comment.
    pub(in crate::parse) fn comment(&mut self, words: &str) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        self.settle_pending();
        match self.mode {
            _ if self.is_in_foreign() => self.tree.add_remark(self.place(), NodeKind::Comment, words),
            Mode::Initial | Mode::BeforeHtml => {
                self.tree
                    .add_remark(Place::In(DOCUMENT), NodeKind::Comment, words);
            }
            Mode::AfterBody => self.tree.add_trailing_comment(self.root(), words),
            Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.tree.add_trailing_comment(DOCUMENT, words);
            }
            _ => self.tree.add_remark(self.place(), NodeKind::Comment, words),
        }
    }

    /// Takes a doctype, which counts before all else only.
    pub(in crate::parse) fn doctype(&mut self, doctype: &Doctype<'_>) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        self.settle_pending();
        if self.mode != Mode::Initial {
            return;
        }
        let part = |part: &Option<Cow<'_, str>>| part.as_deref().unwrap_or_default().to_owned();
        let words = [&doctype.name, &doctype.public_id, &doctype.system_id].map(part);
        let words = words.join("\n");
        self.tree
            .add_remark(Place::In(DOCUMENT), NodeKind::Doctype, &words);
        self.is_quirky = makes_quirky(doctype);
        self.mode = Mode::BeforeHtml;
    }
}
