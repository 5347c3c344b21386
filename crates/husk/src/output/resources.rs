//! What was saved along with a page: the images, fonts and style sheets that stand at URLs it refers to.

use std::collections::BTreeMap;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use url::Url;

/// The images, fonts and style sheets that were saved along with a page.
///
/// Where a page is written as HTML, they take the place of their URLs, so that it looks like itself without the
/// web. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resources(Arc<BTreeMap<String, Resource>>);

/// What stands at a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resource {
    /// An image, a font, sound or a video, as a `data:` URL. Anything else is left where it is.
    Data(String),
    /// The text of a style sheet.
    StyleSheet(String),
}

impl FromIterator<(Url, Resource)> for Resources {
    /// Of two at one URL the first counts.
    fn from_iter<I: IntoIterator<Item = (Url, Resource)>>(found: I) -> Self {
        let mut resources = BTreeMap::new();
        for (url, resource) in found {
            if is_harmless(&resource) {
                resources.entry(key(&url)).or_insert(resource);
            }
        }
        Self(Arc::new(resources))
    }
}

impl Resources {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        let (Self(all), mut bytes) = (self, 0);
        for Resource::Data(text) | Resource::StyleSheet(text) in all.values() {
            bytes += text.len();
        }
        bytes
    }

    /// An image or font as a `data:` URL.
    pub(super) fn data(&self, url: &Url) -> Option<&str> {
        match self.0.get(&key(url))? {
            Resource::Data(data) => Some(data),
            Resource::StyleSheet(_) => None,
        }
    }

    /// The text of a style sheet.
    pub(super) fn style_sheet(&self, url: &Url) -> Option<&str> {
        match self.0.get(&key(url))? {
            Resource::StyleSheet(text) => Some(text),
            Resource::Data(_) => None,
        }
    }
}

/// Kinds of data that only show or sound.
const HARMLESS: [&str; 6] = [
    "data:image/",
    "data:font/",
    "data:audio/",
    "data:video/",
    "data:application/font-",
    "data:application/x-font-",
];

fn is_harmless(resource: &Resource) -> bool {
    match resource {
        Resource::Data(data) => HARMLESS.iter().any(|kind| data.starts_with(kind)),
        Resource::StyleSheet(_) => true,
    }
}

/// A URL without its fragment; however it was percent-encoded.
fn key(url: &Url) -> String {
    let text = url.as_str();
    let text = text.split_once('#').map_or(text, |(front, _)| front);
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn found_however_they_are_written() {
        let resources: Resources = [
            (
                url("https://example.org/a%28b.png"),
                Resource::Data("data:image/png;base64,AA==".into()),
            ),
            (
                url("https://example.org/a.css"),
                Resource::StyleSheet("p{}".into()),
            ),
        ]
        .into_iter()
        .collect();
        let data = |text| resources.data(&url(text));
        assert_eq!(
            data("https://example.org/a(b.png#x"),
            Some("data:image/png;base64,AA==")
        );
        assert_eq!(data("https://example.org/a.css"), None);
        assert_eq!(
            resources.style_sheet(&url("https://example.org/a.css")),
            Some("p{}")
        );
        assert_eq!(resources.style_sheet(&url("https://example.org/a(b.png")), None);
    }

    #[test]
    fn documents_are_none() {
        let page = Resource::Data("data:text/html;base64,AA==".into());
        let resources: Resources = [(url("https://example.org/"), page)].into_iter().collect();
        assert!(resources.is_empty());
    }
}
