//! Short CSS selectors for parts of a page that work on the compared pages as well.
//!
//! An [`Extraction`] with its content or navigation in, [`Selectors`] out. For each element the possible selectors
//! are tried, the most robust first, and checked on every page: on the key page it must match nothing else, and on
//! the others something with similar words or, for content, leave similar words.

mod numbers;

mod css;

mod candidates;

mod index;

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::IndexSet;

pub use candidates::Basis;
pub use css::Selector;

use crate::content::Content;
use crate::extraction::Extraction;
use crate::measure::Measures;
use crate::navigation::NavigationBlock;
use crate::page::Page;
use candidates::candidates;
use index::{Bag, Index, shared, size};
use numbers::{
    ANCESTORS_TO_TRY, MOST_CONTENT_PARTS, MOST_EXTRA_WORDS, MOST_SELECTORS, MOST_TARGETS, MOSTLY_TEMPLATE,
    NEARLY_ALL_CONTENT, SAME_PART,
};

/// Selectors for a part of a page.
#[derive(Debug, Clone)]
pub struct Selectors {
    /// In document order of what they match.
    pub chosen: Vec<ChosenSelector>,
    /// Number of pages that each was checked on, the key page included.
    pub pages: usize,
    /// The words of the key page that were to be selected.
    pub words_wanted: u32,
    /// Those of them that are selected.
    pub words_covered: u32,
}

/// A selector with what it is based on.
#[derive(Debug, Clone)]
pub struct ChosenSelector {
    /// The selector.
    pub selector: Selector,
    /// What it relies on.
    pub basis: Basis,
    /// Number of pages on which it matches the right part, the key page included.
    pub holds_on: usize,
    /// What it matches on the key page.
    pub nodes: Vec<NodeId>,
    /// The words in it.
    pub words: u32,
}

/// Names elements of one page by selectors, and finds what a selector matches there.
pub(crate) struct SelectorFinder<'a>(Index<'a>);

impl<'a> SelectorFinder<'a> {
    pub(crate) fn on(dom: &'a Dom) -> Self {
        Self(Index::of(dom))
    }

    /// The most robust selector that matches an element, or the element of a text, and nothing else on the page.
    pub(crate) fn name(&self, node: NodeId) -> Option<(Selector, Basis)> {
        let target = element_of(self.0.dom, node);
        let mut all = candidates(self.0.dom, target).into_iter();
        let only = all.find(|candidate| self.0.select(&candidate.selector) == [target])?;
        Some((only.selector, only.basis))
    }

    /// Whether a selector matches an element. Others may match, too: the content of a page has its own.
    pub(crate) fn finds(&self, selector: &Selector, node: NodeId) -> bool {
        self.0.select(selector).contains(&node)
    }
}

/// What one selector matches on one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    MeansNothing,
    IsWrong,
}

impl Selectors {
    /// For the template: what to exclude so that the content is left.
    ///
    /// They match the largest parts of the page that are template and contain no content.
    pub fn of_template(extraction: &Extraction, content: &Content) -> Self {
        let dom = &extraction.key_page.dom;
        let excluded = Excluded::of(extraction, content);
        let targets = excluded.largest_roots(dom);
        let means_no_content = |nodes: &[NodeId]| nodes.iter().all(|&node| excluded.is_in(dom, node));
        let search = Search::on(extraction);
        let mut selectors = search.none();
        let mut covered: IndexSet<NodeId> = IndexSet::new();
        for &target in &targets {
            if selectors.chosen.len() == MOST_SELECTORS {
                break;
            }
            if covered.contains(&target) {
                continue;
            }
            let chosen = search.choose(target, &means_no_content, &|page, nodes, key_nodes| {
                search.says_the_same(page, nodes, key_nodes)
            });
            // A selector that fails on most other pages is not one for the site.
            if let Some(chosen) = chosen.filter(|chosen| 2 * chosen.holds_on > search.others.len()) {
                let nodes = outermost(dom, &chosen.nodes);
                covered.extend(targets.iter().filter(|&&target| {
                    let before = nodes.partition_point(|&node| node <= target);
                    before > 0 && dom.is_within(target, nodes[before - 1])
                }));
                selectors.chosen.push(chosen);
            }
        }
        selectors.words_wanted = excluded.template_words.of_subtree(dom, dom.document()).words;
        selectors.count_covered(dom, &excluded.template_words);
        selectors
    }

    /// For the content: the elements that contain it.
    pub fn of_content(extraction: &Extraction, content: &Content) -> Self {
        let dom = &extraction.key_page.dom;
        let of_content = Measures::of_those(dom, |node| content.nodes.contains(node));
        let search = Search::on(extraction);
        let mut selectors = search.none();
        let roots = holders(extraction, &of_content);
        for &root in &roots {
            let choose = |root| {
                search.choose(root, &|nodes| nodes == [root], &|page, nodes, key_nodes| {
                    search.leaves_the_same(page, nodes, key_nodes, roots.len() > 1)
                })
            };
            let words = |node| f64::from(search.words.of_subtree(dom, node).words);
            let is_as_close = |&node: &NodeId| {
                let is_body = dom.is_element(node, &name!("body"));
                node == root || (!is_body && words(node) <= MOST_EXTRA_WORDS * words(root))
            };
            let around = std::iter::once(root)
                .chain(dom.ancestors(root))
                .take(1 + ANCESTORS_TO_TRY);
            let around = around.take_while(|&node| dom.kind(node) == NodeKind::Element && node != dom.root());
            let around = around.filter(is_as_close);
            // If the closest element has no good selector that works everywhere, one around it may have.
            let best = around.filter_map(choose).enumerate().max_by_key(|(way, chosen)| {
                (
                    chosen.holds_on,
                    chosen.basis != Basis::Place,
                    std::cmp::Reverse(*way),
                )
            });
            selectors.chosen.extend(best.map(|(_, chosen)| chosen));
        }
        selectors
            .chosen
            .dedup_by(|later, earlier| later.selector == earlier.selector);
        selectors.words_wanted = of_content.of_subtree(dom, dom.document()).words;
        selectors.count_covered(dom, &of_content);
        selectors
    }

    /// For menus: the elements that contain their links.
    pub fn of_navigation<'b>(
        extraction: &Extraction,
        blocks: impl IntoIterator<Item = &'b NavigationBlock>,
    ) -> Self {
        let dom = &extraction.key_page.dom;
        let search = Search::on(extraction);
        let mut selectors = search.none();
        let measures = Measures::of(dom);
        let roots = blocks.into_iter().flat_map(|block| &block.roots);
        let roots = roots.map(|&root| (element_of(dom, root), measures.of_subtree(dom, root)));
        // Separators between items need no selector.
        let roots = roots.filter(|(_, amount)| amount.words > 0 || amount.links > 0);
        for (tried, (root, amount)) in roots.enumerate() {
            selectors.words_wanted += amount.words;
            if tried >= MOST_TARGETS || selectors.chosen.len() == MOST_SELECTORS {
                continue;
            }
            let chosen = search.choose(root, &|nodes| nodes == [root], &|page, nodes, key_nodes| {
                search.says_the_same(page, nodes, key_nodes)
            });
            selectors.chosen.extend(chosen);
        }
        selectors.count_covered(dom, &measures);
        selectors
    }

    /// Counts the words that are selected, each once.
    fn count_covered(&mut self, dom: &Dom, measures: &Measures) {
        let mut nodes: Vec<NodeId> = self
            .chosen
            .iter()
            .flat_map(|chosen| chosen.nodes.iter().copied())
            .collect();
        nodes.sort_unstable();
        let mut end = 0;
        for node in nodes {
            if node.index() >= end {
                self.words_covered += measures.of_subtree(dom, node).words;
                end = dom.range(node).end;
            }
        }
    }
}

/// A node, or the element of a text.
fn element_of(dom: &Dom, node: NodeId) -> NodeId {
    let mut nodes = std::iter::once(node).chain(dom.ancestors(node));
    nodes
        .find(|&node| dom.kind(node) == NodeKind::Element)
        .unwrap_or(dom.root())
}

/// What of a page can be excluded without losing content.
struct Excluded {
    /// The number of visible content nodes before each node.
    content_before: Vec<u32>,
    template_words: Measures,
    all_words: Measures,
}

impl Excluded {
    fn of(extraction: &Extraction, content: &Content) -> Self {
        let dom = &extraction.key_page.dom;
        let mut content_before = Vec::with_capacity(dom.len() + 1);
        let mut count = 0;
        content_before.push(0);
        for node in dom.nodes() {
            count += u32::from(content.nodes.contains(node) && shows(dom, node));
            content_before.push(count);
        }
        Self {
            content_before,
            template_words: Measures::of_those(dom, |node| extraction.template.contains(node)),
            all_words: Measures::of(dom),
        }
    }

    fn holds_content(&self, dom: &Dom, node: NodeId) -> bool {
        let range = dom.range(node);
        self.content_before[range.end] > self.content_before[range.start]
    }

    /// Whether a subtree may be excluded: no content, and hardly anything that only this page has.
    fn is_in(&self, dom: &Dom, node: NodeId) -> bool {
        let template = self.template_words.of_subtree(dom, node).words;
        let all = self.all_words.of_subtree(dom, node).words;
        !self.holds_content(dom, node) && f64::from(template) >= MOSTLY_TEMPLATE * f64::from(all)
    }

    /// The roots with the most words, in document order.
    fn largest_roots(&self, dom: &Dom) -> Vec<NodeId> {
        let mut roots = self.roots(dom);
        let words = |node: &NodeId| self.all_words.of_subtree(dom, *node).words;
        roots.sort_by_key(|node| std::cmp::Reverse(words(node)));
        roots.truncate(MOST_TARGETS);
        roots.sort_unstable();
        roots
    }

    /// The largest subtrees with words that may be excluded.
    fn roots(&self, dom: &Dom) -> Vec<NodeId> {
        let Some(body) = dom.part(&name!("body")) else {
            return Vec::new();
        };
        let mut roots = Vec::new();
        let mut at = body.index();
        while at < dom.range(body).end {
            let node = NodeId::from_index(at);
            let is_root = dom.kind(node) == NodeKind::Element && node != body && self.is_in(dom, node);
            if is_root && self.all_words.of_subtree(dom, node).words > 0 {
                roots.push(node);
            }
            let is_done = is_root || dom.kind(node) != NodeKind::Element;
            at += if is_done { dom.size(node) } else { 1 };
        }
        roots
    }
}

/// Whether a node is visible.
fn shows(dom: &Dom, node: NodeId) -> bool {
    match dom.kind(node) {
        NodeKind::Text => !dom.is_blank_text(node),
        NodeKind::Element => matches!(
            &**dom.name(node),
            "img" | "video" | "audio" | "iframe" | "svg" | "canvas"
        ),
        _ => false,
    }
}

/// The smallest element of the template with nearly all of the content; if most of what is in it is not content, and
/// a few elements in it fit more closely, these.
///
/// What is not template is not searched unless only the body is left, since other pages need not have it.
fn holders(extraction: &Extraction, of_content: &Measures) -> Vec<NodeId> {
    let dom = &extraction.key_page.dom;
    let all = f64::from(of_content.of_subtree(dom, dom.document()).words);
    let Some(body) = dom.part(&name!("body")).filter(|_| all > 0.0) else {
        return Vec::new();
    };
    let words = |node| f64::from(of_content.of_subtree(dom, node).words);
    let elements = |node| {
        let is_element = |&child: &NodeId| dom.kind(child) == NodeKind::Element;
        let children = dom.children(node).filter(is_element);
        children.filter(|&child| extraction.template.contains(child))
    };
    let mut holder = body;
    while let Some(inner) = elements(holder).find(|&child| words(child) >= NEARLY_ALL_CONTENT * all) {
        // A single paragraph or cell is not a container of content.
        if is_piece(dom.name(inner)) {
            break;
        }
        holder = inner;
    }
    let in_all = Measures::of(dom);
    let closeness = |node| words(node) / f64::from(in_all.of_subtree(dom, node).words.max(1));
    let are_closer = |parts: &[NodeId]| {
        let sum: f64 = parts.iter().map(|&part| words(part)).sum();
        (1..=MOST_CONTENT_PARTS).contains(&parts.len())
            && sum >= 0.9 * all
            && parts.iter().all(|&part| closeness(part) >= 0.8)
    };
    let has_content = |child: &NodeId| words(*child) > 0.02 * all;
    if holder == body || closeness(holder) < 0.5 {
        let parts: Vec<NodeId> = elements(holder).filter(has_content).collect();
        if are_closer(&parts) {
            return parts;
        }
    }
    if holder == body {
        // The whole body selects nothing: better use sections that only this page has.
        let is_element = |child: &NodeId| dom.kind(*child) == NodeKind::Element;
        let own: Vec<NodeId> = dom
            .children(body)
            .filter(is_element)
            .filter(has_content)
            .collect();
        if are_closer(&own) {
            return own;
        }
    }
    vec![holder]
}

/// Elements that contain one piece of text.
fn is_piece(name: &str) -> bool {
    matches!(
        name,
        "p" | "li" | "tr" | "pre" | "blockquote" | "h1" | "h2" | "span" | "a" | "font" | "b" | "i"
    )
}

/// Whether what is selected on another page is right, given what is selected on the key page.
type IsRight<'f> = dyn Fn(&Index<'_>, &[NodeId], &[NodeId]) -> bool + 'f;

/// The pages on which selectors are checked.
struct Search<'a> {
    key: Index<'a>,
    others: Vec<Index<'a>>,
    words: Measures,
}

impl<'a> Search<'a> {
    fn on(extraction: &'a Extraction) -> Self {
        let is_compared = |page: &&Page| extraction.compared.contains(&page.url);
        let others = extraction.pages.iter().filter(is_compared);
        Self {
            key: Index::of(&extraction.key_page.dom),
            others: others.map(|page| Index::of(&page.dom)).collect(),
            words: Measures::of(&extraction.key_page.dom),
        }
    }

    fn none(&self) -> Selectors {
        Selectors {
            chosen: Vec::new(),
            pages: 1 + self.others.len(),
            words_wanted: 0,
            words_covered: 0,
        }
    }

    /// The best selector for an element: wrong on the fewest pages, matching on the most, then the most robust, then
    /// the shortest.
    fn choose(
        &self,
        target: NodeId,
        is_right_on_key: &dyn Fn(&[NodeId]) -> bool,
        is_right: &IsRight<'_>,
    ) -> Option<ChosenSelector> {
        let mut best: Option<((usize, usize), ChosenSelector)> = None;
        for candidate in candidates(self.key.dom, target) {
            let nodes = self.key.select(&candidate.selector);
            if !nodes.contains(&target) || !is_right_on_key(&nodes) {
                continue;
            }
            let verdicts = self.others.iter().map(|page| {
                let found = page.select(&candidate.selector);
                match found[..] {
                    [] => Verdict::MeansNothing,
                    _ if is_right(page, &found, &nodes) => Verdict::Holds,
                    _ => Verdict::IsWrong,
                }
            });
            let verdicts: Vec<Verdict> = verdicts.collect();
            let count = |verdict| verdicts.iter().filter(|&&other| other == verdict).count();
            let faults = (count(Verdict::IsWrong), count(Verdict::MeansNothing));
            if best.as_ref().is_none_or(|(least, _)| faults < *least) {
                let chosen = ChosenSelector {
                    selector: candidate.selector,
                    basis: candidate.basis,
                    holds_on: 1 + count(Verdict::Holds),
                    words: nodes
                        .iter()
                        .map(|&node| self.words.of_subtree(self.key.dom, node).words)
                        .sum(),
                    nodes,
                };
                best = Some((faults, chosen));
            }
            if faults == (0, 0) {
                break;
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// Whether what is selected on a page has similar words to what is selected on the key page.
    fn says_the_same(&self, page: &Index<'_>, nodes: &[NodeId], key_nodes: &[NodeId]) -> bool {
        is_much_the_same(
            &page.words_in(&outermost(page.dom, nodes)),
            &self.key.words_in(&outermost(self.key.dom, key_nodes)),
        )
    }

    /// Whether one element is selected on a page, and the rest has similar words to the rest of the key page. If the
    /// content is in several parts, only their number counts.
    fn leaves_the_same(
        &self,
        page: &Index<'_>,
        nodes: &[NodeId],
        key_nodes: &[NodeId],
        is_in_parts: bool,
    ) -> bool {
        if nodes.len() != key_nodes.len() {
            return false;
        }
        let left = page.words_outside(nodes);
        let left_on_key = self.key.words_outside(key_nodes);
        is_in_parts
            || size(&left) == 0
            || f64::from(shared(&left, &left_on_key)) >= SAME_PART * f64::from(size(&left))
    }
}

fn is_much_the_same(words: &Bag, others: &Bag) -> bool {
    let larger = size(words).max(size(others));
    f64::from(shared(words, others)) >= SAME_PART * f64::from(larger)
}

/// Nodes that are not in another of them; they are given in document order.
fn outermost(dom: &Dom, nodes: &[NodeId]) -> Vec<NodeId> {
    let mut end = 0;
    let outer = nodes.iter().copied().filter(|node| {
        let is_outer = node.index() >= end;
        if is_outer {
            end = dom.range(*node).end;
        }
        is_outer
    });
    outer.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Session};
    use url::Url;

    const LINKS: &str = "<a href=/0>Home</a> <a href=/1>First</a> <a href=/2>Second</a> <a href=/3>Third</a>";

    /// The extraction from pages that are made alike, the first of which is the key page.
    fn extraction(page: impl Fn(usize) -> String) -> Extraction {
        let site = Url::parse("https://example.org/").unwrap();
        let parse = |number: usize| Page::parse(site.join(&number.to_string()).unwrap(), &page(number));
        let mut session = Session::new(parse(0), Options::default());
        while let Some(url) = session.next_wanted().cloned() {
            match url.path()[1..].parse() {
                Ok(number) => session.give(parse(number)),
                Err(_) => session.give_up("not there".to_owned()),
            }
        }
        let extraction = session.finish();
        assert_eq!(extraction.compared.len(), 3, "{:?}", extraction.failures);
        extraction
    }

    /// Some sentences of a page's own.
    fn article(number: usize) -> String {
        let words = ["alpha", "beta", "gamma", "delta"];
        let word = words[number];
        (1..12)
            .map(|count| format!("<p>{word} is told {} times, {word}.</p>", word.repeat(count)))
            .collect()
    }

    fn written(selectors: &Selectors) -> Vec<String> {
        let written = selectors.chosen.iter().map(|chosen| chosen.selector.to_string());
        written.collect()
    }

    #[track_caller]
    fn check(page: impl Fn(usize) -> String, template: &[&str], content: &[&str]) {
        let extraction = extraction(page);
        let found = Content::of(&extraction);
        let of_template = Selectors::of_template(&extraction, &found);
        let of_content = Selectors::of_content(&extraction, &found);
        assert_eq!(written(&of_template), template);
        assert_eq!(written(&of_content), content);
        for chosen in of_template.chosen.iter().chain(&of_content.chosen) {
            assert_eq!(chosen.holds_on, 4, "{}", chosen.selector);
        }
        assert_eq!(of_template.words_covered, of_template.words_wanted);
    }

    #[test]
    fn names_are_short_where_they_are_unique() {
        check(
            |number| {
                let article = article(number);
                format!(
                    "<nav>{LINKS}</nav><div id=text>{article}</div><div class=end>All rights reserved here</div>"
                )
            },
            &["nav", ".end"],
            &["#text"],
        );
    }

    #[test]
    fn names_that_mean_something_else_on_another_page_are_passed_over() {
        check(
            |number| {
                let article = article(number);
                let (top, text) = if number == 0 { ("box", "x") } else { ("x", "box") };
                format!("<div class='{top} top'>{LINKS}</div><main class={text}>{article}</main>")
            },
            &[".top"],
            &["main"],
        );
    }

    #[test]
    fn sections_of_one_page_are_better_than_the_whole_body() {
        let extraction = extraction(|number| {
            let article = article(number);
            match number {
                0 => format!(
                    "<nav>{LINKS}</nav><section class=hero>{article}</section><section class=news>{article}</section>"
                ),
                _ => format!("<nav>{LINKS}</nav><article class=post>{article}</article>"),
            }
        });
        let found = Selectors::of_content(&extraction, &Content::of(&extraction));
        assert_eq!(written(&found), [".hero", ".news"]);
    }

    /// Each piece is tried on all pages, so a page of very many would take for ever.
    #[test]
    fn of_very_many_pieces_the_largest_are_tried() {
        let pieces = |number: usize| -> String {
            let piece = |count| format!("<i>own{number}x{count}</i> <b>Number {count}</b>");
            (0..2_000).map(piece).collect()
        };
        let extraction = extraction(|number| {
            let article = article(number);
            let pieces = pieces(number);
            format!(
                "<main>{pieces}{article}</main><p class=end>All of these rights are reserved</p><nav>{LINKS}</nav>"
            )
        });
        let found = Selectors::of_template(&extraction, &Content::of(&extraction));
        assert!(found.chosen.len() <= MOST_SELECTORS, "{}", found.chosen.len());
        let written = written(&found);
        assert!(written.iter().any(|selector| selector == ".end"), "{written:?}");
    }

    #[test]
    fn lines_between_entries_have_no_selector() {
        let extraction = extraction(|number| format!("<ul>{LINKS}</ul><hr><p>{}</p>", article(number)));
        let dom = &extraction.key_page.dom;
        let of_name = |name: &str| dom.nodes().find(|&node| &**dom.name(node) == name).unwrap();
        let block = NavigationBlock {
            kind: crate::NavigationKind::Main,
            roots: vec![of_name("ul"), of_name("hr")],
            entries: Vec::new(),
        };
        let found = Selectors::of_navigation(&extraction, [&block]);
        assert_eq!(written(&found), ["body > ul"]);
    }

    #[test]
    fn nothing_is_selected_on_a_page_without_words() {
        let key = Page::parse(Url::parse("https://example.org/").unwrap(), "");
        let extraction = Session::new(key, Options::default()).finish();
        let content = Content::of(&extraction);
        assert!(Selectors::of_content(&extraction, &content).chosen.is_empty());
        assert!(Selectors::of_template(&extraction, &content).chosen.is_empty());
    }
}
