//! The best split of a page into content and the rest.

use super::numbers::BORDER;
use husk_dom::{Dom, NodeId};

/// Whether each node is content, so that the evidence of the content, less the cost of all borders, is highest.
///
/// The body is not content; below it content and the rest may be nested to any depth. The optimum is exact and takes
/// two passes: up, for what each subtree is worth with its root in and out, and down, to pick the nodes.
pub(super) fn best(dom: &Dom, body: NodeId, evidence: impl Fn(NodeId) -> f64) -> Vec<bool> {
    let mut worth: Vec<Worth> = dom
        .nodes()
        .map(|node| Worth {
            inside: evidence(node),
            outside: 0.0,
        })
        .collect();
    for node in dom.subtree(body).rev() {
        if let Some(parent) = dom.parent(node) {
            let Worth { inside, outside } = worth[node.index()];
            worth[parent.index()].inside += inside.max(outside - BORDER);
            worth[parent.index()].outside += outside.max(inside - BORDER);
        }
    }
    let mut is_content = vec![false; dom.len()];
    for node in dom.subtree(body).skip(1) {
        let Worth { inside, outside } = worth[node.index()];
        let border = match dom.parent(node) {
            Some(parent) if is_content[parent.index()] => BORDER,
            _ => -BORDER,
        };
        // A tie puts the border as high as possible: the element around a text goes with it.
        is_content[node.index()] = inside + border >= outside;
    }
    is_content
}

/// What a subtree is worth at best.
#[derive(Debug, Clone, Copy)]
struct Worth {
    /// If its root is content.
    inside: f64,
    /// If it is not.
    outside: f64,
}

#[cfg(test)]
mod tests {
    use husk_dom::name;
    use proptest::prelude::*;

    use super::*;

    /// Checks which texts are content, when each text is its own evidence.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let dom = Dom::parse(html);
        let body = dom.part(&name!("body")).unwrap();
        let evidence = |node: NodeId| match dom.children(node).next() {
            None => dom.text_of(node).trim().parse().unwrap_or(0.0),
            Some(_) => 0.0,
        };
        let is_content = best(&dom, body, evidence);
        let texts: Vec<_> = dom
            .nodes()
            .filter(|&node| is_content[node.index()] && dom.children(node).next().is_none())
            .map(|node| dom.text_of(node))
            .collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn evidence_must_be_worth_its_border() {
        check("<p>5</p><p>-5</p><p>2</p>", &["5"]);
        check("<div><p>5</p><p>-2</p><p>5</p></div>", &["5", "-2", "5"]);
        check("<div><p>5</p><p>-4</p><p>5</p></div>", &["5", "5"]);
    }

    #[test]
    fn small_things_go_with_what_they_stand_in() {
        check("<div><p>2</p><p>2</p></div><p>2</p>", &["2", "2"]);
    }

    proptest! {
        #[test]
        fn no_other_split_is_better(evidence in prop::collection::vec(-6i8..7, 9)) {
            let dom = Dom::parse("<div><p><b></b><i></i></p><p><b></b></p></div><hr>");
            let body = dom.part(&name!("body")).unwrap();
            let nodes: Vec<NodeId> = dom.subtree(body).skip(1).collect();
            let of = |node: NodeId| f64::from(evidence[node.index() - body.index()]);
            let value = |is_in: &dyn Fn(NodeId) -> bool| -> f64 {
                let of_node = |&node: &NodeId| {
                    let is_parent_in = dom.parent(node).is_some_and(|parent| parent != body && is_in(parent));
                    let border = if is_in(node) == is_parent_in { 0.0 } else { BORDER };
                    (if is_in(node) { of(node) } else { 0.0 }) - border
                };
                nodes.iter().map(of_node).sum()
            };
            let found = best(&dom, body, |node| if dom.is_within(node, body) { of(node) } else { 0.0 });
            let most = value(&|node| found[node.index()]);
            for choice in 0u32..1 << nodes.len() {
                let is_in = |node: NodeId| choice & (1 << (node.index() - body.index() - 1)) != 0;
                prop_assert!(value(&is_in) <= most + 1e-9);
            }
        }
    }
}
