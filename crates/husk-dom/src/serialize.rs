//! Serializes a page to HTML, unchanged or with changes.

use std::borrow::Cow;

use web_atoms::{LocalName, local_name};

use crate::dom::{Dom, Namespace, NodeId, NodeKind};

/// Changes what [`serialize_with`] writes. The defaults change nothing.
pub trait SerializeHooks {
    /// Whether the node and its descendants are written.
    fn keeps(&mut self, _dom: &Dom, _node: NodeId) -> bool {
        true
    }

    /// Writes something before a node, kept or not.
    fn before(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// Writes something at the start of an element, before its first child.
    fn at_start(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// Writes the attributes of an element, each with [`write_attribute`].
    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        for attribute in dom.attributes(node) {
            write_attribute(attribute.name, attribute.value, out);
        }
    }

    /// Writes something after a text.
    fn after_text(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// The text to write for a text node, before escaping.
    fn text<'a>(&mut self, dom: &'a Dom, node: NodeId) -> Cow<'a, str> {
        Cow::Borrowed(dom.text_of(node))
    }
}

/// Changes nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Unchanged;

impl SerializeHooks for Unchanged {}

/// The HTML of a subtree.
///
/// Parsing the HTML of a document gives the same document again, except where HTML cannot express it, such as a form within a
/// form.
pub fn serialize(dom: &Dom, node: NodeId) -> String {
    let mut out = String::with_capacity(dom.size(node) * 32);
    serialize_with(dom, node, &mut Unchanged, &mut out);
    out
}

/// Appends the HTML of a subtree to `out`, with changes by `hooks`.
pub fn serialize_with(dom: &Dom, node: NodeId, hooks: &mut impl SerializeHooks, out: &mut String) {
    let mut open: Vec<NodeId> = Vec::new();
    let end = dom.end(node);
    let mut next = node;
    loop {
        while let Some(&innermost) = open.last() {
            if next < dom.end(innermost) {
                break;
            }
            open.pop();
            write_end_tag(dom, innermost, out);
        }
        if next >= end {
            return;
        }
        let node = next;
        hooks.before(dom, node, out);
        if !hooks.keeps(dom, node) {
            next = dom.end(node);
            continue;
        }
        match dom.kind(node) {
            NodeKind::Document | NodeKind::Fragment => {}
            NodeKind::Doctype => write_doctype(dom.data(node), out),
            NodeKind::Comment => {
                out.push_str("<!--");
                out.push_str(dom.data(node));
                out.push_str("-->");
            }
            NodeKind::Text => {
                let text = hooks.text(dom, node);
                if dom.parent(node).is_some_and(|parent| holds_raw_text(dom, parent)) {
                    out.push_str(&text);
                } else {
                    write_text(&text, out);
                }
                hooks.after_text(dom, node, out);
            }
            NodeKind::Element => {
                out.push('<');
                out.push_str(dom.name(node));
                hooks.attributes(dom, node, out);
                out.push('>');
                write_first_line_end(dom, node, out);
                hooks.at_start(dom, node, out);
                open.push(node);
            }
        }
        next = NodeId::from_index(node.index() + 1);
    }
}

fn write_first_line_end(dom: &Dom, node: NodeId, out: &mut String) {
    if loses_first_line_end(dom, node) {
        out.push('\n');
    }
}

/// A parser drops one line end right after these tags, so a text that starts with one needs a second.
pub(crate) fn loses_first_line_end(dom: &Dom, node: NodeId) -> bool {
    let drops = matches!(
        *dom.name(node),
        local_name!("pre") | local_name!("textarea") | local_name!("listing")
    );
    drops
        && dom.namespace(node) == Namespace::Html
        && dom
            .children(node)
            .next()
            .is_some_and(|child| dom.kind(child) == NodeKind::Text && dom.text_of(child).starts_with('\n'))
}

fn write_end_tag(dom: &Dom, node: NodeId, out: &mut String) {
    if !has_end_tag(dom, node) {
        return;
    }
    out.push_str("</");
    out.push_str(dom.name(node));
    out.push('>');
}

fn write_doctype(data: &str, out: &mut String) {
    let mut parts = data.splitn(3, '\n');
    let mut part = || parts.next().unwrap_or_default();
    let (name, public_id, system_id) = (part(), part(), part());
    out.push_str("<!DOCTYPE ");
    out.push_str(name);
    if !public_id.is_empty() {
        out.push_str(" PUBLIC ");
        write_quoted(public_id, out);
    } else if !system_id.is_empty() {
        out.push_str(" SYSTEM");
    }
    if !system_id.is_empty() {
        out.push(' ');
        write_quoted(system_id, out);
    }
    out.push('>');
}

fn write_quoted(id: &str, out: &mut String) {
    let quote = if id.contains('"') { '\'' } else { '"' };
    out.push(quote);
    out.push_str(id);
    out.push(quote);
}

/// Writes an attribute, escaped, with a space before it.
pub fn write_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for piece in value.split_inclusive(['&', '\u{A0}', '"', '<', '>']) {
        write_escaped(piece, out);
    }
    out.push('"');
}

/// Writes text, escaped.
pub fn write_text(text: &str, out: &mut String) {
    for piece in text.split_inclusive(['&', '\u{A0}', '<', '>']) {
        write_escaped(piece, out);
    }
}

/// Writes a piece of text in which only the last character may need escaping.
fn write_escaped(piece: &str, out: &mut String) {
    let escape = match piece.chars().next_back() {
        Some('&') => "&amp;",
        Some('\u{A0}') => "&nbsp;",
        Some('"') => "&quot;",
        Some('<') => "&lt;",
        Some('>') => "&gt;",
        _ => return out.push_str(piece),
    };
    let mut letters = piece.chars();
    letters.next_back();
    out.push_str(letters.as_str());
    out.push_str(escape);
}

/// Whether an element is written with an end tag.
pub(crate) fn has_end_tag(dom: &Dom, node: NodeId) -> bool {
    let name = dom.name(node);
    dom.namespace(node) != Namespace::Html || !(is_void(name) || *name == local_name!("plaintext"))
}

/// Elements without content and end tag.
fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("basefont")
            | local_name!("bgsound")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("frame")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("keygen")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

/// Elements whose text is not escaped.
pub(crate) fn holds_raw_text(dom: &Dom, node: NodeId) -> bool {
    dom.namespace(node) == Namespace::Html
        && matches!(
            *dom.name(node),
            local_name!("script")
                | local_name!("style")
                | local_name!("xmp")
                | local_name!("iframe")
                | local_name!("noembed")
                | local_name!("noframes")
                | local_name!("plaintext")
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expect: &str) {
        let dom = Dom::parse(&format!("<body>{html}"));
        let body = dom.part(&local_name!("body")).unwrap();
        let written: String = dom.children(body).map(|node| serialize(&dom, node)).collect();
        assert_eq!(written, expect);
        let again = Dom::parse(&serialize(&dom, dom.document()));
        assert_eq!(crate::outline(&again), crate::outline(&dom), "{html}");
    }

    #[test]
    fn serialized_html_parses_to_the_same_page() {
        check(
            "<p>a<br>b &lt;c&gt; &amp;nbsp;&nbsp;",
            "<p>a<br>b &lt;c&gt; &amp;nbsp;&nbsp;</p>",
        );
        check(
            "<a title='\"<x>&quot;'>x</a>",
            "<a title=\"&quot;&lt;x&gt;&quot;\">x</a>",
        );
        check("<pre>\n\na</pre>", "<pre>\n\na</pre>");
        check("<script>a<b&&c</script>", "<script>a<b&&c</script>");
        check(
            "<svg><path d='m0'/><style>a&gt;b</style></svg>",
            "<svg><path d=\"m0\"></path><style>a&gt;b</style></svg>",
        );
        check("<template><p>in</template>", "<template><p>in</p></template>");
        check(
            "<!-- a --><noscript><p>b</noscript>",
            "<!-- a --><noscript><p>b</p></noscript>",
        );
    }

    #[test]
    fn keeps_the_doctype() {
        for doctype in [
            "<!DOCTYPE html>",
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
            "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
            "<!DOCTYPE html PUBLIC \"x\">",
        ] {
            let dom = Dom::parse(doctype);
            assert!(serialize(&dom, dom.document()).starts_with(doctype), "{doctype}");
        }
    }
}
