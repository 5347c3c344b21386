//! The order in which candidate links are loaded: near folders first, and within a folder far from each other.
//!
//! The links of a key page in, one of them after the other out.

use std::collections::BTreeMap;

use husk::dom::{Dom, NodeId};
use husk::{Link, Page, Url};

/// The links to load, in order, as indices into the list of links.
///
/// By folders first: those beside the key page, those in the folders below its own, level by level; then all others
/// below the folder above, and so on. Within such a group each link is the one farthest in the DOM from those of the
/// group that were taken before it, so that the first few come from different blocks of the page.
pub(super) struct Order<'a> {
    dom: &'a Dom,
    links: &'a [Link],
    groups: BTreeMap<Hops, Vec<Waiting>>,
}

/// A link that was not chosen yet.
struct Waiting {
    link: usize,
    /// Its distance to the nearest chosen link of its group.
    distance: usize,
}

impl<'a> Order<'a> {
    pub(super) fn of(key_page: &'a Page, links: &'a [Link]) -> Self {
        let key_folders = folders(&key_page.url);
        let mut groups: BTreeMap<Hops, Vec<Waiting>> = BTreeMap::new();
        for (link, Link { url, .. }) in links.iter().enumerate() {
            if may_be_page(url) {
                let hops = Hops::between(&key_folders, &folders(url));
                groups.entry(hops).or_default().push(Waiting {
                    link,
                    distance: usize::MAX,
                });
            }
        }
        Self {
            dom: &key_page.dom,
            links,
            groups,
        }
    }
}

impl Iterator for Order<'_> {
    type Item = usize;

    /// The last of equally distant links, as the authors' code does where it pairs nodes.
    fn next(&mut self) -> Option<usize> {
        let mut group = self.groups.first_entry()?;
        let waiting = group.get_mut();
        let (farthest, _) = waiting
            .iter()
            .enumerate()
            .max_by_key(|(_, waiting)| waiting.distance)?;
        let taken = waiting.remove(farthest).link;
        let node = |link: usize| self.links[link].node;
        for Waiting { link, distance } in waiting.iter_mut() {
            *distance = dom_distance(self.dom, node(taken), node(*link)).min(*distance);
        }
        if waiting.is_empty() {
            group.remove();
        }
        Some(taken)
    }
}

/// The distance of a link's folder from the key page's: steps up, or else steps down.
///
/// With a step up, the steps down do not count. Counting them scores lower: docs/baselines.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hops {
    up: usize,
    down: usize,
}

impl Hops {
    fn between(from: &[&str], to: &[&str]) -> Self {
        let pairs = from.iter().zip(to);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        let up = from.len() - shared;
        let down = if up == 0 { to.len() - shared } else { 0 };
        Self { up, down }
    }
}

/// The folders of a page, the outermost first.
fn folders(url: &Url) -> Vec<&str> {
    let mut steps: Vec<&str> = url.path().split('/').skip(1).collect();
    steps.pop();
    steps
}

/// The extensions that pages have.
const PAGES: [&str; 5] = ["html", "htm", "php", "php3", "asp"];

/// Path segments of URLs that are not pages.
const NO_PAGES: [&str; 4] = ["/file", "feeds", ".pdf", "/rss"];

fn may_be_page(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or(&path);
    let is_page = last
        .rsplit_once('.')
        .is_none_or(|(_, extension)| PAGES.contains(&extension));
    // A saved site may be in any folder of the disk.
    let is_marked = url.scheme() != "file" && NO_PAGES.iter().any(|mark| path.contains(mark));
    is_page && !is_marked
}

/// The number of edges on the way from one node to another.
fn dom_distance(dom: &Dom, one: NodeId, other: NodeId) -> usize {
    let up = std::iter::once(one)
        .chain(dom.ancestors(one))
        .take_while(|&above| !dom.is_within(other, above))
        .count();
    let shared = std::iter::once(one).chain(dom.ancestors(one)).nth(up);
    let down = std::iter::once(other)
        .chain(dom.ancestors(other))
        .take_while(|&above| Some(above) != shared)
        .count();
    up + down
}

#[cfg(test)]
mod tests {
    use super::*;
    use husk::{SameSite, links};

    fn check(key: &str, html: &str, expect: &[&str]) {
        let site = Url::parse("https://example.org/").unwrap();
        let page = Page::parse(site.join(key).unwrap(), html);
        let links = links(&page, SameSite::Host);
        let paths: Vec<_> = Order::of(&page, &links)
            .map(|link| links[link].url.path())
            .collect();
        assert_eq!(paths, expect);
    }

    #[test]
    fn near_folders_come_first() {
        check(
            "/a/b/key.html",
            "<a href=/top></a><a href=/a/c/x></a><a href=/a/up></a><a href=d/e/deep></a><a href=d/low></a><a href=own></a>",
            &[
                "/a/b/own",
                "/a/b/d/low",
                "/a/b/d/e/deep",
                "/a/up",
                "/a/c/x",
                "/top",
            ],
        );
    }

    #[test]
    fn links_of_other_blocks_come_before_neighbours() {
        check(
            "/",
            "<nav><a href=a></a><a href=b></a></nav><footer><p><a href=c></a><a href=d></a></p></footer>",
            &["/d", "/b", "/c", "/a"],
        );
    }

    #[test]
    fn what_is_no_page_is_left_out() {
        check(
            "/",
            "<a href=a.aspx></a><a href=b.php></a><a href=feeds/c></a><a href=file/d></a><a href=E.HTML></a>",
            &["/E.HTML", "/b.php"],
        );
    }

    #[test]
    fn distance_counts_edges() {
        let dom = Dom::parse("<div><p><b></b></p><i></i></div>");
        let of = |name: &str| dom.nodes().find(|&node| &**dom.name(node) == name).unwrap();
        assert_eq!(dom_distance(&dom, of("b"), of("i")), 3);
        assert_eq!(dom_distance(&dom, of("p"), of("b")), 1);
        assert_eq!(dom_distance(&dom, of("b"), of("p")), 1);
        assert_eq!(dom_distance(&dom, of("b"), of("b")), 0);
    }
}
