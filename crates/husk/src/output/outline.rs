//! The key page for people to read, template marked.

use husk_dom::outline_lines;

use super::registry::{Output, PLAIN, Part};
use crate::extraction::Extraction;
use crate::work::check_length;

pub(super) const TEMPLATE_OUTLINE: Output = Output {
    part: Part::Template,
    name: "outline",
    media_type: PLAIN,
    extension: "outline.txt",
    help: "The page, one node a line, T in front of the template",
    options: &[],
    writer: |analysis, _| Ok(to_outline(analysis.extraction()).into()),
};

pub(super) const INSPECT_OUTLINE: Output = Output {
    part: Part::Inspect,
    ..TEMPLATE_OUTLINE
};

/// One node a line: `T` in front of what is template, nothing in front of what is not.
pub fn to_outline(extraction: &Extraction) -> String {
    let dom = &extraction.key_page.dom;
    let mut out = String::new();
    for (node, line) in outline_lines(dom, dom.document()) {
        let mark = if extraction.template.contains(node) {
            "T "
        } else {
            "  "
        };
        out.extend([mark, &line, "\n"]);
        check_length(out.len());
    }
    out
}
