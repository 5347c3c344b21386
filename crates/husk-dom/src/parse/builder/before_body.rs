//! What comes before the body: the root, the head as a whole, and what stands between.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::stack::Open;
use super::{Builder, End, Mode, Start, Step};
use crate::attributes::AttributeRange;

impl Builder {
    /// What a mode does with a token that it has no rule for: it leaves for the mode that may have one, and makes
    /// the elements that must be there by then. Within the body, and where there is none, the token is ignored.
    pub(super) fn move_on(&mut self) -> Step {
        match self.mode {
            Mode::Initial => {
                self.is_quirky = true;
                self.mode = Mode::BeforeHtml;
            }
            Mode::BeforeHtml => self.insert_root(local_name!("html"), AttributeRange::default()),
            Mode::BeforeHead => {
                self.head = self.insert_implied(Tag::Head, local_name!("head"));
                self.mode = Mode::InHead;
            }
            Mode::InHead => {
                self.open.pop();
                self.mode = Mode::AfterHead;
            }
            Mode::InHeadNoscript => {
                self.open.pop();
                self.mode = Mode::InHead;
            }
            Mode::AfterHead => {
                self.insert_implied(Tag::Body, local_name!("body"));
                // A template in the head does not count.
                self.may_be_frameset = true;
                self.mode = Mode::InBody;
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.mode = Mode::InBody,
            Mode::InColumnGroup if self.open.is_in(Tag::Colgroup) => {
                self.open.pop();
                self.mode = Mode::InTable;
            }
            _ => return Step::Done,
        }
        Step::Again
    }

    pub(super) fn start_before_html(&mut self, start: &Start) -> Step {
        if start.tag != Tag::Html {
            return self.move_on();
        }
        self.insert_root(start.name.clone(), start.attributes);
        Step::Done
    }

    pub(super) fn start_before_head(&mut self, start: &Start) -> Step {
        match start.tag {
            Tag::Html => self.start_html_again(start),
            Tag::Head => {
                self.head = self.insert(start);
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => self.move_on(),
        }
    }

    /// An end tag before the head. The same goes for one before the root.
    pub(super) fn end_before_head(&mut self, end: &End<'_>) -> Step {
        match end.tag {
            Tag::Head | Tag::Body | Tag::Html | Tag::Br => self.move_on(),
            _ => Step::Done,
        }
    }

    pub(super) fn start_after_head(&mut self, start: &Start) -> Step {
        use Tag::*;
        match start.tag {
            Html => self.start_html_again(start),
            Body => {
                self.insert(start);
                self.may_be_frameset = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            Frameset => {
                self.insert(start);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                let head = self.head;
                self.open.push(Open::html(head, Head));
                let step = self.start_in_head(start);
                self.remove_open(head);
                step
            }
            Head => Step::Done,
            _ => self.move_on(),
        }
    }

    pub(super) fn end_after_head(&mut self, end: &End<'_>) -> Step {
        match end.tag {
            Tag::Template => self.end_template(),
            Tag::Body | Tag::Html | Tag::Br => self.move_on(),
            _ => Step::Done,
        }
    }

    /// A further `<html>` adds its attributes to those of the first.
    pub(super) fn start_html_again(&mut self, start: &Start) -> Step {
        if !self.open.has(Tag::Template) {
            self.tree.add_late_attributes(self.root(), start.attributes);
        }
        Step::Done
    }
}
