//! A page and its resources in one MIME message (RFC 2557), as browsers and office programs save it.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use husk::Url;
use husk::dom::decode;
use husk::output::{Resource, Resources};
use jiff::Timestamp;

use super::inline::{Inlined, Inliner};
use super::mime::Part;
use super::saved::date_of_mail;
use crate::capture::matches_bytes;
use crate::mime_type;
use crate::source::LoadError;

/// The most bytes of parts that are decoded for the names in a page.
const MAX_DECODED: usize = 512 << 20;

/// How many bytes at the beginning of a file reveal whether it is a message, and of which page.
pub(super) const HEAD: usize = 64 << 10;

/// A message that contains a page.
#[derive(Debug)]
pub(super) struct Mhtml<'a> {
    parts: Vec<Part<'a>>,
    /// The index of the page.
    root: usize,
    /// The URL that the page was saved from.
    pub(super) url: Option<Url>,
    /// When it was saved.
    pub(super) saved_at: Option<Timestamp>,
}

/// Whether bytes begin like a multipart message.
pub(crate) fn is_mhtml(bytes: &[u8]) -> bool {
    let bytes = as_ascii(&bytes[..bytes.len().min(HEAD)]);
    let first = bytes.trim_ascii_start();
    let name = first.iter().take_while(|&&byte| byte != b':');
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if !first.contains(&b':') || !name.clone().all(is_name) || name.count() > 64 {
        return false;
    }
    let message = Part::parse(first);
    let kind = message.media_type();
    kind.starts_with("multipart/") || (message.field("mime-version").is_some() && is_html(&kind))
}

/// A file in UTF-16 as UTF-8, and any file without its byte order mark.
pub(super) fn as_ascii(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        Cow::Owned(decode(bytes, None).text.into_owned().into_bytes())
    } else {
        Cow::Borrowed(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
    }
}

fn is_html(kind: &str) -> bool {
    matches!(kind, "text/html" | "application/xhtml+xml")
}

impl<'a> Mhtml<'a> {
    /// Finds the page among the parts; `object` names the message in errors.
    pub(super) fn parse(bytes: &'a [u8], object: &str) -> Result<Self, LoadError> {
        let fail = |cause| LoadError::Mhtml {
            object: object.to_owned(),
            cause,
        };
        let message = Part::parse(bytes.trim_ascii_start());
        let saved_from = message.address("snapshot-content-location");
        let saved_at = message.field("date").and_then(date_of_mail);
        let start = message.parameter("start");
        if message.media_type().starts_with("multipart/") && message.parameter("boundary").is_none() {
            return Err(fail("it does not declare a boundary"));
        }
        // A message that is the page itself has the page's URL.
        let parts = message.leaves();
        if parts.is_empty() {
            return Err(fail("it ends before its first part"));
        }
        let id = start.as_deref().map(|start| start.trim_matches(['<', '>']));
        let by_id = || {
            parts
                .iter()
                .position(|part| is_html(&part.media_type()) && part.id().as_deref() == id)
        };
        let first = || parts.iter().position(|part| is_html(&part.media_type()));
        let root = id
            .and_then(|_| by_id())
            .or_else(first)
            .ok_or_else(|| fail("none of its parts is a page"))?;
        let location = parts[root].address("content-location");
        let url = [saved_from, location]
            .into_iter()
            .flatten()
            .find_map(|text| Url::parse(&text).ok())
            .filter(|url| !url.cannot_be_a_base());
        Ok(Self {
            parts,
            root,
            url,
            saved_at,
        })
    }

    /// The text of the page, with names that are only valid within the message replaced by their parts.
    pub(super) fn html(&self, object: &str) -> Result<String, LoadError> {
        let root = &self.parts[self.root];
        let bytes = root.content();
        if !root.is_whole && !mime_type::ends_as_page(&bytes) {
            return Err(LoadError::Mhtml {
                object: object.to_owned(),
                cause: "it ends in the middle of the page",
            });
        }
        if let Some(kind) = mime_type::other_than_page(&bytes, None) {
            return Err(LoadError::NotAPage {
                object: object.to_owned(),
                kind,
            });
        }
        Ok(self.inliner().in_page(&text_of(root, &bytes)))
    }

    /// The resources of the page, by URL.
    pub(super) fn resources(&self, base: &Url) -> Resources {
        let inliner = self.inliner();
        let others = self.parts.iter().enumerate().filter(|(at, _)| *at != self.root);
        others
            .filter_map(|(_, part)| {
                let url = base.join(&part.address("content-location")?).ok()?;
                if url.scheme() == "cid" {
                    return None;
                }
                Some((url, resource(part, &inliner)?))
            })
            .collect()
    }

    fn inliner(&self) -> Inliner<'_> {
        let mut named = BTreeMap::new();
        for part in &self.parts {
            let location = part.address("content-location");
            // Chromium gives style sheets without a URL a location that is a name.
            let by_location = location.and_then(|at| at.strip_prefix("cid:").map(str::to_owned));
            for id in [part.id(), by_location].into_iter().flatten() {
                named.entry(id).or_insert(part);
            }
        }
        // A part that decodes to nothing takes no room, but time whenever its name occurs.
        let work_left = Cell::new(MAX_DECODED);
        Inliner::new(move |id| {
            let part = named.get(id)?;
            work_left.set(work_left.get().checked_sub(part.raw_len())?);
            Some(inlined(part))
        })
    }
}

fn resource(part: &Part<'_>, inliner: &Inliner<'_>) -> Option<Resource> {
    match inlined(part) {
        Inlined::StyleSheet(text) => Some(Resource::StyleSheet(inliner.in_style_sheet(&text))),
        Inlined::Data(data) => Some(Resource::Data(data)),
        Inlined::Page(_) | Inlined::Nothing => None,
    }
}

fn inlined(part: &Part<'_>) -> Inlined {
    let kind = part.media_type();
    // A truncated part would only look broken.
    if !part.is_whole || !is_plain(&kind) {
        return Inlined::Nothing;
    }
    let bytes = part.content();
    if kind == "text/css" {
        Inlined::StyleSheet(style_sheet_of(part, &bytes))
    } else if is_html(&kind) {
        Inlined::Page(text_of(part, &bytes).into_owned())
    } else {
        Inlined::Data(format!("data:{kind};base64,{}", STANDARD.encode(&bytes)))
    }
}

/// Whether a media type is valid and contains nothing that would end the URL it is inserted into.
fn is_plain(kind: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+' | b'-' | b'.');
    kind.contains('/') && kind.len() < 100 && kind.bytes().all(is_sign)
}

fn text_of<'b>(part: &Part<'_>, bytes: &'b [u8]) -> Cow<'b, str> {
    let charset = part.parameter("charset");
    let charset = charset.as_deref().filter(|charset| matches_bytes(charset, bytes));
    decode(bytes, charset).text
}

/// The text of a style sheet, which may declare its encoding in the first line.
fn style_sheet_of(part: &Part<'_>, bytes: &[u8]) -> String {
    const DECLARATION: &[u8] = b"@charset \"";
    let declared = bytes.strip_prefix(DECLARATION).and_then(|behind| {
        let end = behind.iter().take(100).position(|&byte| byte == b'"')?;
        str::from_utf8(&behind[..end]).ok()
    });
    let charset = part.parameter("charset");
    let charset = charset
        .as_deref()
        .or(declared)
        .filter(|charset| matches_bytes(charset, bytes));
    let text = decode(bytes, charset).text;
    let text = match declared {
        // From here on it is UTF-8.
        Some(_) => text.split_once(';').map_or("", |(_, behind)| behind),
        None => &text,
    };
    text.trim().to_owned()
}
