//! The links of a page as written.

use husk::Url;
use husk::dom::{Dom, name};

pub(crate) fn hrefs(dom: &Dom) -> impl Iterator<Item = &str> {
    let links = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("a")) || dom.is_element(node, &name!("area")));
    links
        .filter_map(|node| dom.attribute(node, &name!("href")))
        .map(str::trim)
}

/// Whether a link contains a host, or a scheme without one.
pub(super) fn names_a_host(href: &str) -> bool {
    href.starts_with("//") || (href.contains(':') && Url::parse(href).is_ok())
}
