//! The template as one JSON object, for programs.

use husk_dom::{Dom, NodeId, NodeKind};
use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::options::Scripts;
use super::placeholders::{Placeholder, PlaceholderKind, PlaceholderTarget, placeholders};
use super::registry::{JSON, Output, Part, json_text};
use super::slots::slots;
use super::xpath::{NodePath, NodePaths, listed};
use crate::extraction::{Extraction, Outcome};
use crate::select::SelectionReason;

pub(super) const TEMPLATE_JSON: Output = Output {
    part: Part::Template,
    name: "json",
    media_type: JSON,
    extension: "json",
    help: "One object: pages, nodes with their support, slots",
    options: &[],
    writer: |analysis, _| json_text(&to_json(analysis.extraction())),
};

/// What `--format json` prints. Fields are added over time, not renamed or taken away.
#[derive(Debug, Clone, Serialize)]
pub struct TemplateJson<'a> {
    /// The page whose template was wanted.
    pub key_page: String,
    /// How it was done.
    pub method: String,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<String>,
    /// The pages that the key page was compared with.
    pub compared: Vec<String>,
    /// Pages that could not be had or not be used.
    pub failed: Vec<FailedJson>,
    /// Every page that was asked for, in that order.
    pub visits: Vec<VisitJson>,
    /// What the parser did not take as it stood.
    pub notes: Vec<String>,
    /// The nodes of the template: elements, and texts that are not blank.
    pub nodes: NodesJson<'a>,
    /// Where content was cut out, numbered as in the HTML.
    pub slots: Vec<SlotJson<'a>>,
    /// What the template for an engine wants to be filled in.
    pub placeholders: Vec<PlaceholderJson<'a>>,
}

/// A page that could not be had or not be used.
#[derive(Debug, Clone, Serialize)]
pub struct FailedJson {
    /// The page.
    pub url: String,
    /// Why not.
    pub cause: String,
}

/// A page that was asked for.
#[derive(Debug, Clone, Serialize)]
pub struct VisitJson {
    /// The URL that was asked for.
    pub url: String,
    /// Where the page was found, after any redirect; null if it could not be had.
    pub found_at: Option<String>,
    /// Why it was asked for.
    pub why: SelectionReason,
    /// `compared`, `refused` or `unavailable`.
    pub outcome: &'static str,
    /// Why it was of no use, if it was not.
    pub cause: Option<String>,
}

/// The nodes of a template, one after the other.
#[derive(Debug, Clone)]
pub struct NodesJson<'a> {
    extraction: &'a Extraction,
    paths: NodePaths<'a>,
}

impl<'a> NodesJson<'a> {
    /// The nodes in document order.
    pub fn iter(&self) -> impl Iterator<Item = NodeJson<'a>> + '_ {
        listed(self.extraction).map(|node| {
            let support = self.extraction.template.support(node);
            NodeJson {
                xpath: self.paths.path(node),
                support: support.structural,
                verbatim_support: support.verbatim,
            }
        })
    }
}

impl Serialize for NodesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A node of the template.
#[derive(Debug, Clone, Serialize)]
pub struct NodeJson<'a> {
    /// Where it stands.
    pub xpath: NodePath<'a>,
    /// In how many of the compared pages it was mapped.
    pub support: u32,
    /// In how many it was mapped with the same text, link or source.
    pub verbatim_support: u32,
}

/// A place where content was cut out.
#[derive(Debug, Clone, Serialize)]
pub struct SlotJson<'a> {
    /// From 1.
    pub slot: usize,
    /// Its name in the template for an engine, the first one if it is taken apart there; none if nothing shows of it.
    pub name: Option<String>,
    /// The XPath of the node it was cut out of.
    pub parent: NodePath<'a>,
    /// The XPaths of what was cut out; those of the contents of a `<template>` have none.
    pub nodes: Vec<NodePath<'a>>,
}

/// Something to be filled in.
#[derive(Debug, Clone, Serialize)]
pub struct PlaceholderJson<'a> {
    /// Its name, the same for every engine.
    pub name: String,
    /// Whether it takes text instead of HTML.
    pub is_text: bool,
    /// The slot it stands for, or for a part of; none for an attribute of an element of the template.
    pub slot: Option<usize>,
    /// The XPath of the node it stands in front of, or of the element it is in.
    pub xpath: NodePath<'a>,
    /// The attribute it is the value of, if any.
    pub attribute: Option<String>,
    /// What it is, in a line.
    pub about: String,
    /// What stands there on the key page: HTML, or the text itself.
    pub value: String,
}

/// A node that XPath can reach: the `<template>` for what is in one.
fn reachable(dom: &Dom, node: NodeId) -> NodeId {
    let fragments = std::iter::once(node)
        .chain(dom.ancestors(node))
        .filter(|&node| dom.kind(node) == NodeKind::Fragment);
    fragments
        .last()
        .and_then(|fragment| dom.parent(fragment))
        .unwrap_or(node)
}

/// The template as a serialisable value; `serde_json::to_string` makes the text.
pub fn to_json(extraction: &Extraction) -> TemplateJson<'_> {
    let dom = &extraction.key_page.dom;
    let paths = NodePaths::of(dom);
    let placeholders = placeholders(extraction, Scripts::Drop);
    let names = first_names(&placeholders);
    let slots = slots(extraction);
    let slots = slots.iter().map(|slot| SlotJson {
        slot: slot.number,
        name: names.get(&slot.number).map(|&name| name.to_owned()),
        parent: paths.path(reachable(dom, slot.cut.parent)),
        nodes: slot
            .cut
            .nodes
            .iter()
            .filter(|&&node| dom.is_in_page(node))
            .map(|&node| paths.path(node))
            .collect(),
    });
    let failed = extraction.failures.iter().map(|failure| FailedJson {
        url: failure.url.to_string(),
        cause: failure.cause.clone(),
    });
    TemplateJson {
        key_page: extraction.key_page.url.to_string(),
        method: extraction.method.to_owned(),
        loaded: extraction.loaded.iter().map(ToString::to_string).collect(),
        compared: extraction.compared.iter().map(ToString::to_string).collect(),
        failed: failed.collect(),
        visits: visits_json(extraction),
        notes: dom.notes().iter().map(ToString::to_string).collect(),
        nodes: NodesJson {
            extraction,
            paths: paths.clone(),
        },
        slots: slots.collect(),
        placeholders: placeholders
            .iter()
            .map(|placeholder| placeholder_json(dom, &paths, placeholder))
            .collect(),
    }
}

/// Every page that was asked for, as serialisable values.
pub fn visits_json(extraction: &Extraction) -> Vec<VisitJson> {
    let visits = extraction.visits.iter().map(|visit| VisitJson {
        url: visit.url.to_string(),
        found_at: visit.found_at.as_ref().map(ToString::to_string),
        why: visit.why,
        outcome: match visit.outcome {
            Outcome::Compared => "compared",
            Outcome::Refused(_) => "refused",
            Outcome::Unavailable(_) => "unavailable",
        },
        cause: visit.outcome.cause().map(str::to_owned),
    });
    visits.collect()
}

/// The name of each slot, the first one if it has several.
fn first_names(placeholders: &[Placeholder]) -> IndexMap<usize, &str> {
    let mut names = IndexMap::new();
    for placeholder in placeholders {
        if let Some(slot) = placeholder.slot {
            names.entry(slot).or_insert(&*placeholder.name);
        }
    }
    names
}

fn placeholder_json<'a>(dom: &Dom, paths: &NodePaths<'a>, placeholder: &Placeholder) -> PlaceholderJson<'a> {
    let (node, attribute) = match &placeholder.target {
        PlaceholderTarget::Before(node) | PlaceholderTarget::Inside(node) => (*node, None),
        PlaceholderTarget::Attribute(node, attribute) => (*node, Some(attribute.to_string())),
    };
    PlaceholderJson {
        name: placeholder.name.clone(),
        is_text: placeholder.kind == PlaceholderKind::Text,
        slot: placeholder.slot,
        xpath: paths.path(reachable(dom, node)),
        attribute,
        about: placeholder.about(),
        value: placeholder.value.clone(),
    }
}
