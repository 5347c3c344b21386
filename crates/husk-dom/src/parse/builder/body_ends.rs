//! EndTag tags in the body.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::super::tree::NONE;
use super::{Builder, EndTag, InsertionMode, StartTag, Step, kinds};
use crate::attributes::AttributeRange;

impl Builder {
    #[rustfmt::skip]
    pub(super) fn end_in_body(&mut self, end: &EndTag<'_>) -> Step {
        use Tag::*;
        match end.tag {
            Address | Article | Aside | Blockquote | Button | Center | Details | Dialog | Dir | Div | Dl
            | Fieldset | Figcaption | Figure | Footer | Header | Hgroup | Listing | Main | Menu | Nav | Ol | Pre
            | Search | Section | Select | Summary | Ul => self.end_block(end.tag),
            A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U => {
                self.end_formatting(end.tag);
            }
            P => self.end_paragraph(),
            Li => self.end_item(Li, kinds::ENDS_LIST_SCOPE),
            Dd | Dt => self.end_item(end.tag, kinds::ENDS_SCOPE),
            H1 | H2 | H3 | H4 | H5 | H6 => self.end_heading(),
            Body => {
                if self.is_in_scope(Body) {
                    self.mode = InsertionMode::AfterBody;
                }
            }
            Html => {
                if self.is_in_scope(Body) {
                    self.mode = InsertionMode::AfterBody;
                    return Step::Again;
                }
            }
            Form => self.end_form(),
            Applet | Marquee | Object => self.end_object(end.tag),
            // It counts as a start tag.
            Br => {
                return self.start_leaf(&StartTag {
                    tag: Br,
                    name: local_name!("br"),
                    attributes: AttributeRange::default(),
                    is_self_closing: false,
                });
            }
            Template => return self.end_template(),
            Other => self.end_other(end),
            tag => self.end_known(tag),
        }
        Step::Done
    }

    #[inline]
    fn end_block(&mut self, tag: Tag) {
        if self.is_in_scope(tag) {
            self.open.close_implied();
            self.open.close(tag);
        }
    }

    fn end_paragraph(&mut self) {
        if !self.open.has_in_scope(Tag::P, kinds::ENDS_BUTTON_SCOPE) {
            self.insert_implied(Tag::P, local_name!("p"));
        }
        self.close_paragraph();
    }

    fn end_item(&mut self, tag: Tag, scope_ends: u32) {
        if self.open.has_in_scope(tag, scope_ends) {
            self.open.close_implied_but(tag);
            self.open.close(tag);
        }
    }

    /// Ends any open heading, whichever level the tag has.
    fn end_heading(&mut self) {
        let is_heading = |open: super::stack::OpenElement| open.is(kinds::HEADING);
        if self.open.finds_in_scope(is_heading, kinds::ENDS_SCOPE) {
            self.open.close_implied();
            self.open.close_kind(kinds::HEADING);
        }
    }

    pub(super) fn has_form(&self) -> bool {
        self.form != NONE
    }

    fn end_form(&mut self) {
        if self.open.has(Tag::Template) {
            self.end_block(Tag::Form);
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        let is_form = |open: super::stack::OpenElement| open.node == form;
        if form != NONE && self.open.finds_in_scope(is_form, kinds::ENDS_SCOPE) {
            self.open.close_implied();
            self.remove_open(form);
        }
    }

    fn end_object(&mut self, tag: Tag) {
        if self.is_in_scope(tag) {
            self.open.close_implied();
            self.open.close(tag);
            self.formatting.clear_to_marker();
        }
    }

    /// An end tag without a rule of its own: it ends the innermost element with its name, unless a special one is within it.
    pub(super) fn end_known(&mut self, tag: Tag) {
        if !self.open.has(tag) {
            return;
        }
        for (index, open) in self.open.from(0).iter().enumerate().rev() {
            if open.tag == tag {
                self.open.truncate(index);
                return;
            }
            if open.is(kinds::SPECIAL) {
                return;
            }
        }
    }

    /// The same for an element whose name no rule mentions.
    fn end_other(&mut self, end: &EndTag<'_>) {
        if !self.open.has(Tag::Other) {
            return;
        }
        for (index, open) in self.open.from(0).iter().enumerate().rev() {
            if open.tag == Tag::Other && self.tree.node(open.node).name == *end.name {
                self.open.truncate(index);
                return;
            }
            if open.is(kinds::SPECIAL) {
                return;
            }
        }
    }
}
