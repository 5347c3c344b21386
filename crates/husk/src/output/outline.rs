//! The key page for people to read, template marked.

use husk_dom::outline_marked;

use crate::extraction::Extraction;

/// One node a line: `T` in front of what is template, nothing in front of what is not.
pub fn to_outline(extraction: &Extraction) -> String {
    let dom = &extraction.key_page.dom;
    let mark = |node| {
        Some(if extraction.template.contains(node) {
            'T'
        } else {
            ' '
        })
    };
    outline_marked(dom, dom.document(), mark)
}
