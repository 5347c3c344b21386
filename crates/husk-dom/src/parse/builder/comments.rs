//! Comments and doctypes.

use std::borrow::Cow;

use super::super::tree::InsertionPoint;
use super::quirks::causes_quirks;
use super::{Builder, DOCUMENT, InsertionMode};
use crate::dom::NodeKind;

/// A doctype token.
#[derive(Default)]
pub(in crate::parse) struct Doctype<'p> {
    pub(in crate::parse) name: Option<Cow<'p, str>>,
    pub(in crate::parse) public_id: Option<Cow<'p, str>>,
    pub(in crate::parse) system_id: Option<Cow<'p, str>>,
    /// Whether it is malformed or unfinished.
    pub(in crate::parse) is_broken: bool,
}

impl Builder {
    /// Processes a comment.
    pub(in crate::parse) fn comment(&mut self, data: &str) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        self.settle_pending();
        match self.mode {
            _ if self.is_in_foreign() => self
                .tree
                .add_leaf(self.insertion_point(), NodeKind::Comment, data),
            InsertionMode::Initial | InsertionMode::BeforeHtml => {
                self.tree
                    .add_leaf(InsertionPoint::In(DOCUMENT), NodeKind::Comment, data);
            }
            InsertionMode::AfterBody => self.tree.add_trailing_comment(self.root(), data),
            InsertionMode::AfterAfterBody | InsertionMode::AfterAfterFrameset => {
                self.tree.add_trailing_comment(DOCUMENT, data);
            }
            _ => self
                .tree
                .add_leaf(self.insertion_point(), NodeKind::Comment, data),
        }
    }

    /// Processes a doctype, which is ignored after anything else.
    pub(in crate::parse) fn doctype(&mut self, doctype: &Doctype<'_>) {
        if self.is_full() {
            return;
        }
        self.skips_line_end = false;
        self.settle_pending();
        if self.mode != InsertionMode::Initial {
            return;
        }
        let part = |part: &Option<Cow<'_, str>>| part.as_deref().unwrap_or_default().to_owned();
        let data = [&doctype.name, &doctype.public_id, &doctype.system_id].map(part);
        let data = data.join("\n");
        self.tree
            .add_leaf(InsertionPoint::In(DOCUMENT), NodeKind::Doctype, &data);
        self.is_quirky = causes_quirks(doctype);
        self.mode = InsertionMode::BeforeHtml;
    }
}
