//! A page as readable text: one node per line, indented by depth.

use web_atoms::local_name as name;

use crate::dom::{Dom, NodeId, NodeKind};

/// Longer texts are cut.
const MAX_TEXT_CHARS: usize = 60;

/// The outline of a page: elements with their id and classes, texts in quotes, without blank texts.
///
/// ```text
/// html
///   body
///     header#top.wide
///       a
///         "Home"
/// ```
pub fn outline(dom: &Dom) -> String {
    outline_marked(dom, dom.document(), |_| None)
}

/// The outline of a subtree, each line prefixed with the letter that `mark` returns for the node.
pub fn outline_marked(dom: &Dom, root: NodeId, mark: impl Fn(NodeId) -> Option<char>) -> String {
    let mut out = String::new();
    for (node, line) in outline_lines(dom, root) {
        if let Some(mark) = mark(node) {
            out.push(mark);
            out.push(' ');
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// The lines of the outline of a subtree, indented, each with its node.
pub fn outline_lines(dom: &Dom, root: NodeId) -> impl Iterator<Item = (NodeId, String)> + '_ {
    let mut open = Vec::new();
    dom.subtree(root).filter_map(move |node| {
        while open.last().is_some_and(|&above| !dom.is_within(node, above)) {
            open.pop();
        }
        let line = outline_line(dom, node)?;
        let indented = format!("{}{line}", "  ".repeat(open.len()));
        open.push(node);
        Some((node, indented))
    })
}

/// The line of one node, not indented. `None` for blank texts.
pub fn outline_line(dom: &Dom, node: NodeId) -> Option<String> {
    match dom.kind(node) {
        NodeKind::Document => None,
        NodeKind::Doctype => Some(format!(
            "!doctype {}",
            dom.data(node).trim_end().replace('\n', " ")
        )),
        NodeKind::Fragment => Some("#fragment".to_owned()),
        NodeKind::Comment => Some(format!("<!-- {} -->", shortened(dom.data(node)))),
        NodeKind::Text => {
            let text = shortened(dom.text_of(node));
            (!text.is_empty()).then(|| format!("\"{text}\""))
        }
        NodeKind::Element => Some(element_line(dom, node)),
    }
}

fn element_line(dom: &Dom, node: NodeId) -> String {
    let mut line = dom.name(node).to_string();
    if let Some(id) = dom.attribute(node, &name!("id")).filter(|id| !id.is_empty()) {
        line.extend(["#", id]);
    }
    let class = dom.attribute(node, &name!("class")).unwrap_or_default();
    line.extend(class.split_ascii_whitespace().flat_map(|class| [".", class]));
    line
}

fn shortened(text: &str) -> String {
    let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_one_node_per_line() {
        let dom = Dom::parse(
            "<!doctype html><header class='a b' id=top> <a href=/>Home  page</a></header><!-- x -->",
        );
        assert_eq!(
            outline(&dom),
            "!doctype html\nhtml\n  head\n  body\n    header#top.a.b\n      a\n        \"Home page\"\n    <!-- x -->\n"
        );
    }

    #[test]
    fn marks_lines() {
        let dom = Dom::parse("<p>a<i>b");
        let body = dom.part(&name!("body")).unwrap();
        let marked = outline_marked(&dom, body, |node| {
            Some(if dom.size(node) == 1 { 'x' } else { ' ' })
        });
        assert_eq!(marked, "  body\n    p\nx     \"a\"\n      i\nx       \"b\"\n");
    }
}
