//! A page from a stream, such as standard input.

use std::io::Read;
use std::path::PathBuf;

use husk::dom::Dom;
use husk::output::Resources;
use husk::{Page, Url};

use crate::folder::declared_urls;
use crate::mime_type;
use crate::snapshot::{Saved, is_mhtml, saved_from_url};
use crate::source::LoadError;

/// The name of a stream in messages.
const OBJECT: &str = "standard input";

/// A page, and what was saved with it.
#[derive(Debug, Clone)]
pub struct SavedPage {
    /// The page.
    pub page: Page,
    /// Whether its URL was given by the caller, rather than claimed by the page, which is untrusted.
    pub is_url_given: bool,
    /// Its images, fonts and style sheets.
    pub resources: Resources,
}

/// Reads a page from a stream: HTML or MHTML of at most `limit` bytes.
///
/// Its URL is the given one, or else the one that it says it was saved from, or else the one that it declares.
pub fn read_page_from(reader: impl Read, base_url: Option<&Url>, limit: u64) -> Result<SavedPage, LoadError> {
    read_page_with(reader, base_url, None, limit)
}

/// The same for a page that is not compared with others, so that its URL may be unknown: then it is that of a file, and its
/// relative links stay as they are written.
pub(crate) fn read_page_alone(
    reader: impl Read,
    base_url: Option<&Url>,
    limit: u64,
) -> Result<SavedPage, LoadError> {
    let unknown = Url::parse("file:///standard-input").ok();
    read_page_with(reader, base_url, unknown.as_ref(), limit)
}

fn read_page_with(
    reader: impl Read,
    base_url: Option<&Url>,
    unknown: Option<&Url>,
    limit: u64,
) -> Result<SavedPage, LoadError> {
    let bytes = read(reader, limit)?;
    if is_mhtml(&bytes) {
        let saved = Saved::from_mhtml(&bytes, OBJECT, base_url, unknown)?;
        return Ok(SavedPage {
            page: saved.page,
            is_url_given: saved.is_url_given,
            resources: saved.resources,
        });
    }
    if let Some(kind) = mime_type::other_than_page(&bytes, None) {
        let object = OBJECT.to_owned();
        return Err(LoadError::NotAPage { object, kind });
    }
    let dom = Dom::from_bytes(&bytes, None);
    let url = base_url.cloned().or_else(|| saved_from_url(&bytes));
    let url = url.or_else(|| declared_urls(&dom).into_iter().next());
    let url = url
        .or_else(|| unknown.cloned())
        .ok_or_else(|| LoadError::UnknownUrl {
            object: OBJECT.to_owned(),
        })?;
    Ok(SavedPage {
        page: Page::new(url, dom),
        is_url_given: base_url.is_some(),
        resources: Resources::default(),
    })
}

fn read(reader: impl Read, limit: u64) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|cause| LoadError::Io {
        path: PathBuf::from(OBJECT),
        cause,
    })?;
    if bytes.len() as u64 > limit {
        let object = OBJECT.to_owned();
        return Err(LoadError::TooLarge { object, limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn base() -> Url {
        Url::parse("https://example.org/a").unwrap()
    }

    fn url_of(bytes: &[u8], base_url: Option<&Url>) -> Result<String, String> {
        let read = read_page_from(bytes, base_url, 1000);
        if let Ok(saved) = &read {
            assert_eq!(saved.is_url_given, base_url.is_some());
        }
        read.map(|saved| saved.page.url.to_string())
            .map_err(|cause| cause.to_string())
    }

    #[test]
    fn the_address_is_given_or_told() {
        assert_eq!(url_of(b"<p>x", Some(&base())).unwrap(), "https://example.org/a");
        let saved = b"<!-- saved from url=(0022)https://example.com/b/ --><p>x";
        assert_eq!(url_of(saved, None).unwrap(), "https://example.com/b/");
        assert_eq!(url_of(saved, Some(&base())).unwrap(), "https://example.org/a");
        let declared =
            b"<link rel=canonical href=c.html><meta property=og:url content=https://example.com/c><p>x";
        assert_eq!(url_of(declared, None).unwrap(), "https://example.com/c");
        let both = [&saved[..], declared].concat();
        assert_eq!(url_of(&both, None).unwrap(), "https://example.com/b/");
        let alone = |bytes: &[u8]| read_page_alone(bytes, None, 1000).unwrap().page.url.to_string();
        assert_eq!(alone(declared), "https://example.com/c");
        assert_eq!(alone(b"<p>x"), "file:///standard-input");
        assert_eq!(
            url_of(b"<p>x", None).unwrap_err(),
            "standard input does not contain its URL: set it with --base-url"
        );
    }

    #[test]
    fn what_is_no_page_or_too_large_is_refused() {
        let error = url_of(b"%PDF-1.7", Some(&base())).unwrap_err();
        assert!(error.contains("standard input is a PDF document"), "{error}");
        let error = read_page_from(io::repeat(b' '), Some(&base()), 1000).unwrap_err();
        assert!(
            matches!(error, LoadError::TooLarge { limit: 1000, .. }),
            "{error}"
        );
    }

    #[test]
    fn mhtml_is_read_too() {
        let mhtml = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\
            Content-Location: https://example.com/c\n\n<p>Hello\n--x--\n";
        assert_eq!(url_of(mhtml, None).unwrap(), "https://example.com/c");
        let saved = read_page_from(&mhtml[..], Some(&base()), 1000).unwrap();
        assert_eq!(saved.page.url, base());
        assert_eq!(saved.page.dom.text_of(saved.page.dom.root()), "Hello");
    }

    #[test]
    fn a_part_of_blanks_does_not_take_for_ever() {
        let pictures = "<img src=cid:x>".repeat(100);
        let head = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n";
        let page = format!("--b\r\nContent-Type: text/html\r\n\r\n{pictures}\r\n");
        let fields =
            "--b\r\nContent-Type: image/png\r\nContent-ID: <x>\r\nContent-Transfer-Encoding: base64\r\n\r\n";
        let blanks = " ".repeat(40 << 20);
        let mhtml = format!("{head}{page}{fields}{blanks}QQ==\r\n--b--\r\n");
        let saved = read_page_from(mhtml.as_bytes(), Some(&base()), 64 << 20).unwrap();
        let html = husk::dom::serialize(&saved.page.dom, saved.page.dom.root());
        assert!(
            html.contains("src=\"data:image/png;base64,QQ==\""),
            "some are there"
        );
        assert!(html.contains("src=\"cid:x\""), "and then it is enough");
    }
}
