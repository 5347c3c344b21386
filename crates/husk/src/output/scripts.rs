//! Scripts and how to leave them out: elements, event handlers, URLs that run something.

use husk_dom::{Dom, NodeId, NodeKind, SerializeHooks, name, serialize_with, write_attribute};

use super::urls::{holds_url, is_refresh};

/// Leaves out what becomes a script only when the HTML is read.
///
/// A tree that HTML cannot express, as only a broken page has it, is read as another tree than was written, and
/// what was text in the one may be an element in the other. So the HTML is read as a browser will, until what is
/// found there is what was written.
pub(super) fn without_scripts(mut html: String) -> String {
    for _ in 0..ROUNDS {
        let dom = Dom::parse(&html);
        if !dom.nodes().any(|node| has_script(&dom, node)) {
            return html;
        }
        html.clear();
        serialize_with(&dom, dom.document(), &mut WithoutScripts, &mut html);
    }
    // Something that grows back each time is nothing to show.
    String::new()
}

/// So often a page may turn text into scripts by being read.
const ROUNDS: usize = 8;

/// A page without its scripts.
struct WithoutScripts;

impl SerializeHooks for WithoutScripts {
    fn keeps(&mut self, dom: &Dom, node: NodeId) -> bool {
        !runs_scripts(dom, node)
    }

    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        for attribute in dom.attributes(node) {
            if !holds_script(attribute.name, attribute.value, dom.name(node)) {
                write_attribute(attribute.name, attribute.value, out);
            }
        }
    }
}

pub(super) fn has_script(dom: &Dom, node: NodeId) -> bool {
    runs_scripts(dom, node)
        || dom
            .attributes(node)
            .any(|attribute| holds_script(attribute.name, attribute.value, dom.name(node)))
}

/// Elements that do nothing but run or fetch scripts, or send the reader elsewhere; and `<noscript>`, which a browser
/// that could run scripts does not show, and reads as text.
pub(super) fn runs_scripts(dom: &Dom, node: NodeId) -> bool {
    if dom.kind(node) != NodeKind::Element {
        return false;
    }
    match &**dom.name(node) {
        "script" | "noscript" => true,
        "meta" => is_refresh(dom, node),
        "link" => {
            let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
            let fetches = dom
                .attribute(node, &name!("as"))
                .is_some_and(|kind| kind.eq_ignore_ascii_case("script"));
            fetches
                || ["modulepreload", "import"]
                    .iter()
                    .any(|kind| rel.eq_ignore_ascii_case(kind))
        }
        _ => false,
    }
}

/// Whether an attribute holds a script: an event handler, a page of its own, or a URL that runs one.
pub(super) fn holds_script(name: &str, value: &str, element: &str) -> bool {
    let is_handler = name.len() > 2 && name.as_bytes()[..2].eq_ignore_ascii_case(b"on");
    match name {
        _ if is_handler => true,
        "srcdoc" => element == "iframe",
        // What an animation in SVG makes of a link.
        "to" | "from" | "by" | "values" => value.split(';').any(runs_script),
        _ => holds_url(name, element) && (runs_script(value) || is_page_in_url(value, element)),
    }
}

/// The start of a URL as browsers read it: they pass over control letters and white space, and case.
fn scheme_of(address: &str) -> String {
    let letters = address
        .chars()
        .filter(|letter| !letter.is_ascii_control() && *letter != ' ');
    letters.take(64).collect::<String>().to_ascii_lowercase()
}

fn runs_script(address: &str) -> bool {
    let scheme = scheme_of(address);
    scheme.starts_with("javascript:") || scheme.starts_with("vbscript:")
}

/// Whether a URL is itself a document that could run scripts. An image never does.
pub(super) fn is_page_in_url(address: &str, element: &str) -> bool {
    let scheme = scheme_of(address);
    let is_document = [
        "text/html",
        "image/svg",
        "application/xhtml",
        "text/xml",
        "application/xml",
    ];
    !matches!(element, "img" | "source" | "link" | "image")
        && scheme
            .strip_prefix("data:")
            .is_some_and(|kind| is_document.iter().any(|known| kind.starts_with(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_in_attributes() {
        assert!(holds_script("onclick", "x", "a"));
        assert!(holds_script("href", " java\nscript:alert(1)", "a"));
        assert!(!holds_script("title", "javascript:x", "a"));
        assert!(!holds_script("href", "javascript.html", "a"));
    }
}
