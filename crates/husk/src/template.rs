//! The template: the nodes of the key page that the compared pages share, and the cuts between them.
//!
//! A key page with the pages to compare or their votes in, a [`Template`] out.

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use url::Url;

use crate::links::{Address, MAX_ADDRESS, base_url};
use crate::mapping::{Equality, NodeSet, Tree, top_down};
use crate::page::Page;
use crate::vote::{NodeSupport, WeighedVotes};

/// The template of a page: the nodes that the compared pages share.
///
/// A node is never in it without its parent, so it is a tree (Definition 3 of the paper).
#[derive(Debug, Clone)]
pub struct Template {
    nodes: NodeSet,
    support: Vec<Support>,
    compared: usize,
    /// How similarly the most similar compared page is built, if that is known.
    likeness: Option<f64>,
}

/// Pages with less likeness have another layout.
const SAME_LAYOUT: f64 = 0.5;

/// How many of the compared pages have a node of the key page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Support {
    /// Pages that have it.
    pub structural: u32,
    /// Pages that have it with the same text, link or source.
    pub verbatim: u32,
}

/// A run of sibling nodes that were cut out of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Their parent, which is in the template.
    pub parent: NodeId,
    /// Roots of the removed subtrees: adjacent, in document order.
    pub nodes: Vec<NodeId>,
}

impl Cut {
    /// Whether nothing visible was cut out: only blank texts and comments.
    pub fn is_blank(&self, dom: &Dom) -> bool {
        self.nodes
            .iter()
            .all(|&node| dom.kind(node) == NodeKind::Comment || dom.is_blank_text(node))
    }
}

impl Template {
    /// Algorithm 2 of the paper: what is left of the key page after mapping it to one page after the other.
    ///
    /// Pages whose root is not equal to the key page's are skipped; the result says which were compared.
    pub fn by_intersection<'a>(
        key_page: &Page,
        pages: impl IntoIterator<Item = &'a Page>,
        equality: &(impl Equality + ?Sized),
    ) -> (Self, Vec<bool>) {
        let key = &key_page.dom;
        let key_words = Words::of(key_page);
        let mut template = Self::of_nothing(key);
        let mut was_compared = Vec::new();
        for page in pages {
            let mapping = top_down(Tree::kept(key, &template.nodes), Tree::whole(&page.dom), equality);
            was_compared.push(!mapping.pairs.is_empty());
            if mapping.pairs.is_empty() {
                continue;
            }
            let words = Words::of(page);
            template.nodes = NodeSet::none(key);
            template.nodes.insert(key.document());
            for &(node, mate) in &mapping.pairs {
                template.nodes.insert(node);
                template.support[node.index()].structural += 1;
                template.support[node.index()].verbatim += u32::from(key_words.are(node, &words, mate));
            }
            template.compared += 1;
        }
        (template, was_compared)
    }

    /// The default method: what the votes of the compared pages leave of the key page.
    pub(crate) fn by_vote(key: &Dom, nodes: NodeSet, votes: &WeighedVotes) -> Self {
        let support = key.nodes().map(|node| {
            let tally = votes.tally(node);
            Support {
                structural: tally.found,
                verbatim: tally.verbatim,
            }
        });
        Self {
            nodes,
            support: support.collect(),
            compared: votes.pages(),
            likeness: votes.most_likeness(),
        }
    }

    /// The template of a page by the model of its layout, which this many pages voted on.
    pub(crate) fn by_model(nodes: NodeSet, found: Vec<NodeSupport>, pages: usize) -> Self {
        let support = found.into_iter().map(|found| Support {
            structural: found.pages,
            verbatim: found.verbatim,
        });
        Self {
            nodes,
            support: support.collect(),
            compared: pages,
            likeness: None,
        }
    }

    /// A template found by another method: its nodes, the support of every node of the key page, and the number of
    /// compared pages. Ancestors of its nodes are added.
    pub fn new(key: &Dom, nodes: NodeSet, support: Vec<Support>, compared: usize) -> Self {
        assert_eq!(
            support.len(),
            key.len(),
            "a support for every node of the key page"
        );
        let mut nodes = nodes;
        for node in key.nodes().rev().filter(|&node| node != key.document()) {
            if nodes.contains(node) {
                nodes.insert(key.parent(node).unwrap_or(key.document()));
            }
        }
        nodes.insert(key.document());
        Self {
            nodes,
            support,
            compared,
            likeness: None,
        }
    }

    /// The template of a page that was compared with nothing: the whole page.
    pub(crate) fn of_nothing(key: &Dom) -> Self {
        Self {
            nodes: NodeSet::all(key),
            support: vec![Support::default(); key.len()],
            compared: 0,
            likeness: None,
        }
    }

    /// Whether a node of the key page is in the template.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(node)
    }

    /// Whether none of the compared pages is built like the key page, as far as the method knows: then the template is
    /// what it shares with pages of other layouts.
    pub fn has_own_layout(&self) -> bool {
        self.likeness.is_some_and(|likeness| likeness < SAME_LAYOUT)
    }

    /// The nodes of the template, in document order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter()
    }

    /// How many of the compared pages have a node of the key page.
    pub fn support(&self, node: NodeId) -> Support {
        self.support[node.index()]
    }

    /// How many pages the key page was compared with.
    pub fn compared(&self) -> usize {
        self.compared
    }

    /// All cuts, in document order. Together with the template they are the whole page.
    pub fn cuts(&self, dom: &Dom) -> Vec<Cut> {
        cuts(dom, |node| self.contains(node))
    }
}

/// The runs of sibling nodes that are not kept, in document order.
///
/// Ancestors of kept nodes must be kept. The doctype and comments outside `<html>` are never part of a cut.
pub(crate) fn cuts(dom: &Dom, keeps: impl Fn(NodeId) -> bool) -> Vec<Cut> {
    let root = dom.root();
    let mut cuts: Vec<Cut> = Vec::new();
    let mut index = 0;
    while index < dom.len() {
        let node = NodeId::from_index(index);
        if keeps(node) || is_outside(dom, root, node) {
            index += 1;
            continue;
        }
        let parent = dom.parent(node).unwrap_or(dom.document());
        match cuts.last_mut() {
            Some(cut) if cut.parent == parent && ends_before(dom, cut, node) => cut.nodes.push(node),
            _ => cuts.push(Cut {
                parent,
                nodes: vec![node],
            }),
        }
        index += dom.size(node);
    }
    cuts
}

fn is_outside(dom: &Dom, root: NodeId, node: NodeId) -> bool {
    node != root && dom.parent(node).is_none_or(|parent| parent == dom.document())
}

fn ends_before(dom: &Dom, cut: &Cut, node: NodeId) -> bool {
    cut.nodes
        .last()
        .is_some_and(|&last| dom.range(last).end == node.index())
}

/// What the nodes of a page say: the words of a text, the target of a link, the source of a medium.
struct Words<'a> {
    dom: &'a Dom,
    base: Url,
}

impl<'a> Words<'a> {
    fn of(page: &'a Page) -> Self {
        Self {
            dom: &page.dom,
            base: base_url(page),
        }
    }

    /// Whether a node has the same text or target as a node of another page.
    fn are(&self, node: NodeId, other: &Words<'_>, mate: NodeId) -> bool {
        match self.dom.kind(node) {
            NodeKind::Text => {
                let (words, others) = (self.dom.text_of(node), other.dom.text_of(mate));
                words == others || words.split_ascii_whitespace().eq(others.split_ascii_whitespace())
            }
            NodeKind::Element => [name!("href"), name!("src"), name!("action"), name!("data")]
                .iter()
                .all(|attribute| self.leads(node, attribute) == other.leads(mate, attribute)),
            _ => true,
        }
    }

    /// The URL of an attribute, resolved; as written if it is not a URL.
    fn leads(&self, node: NodeId, attribute: &Name) -> Option<String> {
        let value = self.dom.attribute(node, attribute)?;
        let url = (value.len() <= MAX_ADDRESS)
            .then(|| self.base.join(value.trim()).ok())
            .flatten();
        Some(url.map_or_else(|| value.to_owned(), |url| with_fragment(&url)))
    }
}

/// The identity of a page, with the fragment.
fn with_fragment(url: &Url) -> String {
    format!(
        "{}#{}",
        Address::of(url).as_str(),
        url.fragment().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::{Label, Weighted};
    use proptest::prelude::*;

    fn page(path: &str, html: &str) -> Page {
        Page::parse(
            Url::parse("https://example.org/").unwrap().join(path).unwrap(),
            html,
        )
    }

    fn template(key: &str, others: &[&str]) -> (Dom, Template) {
        let key = page("key", key);
        let others: Vec<_> = others.iter().map(|html| page("other", html)).collect();
        let (template, _) = Template::by_intersection(&key, &others, &Label);
        (key.dom, template)
    }

    fn check(key: &str, others: &[&str], expect: &str) {
        let (dom, template) = template(key, others);
        let body = dom.part(&name!("body")).unwrap();
        let mark = |node| Some(if template.contains(node) { 'T' } else { '-' });
        assert_eq!(husk_dom::outline_marked(&dom, body, mark), expect);
    }

    #[test]
    fn is_what_all_pages_share() {
        check(
            "<nav>a</nav><p>b</p><i>c</i>",
            &["<nav>a</nav><p>x</p><i></i>", "<nav>a</nav><b>y</b><i>z</i>"],
            "T body\nT   nav\nT     \"a\"\n-   p\n-     \"b\"\nT   i\n-     \"c\"\n",
        );
    }

    #[test]
    fn support_counts_pages_and_tells_the_same_from_the_alike() {
        let (dom, template) = template(
            "<a href=x>same</a><p>b",
            &["<a href=x>same</a><p>c", "<a href=y>same</a>"],
        );
        let of = |name| {
            let element = dom.nodes().find(|&node| dom.is_element(node, &name)).unwrap();
            let text = NodeId::from_index(element.index() + 1);
            (template.support(element), template.support(text))
        };
        let support = |structural, verbatim| Support { structural, verbatim };
        assert_eq!(of(name!("a")), (support(2, 1), support(2, 2)));
        assert_eq!(of(name!("p")), (support(1, 1), support(1, 0)));
        assert_eq!(template.compared(), 2);
    }

    #[test]
    fn links_are_the_same_when_they_lead_to_the_same_page() {
        let key = page("a/key", "<a href=../index.html>x</a><a href=page2.html>y</a>");
        let other = page("other", "<a href=/>x</a><a href=page2.html>y</a>");
        let (template, _) = Template::by_intersection(&key, [&other], &Label);
        let verbatim = key
            .dom
            .nodes()
            .filter(|&node| key.dom.is_element(node, &name!("a")));
        let verbatim: Vec<_> = verbatim.map(|node| template.support(node).verbatim).collect();
        assert_eq!(verbatim, [1, 0]);
    }

    #[test]
    fn neighbours_are_cut_out_together() {
        let (dom, template) = template(
            "<p>1<i>2</i><b>3</b><u>4</u><i>5</i></p><h1>6</h1>",
            &["<p>1<b>x</b></p>"],
        );
        let cuts = template.cuts(&dom);
        let texts: Vec<Vec<_>> = cuts
            .iter()
            .map(|cut| cut.nodes.iter().map(|&node| dom.text_of(node)).collect())
            .collect();
        assert_eq!(texts, [vec!["2"], vec!["4", "5"], vec!["6"]]);
        assert_eq!(dom.name(cuts[0].parent), &name!("p"));
    }

    prop_compose! {
        fn small_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<p class=a>", "<ul><li>", "<li>", "</ul>", "text", "<b>", "</b>",
                "<!-- c -->", " ", "<template><i>", "</template>", "<script>x</script>", "<table><td>", "</table>",
            ]),
            0..40,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn is_a_tree_and_with_the_cuts_the_whole_page(
            key in small_page(),
            others in prop::collection::vec(small_page(), 1..4),
        ) {
            let key = page("key", &key);
            let others: Vec<_> = others.iter().map(|html| page("other", html)).collect();
            let (template, _) = Template::by_intersection(&key, &others, &Weighted::default());
            let key = &key.dom;
            for node in template.nodes().filter(|&node| node != key.document()) {
                prop_assert!(template.contains(key.parent(node).unwrap()));
            }
            let mut times = vec![0; key.len()];
            for node in template.nodes() {
                times[node.index()] += 1;
            }
            for cut in template.cuts(key) {
                prop_assert!(template.contains(cut.parent));
                for node in cut.nodes.iter().flat_map(|&root| key.subtree(root)) {
                    times[node.index()] += 1;
                }
            }
            for node in key.nodes().filter(|&node| !is_outside(key, key.root(), node)) {
                prop_assert_eq!(times[node.index()], 1, "{}", key.xpath(node));
            }
        }
    }
}
