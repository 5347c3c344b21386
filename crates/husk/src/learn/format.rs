//! The file format of templates: a head, and the templates in the binary format of postcard. `docs/templates.md` describes it.

use std::fmt;

use husk_dom::{Dom, DomWriter, Name, Namespace, NodeId, NodeKind};
use serde::{Deserialize, Serialize};
use url::Url;

use super::known::{KnownPages, KnownUrls};
use super::layout::Layout;
use super::numbers::MOST_LAYOUTS;
use super::{SiteTemplates, thresholds};
use crate::blocks::ShortTextIndex;
use crate::fingerprint::Acquaintance;
use crate::metadata::SiteTitles;
use crate::page::Page;
use crate::vote::Standing;

/// The value of `format`.
const FORMAT: &str = "husk site templates";

/// Increased whenever older files can no longer be read.
const VERSION: u32 = 2;

/// How files of version 1 begin, which are JSON.
const JSON: &[u8] = br#"{"format":"husk site templates","version":1"#;

/// Why stored templates cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError(String);

impl FormatError {
    fn of_version(version: u32) -> Self {
        Self(format!(
            "templates of format version {version}, and this husk knows version {VERSION}: learn them anew"
        ))
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

/// What files of all versions begin with.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    format: &'a str,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    site: &'a str,
    pages: u64,
    #[serde(borrow)]
    layouts: Vec<StoredLayout<'a>>,
    /// Hashes of the pages that were learned from last.
    known: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct StoredLayout<'a> {
    id: &'a str,
    /// The URL of the model page.
    model: &'a str,
    /// Pages of this layout.
    pages: u32,
    /// Pages that voted.
    votes: u32,
    /// The template in document order, with slots as comments.
    #[serde(borrow)]
    nodes: Vec<StoredNode<'a>>,
    /// Short texts with numbers.
    short_texts: ShortTextIndex,
    /// Hashes of the URLs of its pages.
    urls: Vec<u32>,
    /// What titles have in common.
    titles: SiteTitles,
}

#[derive(Serialize, Deserialize)]
struct StoredNode<'a> {
    /// Index of the parent; the document has its own.
    parent: u32,
    #[serde(borrow)]
    what: What<'a>,
    standing: Standing,
}

#[derive(Serialize, Deserialize)]
enum What<'a> {
    Document,
    Doctype(&'a str),
    Text(&'a str),
    Comment(&'a str),
    Fragment,
    /// Its vocabulary, its name, and the names and values of its attributes.
    Element(
        #[serde(with = "StoredNamespace")] Namespace,
        &'a str,
        #[serde(borrow)] Vec<(&'a str, &'a str)>,
    ),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Namespace")]
enum StoredNamespace {
    Html,
    Svg,
    MathMl,
}

impl SiteTemplates {
    /// The templates as bytes, to be read by [`SiteTemplates::from_bytes`]. The same templates give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            format: FORMAT,
            version: VERSION,
        };
        let stored = Stored {
            site: &self.site,
            pages: self.pages,
            layouts: self.stored_layouts(),
            known: self.known.hashes().collect(),
        };
        postcard::to_allocvec(&(head, stored)).unwrap_or_default()
    }

    /// Reads templates that were written by [`SiteTemplates::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        if bytes.starts_with(JSON) {
            return Err(FormatError::of_version(1));
        }
        let none = || FormatError("no templates that were learned".to_owned());
        let (head, rest) = postcard::take_from_bytes::<Head<'_>>(bytes).map_err(|_| none())?;
        if head.format != FORMAT {
            return Err(none());
        }
        if head.version != VERSION {
            return Err(FormatError::of_version(head.version));
        }
        let damaged = || FormatError("damaged templates".to_owned());
        let (stored, rest) = postcard::take_from_bytes::<Stored<'_>>(rest).map_err(|_| damaged())?;
        if !rest.is_empty() || stored.layouts.len() > MOST_LAYOUTS {
            return Err(damaged());
        }
        let mut urls = KnownUrls::default();
        for (number, layout) in stored.layouts.iter().enumerate() {
            urls.add_hashes(&layout.urls, number);
        }
        let mut acquaintance = Acquaintance::new();
        let layouts = stored.layouts.into_iter();
        let layouts = layouts.map(|layout| layout.restore(&mut acquaintance).ok_or_else(damaged));
        Ok(Self {
            pages: stored.pages,
            layouts: layouts.collect::<Result<_, _>>()?,
            known: KnownPages::of_hashes(stored.known),
            urls,
            ..Self::new(stored.site)
        })
    }

    fn stored_layouts(&self) -> Vec<StoredLayout<'_>> {
        let layouts = self.layouts.iter().enumerate();
        layouts
            .map(|(number, layout)| StoredLayout::of(layout, self.urls.hashes(number).collect()))
            .collect()
    }
}

impl<'a> StoredLayout<'a> {
    fn of(layout: &'a Layout, urls: Vec<u32>) -> Self {
        let dom = &layout.model.dom;
        let nodes = dom.nodes().zip(layout.votes.standings());
        Self {
            id: &layout.id,
            model: layout.model.url.as_str(),
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

    /// None if it is damaged.
    fn restore(self, acquaintance: &mut Acquaintance) -> Option<Layout> {
        let model = Page::new(Url::parse(self.model).ok()?, dom_of(&self.nodes)?);
        let standings: Vec<Standing> = self.nodes.iter().map(|node| node.standing.sound()).collect();
        let id = self.id.to_owned();
        let mut layout = Layout::from_parts(
            id,
            model,
            &standings,
            self.votes,
            self.pages,
            &thresholds(),
            acquaintance,
        );
        layout.short_texts = self.short_texts;
        layout.short_texts.seal();
        layout.titles = self.titles;
        Some(layout)
    }
}

impl<'a> StoredNode<'a> {
    fn of(dom: &'a Dom, node: NodeId, standing: Standing) -> Self {
        Self {
            parent: dom.parent(node).map_or(0, NodeId::index) as u32,
            what: What::of(dom, node),
            standing,
        }
    }
}

impl<'a> What<'a> {
    fn of(dom: &'a Dom, node: NodeId) -> Self {
        match dom.kind(node) {
            NodeKind::Document => Self::Document,
            NodeKind::Doctype => Self::Doctype(dom.data(node)),
            NodeKind::Text => Self::Text(dom.text_of(node)),
            NodeKind::Comment => Self::Comment(dom.data(node)),
            NodeKind::Fragment => Self::Fragment,
            NodeKind::Element => {
                let attributes = dom.attributes(node);
                let attributes = attributes.map(|attribute| (&**attribute.name, attribute.value));
                Self::Element(dom.namespace(node), dom.name(node), attributes.collect())
            }
        }
    }
}

/// The page that nodes in document order make; none if they make no tree.
fn dom_of(nodes: &[StoredNode<'_>]) -> Option<Dom> {
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
fn write(writer: &mut DomWriter, what: &What<'_>) -> Option<bool> {
    match what {
        What::Document => return None,
        What::Doctype(words) => writer.doctype(words),
        What::Text(text) => writer.text(text),
        What::Comment(words) => writer.comment(words),
        What::Fragment => writer.open_fragment(),
        What::Element(namespace, name, attributes) => {
            let attributes = attributes.iter().map(|&(name, value)| (Name::from(name), value));
            writer.open(Name::from(*name), *namespace, attributes);
        }
    }
    let stays_open = !matches!(what, What::Doctype(_) | What::Text(_) | What::Comment(_));
    Some(stays_open)
}
