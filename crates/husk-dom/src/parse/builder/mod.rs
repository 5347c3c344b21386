//! The tree construction of the HTML standard: tags, texts and comments in, a [`Tree`] out.
//!
//! The rules of an insertion mode are a function per kind of token, named after both: `start_in_table` is what a start
//! tag does in a table. What the standard calls processing a token again is [`Step::Again`], in the mode that
//! is set by then. Errors are not reported; nobody listens. Scripts do not run, so `<noscript>` holds markup.

mod kinds;

mod stack;

mod limits;

mod insertion;

mod formatting;

mod adoption;

mod text;

mod remarks;

mod quirks;

mod before_body;

mod head;

mod body_starts;

mod body_ends;

mod tables;

mod rows;

mod templates;

mod frames;

mod foreign;

mod foreign_names;

mod ends;

use web_atoms::LocalName;

use super::tags::Tag;
use super::tree::{DOCUMENT, NONE, Tree};
use crate::attributes::{AttributeRange, Attributes};
use crate::dom::Dom;
use crate::limits::{Limits, Note};

use formatting::Formatting;
use limits::Flattening;
pub(super) use remarks::Doctype;
use stack::Stack;

/// A start tag. Its attributes are stored already.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) tag: Tag,
    pub(super) name: LocalName,
    pub(super) attributes: AttributeRange,
    pub(super) is_self_closing: bool,
}

/// An end tag.
pub(super) struct End<'t> {
    pub(super) tag: Tag,
    pub(super) name: &'t LocalName,
}

/// What follows a start tag.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Content {
    /// Text and tags.
    #[default]
    Markup,
    /// Text up to the end tag, with references.
    TextWithReferences,
    /// Text up to the end tag.
    RawText,
    /// A script up to the end tag.
    Script,
    /// Text up to the end of the page.
    PlainText,
}

/// What is to be done with a token after a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nothing more.
    Done,
    /// The rules of the mode that is set now.
    Again,
}

/// The insertion modes, but for that of text in tables: see [`Builder::pending`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// Builds the tree of a page.
pub(super) struct Builder {
    tree: Tree,
    limits: Limits,
    mode: Mode,
    /// The mode that text in a script or the like was met in.
    mode_before_text: Mode,
    template_modes: Vec<Mode>,
    open: Stack,
    formatting: Formatting,
    /// Text that came right into a table. Where it belongs depends on all of it.
    pending: String,
    head: u32,
    form: u32,
    may_be_frameset: bool,
    /// Whether a line end that comes next is no text, as behind `<pre>`.
    skips_line_end: bool,
    /// Whether what comes right into a table goes before it.
    is_fostering: bool,
    is_quirky: bool,
    content: Content,
    flattening: Flattening,
}

impl Builder {
    /// A builder for a page of so many bytes.
    pub(super) fn new(bytes: usize, limits: &Limits) -> Self {
        Self {
            tree: Tree::for_bytes(bytes),
            limits: *limits,
            mode: Mode::Initial,
            mode_before_text: Mode::InBody,
            template_modes: Vec::new(),
            open: Stack::new(),
            formatting: Formatting::default(),
            pending: String::new(),
            head: NONE,
            form: NONE,
            may_be_frameset: true,
            skips_line_end: false,
            is_fostering: false,
            is_quirky: false,
            content: Content::Markup,
            flattening: Flattening::default(),
        }
    }

    /// Where the attributes of tags are stored.
    #[inline]
    pub(super) fn attributes(&mut self) -> &mut Attributes {
        &mut self.tree.attributes
    }

    /// Whether what comes now is in SVG or MathML, where there are CDATA sections.
    pub(super) fn is_in_foreign(&self) -> bool {
        self.open.is_in_kind(kinds::FOREIGN)
    }

    /// Takes a start tag; tells how what is behind it is to be read.
    #[inline]
    pub(super) fn start_tag(&mut self, start: &Start) -> Content {
        if self.is_full() {
            return Content::Markup;
        }
        if self.nests_too_deep(start) {
            return self.flatten(start);
        }
        self.take_start(start)
    }

    #[inline]
    fn take_start(&mut self, start: &Start) -> Content {
        self.skips_line_end = false;
        self.settle_pending();
        self.content = Content::Markup;
        loop {
            let step = if self.is_foreign_start(start.tag) {
                self.start_in_foreign(start)
            } else {
                self.start_in(self.mode, start)
            };
            if step == Step::Done {
                break;
            }
        }
        self.flattening.is_in_raw_text |= !matches!(self.content, Content::Markup | Content::PlainText);
        self.content
    }

    fn start_in(&mut self, mode: Mode, start: &Start) -> Step {
        match mode {
            Mode::InBody => self.start_in_body(start),
            Mode::Initial => self.move_on(),
            Mode::BeforeHtml => self.start_before_html(start),
            Mode::BeforeHead => self.start_before_head(start),
            Mode::InHead => self.start_in_head(start),
            Mode::InHeadNoscript => self.start_in_head_noscript(start),
            Mode::AfterHead => self.start_after_head(start),
            // The tokenizer tells of no start tags there.
            Mode::Text => Step::Done,
            Mode::InTable => self.start_in_table(start),
            Mode::InCaption => self.start_in_caption(start),
            Mode::InColumnGroup => self.start_in_column_group(start),
            Mode::InTableBody => self.start_in_table_body(start),
            Mode::InRow => self.start_in_row(start),
            Mode::InCell => self.start_in_cell(start),
            Mode::InTemplate => self.start_in_template(start),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(start),
            Mode::InFrameset => self.start_in_frameset(start),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(start),
        }
    }

    /// Takes an end tag.
    #[inline]
    pub(super) fn end_tag(&mut self, end: &End<'_>) {
        if self.is_full() || self.was_closed_early(end) {
            return;
        }
        self.take_end(end);
    }

    #[inline]
    fn take_end(&mut self, end: &End<'_>) {
        self.skips_line_end = false;
        self.settle_pending();
        loop {
            let step = if self.is_in_foreign() {
                self.end_in_foreign(end)
            } else {
                self.end_in(self.mode, end)
            };
            if step == Step::Done {
                break;
            }
        }
    }

    fn end_in(&mut self, mode: Mode, end: &End<'_>) -> Step {
        match mode {
            Mode::InBody => self.end_in_body(end),
            Mode::Initial => self.move_on(),
            Mode::BeforeHtml | Mode::BeforeHead => self.end_before_head(end),
            Mode::InHead => self.end_in_head(end),
            Mode::InHeadNoscript => self.end_in_head_noscript(end),
            Mode::AfterHead => self.end_after_head(end),
            Mode::Text => {
                self.open.pop();
                self.mode = self.mode_before_text;
                Step::Done
            }
            Mode::InTable => self.end_in_table(end),
            Mode::InCaption => self.end_in_caption(end),
            Mode::InColumnGroup => self.end_in_column_group(end),
            Mode::InTableBody => self.end_in_table_body(end),
            Mode::InRow => self.end_in_row(end),
            Mode::InCell => self.end_in_cell(end),
            Mode::InTemplate => match end.tag {
                Tag::Template => self.end_template(),
                _ => Step::Done,
            },
            Mode::AfterBody | Mode::AfterAfterBody => self.end_after_body(end),
            Mode::InFrameset => self.end_in_frameset(end),
            Mode::AfterFrameset => self.end_after_frameset(end),
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    /// The page.
    pub(super) fn finish(mut self) -> Dom {
        self.end_of_page();
        let notes = self.notes();
        let mut dom = self.tree.finish(self.is_quirky);
        dom.notes = notes;
        dom
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.is_full() {
            notes.push(Note::NodesCut(self.tree.len()));
        }
        if self.flattening.count > 0 {
            notes.push(Note::Flattened(self.flattening.count));
        }
        notes
    }
}
