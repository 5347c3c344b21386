//! The file format of templates: one JSON object, which `docs/templates.md` describes.

use std::fmt;

use husk_dom::{Dom, DomWriter, Name, Namespace, NodeId, NodeKind};
use serde::{Deserialize, Serialize};
use url::Url;

use super::known::KnownPages;
use super::layout::Layout;
use super::numbers::MOST_LAYOUTS;
use super::{SiteTemplates, thresholds};
use crate::blocks::ShortTextIndex;
use crate::page::Page;
use crate::vote::Standing;

/// The value of `format`.
const FORMAT: &str = "husk site templates";

/// Increased whenever older files can no longer be read.
const VERSION: u32 = 1;

/// Why stored templates cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(String);

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

/// Read first, to recognise files of another format or version.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    format: String,
    version: u32,
    site: String,
    pages: u64,
    layouts: Vec<StoredLayout>,
    /// Hashes of the pages that were learned from last.
    #[serde(default)]
    known: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredLayout {
    id: String,
    /// The URL of the model page.
    model: Url,
    /// Pages of this layout.
    pages: u32,
    /// Pages that voted.
    votes: u32,
    /// The template in document order, with slots as comments.
    nodes: Vec<StoredNode>,
    /// Short texts with numbers.
    short_texts: ShortTextIndex,
}

#[derive(Serialize, Deserialize)]
struct StoredNode {
    /// Index of the parent; the document has its own.
    #[serde(rename = "in")]
    parent: u32,
    #[serde(flatten)]
    what: What,
    #[serde(flatten)]
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Document,
    Doctype(String),
    Element(String),
    SvgElement(String),
    MathElement(String),
    Text(String),
    Comment(String),
    Fragment,
    /// An element with attributes: its vocabulary, its name and these.
    WithAttributes(String, String, Vec<(String, String)>),
}

impl SiteTemplates {
    /// The templates as JSON, to be read by [`SiteTemplates::from_json`].
    pub fn to_json(&self) -> String {
        let stored = Stored {
            format: FORMAT.to_owned(),
            version: VERSION,
            site: self.site.clone(),
            pages: self.pages,
            layouts: self.layouts.iter().map(StoredLayout::of).collect(),
            known: self.known.to_hex(),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads templates that were written by [`SiteTemplates::to_json`].
    pub fn from_json(json: &str) -> Result<Self, FormatError> {
        let cannot =
            |cause: serde_json::Error| FormatError(format!("no templates that were learned: {cause}"));
        let head: Head = serde_json::from_str(json).map_err(cannot)?;
        if head.format != FORMAT {
            return Err(FormatError(format!(
                "no templates that were learned, but \"{}\"",
                head.format
            )));
        }
        if head.version != VERSION {
            return Err(FormatError(format!(
                "templates of format version {}, and this husk knows version {VERSION}: learn them anew",
                head.version
            )));
        }
        let stored: Stored = serde_json::from_str(json).map_err(cannot)?;
        if stored.layouts.len() > MOST_LAYOUTS {
            return Err(FormatError(format!(
                "{} layouts, and a site has at most {MOST_LAYOUTS}",
                stored.layouts.len()
            )));
        }
        let known = KnownPages::from_hex(&stored.known)
            .ok_or_else(|| FormatError("the pages that were learned from are damaged".to_owned()))?;
        let layouts = stored.layouts.into_iter().map(StoredLayout::restore);
        Ok(Self {
            site: stored.site,
            pages: stored.pages,
            layouts: layouts.collect::<Result<_, _>>()?,
            known,
            ..Self::new("")
        })
    }
}

impl StoredLayout {
    fn of(layout: &Layout) -> Self {
        let dom = &layout.model.dom;
        let nodes = dom.nodes().zip(layout.votes.standings());
        Self {
            id: layout.id.clone(),
            model: layout.model.url.clone(),
            pages: layout.members,
            votes: layout.votes.pages() as u32,
            nodes: nodes
                .map(|(node, standing)| StoredNode::of(dom, node, standing))
                .collect(),
            short_texts: layout.short_texts.clone(),
        }
    }

    fn restore(self) -> Result<Layout, FormatError> {
        let dom = dom_of(&self.nodes).ok_or_else(|| {
            FormatError(format!(
                "layout {} is damaged: its nodes are in no order that a page has",
                self.id
            ))
        })?;
        let standings: Vec<Standing> = self.nodes.iter().map(|node| node.standing.sound()).collect();
        let model = Page::new(self.model, dom);
        let thresholds = thresholds();
        Ok(Layout::from_parts(
            self.id,
            model,
            &standings,
            self.votes,
            self.short_texts,
            self.pages,
            &thresholds,
        ))
    }
}

impl StoredNode {
    fn of(dom: &Dom, node: NodeId, standing: Standing) -> Self {
        Self {
            parent: dom.parent(node).map_or(0, NodeId::index) as u32,
            what: What::of(dom, node),
            standing,
        }
    }
}

impl What {
    fn of(dom: &Dom, node: NodeId) -> Self {
        match dom.kind(node) {
            NodeKind::Document => Self::Document,
            NodeKind::Doctype => Self::Doctype(dom.data(node).to_owned()),
            NodeKind::Text => Self::Text(dom.text_of(node).to_owned()),
            NodeKind::Comment => Self::Comment(dom.data(node).to_owned()),
            NodeKind::Fragment => Self::Fragment,
            NodeKind::Element => Self::element(dom, node),
        }
    }

    fn element(dom: &Dom, node: NodeId) -> Self {
        let name = dom.name(node).to_string();
        let attributes: Vec<(String, String)> = dom
            .attributes(node)
            .map(|attribute| (attribute.name.to_string(), attribute.value.to_owned()))
            .collect();
        match (dom.namespace(node), attributes.is_empty()) {
            (Namespace::Html, true) => Self::Element(name),
            (Namespace::Svg, true) => Self::SvgElement(name),
            (Namespace::MathMl, true) => Self::MathElement(name),
            (namespace, false) => Self::WithAttributes(name_of(namespace).to_owned(), name, attributes),
        }
    }
}

fn name_of(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Html => "html",
        Namespace::Svg => "svg",
        Namespace::MathMl => "math",
    }
}

fn namespace_of(name: &str) -> Option<Namespace> {
    match name {
        "html" => Some(Namespace::Html),
        "svg" => Some(Namespace::Svg),
        "math" => Some(Namespace::MathMl),
        _ => None,
    }
}

/// The page that nodes in document order make; none if they make no tree.
fn dom_of(nodes: &[StoredNode]) -> Option<Dom> {
    let mut writer = DomWriter::new();
    // The document stays open.
    let mut open = vec![0u32];
    if !matches!(nodes.first()?.what, What::Document) {
        return None;
    }
    for (place, node) in nodes.iter().enumerate().skip(1) {
        while open.last() != Some(&node.parent) {
            open.pop();
            if open.is_empty() {
                return None;
            }
            writer.close();
        }
        if write(&mut writer, &node.what)? {
            open.push(place as u32);
        }
    }
    let dom = writer.finish();
    // A page without a root cannot be aligned.
    (dom.len() == nodes.len() && dom.root() != dom.document()).then_some(dom)
}

/// Adds a node and returns whether it was opened; none if there is no such node.
fn write(writer: &mut DomWriter, what: &What) -> Option<bool> {
    let none = || std::iter::empty::<(Name, &str)>();
    match what {
        What::Document => return None,
        What::Doctype(words) => writer.doctype(words),
        What::Text(text) => writer.text(text),
        What::Comment(words) => writer.comment(words),
        What::Fragment => writer.open_fragment(),
        What::Element(name) => writer.open(Name::from(&**name), Namespace::Html, none()),
        What::SvgElement(name) => writer.open(Name::from(&**name), Namespace::Svg, none()),
        What::MathElement(name) => writer.open(Name::from(&**name), Namespace::MathMl, none()),
        What::WithAttributes(namespace, name, attributes) => {
            let attributes = attributes
                .iter()
                .map(|(name, value)| (Name::from(&**name), &**value));
            writer.open(Name::from(&**name), namespace_of(namespace)?, attributes);
        }
    }
    let stays_open = !matches!(what, What::Doctype(_) | What::Text(_) | What::Comment(_));
    Some(stays_open)
}
