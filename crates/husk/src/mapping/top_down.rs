//! The mapping of Algorithm 2: from the roots down, best pair of children first.

use husk_dom::NodeId;

use super::equality::Equality;
use super::tree::{NodePosition, Tree};
use crate::work::check;

/// Pairs of equal nodes of two trees: each node at most once, and never without their parents.
///
/// This is an equal top-down mapping, Definition 2 of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// The pairs, in the document order of the first tree.
    pub pairs: Vec<(NodeId, NodeId)>,
}

/// Maps the first tree to the second, from the roots down. Empty if the roots are not equal.
pub fn top_down(one: Tree<'_>, other: Tree<'_>, equality: &(impl Equality + ?Sized)) -> Mapping {
    let mut pairs = Vec::new();
    if equality.similarity(&one.root(), &other.root()) >= equality.threshold() {
        let mut open = vec![(one.root().node, other.root().node)];
        while let Some((parent, other_parent)) = open.pop() {
            check();
            pairs.push((parent, other_parent));
            let (children, other_children) = (one.children(parent), other.children(other_parent));
            open.extend(pair_children(&children, &other_children, equality));
        }
    }
    pairs.sort_unstable();
    Mapping { pairs }
}

/// Most pairs of children to compare under one parent.
///
/// Greedy matching needs them all at once. Longer lists, above a thousand children on either side, are matched within
/// a band along their diagonal: nodes far from their former position are not found.
const MAX_WEIGHED: usize = 1 << 20;

/// Up to twice so many attributes, on average, all pairs are compared.
const USUAL_ATTRIBUTES: usize = 16;

struct Candidate {
    similarity: f64,
    one: usize,
    other: usize,
}

/// Pairs the children of two nodes: the most similar pair first, each child once.
///
/// The paper leaves ties open: here the pair that is earlier in the first tree wins, then the one that is earlier in
/// the second.
fn pair_children(
    ones: &[NodePosition<'_>],
    others: &[NodePosition<'_>],
    equality: &(impl Equality + ?Sized),
) -> Vec<(NodeId, NodeId)> {
    let mut candidates = equal_pairs(ones, others, equality);
    candidates.sort_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then((a.one, a.other).cmp(&(b.one, b.other)))
    });
    let mut is_paired = vec![false; ones.len()];
    let mut is_other_paired = vec![false; others.len()];
    let mut pairs = Vec::new();
    for Candidate { one, other, .. } in candidates {
        if !is_paired[one] && !is_other_paired[other] {
            is_paired[one] = true;
            is_other_paired[other] = true;
            pairs.push((ones[one].node, others[other].node));
        }
    }
    pairs
}

fn equal_pairs(
    ones: &[NodePosition<'_>],
    others: &[NodePosition<'_>],
    equality: &(impl Equality + ?Sized),
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let most = most_weighed(ones, others);
    for (one, place) in ones.iter().enumerate() {
        check();
        for other in band(place, ones.len(), others.len(), most) {
            let similarity = equality.similarity(place, &others[other]);
            if similarity >= equality.threshold() {
                candidates.push(Candidate {
                    similarity,
                    one,
                    other,
                });
            }
        }
    }
    candidates
}

/// The pairs to compare: fewer if comparing one takes long, so that the work grows with the number of attributes, not faster.
fn most_weighed(ones: &[NodePosition<'_>], others: &[NodePosition<'_>]) -> usize {
    let places = ones.iter().chain(others);
    let attributes: usize = places.map(|place| place.attributes().len()).sum();
    let mean = attributes / (ones.len() + others.len()).max(1);
    MAX_WEIGHED / (mean / USUAL_ATTRIBUTES).max(1)
}

/// The children to compare one child with: all, unless there are too many.
fn band(place: &NodePosition<'_>, ones: usize, others: usize, most: usize) -> std::ops::Range<usize> {
    if ones.saturating_mul(others) <= most {
        return 0..others;
    }
    let width = (most / ones).max(1);
    // By the position on the page, which does not change when siblings are cut out.
    let centre = (place.position as u64 * others as u64 / place.siblings as u64) as usize;
    let start = centre.saturating_sub(width / 2).min(others);
    start..(start + width).min(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::{Custom, Label, Weighted};
    use husk_dom::Dom;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Checks which nodes below the first body are mapped, as an outline.
    fn check(one: &str, other: &str, expect: &str) {
        let (one, other) = (Dom::parse(one), Dom::parse(other));
        let mapping = top_down(Tree::whole(&one), Tree::whole(&other), &Label);
        let is_mapped = |node| mapping.pairs.iter().any(|&(mapped, _)| mapped == node);
        let body = one.part(&husk_dom::name!("body")).unwrap();
        let outline =
            husk_dom::outline_marked(&one, body, |node| Some(if is_mapped(node) { 'T' } else { '-' }));
        assert_eq!(outline, expect);
    }

    #[test]
    fn maps_children_of_mapped_parents_only() {
        check(
            "<div><p>a<b>b</b></div><i>c</i>",
            "<div><p>x</div><div><b>y</b></div>",
            "T body\nT   div\nT     p\nT       \"a\"\n-       b\n-         \"b\"\n-   i\n-     \"c\"\n",
        );
    }

    #[test]
    fn ties_go_to_document_order() {
        let (one, other) = (Dom::parse("<p>a<p>b<p>c"), Dom::parse("<p>a<p>b"));
        let mapping = top_down(Tree::whole(&one), Tree::whole(&other), &Label);
        let texts: Vec<_> = mapping
            .pairs
            .iter()
            .filter(|(node, _)| one.is_element(*node, &husk_dom::name!("p")))
            .map(|&(node, mate)| (one.text_of(node), other.text_of(mate)))
            .collect();
        assert_eq!(texts, [("a", "a"), ("b", "b")]);
    }

    #[test]
    fn best_pair_wins_over_an_earlier_one() {
        let text = |place: &NodePosition<'_>| place.dom.text_of(place.node).to_owned();
        let by_text = Custom {
            similarity: |one: &NodePosition<'_>, other: &NodePosition<'_>| {
                if text(one) == text(other) { 1.0 } else { 0.5 }
            },
            threshold: 0.5,
        };
        let (one, other) = (Dom::parse("<p>a<p>b"), Dom::parse("<p>b<p>a"));
        let mapping = top_down(Tree::whole(&one), Tree::whole(&other), &by_text);
        let crossed = mapping
            .pairs
            .iter()
            .filter(|(node, _)| one.is_element(*node, &husk_dom::name!("p")));
        assert!(crossed.clone().count() == 2);
        assert!(
            crossed
                .into_iter()
                .all(|&(node, mate)| one.text_of(node) == other.text_of(mate))
        );
    }

    #[test]
    fn roots_that_differ_map_nothing() {
        let (one, other) = (Dom::parse("<p>"), Dom::parse("<p>"));
        let never = Custom {
            similarity: |_: &NodePosition<'_>, _: &NodePosition<'_>| 0.0,
            threshold: 0.5,
        };
        assert!(
            top_down(Tree::whole(&one), Tree::whole(&other), &never)
                .pairs
                .is_empty()
        );
    }

    #[test]
    fn elements_with_many_attributes_are_compared_with_fewer_others() {
        /// The attributes that are compared under one parent.
        fn compared(elements: usize, attributes: usize) -> usize {
            let names: String = (0..attributes).map(|number| format!(" a{number}=x")).collect();
            let page = Dom::parse(&format!("<p{names}>x</p>").repeat(elements));
            let count = AtomicUsize::new(0);
            let equality = Custom {
                similarity: |one: &NodePosition<'_>, other: &NodePosition<'_>| {
                    count.fetch_add(one.attributes().len(), Ordering::Relaxed);
                    f64::from(u8::from(one.position == other.position))
                },
                threshold: 1.0,
            };
            let mapping = top_down(Tree::whole(&page), Tree::whole(&page), &equality);
            assert_eq!(mapping.pairs.len(), 3 + 2 * elements, "all are mapped");
            count.into_inner()
        }
        assert_eq!(compared(200, 16), 200 * 200 * 16);
        let (few, many) = (compared(400, 250), compared(400, 1000));
        assert!(many < 5 * few / 4 && many < 20_000_000, "{few} {many}");
    }

    #[test]
    fn very_long_lists_are_matched_along_their_diagonal() {
        let html = "<ul>".to_owned() + &"<li>x".repeat(5000);
        let (one, other) = (Dom::parse(&html), Dom::parse(&html));
        assert_eq!(
            top_down(Tree::whole(&one), Tree::whole(&other), &Weighted::default())
                .pairs
                .len(),
            one.len() - 1
        );
    }

    prop_compose! {
        /// HTML of few names and classes, so that nodes are often alike.
        fn small_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<p class=a>", "<div class='a b'>", "<ul><li>", "<li>", "</ul>",
                "text", "<b id=x>", "</b>", "<a href=/>", "</a>", "<table><tr><td>", "</table>", "<!-- c -->", " ",
            ]),
            0..40,
        )) -> String {
            parts.concat()
        }
    }

    /// Where a node stands in the whole page.
    fn place(dom: &Dom, node: NodeId) -> NodePosition<'_> {
        let tree = Tree::whole(dom);
        match dom.parent(node) {
            Some(parent) if node != dom.root() => tree
                .children(parent)
                .into_iter()
                .find(|place| place.node == node)
                .unwrap(),
            _ => tree.root(),
        }
    }

    /// Definitions 1 and 2 of the paper.
    fn is_equal_top_down(one: &Dom, other: &Dom, mapping: &Mapping, equality: &impl Equality) {
        let mut used = std::collections::BTreeSet::new();
        for (index, &(node, mate)) in mapping.pairs.iter().enumerate() {
            assert!(
                index == 0 || mapping.pairs[index - 1].0 < node,
                "each node of the first tree once"
            );
            assert!(used.insert(mate), "each node of the second tree once");
            let similarity = equality.similarity(&place(one, node), &place(other, mate));
            assert!(similarity >= equality.threshold(), "equal");
            if node != one.root() {
                let parents = (one.parent(node).unwrap(), other.parent(mate).unwrap());
                assert!(mapping.pairs.contains(&parents), "top-down");
            }
        }
    }

    #[test]
    fn very_long_lists_give_the_same_in_any_order_of_pages() {
        let list = |first: &str| {
            let items = |name: &str, class: &str| -> String {
                (0..3000)
                    .map(|n| format!("<li class={class}{n}>{name}</li>"))
                    .collect()
            };
            Dom::parse(&format!("<ul>{}{}</ul>", items("x", first), items("y", "b")))
        };
        let (key, same, changed) = (list("a"), list("a"), list("c"));
        let equality = crate::mapping::LabelAttributes::default();
        let count = |pages: [&Dom; 2]| {
            let mut kept = crate::mapping::NodeSet::all(&key);
            for page in pages {
                let mapping = top_down(Tree::kept(&key, &kept), Tree::whole(page), &equality);
                kept = crate::mapping::NodeSet::none(&key);
                mapping.pairs.iter().for_each(|&(node, _)| kept.insert(node));
            }
            kept.len()
        };
        assert_eq!(count([&same, &changed]), count([&changed, &same]));
        assert!(count([&same, &changed]) > 6000);
    }

    proptest! {
        #[test]
        fn is_always_an_equal_top_down_mapping(one in small_page(), other in small_page()) {
            let (one, other) = (Dom::parse(&one), Dom::parse(&other));
            let by_label = top_down(Tree::whole(&one), Tree::whole(&other), &Label);
            is_equal_top_down(&one, &other, &by_label, &Label);
            let weighted = Weighted::default();
            let by_weight = top_down(Tree::whole(&one), Tree::whole(&other), &weighted);
            is_equal_top_down(&one, &other, &by_weight, &weighted);
        }

        #[test]
        fn a_page_maps_to_itself_whole(page in small_page()) {
            let dom = Dom::parse(&page);
            let mapping = top_down(Tree::whole(&dom), Tree::whole(&dom), &Weighted::default());
            let page_nodes = dom.size(dom.root());
            prop_assert_eq!(mapping.pairs.len(), page_nodes);
        }
    }
}
