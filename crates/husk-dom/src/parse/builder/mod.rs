//! The tree construction of the HTML standard: builds a [`Tree`] from tokens.
//!
//! Each insertion mode has a function per kind of token, named after both: `start_in_table` processes a start tag in a table.
//! What the standard calls reprocessing a token is [`Step::Again`]. Parse errors are not reported. Scripting is disabled, so
//! that `<noscript>` contains markup.

mod kinds;

mod stack;

mod limits;

mod insertion;

mod formatting;

mod adoption;

mod text;

mod comments;

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
use crate::limits::{Limits, ParseNote};

pub(super) use comments::Doctype;
use formatting::Formatting;
use limits::Flattening;
use stack::OpenElements;

/// A start tag. Its attributes are already stored.
#[derive(Clone)]
pub(super) struct StartTag {
    pub(super) tag: Tag,
    pub(super) name: LocalName,
    pub(super) attributes: AttributeRange,
    pub(super) is_self_closing: bool,
}

/// An end tag.
pub(super) struct EndTag<'t> {
    pub(super) tag: Tag,
    pub(super) name: &'t LocalName,
}

/// What follows a start tag, for the tokenizer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ContentModel {
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

/// What to do with a token after a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It is processed.
    Done,
    /// Process it again in the current mode.
    Again,
}

/// The insertion modes, except "in table text": see [`Builder::pending`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum InsertionMode {
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
    mode: InsertionMode,
    /// The mode to return to after the text of a script or similar element.
    mode_before_text: InsertionMode,
    template_modes: Vec<InsertionMode>,
    open: OpenElements,
    formatting: Formatting,
    /// Text directly in a table. Where it is inserted depends on all of it.
    pending: String,
    head: u32,
    form: u32,
    may_be_frameset: bool,
    /// Whether a line end that comes next is ignored, as after `<pre>`.
    skips_line_end: bool,
    /// Whether nodes inserted into a table go before it (foster parenting).
    is_fostering: bool,
    is_quirky: bool,
    content: ContentModel,
    flattening: Flattening,
}

impl Builder {
    /// A builder for a page of `bytes` bytes.
    pub(super) fn new(bytes: usize, limits: &Limits) -> Self {
        Self {
            tree: Tree::for_bytes(bytes),
            limits: *limits,
            mode: InsertionMode::Initial,
            mode_before_text: InsertionMode::InBody,
            template_modes: Vec::new(),
            open: OpenElements::new(),
            formatting: Formatting::default(),
            pending: String::new(),
            head: NONE,
            form: NONE,
            may_be_frameset: true,
            skips_line_end: false,
            is_fostering: false,
            is_quirky: false,
            content: ContentModel::Markup,
            flattening: Flattening::default(),
        }
    }

    /// Where the attributes of tags are stored.
    #[inline]
    pub(super) fn attributes(&mut self) -> &mut Attributes {
        &mut self.tree.attributes
    }

    /// Whether the current position is in SVG or MathML, where there are CDATA sections.
    pub(super) fn is_in_foreign(&self) -> bool {
        self.open.is_in_kind(kinds::FOREIGN)
    }

    /// Processes a start tag. Returns how to tokenize what follows it.
    #[inline]
    pub(super) fn start_tag(&mut self, start: &StartTag) -> ContentModel {
        if self.is_full() {
            return ContentModel::Markup;
        }
        if self.nests_too_deep(start) {
            return self.flatten(start);
        }
        self.take_start(start)
    }

    #[inline]
    fn take_start(&mut self, start: &StartTag) -> ContentModel {
        self.skips_line_end = false;
        self.settle_pending();
        self.content = ContentModel::Markup;
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
        self.flattening.is_in_raw_text |=
            !matches!(self.content, ContentModel::Markup | ContentModel::PlainText);
        self.content
    }

    fn start_in(&mut self, mode: InsertionMode, start: &StartTag) -> Step {
        match mode {
            InsertionMode::InBody => self.start_in_body(start),
            InsertionMode::Initial => self.move_on(),
            InsertionMode::BeforeHtml => self.start_before_html(start),
            InsertionMode::BeforeHead => self.start_before_head(start),
            InsertionMode::InHead => self.start_in_head(start),
            InsertionMode::InHeadNoscript => self.start_in_head_noscript(start),
            InsertionMode::AfterHead => self.start_after_head(start),
            // The tokenizer emits no start tags there.
            InsertionMode::Text => Step::Done,
            InsertionMode::InTable => self.start_in_table(start),
            InsertionMode::InCaption => self.start_in_caption(start),
            InsertionMode::InColumnGroup => self.start_in_column_group(start),
            InsertionMode::InTableBody => self.start_in_table_body(start),
            InsertionMode::InRow => self.start_in_row(start),
            InsertionMode::InCell => self.start_in_cell(start),
            InsertionMode::InTemplate => self.start_in_template(start),
            InsertionMode::AfterBody | InsertionMode::AfterAfterBody => self.start_after_body(start),
            InsertionMode::InFrameset => self.start_in_frameset(start),
            InsertionMode::AfterFrameset | InsertionMode::AfterAfterFrameset => {
                self.start_after_frameset(start)
            }
        }
    }

    /// Processes an end tag.
    #[inline]
    pub(super) fn end_tag(&mut self, end: &EndTag<'_>) {
        if self.is_full() || self.was_closed_early(end) {
            return;
        }
        self.take_end(end);
    }

    #[inline]
    fn take_end(&mut self, end: &EndTag<'_>) {
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

    fn end_in(&mut self, mode: InsertionMode, end: &EndTag<'_>) -> Step {
        match mode {
            InsertionMode::InBody => self.end_in_body(end),
            InsertionMode::Initial => self.move_on(),
            InsertionMode::BeforeHtml | InsertionMode::BeforeHead => self.end_before_head(end),
            InsertionMode::InHead => self.end_in_head(end),
            InsertionMode::InHeadNoscript => self.end_in_head_noscript(end),
            InsertionMode::AfterHead => self.end_after_head(end),
            InsertionMode::Text => {
                self.open.pop();
                self.mode = self.mode_before_text;
                Step::Done
            }
            InsertionMode::InTable => self.end_in_table(end),
            InsertionMode::InCaption => self.end_in_caption(end),
            InsertionMode::InColumnGroup => self.end_in_column_group(end),
            InsertionMode::InTableBody => self.end_in_table_body(end),
            InsertionMode::InRow => self.end_in_row(end),
            InsertionMode::InCell => self.end_in_cell(end),
            InsertionMode::InTemplate => match end.tag {
                Tag::Template => self.end_template(),
                _ => Step::Done,
            },
            InsertionMode::AfterBody | InsertionMode::AfterAfterBody => self.end_after_body(end),
            InsertionMode::InFrameset => self.end_in_frameset(end),
            InsertionMode::AfterFrameset => self.end_after_frameset(end),
            InsertionMode::AfterAfterFrameset => Step::Done,
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

    fn notes(&self) -> Vec<ParseNote> {
        let mut notes = Vec::new();
        if self.is_full() {
            notes.push(ParseNote::NodesCut(self.tree.len()));
        }
        if self.flattening.count > 0 {
            notes.push(ParseNote::Flattened(self.flattening.count));
        }
        notes
    }
}
