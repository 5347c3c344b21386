//! Counts forms, media and certain links in any part of a page.
//!
//! A page in; counts for any subtree out, each the difference of two sums, as in [`measure`](crate::measure).

use husk_dom::{Dom, NodeId, NodeKind, name};
use url::Url;

use super::numbers::LONGEST_LINK;
use crate::lexicon::{self, Pattern};
use crate::links::base_url;
use crate::measure::is_never_shown;
use crate::page::Page;

/// Counts for a part of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Features {
    /// Visible leaves: texts, images, form fields, frames.
    pub(super) leaves: u32,
    /// Search fields.
    pub(super) searches: u32,
    /// Fields for a line of text, search fields included.
    pub(super) lines: u32,
    /// Password fields.
    pub(super) passwords: u32,
    /// Text areas.
    pub(super) texts: u32,
    /// Buttons and selects.
    pub(super) controls: u32,
    /// Links to social networks.
    pub(super) social_links: u32,
    /// Links marked as leading to the next or previous page.
    pub(super) neighbour_links: u32,
    /// Frames and linked images in a size that advertisements have.
    pub(super) banners: u32,
}

impl Features {
    fn plus(self, other: Self) -> Self {
        self.both(other, |one, other| one + other)
    }

    fn minus(self, other: Self) -> Self {
        self.both(other, |one, other| one - other)
    }

    fn both(self, other: Self, of: impl Fn(u32, u32) -> u32) -> Self {
        Self {
            leaves: of(self.leaves, other.leaves),
            searches: of(self.searches, other.searches),
            lines: of(self.lines, other.lines),
            passwords: of(self.passwords, other.passwords),
            texts: of(self.texts, other.texts),
            controls: of(self.controls, other.controls),
            social_links: of(self.social_links, other.social_links),
            neighbour_links: of(self.neighbour_links, other.neighbour_links),
            banners: of(self.banners, other.banners),
        }
    }
}

/// The sums over all nodes before each node, and over all at the end.
pub(super) struct FeatureSums(Vec<Features>);

impl FeatureSums {
    pub(super) fn of(page: &Page) -> Self {
        let dom = &page.dom;
        let host = base_url(page).host_str().map(str::to_owned);
        let body = dom.range(body(dom));
        let mut sums = Vec::with_capacity(dom.len() + 1);
        let mut sum = Features::default();
        let (mut hidden_until, mut elsewhere_until) = (body.start, 0);
        sums.push(sum);
        for node in dom.nodes() {
            if is_never_shown(dom, node) || dom.kind(node) == NodeKind::Fragment {
                hidden_until = hidden_until.max(dom.range(node).end);
            }
            if node.index() >= hidden_until && node.index() < body.end {
                if leads_elsewhere(dom, node, host.as_deref()) {
                    elsewhere_until = dom.range(node).end;
                }
                sum = sum.plus(features(dom, node, node.index() < elsewhere_until));
            }
            sums.push(sum);
        }
        Self(sums)
    }

    /// The counts of a subtree.
    pub(super) fn of_subtree(&self, dom: &Dom, node: NodeId) -> Features {
        let range = dom.range(node);
        self.0[range.end].minus(self.0[range.start])
    }
}

/// The body; the whole page if it has none.
pub(super) fn body(dom: &Dom) -> NodeId {
    dom.part(&name!("body")).unwrap_or(dom.document())
}

fn features(dom: &Dom, node: NodeId, is_in_link_elsewhere: bool) -> Features {
    let mut found = Features::default();
    match dom.kind(node) {
        NodeKind::Text => found.leaves = u32::from(!dom.is_blank_text(node)),
        NodeKind::Element => add_element(dom, node, is_in_link_elsewhere, &mut found),
        _ => {}
    }
    found
}

fn add_element(dom: &Dom, node: NodeId, is_in_link_elsewhere: bool, found: &mut Features) {
    let is_banner = has_size_of_banner(dom, node);
    match &**dom.name(node) {
        "img" | "video" => {
            found.leaves = 1;
            found.banners = u32::from(is_banner && is_in_link_elsewhere);
        }
        "iframe" | "object" | "embed" => {
            found.leaves = 1;
            found.banners = u32::from(is_banner);
        }
        "svg" | "canvas" | "audio" | "frame" => found.leaves = 1,
        "textarea" => (found.leaves, found.texts) = (1, 1),
        "button" | "select" => (found.leaves, found.controls) = (1, 1),
        "input" => add_field(dom, node, found),
        "a" => {
            found.social_links = u32::from(is_social(dom, node));
            found.neighbour_links = u32::from(is_neighbour(dom, node));
        }
        _ => {}
    }
}

fn add_field(dom: &Dom, node: NodeId, found: &mut Features) {
    let kind = dom.attribute(node, &name!("type")).unwrap_or("text");
    found.leaves = u32::from(!kind.eq_ignore_ascii_case("hidden"));
    match &*kind.to_ascii_lowercase() {
        "search" => (found.searches, found.lines) = (1, 1),
        "password" => found.passwords = 1,
        "submit" | "button" | "image" | "checkbox" | "radio" => found.controls = 1,
        "hidden" | "reset" | "file" | "range" | "color" => {}
        _ => {
            found.lines = 1;
            found.searches = u32::from(is_named_for_search(dom, node));
        }
    }
}

/// Whether a field has one of the usual names of search fields.
fn is_named_for_search(dom: &Dom, node: NodeId) -> bool {
    let name = dom.attribute(node, &name!("name")).unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    let patterns = lexicon::entries("search-field").iter();
    patterns
        .map(|entry| Pattern::of(entry))
        .any(|pattern| pattern.matches(&name))
}

fn leads_elsewhere(dom: &Dom, node: NodeId, host: Option<&str>) -> bool {
    dom.is_element(node, &name!("a")) && target_host(dom, node).is_some_and(|target| Some(&*target) != host)
}

/// The host of an absolute link.
fn target_host(dom: &Dom, node: NodeId) -> Option<String> {
    let href = dom.attribute(node, &name!("href"))?.trim();
    if href.len() > LONGEST_LINK || !href.contains("//") {
        return None;
    }
    let url = match href.strip_prefix("//") {
        Some(rest) => Url::parse(&format!("https://{rest}")),
        None => Url::parse(href),
    };
    url.ok()?.host_str().map(str::to_owned)
}

fn is_social(dom: &Dom, node: NodeId) -> bool {
    target_host(dom, node).is_some_and(|host| {
        lexicon::entries("social-host").iter().any(|social| {
            host.strip_suffix(social)
                .is_some_and(|front| front.is_empty() || front.ends_with('.'))
        })
    })
}

fn is_neighbour(dom: &Dom, node: NodeId) -> bool {
    let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
    rel.split_ascii_whitespace()
        .any(|rel| rel.eq_ignore_ascii_case("next") || rel.eq_ignore_ascii_case("prev"))
}

/// Standard sizes of advertisements.
const BANNERS: &[(u32, u32)] = &[
    (728, 90),
    (468, 60),
    (234, 60),
    (970, 90),
    (970, 250),
    (300, 250),
    (336, 280),
    (250, 250),
    (200, 200),
    (180, 150),
    (120, 600),
    (160, 600),
    (300, 600),
    (120, 240),
    (125, 125),
    (88, 31),
    (320, 50),
    (320, 100),
];

fn has_size_of_banner(dom: &Dom, node: NodeId) -> bool {
    let size = |attribute| {
        let value = dom.attribute(node, attribute)?.trim();
        value.strip_suffix("px").unwrap_or(value).parse::<u32>().ok()
    };
    match (size(&name!("width")), size(&name!("height"))) {
        (Some(width), Some(height)) => BANNERS.contains(&(width, height)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features_of(html: &str) -> Features {
        let page = Page::parse(Url::parse("https://example.org/").unwrap(), html);
        FeatureSums::of(&page).of_subtree(&page.dom, page.dom.document())
    }

    #[test]
    fn fields() {
        let found = features_of(
            "<input type=search><input name=q><input type=PASSWORD><input type=hidden><textarea></textarea>",
        );
        let counts = (
            found.searches,
            found.lines,
            found.passwords,
            found.texts,
            found.leaves,
        );
        assert_eq!(counts, (2, 2, 1, 1, 4));
    }

    #[test]
    fn links() {
        let found = features_of(
            "<a href=https://www.facebook.com/x>f</a><a href=//x.com/>x</a><a href=https://netflix.com/>n</a>\
             <a href=/2 rel='next nofollow'>2</a><template><a href=https://x.com>no</a></template>",
        );
        assert_eq!(
            (found.social_links, found.neighbour_links, found.leaves),
            (2, 1, 4)
        );
    }

    #[test]
    fn banners_lead_elsewhere() {
        let image = "<img width=468 height=60px>";
        for (html, expect) in [
            (format!("<a href=https://shop.example/>{image}</a>"), 1),
            (format!("<a href=https://example.org/>{image}</a>{image}"), 0),
            (
                "<iframe width=300 height=250></iframe><iframe width=640 height=480></iframe>".to_owned(),
                1,
            ),
        ] {
            assert_eq!(features_of(&html).banners, expect, "{html}");
        }
    }
}
