//! The file format of templates: one JSON object, which `docs/templates.md` describes.

use std::fmt;

use husk_dom::{Dom, DomWriter, Name, Namespace, NodeId, NodeKind};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::known::{KnownPages, KnownUrls};
use super::layout::Layout;
use super::numbers::MOST_LAYOUTS;
use super::{SiteTemplates, thresholds};
use crate::blocks::ShortTextIndex;
use crate::metadata::SiteTitles;
use crate::page::Page;
use crate::vote::{Kind, Standing, Tally, once};

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

/// Read alone if the rest cannot be, to recognise files of another format or version.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

impl Head {
    fn require_known(&self) -> Result<(), FormatError> {
        if self.format != FORMAT {
            return Err(FormatError(format!(
                "no templates that were learned, but \"{}\"",
                self.format
            )));
        }
        if self.version != VERSION {
            return Err(FormatError(format!(
                "templates of format version {}, and this husk knows version {VERSION}: learn them anew",
                self.version
            )));
        }
        Ok(())
    }
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
    /// Hashes of the URLs of its pages.
    #[serde(default)]
    urls: Vec<String>,
    /// What titles have in common; files of earlier versions lack it.
    #[serde(default)]
    titles: SiteTitles,
}

#[derive(Serialize, Deserialize)]
#[serde(try_from = "ReadNode")]
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
    WithAttributes(String, String, StoredAttributes),
}

/// Names and values.
type StoredAttributes = Vec<(String, String)>;

/// A node as it is read: all fields by name, since flattened ones are kept aside and read again.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ReadNode {
    #[serde(rename = "in")]
    parent: u32,
    #[serde(default, deserialize_with = "is_there")]
    document: bool,
    #[serde(default, deserialize_with = "is_there")]
    fragment: bool,
    doctype: Option<String>,
    element: Option<String>,
    svg_element: Option<String>,
    math_element: Option<String>,
    text: Option<String>,
    comment: Option<String>,
    with_attributes: Option<(String, String, StoredAttributes)>,
    kind: Kind,
    #[serde(default = "once")]
    times: u32,
    #[serde(default)]
    found: u32,
    #[serde(default)]
    verbatim: u32,
    #[serde(default)]
    agree: u32,
    #[serde(default)]
    differ: u32,
    #[serde(default)]
    restyled: u32,
    #[serde(default)]
    lack: u32,
    #[serde(default)]
    lack_with_parent: u32,
}

/// Whether a field is there, whatever its value.
fn is_there<'de, D: Deserializer<'de>>(field: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(field).map(|_| true)
}

impl TryFrom<ReadNode> for StoredNode {
    type Error = &'static str;

    fn try_from(read: ReadNode) -> Result<Self, Self::Error> {
        let named = None
            .or(read.document.then_some(What::Document))
            .or(read.fragment.then_some(What::Fragment))
            .or(read.doctype.map(What::Doctype))
            .or(read.element.map(What::Element))
            .or(read.svg_element.map(What::SvgElement))
            .or(read.math_element.map(What::MathElement))
            .or(read.text.map(What::Text))
            .or(read.comment.map(What::Comment));
        let with_attributes =
            |(namespace, name, attributes)| What::WithAttributes(namespace, name, attributes);
        Ok(Self {
            parent: read.parent,
            what: named
                .or(read.with_attributes.map(with_attributes))
                .ok_or("a node of no kind")?,
            standing: Standing {
                kind: read.kind,
                times: read.times,
                tally: Tally {
                    found: read.found,
                    verbatim: read.verbatim,
                    agree: read.agree,
                    differ: read.differ,
                    restyled: read.restyled,
                    lack: read.lack,
                    lack_with_parent: read.lack_with_parent,
                },
            },
        })
    }
}

impl SiteTemplates {
    /// The templates as JSON, to be read by [`SiteTemplates::from_json`].
    pub fn to_json(&self) -> String {
        let stored = Stored {
            format: FORMAT.to_owned(),
            version: VERSION,
            site: self.site.clone(),
            pages: self.pages,
            layouts: self.stored_layouts(),
            known: self.known.to_hex(),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads templates that were written by [`SiteTemplates::to_json`].
    pub fn from_json(json: &str) -> Result<Self, FormatError> {
        let cannot =
            |cause: serde_json::Error| FormatError(format!("no templates that were learned: {cause}"));
        let read: Result<Stored, _> = serde_json::from_str(json);
        let is_known = |stored: &Stored| stored.format == FORMAT && stored.version == VERSION;
        if !read.as_ref().is_ok_and(is_known) {
            let head: Head = serde_json::from_str(json).map_err(cannot)?;
            head.require_known()?;
        }
        let stored = read.map_err(cannot)?;
        if stored.layouts.len() > MOST_LAYOUTS {
            return Err(FormatError(format!(
                "{} layouts, and a site has at most {MOST_LAYOUTS}",
                stored.layouts.len()
            )));
        }
        let damaged = || FormatError("the pages that were learned from are damaged".to_owned());
        let known = KnownPages::from_hex(&stored.known).ok_or_else(damaged)?;
        let mut urls = KnownUrls::default();
        for (number, layout) in stored.layouts.iter().enumerate() {
            urls.add_hex(&layout.urls, number).ok_or_else(damaged)?;
        }
        let layouts = stored.layouts.into_iter().map(StoredLayout::restore);
        Ok(Self {
            site: stored.site,
            pages: stored.pages,
            layouts: layouts.collect::<Result<_, _>>()?,
            known,
            urls,
            ..Self::new("")
        })
    }

    fn stored_layouts(&self) -> Vec<StoredLayout> {
        let layouts = self.layouts.iter().enumerate();
        layouts
            .map(|(number, layout)| StoredLayout::of(layout, self.urls.to_hex(number)))
            .collect()
    }
}

impl StoredLayout {
    fn of(layout: &Layout, urls: Vec<String>) -> Self {
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
            urls,
            titles: layout.titles.clone(),
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
        let mut layout = Layout::from_parts(
            self.id,
            model,
            &standings,
            self.votes,
            self.short_texts,
            self.pages,
            &thresholds,
        );
        layout.titles = self.titles;
        Ok(layout)
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
