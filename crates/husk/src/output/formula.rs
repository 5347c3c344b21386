//! Formulas of a page, in TeX.

use husk_dom::{Dom, NodeId, NodeKind, name};

use super::elements::{Meaning, meaning};
use super::selection::{Selection, is_formula};

/// A formula in TeX.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) tex: String,
    pub(super) is_display: bool,
}

/// The formula of a script or of MathML that has its source with it.
pub(super) fn formula(selection: &Selection<'_>, node: NodeId) -> Option<Formula> {
    let dom = selection.dom;
    let attribute = |node, wanted: &str| {
        let mut attributes = dom.attributes(node);
        attributes.find_map(|attribute| (&**attribute.name == wanted).then_some(attribute.value))
    };
    let (source, is_display) = if is_formula(dom, node) {
        (
            node,
            attribute(node, "type").is_some_and(|kind| kind.contains("display")),
        )
    } else {
        let is_source = |&below: &NodeId| {
            &**dom.name(below) == "annotation"
                && attribute(below, "encoding")
                    .is_some_and(|kind| kind.contains("tex") || kind.contains("TeX"))
        };
        (
            dom.subtree(node).find(is_source)?,
            attribute(node, "display") == Some("block"),
        )
    };
    let tex = dom
        .text_of(source)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    (!tex.is_empty()).then_some(Formula { tex, is_display })
}

/// Whether a node shows once more, for the eye, the formula that stands before it for machines.
pub(super) fn is_twin_of_math(selection: &Selection<'_>, node: NodeId) -> bool {
    let dom = selection.dom;
    let is_hidden = dom
        .attributes(node)
        .any(|attribute| &**attribute.name == "aria-hidden" && attribute.value == "true");
    is_hidden
        && dom.parent(node).is_some_and(|parent| {
            let before = (parent.index() + 1..node.index())
                .map(NodeId::from_index)
                .take(64);
            let mut before = before;
            before.any(|before| meaning(dom, before) == Meaning::Math)
        })
}

/// A part of a text that may have formulas in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TextPart<'a> {
    Words(&'a str),
    Tex { tex: String, is_display: bool },
}

/// How formulas begin and end in the text of a page, for a script to show them, and whether they stand on a line of their own.
const DELIMITERS: [(&str, &str, bool); 3] = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true)];

/// Whether some text has formulas in TeX that a script of the page shows.
pub(super) fn has_tex(selection: &Selection<'_>) -> bool {
    let dom = selection.dom;
    let has_formula = |node: NodeId| {
        dom.kind(node) == NodeKind::Text
            && dom.text_of(node).contains(['\\', '$'])
            && selection.is_visited(node)
            && split_tex(dom.text_of(node))
                .iter()
                .any(|part| matches!(part, TextPart::Tex { .. }))
    };
    dom.nodes().any(has_formula) && dom.nodes().any(|node| shows_tex(dom, node))
}

/// Whether an element is a script that shows formulas, or is named as one that holds a formula.
fn shows_tex(dom: &Dom, node: NodeId) -> bool {
    let names = |text: &str| {
        let lower = text.to_ascii_lowercase();
        lower.contains("mathjax") || lower.contains("katex")
    };
    if dom.is_element(node, &name!("script")) {
        return names(dom.attribute(node, &name!("src")).unwrap_or_default()) || names(dom.text_of(node));
    }
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    class
        .split_ascii_whitespace()
        .any(|name| matches!(name, "math" | "arithmatex"))
}

/// Splits a text into words and formulas.
pub(super) fn split_tex(text: &str) -> Vec<TextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find(['\\', '$']).map(|at| from + at) {
        let found = DELIMITERS.iter().find_map(|&(open, close, is_display)| {
            let inside = rest[at..].strip_prefix(open)?;
            let (tex, behind) = inside.split_once(close)?;
            let is_formula = !tex.trim().is_empty() && !tex.contains('$');
            is_formula.then_some((tex, behind, is_display))
        });
        let Some((tex, behind, is_display)) = found else {
            // A backslash or dollar more does not begin a formula.
            from = at + 1;
            continue;
        };
        if at > 0 {
            parts.push(TextPart::Words(&rest[..at]));
        }
        let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.push(TextPart::Tex { tex, is_display });
        (rest, from) = (behind, 0);
    }
    if !rest.is_empty() {
        parts.push(TextPart::Words(rest));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_in_text() {
        let tex = |tex: &str, is_display| TextPart::Tex {
            tex: tex.to_owned(),
            is_display,
        };
        assert_eq!(
            split_tex("a \\(x_1\\) b \\[ y \n z \\] $$w$$"),
            [
                TextPart::Words("a "),
                tex("x_1", false),
                TextPart::Words(" b "),
                tex("y z", true),
                TextPart::Words(" "),
                tex("w", true),
            ]
        );
        for words in ["\\( open", "C:\\(x86)", "$$", "costs $5", "\\(\\)"] {
            assert_eq!(split_tex(words), [TextPart::Words(words)]);
        }
    }
}
