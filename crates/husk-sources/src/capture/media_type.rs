//! The media type that a server declares.

#[cfg(feature = "http")]
use super::Capture;

/// The value of `Content-Type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MediaType {
    /// Type and subtype in lower case, such as `text/html`.
    essence: String,
    charset: Option<String>,
}

impl MediaType {
    #[cfg(feature = "http")]
    pub(crate) fn of(capture: &Capture) -> Option<Self> {
        Self::parse(capture.header("content-type")?)
    }

    pub(crate) fn parse(value: &str) -> Option<Self> {
        let mut parts = value.split(';');
        let essence = parts.next()?.trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
        });
        (essence.contains('/')).then_some(Self { essence, charset })
    }

    pub(crate) fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    /// What it is, if it is certainly not a page. Servers use `text/plain` and `application/octet-stream` for anything, so
    /// the bytes decide there, as they do for XML.
    pub(crate) fn other_than_page(&self) -> Option<&'static str> {
        let (kind, subtype) = self.essence.split_once('/')?;
        match (kind, subtype) {
            ("image", _) => Some("an image"),
            ("audio", _) => Some("sound"),
            ("video", _) => Some("a film"),
            ("font", _) => Some("a font"),
            (_, "css") => Some("a style sheet"),
            (_, "javascript" | "x-javascript" | "ecmascript") => Some("a script"),
            (_, "json") => Some("JSON data"),
            (_, "csv") => Some("a table of data"),
            (_, "pdf") => Some("a PDF document"),
            (_, "zip" | "gzip" | "x-tar" | "x-gzip") => Some("an archive"),
            (_, "rss+xml" | "atom+xml" | "feed+json") => Some("a feed"),
            (_, other) if other.ends_with("+json") => Some("JSON data"),
            _ => None,
        }
    }

    #[cfg(feature = "http")]
    pub(crate) fn is_style_sheet(&self) -> bool {
        self.essence == "text/css"
    }

    /// The file extension for this type, if the bytes should decide.
    pub(crate) fn extension(&self) -> Option<&'static str> {
        match self.essence.as_str() {
            "text/plain" => Some("txt"),
            "text/xml" | "application/xml" => Some("xml"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, charset: Option<&str>, kind: Option<&str>) {
        let found = MediaType::parse(value).unwrap();
        assert_eq!(found.charset(), charset, "{value}");
        assert_eq!(found.other_than_page(), kind, "{value}");
    }

    #[test]
    fn reads_types_as_servers_write_them() {
        check("text/html", None, None);
        check("Text/HTML;Charset=\"utf-8\"", Some("utf-8"), None);
        check("text/html; charset=; x", None, None);
        check(
            "application/xhtml+xml; charset=ISO-8859-1",
            Some("ISO-8859-1"),
            None,
        );
        check("application/octet-stream", None, None);
        check("image/svg+xml", None, Some("an image"));
        check("application/ld+json", None, Some("JSON data"));
        check("application/pdf", None, Some("a PDF document"));
        assert_eq!(MediaType::parse("html"), None);
        assert_eq!(MediaType::parse(""), None);
    }
}
