//! StartTag tags in the body.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::{Builder, ContentModel, InsertionMode, StartTag, Step, kinds};
use crate::dom::Namespace;

impl Builder {
    #[rustfmt::skip]
    pub(super) fn start_in_body(&mut self, start: &StartTag) -> Step {
        use Tag::*;
        match start.tag {
            Address | Article | Aside | Blockquote | Center | Details | Dialog | Dir | Div | Dl | Fieldset
            | Figcaption | Figure | Footer | Header | Hgroup | Main | Menu | Nav | Ol | P | Search | Section
            | Summary | Ul => {
                self.close_paragraph_in_scope();
                self.open(start)
            }
            A => self.start_link(start),
            B | Big | Code | Em | Font | I | S | Small | Strike | Strong | Tt | U => self.open_formatting(start),
            Li => self.start_item(start, |tag| tag == Li),
            Dd | Dt => self.start_item(start, |tag| matches!(tag, Dd | Dt)),
            Area | Br | Embed | Img | Keygen | Wbr => self.start_leaf(start),
            H1 | H2 | H3 | H4 | H5 | H6 => self.start_heading(start),
            Base | Basefont | Bgsound | Link | Meta | Noframes | Script | Style | Template | Title => {
                self.start_in_head(start)
            }
            Html => self.start_html_again(start),
            Body => self.start_body_again(start),
            Frameset => self.start_frameset_in_body(start),
            Pre | Listing => self.start_preformatted(start),
            Form => self.start_form(start),
            Plaintext => {
                self.close_paragraph_in_scope();
                self.insert(start);
                self.content = ContentModel::PlainText;
                Step::Done
            }
            Button => self.start_button(start),
            Nobr => self.start_nobr(start),
            Applet | Marquee | Object => self.start_object(start),
            Table => self.start_table(start),
            Input => self.start_input(start),
            Param | Source | Track => self.insert_leaf(start),
            Hr => self.start_rule(start),
            Image => self.start_leaf(&StartTag { tag: Img, name: local_name!("img"), ..start.clone() }),
            Textarea => {
                self.may_be_frameset = false;
                self.insert_text_element(start, ContentModel::TextWithReferences);
                self.skips_line_end = true;
                Step::Done
            }
            Xmp => {
                self.close_paragraph_in_scope();
                self.reopen_formatting();
                self.may_be_frameset = false;
                self.insert_text_element(start, ContentModel::RawText)
            }
            Iframe => {
                self.may_be_frameset = false;
                self.insert_text_element(start, ContentModel::RawText)
            }
            Noembed => self.insert_text_element(start, ContentModel::RawText),
            Select => self.start_select(start),
            Option => self.start_option(start, Optgroup),
            Optgroup => self.start_option(start, Other),
            Rb | Rtc => self.start_ruby_part(start, Other),
            Rp | Rt => self.start_ruby_part(start, Rtc),
            Math => self.start_foreign(start, Namespace::MathMl),
            Svg => self.start_foreign(start, Namespace::Svg),
            Caption | Col | Colgroup | Frame | Head | Tbody | Td | Tfoot | Th | Thead | Tr => Step::Done,
            _ => {
                self.reopen_formatting();
                self.open(start)
            }
        }
    }

    /// Another `<body>` adds its attributes to the first one.
    fn start_body_again(&mut self, start: &StartTag) -> Step {
        if let Some(body) = self.body()
            && !self.open.has(Tag::Template)
        {
            self.may_be_frameset = false;
            self.tree.add_late_attributes(body, start.attributes);
        }
        Step::Done
    }

    /// A frameset replaces a body that shows nothing yet.
    fn start_frameset_in_body(&mut self, start: &StartTag) -> Step {
        if let Some(body) = self.body()
            && self.may_be_frameset
        {
            self.tree.settle_trailing_comments();
            self.tree.detach(body);
            self.open.truncate(1);
            self.insert(start);
            self.mode = InsertionMode::InFrameset;
        }
        Step::Done
    }

    fn start_heading(&mut self, start: &StartTag) -> Step {
        self.close_paragraph_in_scope();
        if self.open.is_in_kind(kinds::HEADING) {
            self.open.pop();
        }
        self.open(start)
    }

    fn start_preformatted(&mut self, start: &StartTag) -> Step {
        self.close_paragraph_in_scope();
        self.insert(start);
        self.skips_line_end = true;
        self.may_be_frameset = false;
        Step::Done
    }

    fn start_form(&mut self, start: &StartTag) -> Step {
        let is_in_template = self.open.has(Tag::Template);
        if self.has_form() && !is_in_template {
            return Step::Done;
        }
        self.close_paragraph_in_scope();
        let form = self.insert(start);
        if !is_in_template {
            self.form = form;
        }
        Step::Done
    }

    /// A list item ends the previous one, unless that is outside a nested list.
    #[inline]
    fn start_item(&mut self, start: &StartTag, is_item: impl Fn(Tag) -> bool) -> Step {
        self.may_be_frameset = false;
        for open in self.open.from(0).iter().rev() {
            if is_item(open.tag) {
                let tag = open.tag;
                self.open.close_implied_but(tag);
                self.open.close(tag);
                break;
            }
            if open.is(kinds::SPECIAL) && !matches!(open.tag, Tag::Address | Tag::Div | Tag::P) {
                break;
            }
        }
        self.close_paragraph_in_scope();
        self.open(start)
    }

    fn start_button(&mut self, start: &StartTag) -> Step {
        if self.is_in_scope(Tag::Button) {
            self.open.close_implied();
            self.open.close(Tag::Button);
        }
        self.reopen_formatting();
        self.may_be_frameset = false;
        self.open(start)
    }

    fn start_object(&mut self, start: &StartTag) -> Step {
        self.reopen_formatting();
        self.insert(start);
        self.formatting.push_marker();
        self.may_be_frameset = false;
        Step::Done
    }

    fn start_table(&mut self, start: &StartTag) -> Step {
        if !self.is_quirky {
            self.close_paragraph_in_scope();
        }
        self.insert(start);
        self.may_be_frameset = false;
        self.mode = InsertionMode::InTable;
        Step::Done
    }

    pub(super) fn start_leaf(&mut self, start: &StartTag) -> Step {
        self.reopen_formatting();
        self.may_be_frameset = false;
        self.insert_leaf(start)
    }

    fn start_input(&mut self, start: &StartTag) -> Step {
        if self.is_in_scope(Tag::Select) {
            self.open.close(Tag::Select);
        }
        self.reopen_formatting();
        self.may_be_frameset = self.may_be_frameset && self.is_hidden_input(start);
        self.insert_leaf(start)
    }

    pub(super) fn is_hidden_input(&self, start: &StartTag) -> bool {
        let mut attributes = self.tree.attributes.get(start.attributes);
        attributes.any(|attribute| {
            *attribute.name == local_name!("type") && attribute.value.eq_ignore_ascii_case("hidden")
        })
    }

    fn start_rule(&mut self, start: &StartTag) -> Step {
        self.close_paragraph_in_scope();
        if self.is_in_scope(Tag::Select) {
            self.open.close_implied();
        }
        self.may_be_frameset = false;
        self.insert_leaf(start)
    }

    /// A `<select>` within another one only ends it.
    fn start_select(&mut self, start: &StartTag) -> Step {
        if self.is_in_scope(Tag::Select) {
            self.open.close(Tag::Select);
            return Step::Done;
        }
        self.reopen_formatting();
        self.may_be_frameset = false;
        self.open(start)
    }

    /// An `<option>` or `<optgroup>`. Within a `<select>` it closes elements whose end tag may be omitted, except `outer`.
    fn start_option(&mut self, start: &StartTag, outer: Tag) -> Step {
        if self.is_in_scope(Tag::Select) {
            self.open.close_implied_but(outer);
        } else if self.open.is_in(Tag::Option) {
            self.open.pop();
        }
        self.reopen_formatting();
        self.open(start)
    }

    /// A part of a `<ruby>`. It closes elements whose end tag may be omitted, except `outer`.
    fn start_ruby_part(&mut self, start: &StartTag, outer: Tag) -> Step {
        if self.is_in_scope(Tag::Ruby) {
            self.open.close_implied_but(outer);
        }
        self.open(start)
    }
}
