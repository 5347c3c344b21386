//! Sitemaps and feeds in XML.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{ListedAs, SitemapBuilder};

/// Longer texts are not URLs.
const MAX_URL_LENGTH: usize = 8 * 1024;

/// Adds all URLs up to the end of the document, or to the first error in it.
///
/// Only the entities of XML itself are expanded, and no reference to another file is followed.
pub(super) fn read(text: &str, found: &mut SitemapBuilder<'_>) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut position = Position::default();
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => return,
            _ if found.is_full() => return,
            Event::Start(element) => {
                position.enter(&element);
                add_link(&element, &position, found);
            }
            Event::Empty(element) => {
                position.enter(&element);
                add_link(&element, &position, found);
                position.address = None;
                position.leave(name_of(&element));
            }
            Event::End(element) => {
                if let Some((kind, address)) = position.address.take() {
                    found.add_text(kind, &address);
                }
                position.leave(element.local_name().as_ref());
            }
            Event::Text(piece) => position.push(&piece),
            Event::CData(piece) => position.push(&piece),
            Event::GeneralRef(reference) => position.push_reference(&reference),
            _ => {}
        }
    }
}

/// The position in the document.
#[derive(Debug, Default)]
struct Position {
    /// The innermost element that lists something: a page, a sitemap, an entry of a feed.
    item: Option<Item>,
    /// How many elements deep within it.
    depth: usize,
    /// The URL that is being read.
    address: Option<(ListedAs, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Url,
    Sitemap,
    /// A page in RSS, with an element for its URL.
    OfRss,
    /// A page in Atom, with an attribute for its URL.
    OfAtom,
}

fn item(name: &str) -> Option<Item> {
    match name {
        "url" => Some(Item::Url),
        "sitemap" => Some(Item::Sitemap),
        "item" => Some(Item::OfRss),
        "entry" => Some(Item::OfAtom),
        _ => None,
    }
}

impl Position {
    fn enter(&mut self, element: &BytesStart<'_>) {
        let name = name_of(element);
        // Items do not nest: a new one means that the end tag of the last is missing.
        if let Some(item) = item(name) {
            self.item = Some(item);
            self.depth = 0;
            self.address = None;
            return;
        }
        self.depth += 1;
        let kind = match (self.item, name) {
            (Some(Item::Url), "loc") | (Some(Item::OfRss), "link") => ListedAs::Page,
            (Some(Item::Sitemap), "loc") => ListedAs::Sitemap,
            _ => return,
        };
        // Deeper are the URLs of images and videos.
        if self.depth == 1 {
            self.address = Some((kind, String::new()));
        }
    }

    fn leave(&mut self, name: &str) {
        if item(name).is_some() {
            self.item = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn push(&mut self, piece: &str) {
        if let Some((_, address)) = &mut self.address
            && address.len() < MAX_URL_LENGTH
        {
            address.push_str(piece);
        }
    }

    fn push_reference(&mut self, reference: &BytesRef<'_>) {
        match reference.resolve_char_ref() {
            Ok(Some(letter)) => self.push(letter.encode_utf8(&mut [0; 4])),
            _ => match resolve_predefined_entity(reference) {
                Some(text) => self.push(text),
                // An unknown entity makes the URL unknown.
                None => self.address = None,
            },
        }
    }
}

fn name_of<'a>(element: &'a BytesStart<'_>) -> &'a str {
    element.local_name().into_inner()
}

/// The URL in an element of Atom, `<link href="…">`.
fn add_link(element: &BytesStart<'_>, position: &Position, found: &mut SitemapBuilder<'_>) {
    if position.item != Some(Item::OfAtom) || position.depth != 1 || name_of(element) != "link" {
        return;
    }
    let value = |name: &str| {
        let attribute = element.try_get_attribute(name).ok()??;
        Some(
            attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .ok()?
                .into_owned(),
        )
    };
    let is_page = value("rel").is_none_or(|rel| rel == "alternate");
    if let Some(address) = value("href").filter(|address| is_page && address.len() <= MAX_URL_LENGTH) {
        found.add_text(ListedAs::Page, &address);
    }
}
