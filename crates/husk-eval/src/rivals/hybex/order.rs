//! The order in which candidate links are loaded: near folders first, and within a folder far from each other.
//!
//! The links of a key page in, the same in another order out.

use husk::dom::{Dom, NodeId};
use husk::{Link, Page, Url};

/// The links that may lead to pages, in the order in which they are to be loaded.
///
/// By folders first: those beside the key page, those in the folders below its own, level by level; then the same from
/// the folder above, and so on. Within such a group each link is the one farthest in the DOM from those of the
/// group that were taken before it, so that the first few come from different blocks of the page.
pub(super) fn ordered(key_page: &Page, links: Vec<Link>) -> Vec<Link> {
    let key_folders = folders(&key_page.url);
    let mut links: Vec<(Hops, Link)> = links
        .into_iter()
        .filter(|link| may_be_page(&link.url))
        .map(|link| (Hops::between(&key_folders, &folders(&link.url)), link))
        .collect();
    // Stable: within a group links stay in document order.
    links.sort_by_key(|&(hops, _)| hops);
    links
        .chunk_by(|(one, _), (other, _)| one == other)
        .flat_map(|group| farthest_first(&key_page.dom, group.iter().map(|(_, link)| link).collect()))
        .cloned()
        .collect()
}

/// How far a link's folder is from the key page's: so many steps up, then so many down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hops {
    up: usize,
    down: usize,
}

impl Hops {
    fn between(from: &[&str], to: &[&str]) -> Self {
        let shared = from
            .iter()
            .zip(to)
            .take_while(|(one, other)| one == other)
            .count();
        Self {
            up: from.len() - shared,
            down: to.len() - shared,
        }
    }
}

/// The folders that a page lies in, the outermost first.
fn folders(url: &Url) -> Vec<&str> {
    let mut steps: Vec<&str> = url.path().split('/').skip(1).collect();
    steps.pop();
    steps
}

/// The extensions that pages have.
const PAGES: [&str; 5] = ["html", "htm", "php", "php3", "asp"];

/// What is in the path of addresses that lead to no page.
const NO_PAGES: [&str; 4] = ["/file", "feeds", ".pdf", "/rss"];

fn may_be_page(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or(&path);
    let is_page = last
        .rsplit_once('.')
        .is_none_or(|(_, extension)| PAGES.contains(&extension));
    // A saved site may lie in any folder of the disk.
    let is_marked = url.scheme() != "file" && NO_PAGES.iter().any(|mark| path.contains(mark));
    is_page && !is_marked
}

/// The links of a group, each the farthest from those before it; the first is the first of the page, as it is of
/// equally far ones.
fn farthest_first<'a>(dom: &Dom, links: Vec<&'a Link>) -> Vec<&'a Link> {
    let mut left: Vec<(usize, &Link)> = links.into_iter().map(|link| (usize::MAX, link)).collect();
    let mut taken = Vec::with_capacity(left.len());
    while let Some(farthest) = first_max(left.iter().map(|&(distance, _)| distance)) {
        let (_, link) = left.remove(farthest);
        for (distance, other) in &mut left {
            *distance = dom_distance(dom, link.node, other.node).min(*distance);
        }
        taken.push(link);
    }
    taken
}

fn first_max(values: impl Iterator<Item = usize>) -> Option<usize> {
    let best = values
        .enumerate()
        .max_by_key(|&(place, value)| (value, std::cmp::Reverse(place)));
    best.map(|(place, _)| place)
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
        let found = ordered(&page, links(&page, SameSite::Host));
        let paths: Vec<_> = found.iter().map(|link| link.url.path()).collect();
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
            "<nav><a href=a></a><a href=b></a><a href=c></a></nav><footer><p><a href=d></a></p></footer>",
            &["/a", "/d", "/b", "/c"],
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
