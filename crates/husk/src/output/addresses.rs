//! The attributes that hold addresses, and how these are made absolute.

use std::borrow::Cow;

use husk_dom::{Dom, NodeId};
use url::Url;

use crate::links::MAX_ADDRESS;

/// Makes addresses absolute against the base of a page.
#[derive(Debug, Clone)]
pub(super) struct Resolver {
    base: Url,
    relocation: Option<Relocation>,
}

/// Another place for the addresses of a site: those that begin with one address begin with the other instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    /// The address that the pages were given.
    pub from: Url,
    /// Where the site really is.
    pub to: Url,
}

impl Relocation {
    pub(super) fn apply(&self, url: Url) -> Url {
        let below = url.as_str().strip_prefix(self.from.as_str());
        below
            .and_then(|below| Url::parse(&format!("{}{below}", self.to)).ok())
            .unwrap_or(url)
    }
}

impl Resolver {
    pub(super) fn new(base: Url, relocation: Option<Relocation>) -> Self {
        Self { base, relocation }
    }

    /// The address in full. What leads to a place on the same page or is no address stays as it is.
    pub(super) fn absolute<'a>(&self, address: &'a str) -> Cow<'a, str> {
        let trimmed = address.trim();
        let is_kept = trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("data:");
        if is_kept || trimmed.len() > MAX_ADDRESS {
            return Cow::Borrowed(address);
        }
        match self.base.join(trimmed) {
            Ok(url) => Cow::Owned(self.relocated(url).into()),
            Err(_) => Cow::Borrowed(address),
        }
    }

    fn relocated(&self, url: Url) -> Url {
        match &self.relocation {
            Some(relocation) => relocation.apply(url),
            None => url,
        }
    }

    /// A list of image candidates, as in `srcset`, with each address in full.
    fn absolute_srcset(&self, srcset: &str) -> String {
        let mut candidates = Vec::new();
        let mut rest =
            srcset.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == ',');
        while !rest.is_empty() {
            let end = rest
                .find(|letter: char| letter.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let (address, behind) = rest.split_at(end);
            // A comma at the end of the address ends the candidate; else a descriptor may follow up to a comma.
            let plain = address.trim_end_matches(',');
            let (descriptor, next) = if plain.len() < address.len() {
                ("", behind)
            } else {
                behind.split_once(',').unwrap_or((behind, ""))
            };
            candidates.push(
                format!("{} {}", self.absolute(plain), descriptor.trim())
                    .trim_end()
                    .to_owned(),
            );
            rest = next.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == ',');
        }
        candidates.join(", ")
    }

    /// `5; url=next.html`, as in `<meta http-equiv=refresh>`, with the address in full.
    fn absolute_refresh(&self, content: &str) -> String {
        let lower = content.to_ascii_lowercase();
        match lower.find("url=") {
            Some(at) => {
                let address = content[at + 4..].trim().trim_matches(['"', '\'']);
                format!("{}{}", &content[..at + 4], self.absolute(address))
            }
            None => content.to_owned(),
        }
    }

    /// The value of an attribute with the addresses in it in full.
    pub(super) fn attribute<'a>(&self, dom: &Dom, node: NodeId, name: &str, value: &'a str) -> Cow<'a, str> {
        let element = &**dom.name(node);
        match (name, element) {
            ("srcset", _) | ("imagesrcset", "link") => Cow::Owned(self.absolute_srcset(value)),
            ("style", _) => super::css::absolute(value, self),
            ("content", "meta") if is_refresh(dom, node) => Cow::Owned(self.absolute_refresh(value)),
            ("archive" | "ping", "object" | "applet" | "a" | "area") => {
                let each = value
                    .split_ascii_whitespace()
                    .map(|address| self.absolute(address));
                Cow::Owned(each.collect::<Vec<_>>().join(" "))
            }
            _ if holds_address(name, element) => self.absolute(value),
            _ => Cow::Borrowed(value),
        }
    }
}

/// Whether an attribute of an element holds one address.
pub(super) fn holds_address(name: &str, element: &str) -> bool {
    match name {
        "href" | "src" | "xlink:href" | "action" | "formaction" | "background" | "poster" | "longdesc" => {
            true
        }
        "cite" => matches!(element, "blockquote" | "q" | "ins" | "del"),
        "data" | "codebase" | "classid" => element == "object",
        "manifest" => element == "html",
        "profile" => element == "head",
        "icon" => matches!(element, "menuitem" | "command"),
        _ => false,
    }
}

/// Whether an element sends the reader to another page after a while.
pub(super) fn is_refresh(dom: &Dom, node: NodeId) -> bool {
    &**dom.name(node) == "meta"
        && dom.attributes(node).any(|attribute| {
            &**attribute.name == "http-equiv" && attribute.value.trim().eq_ignore_ascii_case("refresh")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver() -> Resolver {
        Resolver::new(Url::parse("https://example.org/a/b.html").unwrap(), None)
    }

    #[test]
    fn srcset() {
        let check = |srcset, expect| assert_eq!(resolver().absolute_srcset(srcset), expect);
        check("x.png", "https://example.org/a/x.png");
        check(
            "x.png 1x, /y.png 2x",
            "https://example.org/a/x.png 1x, https://example.org/y.png 2x",
        );
        check(
            "x.png, y.png 100w",
            "https://example.org/a/x.png, https://example.org/a/y.png 100w",
        );
        check(
            "data:image/png;base64,AA== 1x,y.png",
            "data:image/png;base64,AA== 1x, https://example.org/a/y.png",
        );
        check(" , ", "");
    }

    #[test]
    fn relocation() {
        let url = |text| Url::parse(text).unwrap();
        let relocation = Relocation {
            from: url("http://localhost/"),
            to: url("file:///tmp/site/"),
        };
        let resolver = Resolver::new(url("http://localhost/a/b.html"), Some(relocation));
        assert_eq!(resolver.absolute("/style.css"), "file:///tmp/site/style.css");
        assert_eq!(resolver.absolute("c.html?x#y"), "file:///tmp/site/a/c.html?x#y");
        assert_eq!(resolver.absolute("http://example.org/"), "http://example.org/");
    }

    #[test]
    fn refresh() {
        assert_eq!(
            resolver().absolute_refresh("5; URL='next.html'"),
            "5; URL=https://example.org/a/next.html"
        );
        assert_eq!(resolver().absolute_refresh("5"), "5");
    }
}
