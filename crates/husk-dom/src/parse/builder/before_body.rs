//! Insertion modes before the body.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::stack::OpenElement;
use super::{Builder, EndTag, InsertionMode, StartTag, Step};
use crate::attributes::AttributeRange;

impl Builder {
    /// What a mode does with a token that it has no rule for: it switches to the next mode and creates the elements that
    /// this requires. In the body, and where there is no next mode, the token is ignored.
    pub(super) fn move_on(&mut self) -> Step {
        match self.mode {
            InsertionMode::Initial => {
                self.is_quirky = true;
                self.mode = InsertionMode::BeforeHtml;
            }
            InsertionMode::BeforeHtml => self.insert_root(local_name!("html"), AttributeRange::default()),
            InsertionMode::BeforeHead => {
                self.head = self.insert_implied(Tag::Head, local_name!("head"));
                self.mode = InsertionMode::InHead;
            }
            InsertionMode::InHead => {
                self.open.pop();
                self.mode = InsertionMode::AfterHead;
            }
            InsertionMode::InHeadNoscript => {
                self.open.pop();
                self.mode = InsertionMode::InHead;
            }
            InsertionMode::AfterHead => {
                self.insert_implied(Tag::Body, local_name!("body"));
                // A template in the head does not count.
                self.may_be_frameset = true;
                self.mode = InsertionMode::InBody;
            }
            InsertionMode::AfterBody | InsertionMode::AfterAfterBody => self.mode = InsertionMode::InBody,
            InsertionMode::InColumnGroup if self.open.is_in(Tag::Colgroup) => {
                self.open.pop();
                self.mode = InsertionMode::InTable;
            }
            _ => return Step::Done,
        }
        Step::Again
    }

    pub(super) fn start_before_html(&mut self, start: &StartTag) -> Step {
        if start.tag != Tag::Html {
            return self.move_on();
        }
        self.insert_root(start.name.clone(), start.attributes);
        Step::Done
    }

    pub(super) fn start_before_head(&mut self, start: &StartTag) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Head => {
                self.head = self.insert(start);
                self.mode = InsertionMode::InHead;
                Step::Done
            }
            _ => self.move_on(),
        }
    }

    /// An end tag before the head, or before the root.
    pub(super) fn end_before_head(&mut self, end: &EndTag<'_>) -> Step {
        match end.tag {
            Tag::Head | Tag::Body | Tag::Html | Tag::Br => self.move_on(),
            _ => Step::Done,
        }
    }

    pub(super) fn start_after_head(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Html => self.start_html_again(start),
            Body => {
                self.insert(start);
                self.may_be_frameset = false;
                self.mode = InsertionMode::InBody;
                Step::Done
            }
            Frameset => {
                self.insert(start);
                self.mode = InsertionMode::InFrameset;
                Step::Done
            }
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                let head = self.head;
                self.open.push(OpenElement::html(head, Head));
                let step = self.start_in_head(start);
                self.remove_open(head);
                step
            }
            Head => Step::Done,
            _ => self.move_on(),
        }
    }

    pub(super) fn end_after_head(&mut self, end: &EndTag<'_>) -> Step {
        match end.tag {
            Tag::Template => self.end_template(),
            Tag::Body | Tag::Html | Tag::Br => self.move_on(),
            _ => Step::Done,
        }
    }

    /// Another `<html>` adds its attributes to the first one.
    pub(super) fn start_html_again(&mut self, start: &StartTag) -> Step {
        if !self.open.has(Tag::Template) {
            self.tree.add_late_attributes(self.root(), start.attributes);
        }
        Step::Done
    }
}
