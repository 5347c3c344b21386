//! The page, its template and its content as documents in frames of the report, which can do no harm there.
//!
//! Four things keep a page from doing anything when somebody opens the report, each of them enough by itself:
//!
//! 1. What can run, send, open or fetch anything but images and style is not written (this file, on top of
//!    [`scripts`](super::super::scripts)).
//! 2. The frames are sandboxed: no scripts, no forms, no windows, no way to navigate the report.
//! 3. The report has a content security policy, which frames with `srcdoc` inherit: of scripts only the report's own may
//!    run, named by its hash, and nothing may be loaded but images, fonts and style, or nothing at all.
//! 4. Each frame has a policy of its own without any script.
//!
//! The frame of the page has `allow-same-origin`, for the report's script measures where its elements are to tint them
//! from outside; that of the template has it so that style sheets of saved sites load, which browsers let no stranger
//! read. Without `allow-scripts` this gives the page nothing: there is nobody in the frame to use it. A pane over the
//! frame of the page takes all clicks, so that no link in it can be followed; in the others links lose their targets.

use std::borrow::Cow;

use husk_dom::{Dom, NodeId, NodeKind, SerializeHooks, name, serialize_with, write_attribute};

use crate::links::base_url;
use crate::output::css;
use crate::output::html::is_text_only;
use crate::output::marks::{MarkClass, Marks};
use crate::output::options::OutputOptions;
use crate::output::scripts::{holds_script, runs_scripts, without_scripts};
use crate::output::urls::{Resolver, holds_url};
use crate::page::Page;
use crate::work::check_length;

/// The attribute that holds what a node is, for the report's script.
const MARK: &str = "data-husk";

/// The element put around a text that is something else than the element it stands in.
const TEXT_ELEMENT: &str = "husk-text";

/// What a frame may load; the policy of the report, without its script.
pub(super) fn policy(options: &OutputOptions) -> String {
    let loads = if options.offline {
        ""
    } else {
        " https: http: file:"
    };
    format!(
        "default-src 'none'; style-src 'unsafe-inline' data:{loads}; img-src data:{loads}; font-src data:{loads}; \
         base-uri 'none'; form-action 'none'"
    )
}

/// The whole page, each node marked with what it is.
pub(super) fn marked_page(page: &Page, marks: &Marks, options: &OutputOptions) -> String {
    let mut shape = FrameShape {
        options,
        resolver: Resolver::new(base_url(page), options.relocation.clone())
            .with_resources(options.resources.clone())
            .with_place(options.place.clone()),
        marks: Some(marks),
        sheet: None,
    };
    shape.write(&page.dom)
}

/// HTML that was made from a page and has its URLs in full, such as its template.
pub(super) fn contained(html: &str, page: &Page, options: &OutputOptions) -> String {
    let mut shape = FrameShape {
        options,
        resolver: Resolver::new(page.url.clone(), None).with_place(options.place.clone()),
        marks: None,
        sheet: None,
    };
    shape.write(&Dom::parse(html))
}

/// A page that only shows.
struct FrameShape<'a> {
    options: &'a OutputOptions,
    resolver: Resolver,
    marks: Option<&'a Marks>,
    /// The link to a style sheet that is about to be written, and its URL in full: a style sheet that was saved
    /// along takes its room once.
    sheet: Option<(NodeId, String)>,
}

impl FrameShape<'_> {
    fn write(&mut self, dom: &Dom) -> String {
        let mut out = String::with_capacity(dom.len() * 40);
        serialize_with(dom, dom.document(), self, &mut out);
        without_scripts(out)
    }

    /// The mark of a text that is something else than the element it stands in.
    fn mark_of_text(&self, dom: &Dom, node: NodeId) -> Option<String> {
        if dom.kind(node) != NodeKind::Text {
            return None;
        }
        let is_free = |parent: &NodeId| {
            let parent = dom.name(*parent);
            !is_text_only(parent) && !holds_no_element(parent)
        };
        dom.parent(node).filter(is_free)?;
        self.mark(dom, node)
    }

    /// What stands at a node where something begins: the letter of its class, and the number of its entry.
    fn mark(&self, dom: &Dom, node: NodeId) -> Option<String> {
        let marks = self.marks?;
        let number = marks.at(dom, node)?;
        Some(format!("{}{number}", letter(marks.table[number].class)))
    }

    /// Whether the URL in an attribute is fetched when the page is shown.
    fn is_fetched(name: &str, element: &str) -> bool {
        matches!(name, "srcset" | "imagesrcset")
            || (holds_url(name, element)
                && !matches!(element, "a" | "area" | "blockquote" | "q" | "ins" | "del"))
    }

    /// Whether a style sheet needs nobody to send it.
    fn is_at_hand(&mut self, dom: &Dom, node: NodeId) -> bool {
        let Some(href) = dom.attribute(node, &name!("href")) else {
            return false;
        };
        let href = self.resolver.attribute(dom, node, "href", href).into_owned();
        let is_at_hand = href.starts_with("data:");
        self.sheet = is_at_hand.then_some((node, href));
        is_at_hand
    }

    fn is_dropped(&self, name: &str, value: &str, element: &str) -> bool {
        let is_inner_page = matches!(
            element,
            "iframe" | "frame" | "object" | "embed" | "applet" | "portal" | "fencedframe"
        ) && matches!(
            name,
            "src" | "srcdoc" | "data" | "code" | "codebase" | "archive" | "classid"
        );
        let acts = matches!(
            name,
            "autofocus"
                | "autoplay"
                | "action"
                | "formaction"
                | "ping"
                | "target"
                | "formtarget"
                | "integrity"
                | "crossorigin"
                | "nonce"
                | "manifest"
                | MARK
        );
        let is_loaded = self.options.offline
            && Self::is_fetched(name, element)
            && !value.trim_start().starts_with("data:");
        is_inner_page || acts || is_loaded || holds_script(name, value, element)
    }
}

impl SerializeHooks for FrameShape<'_> {
    fn keeps(&mut self, dom: &Dom, node: NodeId) -> bool {
        if dom.kind(node) == NodeKind::Comment {
            return false;
        }
        if runs_scripts(dom, node) || dom.is_element(node, &name!("base")) {
            return false;
        }
        if dom.is_element(node, &name!("meta")) {
            // Only what decides the width of the page.
            return dom.attribute(node, &name!("name")) == Some("viewport")
                && dom.attribute(node, &name!("http-equiv")).is_none();
        }
        !dom.is_element(node, &name!("link"))
            || (is_style_sheet(dom, node) && (!self.options.offline || self.is_at_hand(dom, node)))
    }

    fn before(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        check_length(out.len());
        if let Some(mark) = self.mark_of_text(dom, node) {
            out.push('<');
            out.push_str(TEXT_ELEMENT);
            write_attribute(MARK, &mark, out);
            out.push('>');
        }
    }

    fn after_text(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        if self.mark_of_text(dom, node).is_some() {
            out.push_str("</");
            out.push_str(TEXT_ELEMENT);
            out.push('>');
        }
    }

    fn at_start(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        if dom.is_element(node, &name!("head")) {
            out.push_str("<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\"");
            write_attribute("content", &policy(self.options), out);
            // Links would have the names of their hosts looked up, which no policy forbids.
            out.push_str("><meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">");
        }
    }

    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        // In front, right behind the tag's name: what follows may be any odd name that a broken page has.
        if let Some(mark) = self.mark(dom, node) {
            write_attribute(MARK, &mark, out);
        }
        let element = dom.name(node);
        let sheet = self.sheet.take_if(|(link, _)| *link == node);
        for attribute in dom.attributes(node) {
            let value = match &sheet {
                Some((_, href)) if &**attribute.name == "href" => Cow::Borrowed(&**href),
                _ => self
                    .resolver
                    .attribute(dom, node, attribute.name, attribute.value),
            };
            if !self.is_dropped(attribute.name, &value, element) {
                write_attribute(attribute.name, &value, out);
            }
        }
    }

    fn text<'a>(&mut self, dom: &'a Dom, node: NodeId) -> Cow<'a, str> {
        let text = dom.text_of(node);
        let is_style = dom
            .parent(node)
            .is_some_and(|parent| dom.is_element(parent, &name!("style")));
        if is_style {
            css::absolute(text, &self.resolver)
        } else {
            Cow::Borrowed(text)
        }
    }
}

fn letter(class: MarkClass) -> char {
    match class {
        MarkClass::Template => 't',
        MarkClass::Menu => 'm',
        MarkClass::Content => 'c',
        MarkClass::Own => 'o',
        MarkClass::Mixed => 'x',
    }
}

fn is_style_sheet(dom: &Dom, node: NodeId) -> bool {
    let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
    rel.split_ascii_whitespace()
        .any(|rel| rel.eq_ignore_ascii_case("stylesheet"))
}

/// Elements in which a parser allows no element of ours.
fn holds_no_element(name: &str) -> bool {
    matches!(
        name,
        "option"
            | "optgroup"
            | "select"
            | "table"
            | "tbody"
            | "thead"
            | "tfoot"
            | "tr"
            | "colgroup"
            | "frameset"
            | "text"
            | "tspan"
            | "desc"
            | "svg"
            | "math"
            | "html"
            | "head"
            | "button"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Url;
    use crate::output::Resource;

    #[test]
    fn a_style_sheet_takes_its_room_once() {
        let url = Url::parse("https://example.org/s.css").unwrap();
        let sheet = Resource::StyleSheet("p{color:red}".to_owned());
        let options = OutputOptions {
            offline: true,
            resources: Some([(url.clone(), sheet)].into_iter().collect()),
            ..OutputOptions::default()
        };
        let resolver = Resolver::new(url, None).with_resources(options.resources.clone());
        let mut shape = FrameShape {
            options: &options,
            resolver: resolver.with_room("p{color:red}".len()),
            marks: None,
            sheet: None,
        };
        let link = "<link rel=stylesheet href=s.css>";
        let html = shape.write(&Dom::parse(&format!("{link}{link}<p>x")));
        assert_eq!(html.matches("<link").count(), 1, "{html}");
        assert_eq!(html.matches("href=\"data:text/css").count(), 1, "{html}");
    }
}
