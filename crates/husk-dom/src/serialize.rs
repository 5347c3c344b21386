//! A page back to HTML, whole or in a shape of your own.

use std::borrow::Cow;

use web_atoms::{LocalName, local_name};

use crate::dom::{Dom, Namespace, NodeId, NodeKind};

/// What is written of a page: every method may leave out, change or add something.
///
/// The defaults write the page as it is.
pub trait Shape {
    /// Whether the node is written, with all that is below it.
    fn keeps(&mut self, _dom: &Dom, _node: NodeId) -> bool {
        true
    }

    /// Writes something in front of a node, be it kept or not.
    fn before(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// Writes something at the start of an element, in front of its first child.
    fn at_start(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// Writes the attributes of an element, each by [`write_attribute`].
    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        for attribute in dom.attributes(node) {
            write_attribute(attribute.name, attribute.value, out);
        }
    }

    /// Writes something right behind a text.
    fn behind_text(&mut self, _dom: &Dom, _node: NodeId, _out: &mut String) {}

    /// The text to write for a text node.
    fn text<'a>(&mut self, dom: &'a Dom, node: NodeId) -> Cow<'a, str> {
        Cow::Borrowed(dom.text_of(node))
    }
}

/// The page as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Shape for Plain {}

/// A node and what is below it, as HTML.
///
/// Parsing the HTML of a document gives the same document, where HTML can express it at all: a form in a form,
/// say, cannot be written down.
pub fn serialize(dom: &Dom, node: NodeId) -> String {
    let mut out = String::with_capacity(dom.size(node) * 32);
    serialize_shaped(dom, node, &mut Plain, &mut out);
    out
}

/// A node and what is below it, in a shape of your own.
pub fn serialize_shaped(dom: &Dom, node: NodeId, shape: &mut impl Shape, out: &mut String) {
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
        shape.before(dom, node, out);
        if !shape.keeps(dom, node) {
            next = dom.end(node);
            continue;
        }
        match dom.kind(node) {
            NodeKind::Document | NodeKind::Fragment => {}
            NodeKind::Doctype => write_doctype(dom.remark(node), out),
            NodeKind::Comment => {
                out.push_str("<!--");
                out.push_str(dom.remark(node));
                out.push_str("-->");
            }
            NodeKind::Text => {
                let text = shape.text(dom, node);
                if dom.parent(node).is_some_and(|parent| holds_raw_text(dom, parent)) {
                    out.push_str(&text);
                } else {
                    write_text(&text, out);
                }
                shape.behind_text(dom, node, out);
            }
            NodeKind::Element => {
                out.push('<');
                out.push_str(dom.name(node));
                shape.attributes(dom, node, out);
                out.push('>');
                keep_first_line_end(dom, node, out);
                shape.at_start(dom, node, out);
                open.push(node);
            }
        }
        next = NodeId::from_index(node.index() + 1);
    }
}

fn keep_first_line_end(dom: &Dom, node: NodeId, out: &mut String) {
    if loses_first_line_end(dom, node) {
        out.push('\n');
    }
}

/// A parser drops one line end right behind these tags: if the text begins with one, it needs a second.
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

fn write_doctype(remark: &str, out: &mut String) {
    let mut parts = remark.splitn(3, '\n');
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

/// Writes one attribute, a space in front.
pub fn write_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for piece in value.split_inclusive(['&', '\u{A0}', '"', '<', '>']) {
        write_escaped(piece, out);
    }
    out.push('"');
}

/// Writes text so that a parser reads it as such.
pub fn write_text(text: &str, out: &mut String) {
    for piece in text.split_inclusive(['&', '\u{A0}', '<', '>']) {
        write_escaped(piece, out);
    }
}

/// Writes a piece of text of which only the last letter may need escaping.
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

/// Elements without end tag and content.
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

/// Elements whose text is written as it is.
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
    fn writes_what_a_parser_reads_back() {
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
