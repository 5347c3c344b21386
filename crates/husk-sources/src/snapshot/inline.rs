//! Replaces names that are only valid nesting a message, such as `cid:css-1@mhtml.blink`, by the parts they refer to.
//!
//! These names are generated anew whenever a page is saved. With the parts in their place, two saved pages with the same
//! style sheet are equal there, and output can be shown without the message.

use std::borrow::Cow;
use std::cell::Cell;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use husk::dom::{Dom, name, write_attribute};
use percent_encoding::percent_decode_str;

/// The most bytes that are inserted into a page: a page may use one name a thousand times.
const MAX_BYTES: usize = 64 << 20;

/// The most names that are looked up.
const MAX_NAMES: usize = 20_000;

/// How deep pages in frames are followed.
const MAX_FRAME_DEPTH: usize = 2;

/// How deep imports are followed.
const MAX_IMPORT_DEPTH: usize = 3;

/// The text that contains a name.
#[derive(Debug, Clone, Copy)]
enum Nesting {
    /// A page, and how many frames deep.
    Page { depth: usize },
    /// A style sheet, and how many imports deep.
    StyleSheet { depth: usize },
}

impl Nesting {
    /// A style sheet in it, unless that is too deep.
    fn style_sheet(self) -> Option<Self> {
        let depth = match self {
            Self::Page { .. } => 0,
            Self::StyleSheet { depth } => depth + 1,
        };
        (depth < MAX_IMPORT_DEPTH).then_some(Self::StyleSheet { depth })
    }

    /// A page in it, unless that is too deep.
    fn page(self) -> Option<Self> {
        match self {
            Self::Page { depth } if depth < MAX_FRAME_DEPTH => Some(Self::Page { depth: depth + 1 }),
            Self::Page { .. } | Self::StyleSheet { .. } => None,
        }
    }
}

/// What a name is replaced by.
#[derive(Debug)]
pub(super) enum Inlined {
    /// The text of a style sheet.
    StyleSheet(String),
    /// The text of a page, for a frame.
    Page(String),
    /// Anything else, as a `data:` URL.
    Data(String),
    /// Nothing.
    Nothing,
}

impl Inlined {
    fn len(&self) -> usize {
        match self {
            Self::StyleSheet(text) | Self::Page(text) | Self::Data(text) => text.len(),
            Self::Nothing => 0,
        }
    }
}

type Find<'a> = Box<dyn Fn(&str) -> Option<Inlined> + 'a>;

/// Replaces names by parts.
pub(super) struct Inliner<'a> {
    find: Find<'a>,
    bytes_left: Cell<usize>,
    names_left: Cell<usize>,
}

impl<'a> Inliner<'a> {
    /// `find` returns the parts by name.
    pub(super) fn new(find: impl Fn(&str) -> Option<Inlined> + 'a) -> Self {
        Self {
            find: Box::new(find),
            bytes_left: Cell::new(MAX_BYTES),
            names_left: Cell::new(MAX_NAMES),
        }
    }

    pub(super) fn in_page(&self, html: &str) -> String {
        self.replaced(html, Nesting::Page { depth: 0 })
    }

    pub(super) fn in_style_sheet(&self, css: &str) -> String {
        self.replaced(css, Nesting::StyleSheet { depth: 0 })
    }

    fn replaced(&self, text: &str, nesting: Nesting) -> String {
        let mut out = String::new();
        // What was written of the text.
        let mut done = 0;
        let mut from = 0;
        while let Some(name) = next_name(text, from) {
            from = name.end;
            let room = self.bytes_left.get();
            let Some(part) = self.part(&name.id(text)) else {
                continue;
            };
            let is_link = matches!((&part, nesting), (Inlined::StyleSheet(_), Nesting::Page { .. }));
            let link = Some(())
                .filter(|()| is_link)
                .and_then(|()| link_around(text, &name, done));
            let replacement = self.replacement(part, link, &name, nesting);
            let Some((replaced, new)) = replacement.filter(|(_, new)| self.has_room(room, new.len())) else {
                continue;
            };
            out.push_str(&text[done..replaced.start]);
            out.push_str(&new);
            done = replaced.end;
            from = done;
        }
        out.push_str(&text[done..]);
        out
    }

    /// Which part of the text is replaced by what.
    fn replacement(
        &self,
        part: Inlined,
        link: Option<Link>,
        name: &Name,
        nesting: Nesting,
    ) -> Option<(std::ops::Range<usize>, String)> {
        let place = name.start..name.end;
        match (part, link) {
            (Inlined::StyleSheet(css), Some(link)) => {
                // As before the page was saved, with URLs relative to that of the page.
                let css = self.replaced(&css, nesting.style_sheet()?).replace("</", "<\\/");
                let mut style = "<style".to_owned();
                if let Some(media) = link.media {
                    write_attribute("media", &media, &mut style);
                }
                Some((link.start..link.end, format!("{style}>{css}</style>")))
            }
            (Inlined::StyleSheet(css), None) => {
                let css = self.replaced(&css, nesting.style_sheet()?);
                Some((place, data("text/css", &css)))
            }
            (Inlined::Page(html), _) => {
                let html = self.replaced(&html, nesting.page()?);
                Some((place, data("text/html", &html)))
            }
            (Inlined::Data(data), _) => Some((place, data)),
            (Inlined::Nothing, _) => None,
        }
    }

    /// A part by its name, if there is room for it.
    fn part(&self, id: &str) -> Option<Inlined> {
        self.names_left.set(self.names_left.get().checked_sub(1)?);
        if self.bytes_left.get() == 0 {
            return None;
        }
        let part = (self.find)(id)?;
        let left = self.bytes_left.get().checked_sub(part.len());
        self.bytes_left.set(left.unwrap_or(0));
        left.map(|_| part)
    }

    /// Whether a part, with all that was inserted into it, fits into the room that there was before it; if so, reserves the
    /// room. A part grows when it is encoded, and again with each part it is inserted into.
    fn has_room(&self, before: usize, bytes: usize) -> bool {
        let left = before.checked_sub(bytes);
        // Not more than is left now: a nested part that did not fit uses none.
        self.bytes_left.set(self.bytes_left.get().min(left.unwrap_or(0)));
        left.is_some()
    }
}

fn data(kind: &str, text: &str) -> String {
    format!("data:{kind};charset=utf-8;base64,{}", STANDARD.encode(text))
}

/// The position of a name in a text, including `cid:`.
#[derive(Debug)]
struct Name {
    start: usize,
    end: usize,
}

const SCHEME: &str = "cid:";

impl Name {
    fn id<'t>(&self, text: &'t str) -> Cow<'t, str> {
        percent_decode_str(&text[self.start + SCHEME.len()..self.end]).decode_utf8_lossy()
    }
}

/// The next name, if it is where a URL may be: in quotes, in brackets, after an equals sign or a comma.
fn next_name(text: &str, from: usize) -> Option<Name> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(colon) = bytes[at..]
        .iter()
        .position(|&byte| byte == b':')
        .map(|found| at + found)
    {
        at = colon + 1;
        let Some(start) = at.checked_sub(SCHEME.len()).filter(|&start| start >= from) else {
            continue;
        };
        let is_scheme = bytes[start..at].eq_ignore_ascii_case(SCHEME.as_bytes());
        let before = bytes[..start].trim_ascii_end().last();
        let is_address = matches!(before, Some(b'=' | b'"' | b'\'' | b'(' | b',' | b';'));
        if is_scheme && is_address {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || br#""'()<>,&\"#.contains(byte);
            let end = bytes[at..]
                .iter()
                .position(is_end)
                .map_or(bytes.len(), |end| at + end);
            return Some(Name { start, end });
        }
    }
    None
}

/// A `<link>` to a style sheet.
struct Link {
    start: usize,
    end: usize,
    media: Option<String>,
}

/// A longer tag is not a link to a style sheet.
const MAX_TAG: usize = 4096;

/// The link to a style sheet that contains a name, if it begins after `from`.
fn link_around(text: &str, name: &Name, from: usize) -> Option<Link> {
    let nearest = from.max(name.start.saturating_sub(MAX_TAG));
    let nearest = text.floor_char_boundary(nearest).max(from);
    let start = nearest + text[nearest..name.start].rfind('<')?;
    let tag = text[start..].get(..5)?;
    let behind = text.as_bytes()[name.end..].iter().take(MAX_TAG);
    let end = name.end + behind.copied().position(|byte| byte == b'>')? + 1;
    if !tag.eq_ignore_ascii_case("<link") {
        return None;
    }
    let dom = Dom::parse(&text[start..end]);
    let link = dom.nodes().find(|&node| dom.is_element(node, &name!("link")))?;
    let rel = dom.attribute(link, &name!("rel"))?;
    let is_style = rel
        .split_ascii_whitespace()
        .any(|rel| rel.eq_ignore_ascii_case("stylesheet"));
    is_style.then(|| Link {
        start,
        end,
        media: dom.attribute(link, &name!("media")).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inliner() -> Inliner<'static> {
        Inliner::new(|id| match id {
            "css-1@x" => Some(Inlined::StyleSheet("a{b:url(cid:img)}/*</style>*/".to_owned())),
            "img" => Some(Inlined::Data("data:image/png;base64,AA==".to_owned())),
            "frame" => Some(Inlined::Page(
                "<img src=cid:img><iframe src='cid:frame'>".to_owned(),
            )),
            "bad" => Some(Inlined::Nothing),
            _ => None,
        })
    }

    fn check(html: &str, expect: &str) {
        assert_eq!(inliner().in_page(html), expect);
    }

    #[test]
    fn style_sheets_are_elements_again() {
        check(
            "<b><link rel=\"stylesheet\" type=\"text/css\" href=\"cid:css-1@x\" media='print' />é",
            "<b><style media=\"print\">a{b:url(data:image/png;base64,AA==)}/*<\\/style>*/</style>é",
        );
        check(
            "<link rel=StyleSheet href=cid:css-1%40x><link href=cid:css-1@x rel=next>",
            &format!(
                "<style>a{{b:url(data:image/png;base64,AA==)}}/*<\\/style>*/</style><link href={} rel=next>",
                data("text/css", "a{b:url(data:image/png;base64,AA==)}/*</style>*/")
            ),
        );
    }

    #[test]
    fn pictures_are_addresses() {
        let png = "data:image/png;base64,AA==";
        check("<img src=\"cid:img\">", &format!("<img src=\"{png}\">"));
        check("<img src=CID:img alt=x>", &format!("<img src={png} alt=x>"));
        check(
            "<p style=\"a:url(&quot;cid:img&quot;)\">",
            &format!("<p style=\"a:url(&quot;{png}&quot;)\">"),
        );
        check(
            "<img srcset='cid:img 1x, cid:img 2x'>",
            &format!("<img srcset='{png} 1x, {png} 2x'>"),
        );
    }

    #[test]
    fn words_and_strangers_stay() {
        for html in [
            "<p>Write cid:img there",
            "<img src=cid:gone>",
            "<img src=cid:bad>",
            "<img src=acid:img>",
            "cid:",
            "=cid:",
            "",
        ] {
            check(html, html);
        }
    }

    #[test]
    fn frames_in_frames_end() {
        let html = inliner().in_page("<iframe src=cid:frame>");
        let data = html
            .strip_prefix("<iframe src=data:text/html;charset=utf-8;base64,")
            .unwrap();
        let inner = STANDARD.decode(data.trim_end_matches('>')).unwrap();
        let inner = String::from_utf8(inner).unwrap();
        assert!(
            inner.starts_with("<img src=data:image/png;base64,AA==><iframe src='data:text/html"),
            "{inner}"
        );
    }

    /// How many style sheets are written, each in the other, if they refer to each other like this.
    fn imports(find: impl Fn(&str) -> Option<String>) -> usize {
        let inliner = Inliner::new(|id| find(id).map(Inlined::StyleSheet));
        let mut text = inliner.in_page("<link rel=stylesheet href=cid:0>");
        assert!(text.starts_with("<style>") && text.len() < 1000, "{text}");
        let mut depth = 1;
        while let Some((_, behind)) = text.split_once(";base64,") {
            let end = behind.find(')').unwrap();
            text = String::from_utf8(STANDARD.decode(&behind[..end]).unwrap()).unwrap();
            depth += 1;
        }
        assert!(text.contains("url(cid:"), "the last keeps the name: {text}");
        depth
    }

    #[test]
    fn style_sheets_in_style_sheets_end() {
        let number = |id: &str| id.parse::<usize>().unwrap();
        let itself = |id: &str| Some(format!("a{{b:url(cid:{id})}}"));
        assert_eq!(imports(itself), MAX_IMPORT_DEPTH);
        let each_other = |id: &str| Some(format!("a{{b:url(cid:{})}}", 1 - number(id)));
        assert_eq!(imports(each_other), MAX_IMPORT_DEPTH);
        let chain = |id: &str| (number(id) < 80).then(|| format!("a{{b:url(cid:{})}}", number(id) + 1));
        assert_eq!(imports(chain), MAX_IMPORT_DEPTH);
    }

    #[test]
    fn what_parts_become_counts() {
        let sheet = "a".repeat(1 << 20);
        let inliner = Inliner::new(|id| match id {
            "outer" => Some(Inlined::StyleSheet("a{b:url(cid:inner)}".to_owned())),
            _ => Some(Inlined::StyleSheet(sheet.clone())),
        });
        for id in ["inner", "outer"] {
            let html = inliner.in_page(&format!("<link rel=next href=cid:{id}>").repeat(100));
            assert!(html.len() < MAX_BYTES + 100_000, "{}", html.len());
            inliner.bytes_left.set(MAX_BYTES);
        }
    }

    #[test]
    fn a_part_used_very_often_does_not_fill_the_memory() {
        let large = "A".repeat(1 << 20);
        let inliner = Inliner::new(|_| Some(Inlined::Data(format!("data:image/png;base64,{large}"))));
        let html = inliner.in_page(&"<img src=cid:x>".repeat(1000));
        assert!(html.len() < MAX_BYTES + 100_000, "{}", html.len());
        assert!(html.ends_with("<img src=cid:x>"));
        let inliner = Inliner::new(|_| Some(Inlined::Data(String::new())));
        let html = inliner.in_page(&"<img src=cid:x>".repeat(MAX_NAMES + 1));
        assert_eq!(html.matches("cid:").count(), 1);
    }
}
