//! html5ever into the simplest sink it can work with: it keeps no tree, only what the tree builder asks back.
//! What our own arena costs is measured against this.

use std::borrow::Cow;
use std::cell::Cell;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns, parse_document};

#[derive(Clone, Debug)]
pub(crate) struct Handle {
    id: usize,
    name: QualName,
}

impl ElemName for &Handle {
    fn ns(&self) -> &Namespace {
        &self.name.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.name.local
    }
}

#[derive(Default)]
pub(crate) struct PlainSink {
    nodes: Cell<usize>,
}

impl PlainSink {
    fn handle(&self, name: QualName) -> Handle {
        self.nodes.set(self.nodes.get() + 1);
        Handle {
            id: self.nodes.get(),
            name,
        }
    }

    fn nameless(&self) -> Handle {
        self.handle(QualName::new(None, ns!(), local_name!("")))
    }
}

impl TreeSink for PlainSink {
    type Handle = Handle;
    type Output = usize;
    type ElemName<'a> = &'a Handle;

    fn finish(self) -> usize {
        self.nodes.get()
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> Handle {
        self.nameless()
    }
    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a Handle {
        target
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> Handle {
        self.handle(name)
    }
    fn create_comment(&self, _: StrTendril) -> Handle {
        self.nameless()
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.nameless()
    }
    fn append(&self, _: &Handle, _: NodeOrText<Handle>) {}
    fn append_based_on_parent_node(&self, _: &Handle, _: &Handle, _: NodeOrText<Handle>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }
    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &Handle, _: NodeOrText<Handle>) {}
    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Handle) {}
    fn reparent_children(&self, _: &Handle, _: &Handle) {}
}

/// Parses a page into the plain sink; the result counts nodes.
pub(crate) fn parse(text: &str) -> usize {
    let tree_builder = TreeBuilderOpts {
        scripting_enabled: false,
        ..Default::default()
    };
    let options = ParseOpts {
        tree_builder,
        ..Default::default()
    };
    parse_document(PlainSink::default(), options).one(text)
}
