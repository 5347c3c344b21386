//! Enforces the limits, between tokenizer and tree builder.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::interface::Tracer;
use html5ever::tokenizer::{EndTag, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};

use super::sink::{Handle, Sink};
use crate::limits::{Limits, ParseNote};

/// Passes tokens to the tree builder, flattens elements that are nested too deep, and ends a page that is too large.
pub(super) struct Guard {
    builder: TreeBuilder<Handle, Sink>,
    limits: Limits,
    /// The numbers of open elements and of nodes at the last count.
    open_then: Cell<usize>,
    nodes_then: Cell<usize>,
    flattened: Cell<usize>,
    /// Flattened elements whose end tags are still to come.
    closed_early: RefCell<HashMap<LocalName, usize>>,
    /// Whether the element that was opened last contains only text, so that the next end tag is its own.
    is_in_raw_text: Cell<bool>,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<Handle, Sink>, limits: &Limits) -> Self {
        Self {
            open_then: Cell::new(0),
            nodes_then: Cell::new(builder.sink.len()),
            builder,
            limits: *limits,
            flattened: Cell::new(0),
            closed_early: RefCell::default(),
            is_in_raw_text: Cell::new(false),
        }
    }

    /// Whether the page has reached a limit, so that the rest is ignored.
    fn is_full(&self) -> bool {
        self.builder.sink.len() >= self.limits.nodes || self.builder.sink.is_full()
    }

    pub(super) fn notes(&self) -> Vec<ParseNote> {
        let mut notes = Vec::new();
        if self.is_full() {
            notes.push(ParseNote::NodesCut(self.builder.sink.len()));
        }
        if self.flattened.get() > 0 {
            notes.push(ParseNote::Flattened(self.flattened.get()));
        }
        notes
    }

    pub(super) fn into_builder(self) -> TreeBuilder<Handle, Sink> {
        self.builder
    }

    /// An upper bound of the number of open elements: every node built since the last count may be one.
    fn open_at_most(&self) -> usize {
        self.open_then.get() + (self.builder.sink.len() - self.nodes_then.get())
    }

    fn set_open(&self, count: usize) {
        self.open_then.set(count);
        self.nodes_then.set(self.builder.sink.len());
    }

    /// Whether the element would be nested too deep and may contain others.
    fn nests_too_deep(&self, tag: &Tag) -> bool {
        self.open_at_most() >= self.limits.open_elements && self.is_too_deep() && !self.stays_leaf(tag)
    }

    /// Opens and closes the element at once, so that what follows becomes its sibling.
    fn flatten(&self, start: Tag, line: u64) -> TokenSinkResult<Handle> {
        let end = Tag {
            kind: EndTag,
            name: start.name.clone(),
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.flattened.set(self.flattened.get() + 1);
        *self
            .closed_early
            .borrow_mut()
            .entry(start.name.clone())
            .or_default() += 1;
        let open = self.open_at_most();
        let result = self.builder.process_token(TagToken(start), line);
        // The result for the end tag of a flattened element is always to continue.
        let _ = self.builder.process_token(TagToken(end), line);
        self.set_open(open);
        result
    }

    /// Whether the end tag is that of a flattened element. Each counts once.
    fn was_closed_early(&self, tag: &Tag) -> bool {
        if !self.is_in_raw_text.take()
            && self.flattened.get() > 0
            && let Some(count) = self.closed_early.borrow_mut().get_mut(&tag.name)
            && *count > 0
        {
            *count -= 1;
            return true;
        }
        false
    }

    /// Whether the element cannot contain others. In SVG and MathML, only self-closing ones cannot.
    fn stays_leaf(&self, tag: &Tag) -> bool {
        if self.adjusted_current_node_present_but_not_in_html_namespace() {
            tag.self_closing
        } else {
            is_html_leaf(&tag.name)
        }
    }

    /// Counts the open elements, since the upper bound alone is not enough.
    fn is_too_deep(&self) -> bool {
        let count = OpenElements::default();
        self.builder.trace_handles(&count);
        self.set_open(count.0.get());
        self.open_at_most() >= self.limits.open_elements
    }
}

/// HTML elements that contain no other elements, or exist only once.
fn is_html_leaf(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("html")
            | local_name!("head")
            | local_name!("body")
            | local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("textarea")
            | local_name!("xmp")
            | local_name!("iframe")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("plaintext")
            | local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

/// Counts the handles of the tree builder: its open elements and, again, the formatting elements.
#[derive(Default)]
struct OpenElements(Cell<usize>);

impl Tracer for OpenElements {
    type Handle = Handle;

    fn trace_handle(&self, _node: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    // Inlining avoids moving tokens.
    #[inline(always)]
    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        match token {
            Token::EOFToken => {}
            _ if self.is_full() => return TokenSinkResult::Continue,
            TagToken(tag) if tag.kind == StartTag && self.nests_too_deep(&tag) => {
                return self.flatten(tag, line);
            }
            TagToken(ref tag) if tag.kind == EndTag && self.was_closed_early(tag) => {
                return TokenSinkResult::Continue;
            }
            _ => {}
        }
        let result = self.builder.process_token(token, line);
        if matches!(result, TokenSinkResult::RawData(_)) {
            self.is_in_raw_text.set(true);
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
