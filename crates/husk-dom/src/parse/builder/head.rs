//! The insertion mode for the head.

use super::super::tags::Tag;
use super::{Builder, ContentModel, EndTag, InsertionMode, StartTag, Step};

impl Builder {
    /// A start tag in the head. Some rules are shared with the body.
    pub(super) fn start_in_head(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Html => self.start_html_again(start),
            Base | Basefont | Bgsound | Link | Meta => self.insert_leaf(start),
            Title => self.insert_text_element(start, ContentModel::TextWithReferences),
            Noframes | Style => self.insert_text_element(start, ContentModel::RawText),
            Noscript => {
                self.insert(start);
                self.mode = InsertionMode::InHeadNoscript;
                Step::Done
            }
            Script => self.insert_text_element(start, ContentModel::Script),
            Template => self.start_template(start),
            Head => Step::Done,
            _ => self.move_on(),
        }
    }

    pub(super) fn end_in_head(&mut self, end: &EndTag<'_>) -> Step {
        match end.tag {
            Tag::Head => {
                self.open.pop();
                self.mode = InsertionMode::AfterHead;
                Step::Done
            }
            Tag::Body | Tag::Html | Tag::Br => self.move_on(),
            Tag::Template => self.end_template(),
            _ => Step::Done,
        }
    }

    pub(super) fn start_in_head_noscript(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Html => self.start_html_again(start),
            Basefont | Bgsound | Link | Meta | Noframes | Style => self.start_in_head(start),
            Head | Noscript => Step::Done,
            _ => self.move_on(),
        }
    }

    pub(super) fn end_in_head_noscript(&mut self, end: &EndTag<'_>) -> Step {
        match end.tag {
            Tag::Noscript => {
                self.open.pop();
                self.mode = InsertionMode::InHead;
                Step::Done
            }
            Tag::Br => self.move_on(),
            _ => Step::Done,
        }
    }
}
