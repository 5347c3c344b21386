//! Responses of servers, and how they become pages.
//!
//! The web, its cache, archives and browsers all yield [`Capture`]s, so the same response gives the same page wherever it
//! comes from.

mod coding;

mod charset;

mod media_type;

mod redirects;

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::SystemTime;

use husk::dom::Dom;
use husk::{Page, Url};

use crate::mime_type;
use crate::source::{Admission, LoadError};
pub(crate) use charset::matches_bytes;
pub(crate) use coding::decoded;
pub(crate) use media_type::MediaType;
pub(crate) use redirects::{LoadLimits, RedirectChain, Step};

/// A response to a request for one URL, redirects and errors included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// The URL that was requested.
    pub url: Url,
    /// The status, such as 200.
    pub status: u16,
    /// The header fields in order, names as they were sent.
    pub headers: Vec<(String, String)>,
    /// The body without transfer encoding, but still compressed as `Content-Encoding` says.
    pub body: Vec<u8>,
    /// Whether the body is complete.
    pub is_whole: bool,
    /// When the response arrived.
    pub date: SystemTime,
    /// The IP address of the server, if known.
    pub ip: Option<IpAddr>,
    /// Whether this is the page as a browser rendered it, not as the server sent it.
    pub is_rendered: bool,
}

impl Capture {
    /// The first header field of a name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self
            .headers
            .iter()
            .filter(|(field, _)| field.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }

    /// Whether the response is a redirect.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// The page in the response; fails if it has more than `max_bytes`.
    pub fn page(&self, max_bytes: u64) -> Result<Page, LoadError> {
        self.admitted_page(max_bytes, &Admission::default())
    }

    /// The page in the response, if it is admitted.
    pub(crate) fn admitted_page(&self, max_bytes: u64, admission: &Admission) -> Result<Page, LoadError> {
        let (bytes, charset) = self.page_bytes(max_bytes)?;
        if !admission.admits(&bytes) {
            return Err(LoadError::NotAdmitted {
                object: self.url.to_string(),
            });
        }
        Ok(Page::new(
            self.url.clone(),
            Dom::from_bytes(&bytes, charset.as_deref()),
        ))
    }

    /// The decompressed bytes of the page, to be parsed later, and the charset that the server declares, unless the bytes
    /// contradict it.
    pub fn page_bytes(&self, max_bytes: u64) -> Result<(Cow<'_, [u8]>, Option<String>), LoadError> {
        let declared = DeclaredType::new(&self.url, self.status, self.header("content-type"))?;
        let bytes = decoded(self, max_bytes)?;
        let charset = declared.charset(&bytes)?.map(str::to_owned);
        Ok((bytes, charset))
    }
}

/// The charset that a server declares for a page, unless the bytes contradict it; fails if the response is not a page.
///
/// For callers that decompress and decode themselves, as browsers do; [`Capture::page`] does all of it.
pub fn page_charset(
    url: &Url,
    status: u16,
    content_type: Option<&str>,
    unpacked: &[u8],
) -> Result<Option<String>, LoadError> {
    let declared = DeclaredType::new(url, status, content_type)?;
    Ok(declared.charset(unpacked)?.map(str::to_owned))
}

/// The declared type of a response that may be a page.
struct DeclaredType<'a> {
    url: &'a Url,
    media_type: Option<MediaType>,
}

impl<'a> DeclaredType<'a> {
    fn new(url: &'a Url, status: u16, content_type: Option<&str>) -> Result<Self, LoadError> {
        if !(200..300).contains(&status) {
            return Err(LoadError::Status {
                object: url.to_string(),
                status,
            });
        }
        let media_type = content_type.and_then(MediaType::parse);
        let declared = Self { url, media_type };
        match declared.media_type.as_ref().and_then(MediaType::other_than_page) {
            Some(kind) => Err(declared.not_a_page(kind)),
            None => Ok(declared),
        }
    }

    /// The declared charset, unless the bytes contradict it; fails if they are not a page.
    fn charset(&self, bytes: &[u8]) -> Result<Option<&str>, LoadError> {
        let extension = self.media_type.as_ref().and_then(MediaType::extension);
        if let Some(kind) = mime_type::other_than_page(bytes, extension) {
            return Err(self.not_a_page(kind));
        }
        let declared = self.media_type.as_ref().and_then(MediaType::charset);
        Ok(declared.filter(|charset| matches_bytes(charset, bytes)))
    }

    fn not_a_page(&self, kind: &'static str) -> LoadError {
        LoadError::NotAPage {
            object: self.url.to_string(),
            kind,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn capture(url: &str, status: u16, headers: &[(&str, &str)], body: &[u8]) -> Capture {
        Capture {
            url: Url::parse(url).unwrap(),
            status,
            headers: headers
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            body: body.to_vec(),
            is_whole: true,
            date: SystemTime::UNIX_EPOCH,
            ip: None,
            is_rendered: false,
        }
    }

    fn page(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Result<String, String> {
        let capture = capture("https://example.org/a", status, headers, body);
        let page = capture.page(1000).map_err(|cause| cause.to_string())?;
        Ok(page.dom.text_of(page.dom.root()).to_owned())
    }

    #[test]
    fn an_answer_is_a_page() {
        let html = [("Content-Type", "text/html")];
        assert_eq!(page(200, &html, b"<p>Hello"), Ok("Hello".to_owned()));
        assert_eq!(page(203, &[], b"<p>Hello"), Ok("Hello".to_owned()));
        let latin = [("content-type", "text/html; charset=iso-8859-1")];
        assert_eq!(page(200, &latin, b"<p>caf\xE9"), Ok("café".to_owned()));
    }

    #[test]
    fn a_wrong_charset_is_not_believed() {
        let latin = [("content-type", "text/html; charset=iso-8859-1")];
        assert_eq!(page(200, &latin, "<p>café".as_bytes()), Ok("café".to_owned()));
        let utf8 = [("content-type", "text/html; charset=utf-8")];
        let declared = b"<meta charset=windows-1252><p>caf\xE9";
        assert_eq!(page(200, &utf8, declared), Ok("café".to_owned()));
    }

    #[test]
    fn errors_name_the_page() {
        let error = |status, headers: &[(&str, &str)], body: &[u8]| page(status, headers, body).unwrap_err();
        assert_eq!(
            error(404, &[], b"<p>Nothing here"),
            "https://example.org/a answers 404 Not Found: check the URL"
        );
        assert_eq!(
            error(200, &[("Content-Type", "image/png")], b"<p>Hello"),
            "https://example.org/a is an image, not a page: expected HTML"
        );
        assert_eq!(
            error(200, &[("Content-Type", "text/html")], b"%PDF-1.7"),
            "https://example.org/a is a PDF document, not a page: expected HTML"
        );
    }
}
