//! Which blocks are notes, tips and warnings beside the text, by the names that generators of documentation give them.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::elements::{Meaning, meaning};
use super::selection::Selection;
use crate::lexicon;

/// A note, tip or warning beside the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alert {
    /// Its kind as GitHub calls it: `NOTE`.
    pub(super) kind: &'static str,
    /// Its title, if that says no more than the kind.
    pub(super) title: Option<NodeId>,
}

/// The kinds with the sections of their names in the lexicon.
const KINDS: [(&str, &str); 5] = [
    ("CAUTION", "alert caution"),
    ("WARNING", "alert warning"),
    ("IMPORTANT", "alert important"),
    ("TIP", "alert tip"),
    ("NOTE", "alert note"),
];

/// What a block is, if it is an alert with something in it.
pub(super) fn alert(selection: &Selection<'_>, node: NodeId) -> Option<Alert> {
    let kind = kind_of(selection.dom, node)?;
    let kinds = KINDS
        .iter()
        .map(|&(named, _)| (named, title_of(selection, node, named)));
    // The reader sees the title.
    let named = kinds.filter_map(|(named, title)| Some((named, title?))).next();
    let (kind, title) = named.map_or((kind, None), |(named, title)| (named, Some(title)));
    let text = selection.text_of(node);
    let rest = text.trim().len() - title.map_or(0, |title| selection.text_of(title).trim().len());
    (rest > 0).then_some(Alert { kind, title })
}

/// The kind by role or class: one of a frame and one of a kind, as in `admonition warning` and `alert-warning`, or nothing but
/// a kind.
fn kind_of(dom: &Dom, node: NodeId) -> Option<&'static str> {
    let can_be = matches!(
        &**dom.name(node),
        "div" | "aside" | "section" | "p" | "blockquote"
    );
    if !can_be {
        return None;
    }
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    let lower = class.to_ascii_lowercase();
    let names: Vec<Vec<&str>> = lower
        .split_ascii_whitespace()
        .take(MOST_NAMES)
        .map(|name| name.split(['-', '_']).filter(|word| !word.is_empty()).collect())
        .collect();
    let is_frame = |word: &&str| lexicon::entries("alert").contains(word);
    let is_kind = |name: &[&str], section: &str| match name {
        [kind] => lexicon::entries(section).contains(kind),
        // Other words in front of the kind are those of a title.
        [.., frame, kind] => is_frame(frame) && lexicon::entries(section).contains(kind),
        [] => false,
    };
    let mut kinds = KINDS.iter();
    let kind = kinds.find(|(_, section)| names.iter().any(|name| is_kind(name, section)));
    let is_framed = names.iter().flatten().any(is_frame);
    let is_role = dom
        .attribute(node, &name!("role"))
        .is_some_and(|role| role.trim() == "note");
    match kind {
        Some(&(kind, _)) if is_framed || is_role || lower.trim().eq_ignore_ascii_case(kind) => Some(kind),
        None if is_role => Some("NOTE"),
        _ => None,
    }
}

/// Limit for elements with very many classes.
const MOST_NAMES: usize = 24;

/// The block at the start that says only what kind it is.
fn title_of(selection: &Selection<'_>, node: NodeId, kind: &str) -> Option<NodeId> {
    let dom = selection.dom;
    let first = dom.subtree(node).find(|&below| {
        dom.kind(below) == NodeKind::Text && !dom.is_blank_text(below) && selection.is_visited(below)
    })?;
    let says = |node: NodeId| {
        dom.text_of(node)
            .trim()
            .trim_end_matches(':')
            .eq_ignore_ascii_case(kind)
    };
    let mut above = dom
        .ancestors(first)
        .take_while(|&above| above != node && says(above));
    above.find(|&above| meaning(dom, above).is_block() && meaning(dom, above) != Meaning::Preformatted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::test_content::page;

    fn check(html: &str, expect: Option<&str>) {
        let (page, nodes) = page(html);
        let selection = Selection::new(&page.dom, &nodes);
        let mut alerts = page.dom.nodes().filter_map(|node| alert(&selection, node));
        assert_eq!(alerts.next().map(|alert| alert.kind), expect, "{html}");
    }

    #[test]
    fn alerts_have_common_names() {
        check(
            "<div class='admonition note'><p class=admonition-title>Note</p><p>a",
            Some("NOTE"),
        );
        check("<div class='custom-block tip'>a", Some("TIP"));
        check(
            "<div class='markdown-alert markdown-alert-important'>a",
            Some("IMPORTANT"),
        );
        check("<div class='alert alert-warning' role=alert>a", Some("WARNING"));
        check(
            "<div class='theme-admonition theme-admonition-danger alert alert--danger'>a",
            Some("CAUTION"),
        );
        check("<aside role=note>a", Some("NOTE"));
        check("<p class=warning>a", Some("WARNING"));
        check(
            "<div class='custom-block warning'><p>CAUTION</p><p>a",
            Some("CAUTION"),
        );
    }

    #[test]
    fn other_blocks_have_not() {
        check("<div class=alert>a", None);
        check("<div class='note-list item'>a", None);
        check("<span class=warning>a</span>", None);
        check("<div class='admonition note'><p>Note</p></div>", None);
        check("<div class=success>a", None);
        check("<div class='admonition-an-error admonition'>a", None);
    }
}
