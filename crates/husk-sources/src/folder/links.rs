//! The links of a page as they are written.

use husk::Url;
use husk::dom::{Dom, name};

/// Where the links of a page lead, as they are written.
pub(crate) fn hrefs(dom: &Dom) -> impl Iterator<Item = &str> {
    let links = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("a")) || dom.is_element(node, &name!("area")));
    links
        .filter_map(|node| dom.attribute(node, &name!("href")))
        .map(str::trim)
}

/// Whether a link says on which host its target is, or that it is on none.
pub(super) fn names_a_host(href: &str) -> bool {
    href.starts_with("//") || Url::parse(href).is_ok()
}
