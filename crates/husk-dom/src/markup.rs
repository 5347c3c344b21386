//! The length of nodes as HTML, without serializing them.

use crate::dom::{Dom, NodeId, NodeKind};
use crate::serialize::{has_end_tag, holds_raw_text, loses_first_line_end};

impl Dom {
    /// How many bytes the node itself takes in the output of [`serialize`](crate::serialize()): an element's tags, a text, a
    /// comment, without its descendants. Summed over a subtree this is the length of its HTML.
    pub fn own_bytes(&self, node: NodeId) -> usize {
        match self.kind(node) {
            NodeKind::Document | NodeKind::Fragment => 0,
            NodeKind::Doctype => doctype_bytes(self.data(node)),
            NodeKind::Comment => "<!---->".len() + self.data(node).len(),
            NodeKind::Text => self.text_bytes(node),
            NodeKind::Element => self.tag_bytes(node),
        }
    }

    fn text_bytes(&self, node: NodeId) -> usize {
        let text = self.text_of(node);
        if self
            .parent(node)
            .is_some_and(|parent| holds_raw_text(self, parent))
        {
            text.len()
        } else {
            text.len() + added_by_escapes(text)
        }
    }

    fn tag_bytes(&self, node: NodeId) -> usize {
        let name = self.name(node).len();
        let end_tag = if has_end_tag(self, node) {
            name + "</>".len()
        } else {
            0
        };
        let attributes = self.attributes(node).map(|attribute| {
            let quotes = attribute.value.bytes().filter(|&byte| byte == b'"').count();
            let escapes = added_by_escapes(attribute.value) + quotes * ("&quot;".len() - 1);
            " =\"\"".len() + attribute.name.len() + attribute.value.len() + escapes
        });
        let line_end = usize::from(loses_first_line_end(self, node));
        name + "<>".len() + attributes.sum::<usize>() + line_end + end_tag
    }
}

/// How many bytes escaping adds to a text.
fn added_by_escapes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let added = |byte: &u8| match byte {
        b'&' => "&amp;".len() - 1,
        b'<' | b'>' => "&lt;".len() - 1,
        _ => 0,
    };
    let ascii: usize = bytes.iter().map(added).sum();
    let spaces = bytes.windows(2).filter(|&pair| pair == [0xC2, 0xA0]).count();
    ascii + spaces * ("&nbsp;".len() - 2)
}

fn doctype_bytes(data: &str) -> usize {
    let mut parts = data.splitn(3, '\n').map(str::len);
    let mut part = || parts.next().unwrap_or_default();
    let (name, public_id, system_id) = (part(), part(), part());
    let quoted = |id: usize| if id == 0 { 0 } else { id + " \"\"".len() };
    let keyword = match (public_id, system_id) {
        (0, 0) => 0,
        (0, _) => " SYSTEM".len(),
        _ => " PUBLIC".len(),
    };
    "<!DOCTYPE >".len() + name + keyword + quoted(public_id) + quoted(system_id)
}

#[cfg(test)]
mod tests {
    use crate::{Dom, serialize};

    fn check(html: &str) {
        let dom = Dom::parse(html);
        for node in dom.nodes() {
            let sum: usize = dom.subtree(node).map(|node| dom.own_bytes(node)).sum();
            assert_eq!(sum, serialize(&dom, node).len(), "{html}");
        }
    }

    #[test]
    fn own_bytes_add_up_to_the_serialized_length() {
        check("");
        check("<!DOCTYPE html><title>a</title><p id=x hidden>b<br>c<!-- d --></p>");
        check("<p title='\"<x>&amp;&nbsp;ä'>&lt;&amp;&gt;\"&nbsp;&nbsp;Â\u{2020}\u{A0}</p>");
        check("<pre>\n\na</pre><pre>b</pre><textarea>\n\n</textarea>");
        check("<script>a<b&&c</script><style>a>b</style><noscript>a&lt;b</noscript>");
        check("<svg viewbox=0><path d='m0'/><br/><style>a&gt;b</style></svg><template><p>in</template>");
        check("<plaintext>a<b>&");
        for ids in [
            "PUBLIC \"a\"",
            "PUBLIC \"a\" \"b\"",
            "SYSTEM \"b\"",
            "SYSTEM 'b\"'",
        ] {
            check(&format!("<!DOCTYPE html {ids}><p>x"));
        }
    }
}
