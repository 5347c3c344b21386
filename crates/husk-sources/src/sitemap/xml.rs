//! Sitemaps and feeds in XML.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{Found, Kind};

/// An address longer than this is none.
const LONGEST_ADDRESS: usize = 8 * 1024;

/// Adds all addresses up to the end, or to where the document is broken.
///
/// No entity is expanded but those of XML itself, and no reference to another file is followed.
pub(super) fn read(text: &str, found: &mut Found<'_>) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut place = Place::default();
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => return,
            _ if found.is_full() => return,
            Event::Start(element) => {
                place.enter(&element);
                add_link(&element, &place, found);
            }
            Event::Empty(element) => {
                place.enter(&element);
                add_link(&element, &place, found);
                place.address = None;
                place.leave(name_of(&element));
            }
            Event::End(element) => {
                if let Some((kind, address)) = place.address.take() {
                    found.add_text(kind, &address);
                }
                place.leave(element.local_name().as_ref());
            }
            Event::Text(piece) => place.push(&piece),
            Event::CData(piece) => place.push(&piece),
            Event::GeneralRef(reference) => place.push_reference(&reference),
            _ => {}
        }
    }
}

/// Where in the document the reader is.
#[derive(Debug, Default)]
struct Place {
    /// The innermost element that lists something: a page, a sitemap, an entry of a feed.
    item: Option<Item>,
    /// How many elements deep within it.
    depth: usize,
    /// The address that is being read.
    address: Option<(Kind, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Url,
    Sitemap,
    /// A page in RSS, with an element for its address.
    OfRss,
    /// A page in Atom, with an attribute for it.
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

impl Place {
    fn enter(&mut self, element: &BytesStart<'_>) {
        let name = name_of(element);
        // Items hold no items: a new one means that the end of the last is missing.
        if let Some(item) = item(name) {
            self.item = Some(item);
            self.depth = 0;
            self.address = None;
            return;
        }
        self.depth += 1;
        let kind = match (self.item, name) {
            (Some(Item::Url), "loc") | (Some(Item::OfRss), "link") => Kind::Page,
            (Some(Item::Sitemap), "loc") => Kind::Sitemap,
            _ => return,
        };
        // Deeper there are the addresses of pictures and films.
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
            && address.len() < LONGEST_ADDRESS
        {
            address.push_str(piece);
        }
    }

    fn push_reference(&mut self, reference: &BytesRef<'_>) {
        match reference.resolve_char_ref() {
            Ok(Some(letter)) => self.push(letter.encode_utf8(&mut [0; 4])),
            _ => match resolve_predefined_entity(reference) {
                Some(text) => self.push(text),
                // Who knows what it stands for: the address is not known either.
                None => self.address = None,
            },
        }
    }
}

fn name_of<'a>(element: &'a BytesStart<'_>) -> &'a str {
    element.local_name().into_inner()
}

/// The address in an element of Atom, `<link href="…">`.
fn add_link(element: &BytesStart<'_>, place: &Place, found: &mut Found<'_>) {
    if place.item != Some(Item::OfAtom) || place.depth != 1 || name_of(element) != "link" {
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
    if let Some(address) = value("href").filter(|address| is_page && address.len() <= LONGEST_ADDRESS) {
        found.add_text(Kind::Page, &address);
    }
}
