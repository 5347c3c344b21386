//! The content as plain text.

use husk_dom::NodeKind;

use crate::content::Content;
use crate::measure::is_never_shown;
use crate::page::Page;

/// The words of the content, paragraph by paragraph.
pub fn content_text(page: &Page, content: &Content) -> String {
    let dom = &page.dom;
    let mut out = String::new();
    for node in content.nodes.iter() {
        let is_text = dom.kind(node) == NodeKind::Text && !dom.is_blank_text(node);
        if is_text && !dom.ancestors(node).any(|above| is_never_shown(dom, above)) {
            out.push_str(dom.text_of(node).trim());
            out.push('\n');
        }
    }
    out
}
