//! The settings that the paper's authors came to later, in their browser add-on HybEx.
//!
//! Three pages instead of four, links ordered by folder and by distance in the DOM, votes instead of an intersection.
//! The add-on also looks for the main content first and hides it from the rest; that step is a method of its own and
//! is left out here. Mapping and equality are those of the engine, whose defaults are the add-on's.
//! The add-on begins below the body; the head is mapped here as well, so that what is printed keeps its style sheets.

mod order;

use std::collections::HashMap;

use husk::dom::{Dom, NodeId, NodeKind, name};
use husk::{
    Address, CliqueSearch, Extraction, Link, Mapping, NodeSet, Page, SameSite, Template, Tree, Weighted,
    links, top_down,
};
use husk_sources::Source;

use self::order::Order;
use super::Baseline;
use super::loader::{BaselineResult, PageLoader};
use super::support::Supports;

/// The paper's technique with its authors' later settings.
pub(crate) struct Hybex;

/// The similarity from which on two nodes are equal, in the authors' code.
const THRESHOLD: f64 = 0.9;

/// Wanted size of the clique; a smaller one is used if there is none.
const PAGES_TO_COMPARE: usize = 3;

/// Minimum number of pages in which a node must be mapped.
const VOTES: usize = 2;

impl Baseline for Hybex {
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction {
        let mut loader = PageLoader::new(&key_page, same_site);
        let clique = mutually_linked(&key_page, source, &mut loader);
        let result = BaselineResult {
            template: by_vote(&key_page.dom, &clique),
            compared: clique.iter().map(|page| page.url.clone()).collect(),
            clique: Some(clique.len()),
        };
        loader.finish("hybex", key_page, result)
    }
}

/// The pages to compare with: loads one candidate after the other until there is a clique.
fn mutually_linked(key_page: &Page, source: &mut dyn Source, loader: &mut PageLoader) -> Vec<Page> {
    let candidates = links(key_page, loader.same_site());
    let places: HashMap<&Address, usize> = candidates
        .iter()
        .enumerate()
        .map(|(place, link)| (&link.address, place))
        .collect();
    let mut search = CliqueSearch::new(candidates.len(), PAGES_TO_COMPARE);
    let mut pages: HashMap<usize, Page> = HashMap::new();
    for asked in Order::of(key_page, &candidates) {
        let Link { url, address, .. } = &candidates[asked];
        // A redirect may have led to it before.
        if loader.knows(address) {
            continue;
        }
        let Some(page) = loader.load(source, url) else {
            continue;
        };
        let candidate = *places.get(&Address::of(&page.url)).unwrap_or(&asked);
        let links = links(&page, loader.same_site());
        let existing_links = links.iter().filter_map(|link| places.get(&link.address).copied());
        search.add(candidate, existing_links.filter(|&other| other != candidate));
        pages.insert(candidate, page);
        if search.is_complete() {
            break;
        }
    }
    let clique = search.best();
    clique.filter_map(|candidate| pages.remove(&candidate)).collect()
}

/// The nodes that enough of the pages vote for.
fn by_vote(key: &Dom, pages: &[Page]) -> Template {
    let considered = considered(key);
    let shown = considered.iter().filter(|&node| is_shown(key, node)).count();
    let mut supports = Supports::none(key);
    let mut votes = VOTES;
    for page in pages {
        let mapping = map(key, &considered, &page.dom);
        let mapped = mapping.pairs.iter().filter(|&&(node, _)| is_shown(key, node));
        // A page on which everything is mapped is a copy of the key page and votes for all.
        votes += usize::from(mapped.count() == shown);
        for &(node, mate) in &mapping.pairs {
            supports.count((key, node), (&page.dom, mate));
        }
    }
    let votes = votes.min(pages.len()) as u32;
    let mut nodes = NodeSet::none(key);
    for node in key.nodes().filter(|&node| supports.of(node) >= votes) {
        nodes.insert(node);
    }
    Template::new(key, nodes, supports.into_vec(), pages.len())
}

fn map(key: &Dom, considered: &NodeSet, other: &Dom) -> Mapping {
    let other_considered = self::considered(other);
    top_down(
        Tree::kept(key, considered),
        Tree::kept(other, &other_considered),
        &Weighted {
            threshold: THRESHOLD,
            ..Weighted::default()
        },
    )
}

/// All nodes but those that the add-on removes from a page first.
///
/// Removed nodes still count as children. This makes no difference on the corpus.
fn considered(dom: &Dom) -> NodeSet {
    let mut nodes = NodeSet::none(dom);
    for node in dom.nodes() {
        let is_above_kept = dom.parent(node).is_none_or(|parent| nodes.contains(parent));
        if is_above_kept && !is_taken_out(dom, node) {
            nodes.insert(node);
        }
    }
    nodes
}

fn is_taken_out(dom: &Dom, node: NodeId) -> bool {
    [name!("script"), name!("style"), name!("iframe")]
        .iter()
        .any(|name| dom.is_element(node, name))
}

/// Whether a node is visible.
fn is_shown(dom: &Dom, node: NodeId) -> bool {
    let is_in_body = dom
        .part(&name!("body"))
        .is_some_and(|body| dom.is_within(node, body));
    is_in_body && dom.kind(node) != NodeKind::Comment && !dom.is_blank_text(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::{TestSource, outline, texts};

    const MENU: &str =
        "<ul><li><a href=/>Home</a><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>";

    fn site(contents: [&str; 4]) -> TestSource {
        let paths = ["/", "/a", "/b", "/c"];
        let page = |own: &str| format!("{MENU}{own}<footer>the end</footer><script>x</script>");
        TestSource::new(paths.into_iter().zip(contents.map(page)))
    }

    #[test]
    fn keeps_what_two_of_three_pages_have() {
        let mut site = site([
            "<p>home</p><i>x</i>",
            "<b>a</b><i>y</i>",
            "<h1>b</h1>",
            "<div>c</div><i>z</i>",
        ]);
        let extraction = site.extract(&Hybex, "/");
        assert_eq!(extraction.compared.len(), 3);
        assert_eq!(extraction.clique, Some(3));
        let outline = outline(&extraction);
        assert!(outline.contains("-   p\n-     \"home\"\nT   i\n"), "{outline}");
        assert!(outline.contains("-   script"), "{outline}");
    }

    #[test]
    fn does_not_compare_texts() {
        // The known weakness: shared structure counts as template, whatever its text.
        let extraction = site(["<p>home</p>", "<p>a</p>", "<p>b</p>", "<p>c</p>"]).extract(&Hybex, "/");
        assert!(texts(&extraction).contains(&"home"));
    }

    #[test]
    fn a_copy_of_the_key_page_asks_for_more_votes() {
        let own = "<p>home</p><i>x</i>";
        let extraction = site([own, own, "<i>y</i><p>b</p>", "<h1>c</h1>"]).extract(&Hybex, "/");
        assert!(!texts(&extraction).contains(&"home"));
    }
}
