//! Finds labels at the end of the content that stand over what is not content, as "Share this:" or "Comments".

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::numbers::{LEVELS_AROUND_HEADING, LONGEST_LABEL};
use super::parts::is_picture;
use crate::blocks::is_within_line;
use crate::hints::is_heading;
use crate::mapping::NodeSet;
use crate::measure::{is_never_shown, words};

/// Removes the labels at the end of some nodes.
pub(super) fn remove_last(dom: &Dom, nodes: &mut NodeSet) {
    while let Some(label) = last_label(dom, nodes) {
        dom.subtree(label).for_each(|node| nodes.remove(node));
    }
}

/// The label at the end, if there is something else before it.
fn last_label(dom: &Dom, nodes: &NodeSet) -> Option<NodeId> {
    let mut shown = dom
        .nodes()
        .rev()
        .filter(|&node| nodes.contains(node) && (is_shown_text(dom, node) || is_picture(dom, node)));
    let last = shown.next()?;
    let heading = dom.ancestors(last).find(|&above| is_heading(dom, above));
    let block = || {
        dom.ancestors(last)
            .find(|&above| !is_within_line(dom.name(above)))
    };
    let label = heading.or_else(block)?;
    let before = shown.find(|&node| !dom.is_within(node, label))?;
    let is_label = match heading {
        _ if is_picture(dom, last) => false,
        // A heading that leads elsewhere says something by itself, and several in a row are a list.
        Some(heading) => {
            is_over_other_text(dom, nodes, heading)
                && !dom.subtree(heading).any(|node| is_link(dom, node))
                && !dom.ancestors(before).any(|above| is_heading(dom, above))
        }
        None => {
            let text = dom.text_of(label).trim_end();
            text.ends_with([':', '：']) && words(text).count() <= LONGEST_LABEL
        }
    };
    is_label.then_some(label)
}

/// Whether the first text behind a heading, in the same part, is not among the nodes.
fn is_over_other_text(dom: &Dom, nodes: &NodeSet, heading: NodeId) -> bool {
    let around = dom.ancestors(heading).take(LEVELS_AROUND_HEADING).last();
    let end = around.map_or(0, |around| dom.range(around).end);
    let mut behind = (dom.range(heading).end..end).map(NodeId::from_index);
    behind
        .find(|&node| is_shown_text(dom, node))
        .is_some_and(|text| !nodes.contains(text))
}

fn is_shown_text(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Text
        && !dom.is_blank_text(node)
        && !dom.parent(node).is_some_and(|parent| is_never_shown(dom, parent))
}

fn is_link(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("a")) && dom.attribute(node, &name!("href")).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is left of the texts in elements with the class `in`.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let dom = Dom::parse(html);
        let is_in = |&node: &NodeId| {
            std::iter::once(node)
                .chain(dom.ancestors(node))
                .any(|above| dom.attribute(above, &name!("class")) == Some("in"))
        };
        let mut nodes = NodeSet::none(&dom);
        dom.nodes().filter(is_in).for_each(|node| nodes.insert(node));
        remove_last(&dom, &mut nodes);
        let texts = nodes.iter().filter(|&node| dom.kind(node) == NodeKind::Text);
        let found: Vec<&str> = texts.map(|node| dom.text_of(node)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn headings_over_what_is_left_out_go() {
        let shown = "<div><h1 class=in>A</h1><p class=in>b</p><h3 class=in>Comments</h3>";
        check(&format!("{shown}<p>no</p></div>"), &["A", "b"]);
        check(&format!("{shown}</div>"), &["A", "b", "Comments"]);
        check("<div><h1 class=in>A</h1><p>no</p></div>", &["A"]);
        check(
            "<p class=in>a</p><div><h2 class=in>B</h2><p>no</p></div><div><h2 class=in>C</h2><p>no</p></div>",
            &["a", "B", "C"],
        );
        check(
            "<p class=in>a</p><div><h2 class=in><a href=b>B</a></h2><p>no</p></div>",
            &["a", "B"],
        );
    }

    #[test]
    fn labels_of_nothing_go() {
        check(
            "<p class=in>a</p><p class=in><b>Tags:</b></p><div class=in>Share this:</div><a href=x>no</a>",
            &["a"],
        );
        check(
            "<p class=in>a</p><p class=in>Map:</p><img class=in src=m>",
            &["a", "Map:"],
        );
        check(
            "<p class=in>a</p><p class=in>And then they said what nobody had expected:</p>",
            &["a", "And then they said what nobody had expected:"],
        );
    }
}
