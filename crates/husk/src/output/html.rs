//! The template as a page of its own, with marks where the content belongs.

use std::borrow::Cow;

use husk_dom::{
    Attribute, Dom, Name, Namespace, NodeId, NodeKind, SerializeHooks, name, serialize_with, write_attribute,
};
use indexmap::{IndexMap, IndexSet};

use super::css;
use super::options::{Links, OutputOptions, Scripts};
use super::registry::{HTML, Output, Part};
use super::scripts::{holds_script, runs_scripts, without_scripts};
use super::slots::slots;
use super::urls::Resolver;
use crate::extraction::Extraction;
use crate::links::base_url;
use crate::work::check_length;

/// The template as HTML.
pub(super) const TEMPLATE_HTML: Output = Output {
    part: Part::Template,
    name: "html",
    media_type: HTML,
    extension: "html",
    help: "HTML that opens in a browser, slots marked",
    options: &["scripts", "links"],
    writer: |analysis, options| Ok(to_html(analysis.extraction(), options).into()),
};

/// The attribute of an element out of which something was cut, with the numbers of its slots.
const SLOT_ATTRIBUTE: &str = "data-husk-slot";

/// What the comment of a slot begins with.
pub(super) const SLOT_COMMENT: &str = "husk:slot ";

/// The template as HTML.
///
/// Where content was cut out stands a comment, `<!--husk:slot 3-->`, and its parent has the attribute
/// `data-husk-slot` with the numbers of its slots; an element that can hold no comment, as `<title>`, has the
/// attribute alone. The key page's style stays even where other pages have another one, so that the template
/// looks like the page.
pub fn to_html(extraction: &Extraction, options: &OutputOptions) -> String {
    write_marked(extraction, options, Marks::of_slots(extraction, options))
}

/// The template with marks where somebody wants them.
pub(super) fn write_marked(extraction: &Extraction, options: &OutputOptions, marks: Marks) -> String {
    let dom = &extraction.key_page.dom;
    let mut out = String::with_capacity(dom.len() * 32);
    let mut shape = TemplateShape {
        options,
        resolver: Resolver::new(base_url(&extraction.key_page), options.relocation.clone())
            .with_resources(options.resources.clone())
            .with_place(options.place.clone()),
        marks,
    };
    serialize_with(dom, dom.document(), &mut shape, &mut out);
    match options.scripts {
        Scripts::Drop => without_scripts(out),
        Scripts::Keep => out,
    }
}

/// What is left out of the key page, and what is written instead.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Nodes that are left out, with all that is below them.
    cut_out: IndexSet<NodeId>,
    /// HTML in front of a node.
    pub(super) before: IndexMap<NodeId, String>,
    /// HTML at the start of an element.
    pub(super) inside: IndexMap<NodeId, String>,
    /// Other values for attributes of elements.
    pub(super) values: IndexMap<(NodeId, Name), String>,
    /// Another attribute for an element.
    pub(super) added: IndexMap<NodeId, (String, String)>,
    /// The numbers of the slots in each parent.
    slots_in: IndexMap<NodeId, String>,
}

impl Marks {
    /// No marks, but nodes that are left out.
    pub(super) fn without(cut_out: IndexSet<NodeId>) -> Self {
        Self {
            cut_out,
            ..Self::default()
        }
    }

    /// Comments and attributes with the numbers of slots.
    fn of_slots(extraction: &Extraction, options: &OutputOptions) -> Self {
        let dom = &extraction.key_page.dom;
        let mut marks = Self::default();
        for slot in slots(extraction) {
            marks.cut_out.extend(&slot.cut.nodes);
            // What shows only as long as scripts run leaves no mark where they do not.
            if !slot.shows && options.scripts == Scripts::Drop {
                continue;
            }
            let numbers = marks.slots_in.entry(slot.cut.parent).or_default();
            if !numbers.is_empty() {
                numbers.push(' ');
            }
            numbers.push_str(&slot.number.to_string());
            if !holds_only_text(dom, slot.cut.parent) {
                let comment = format!("<!--{SLOT_COMMENT}{}-->", slot.number);
                marks.before.insert(slot.cut.nodes[0], comment);
            }
        }
        marks
    }
}

/// The key page without what was cut out.
struct TemplateShape<'a> {
    options: &'a OutputOptions,
    resolver: Resolver,
    marks: Marks,
}

impl TemplateShape<'_> {
    fn drops_scripts(&self) -> bool {
        self.options.scripts == Scripts::Drop
    }

    /// Whether the page's own HTML is wanted, with nothing left out or added but the slots.
    fn is_as_is(&self) -> bool {
        self.options.links == Links::AsWritten && self.options.scripts == Scripts::Keep
    }

    fn is_dropped(&self, dom: &Dom, node: NodeId) -> bool {
        if !self.is_as_is() && (is_encoding(dom, node) || is_policy(dom, node)) {
            return true;
        }
        let is_base = self.options.links == Links::Absolute && dom.is_element(node, &name!("base"));
        is_base || is_own_mark(dom, node) || (self.drops_scripts() && runs_scripts(dom, node))
    }

    fn value<'v>(&'v self, dom: &'v Dom, node: NodeId, attribute: &Attribute<'v>) -> Cow<'v, str> {
        if let Some(value) = self.marks.values.get(&(node, attribute.name.clone())) {
            return Cow::Borrowed(value);
        }
        match self.options.links {
            Links::Absolute => self
                .resolver
                .attribute(dom, node, attribute.name, attribute.value),
            Links::AsWritten => Cow::Borrowed(attribute.value),
        }
    }
}

impl SerializeHooks for TemplateShape<'_> {
    fn keeps(&mut self, dom: &Dom, node: NodeId) -> bool {
        !self.marks.cut_out.contains(&node) && !self.is_dropped(dom, node)
    }

    fn at_start(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        // Whatever encoding the page had, this is UTF-8.
        if !self.is_as_is() && dom.is_element(node, &name!("head")) {
            out.push_str("<meta charset=\"utf-8\">");
        }
        if let Some(mark) = self.marks.inside.get(&node) {
            out.push_str(mark);
        }
    }

    fn before(&mut self, _dom: &Dom, node: NodeId, out: &mut String) {
        check_length(out.len());
        if let Some(mark) = self.marks.before.get(&node) {
            out.push_str(mark);
        }
    }

    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        // In front, right behind the tag's name: what follows may be any odd name that a broken page has.
        if let Some(numbers) = self.marks.slots_in.get(&node) {
            write_attribute(SLOT_ATTRIBUTE, numbers, out);
        }
        if let Some((name, value)) = self.marks.added.get(&node) {
            write_attribute(name, value, out);
        }
        for attribute in dom.attributes(node) {
            let is_script =
                self.drops_scripts() && holds_script(attribute.name, attribute.value, dom.name(node));
            let is_bound = !self.is_as_is() && is_bound_to_origin(dom, node, attribute.name);
            if is_script || is_bound || &**attribute.name == SLOT_ATTRIBUTE {
                continue;
            }
            let value = self.value(dom, node, &attribute);
            write_attribute(attribute.name, &value, out);
        }
    }

    fn text<'a>(&mut self, dom: &'a Dom, node: NodeId) -> Cow<'a, str> {
        let text = dom.text_of(node);
        let is_style = dom
            .parent(node)
            .is_some_and(|parent| dom.is_element(parent, &name!("style")));
        if is_style && self.options.links == Links::Absolute {
            css::absolute(text, &self.resolver)
        } else {
            Cow::Borrowed(text)
        }
    }
}

/// A declaration of the page's encoding.
fn is_encoding(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("meta"))
        && (dom.attribute(node, &name!("charset")).is_some() || http_equiv(dom, node) == "content-type")
}

/// A policy that was made for the page's own URL, and would keep its style from another one.
fn is_policy(dom: &Dom, node: NodeId) -> bool {
    dom.is_element(node, &name!("meta")) && http_equiv(dom, node).starts_with("content-security-policy")
}

fn http_equiv(dom: &Dom, node: NodeId) -> String {
    dom.attribute(node, &name!("http-equiv"))
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// Attributes that let a style sheet be loaded from the page's own URL only.
fn is_bound_to_origin(dom: &Dom, node: NodeId, attribute: &str) -> bool {
    dom.is_element(node, &name!("link")) && matches!(attribute, "integrity" | "crossorigin")
}

/// A mark of an earlier extraction, in a page that is a template itself: it would be taken for one of ours.
fn is_own_mark(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) == NodeKind::Comment && dom.data(node).starts_with(SLOT_COMMENT)
}

/// Elements in which a comment would be text.
pub(super) fn holds_only_text(dom: &Dom, node: NodeId) -> bool {
    dom.namespace(node) == Namespace::Html && is_text_only(dom.name(node))
}

pub(super) fn is_text_only(name: &str) -> bool {
    matches!(
        name,
        "title" | "textarea" | "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::scripts::has_script;
    use crate::output::{Resource, Resources, fill};
    use crate::{Method, Options, Page, Session, Url};
    use husk_dom::serialize;
    use proptest::prelude::*;

    /// The extraction from a page and one other page of its site.
    fn extraction(key: &str, other: &str) -> Extraction {
        let url = |path| {
            Url::parse("https://example.org/dir/")
                .unwrap()
                .join(path)
                .unwrap()
        };
        let key = format!("{key}<a href=other.html></a>");
        let mut session = Session::new(
            Page::parse(url("key.html"), &key),
            Options {
                method: Method::Paper,
                ..Options::default()
            },
        );
        while let Some(url) = session.next_wanted().cloned() {
            session.give(Page::parse(url, &format!("{other}<a href=other.html></a>")));
        }
        session.finish()
    }

    fn check(key: &str, other: &str, expect: &str) {
        let html = to_html(&extraction(key, other), &OutputOptions::default());
        assert_eq!(
            html.replace("<a href=\"https://example.org/dir/other.html\"></a>", "")
                .replace("<meta charset=\"utf-8\">", ""),
            expect
        );
    }

    #[test]
    fn marks_slots() {
        check(
            "<body><div id=m><p>x</p><i>y</i></div><p>keep</p>",
            "<body><div id=m><p>x</p></div><p>keep</p>",
            "<html><head></head><body><div data-husk-slot=\"1\" id=\"m\"><p>x</p><!--husk:slot 1--></div><p>keep</p></body></html>",
        );
    }

    #[test]
    fn addresses_in_full_and_scripts_dropped() {
        let page = "<!DOCTYPE html><base href=/b/><title>t</title><link rel=stylesheet href=s.css>\
            <style>a{background:url(i.png)}</style><script>x</script><meta http-equiv=refresh content='1;url=x'>\
            <body onload=go()><img src=i.png srcset='i.png 2x' style='background:url(j.png)'>\
            <a href='javascript:go()'>j</a><a href='#f'>f</a>";
        check(
            page,
            page,
            "<!DOCTYPE html><html><head><title>t</title><link rel=\"stylesheet\" href=\"https://example.org/b/s.css\">\
            <style>a{background:url(\"https://example.org/b/i.png\")}</style></head>\
            <body><img src=\"https://example.org/b/i.png\" srcset=\"https://example.org/b/i.png 2x\" \
            style=\"background:url(&quot;https://example.org/b/j.png&quot;)\"><a>j</a><a href=\"#f\">f</a>\
            <a href=\"https://example.org/b/other.html\"></a></body></html>",
        );
    }

    #[test]
    fn no_script_survives_in_any_disguise() {
        for vector in [
            "<script>x</script>",
            "<SCRIPT SRC=//x></SCRIPT>",
            "<svg><script>x</script></svg>",
            "<img src=x OnError=go()>",
            "<svg/onload=go()>",
            "<a href=' java&#9;script:go()'>x</a>",
            "<a href='&#1;javascript:go()'>x</a>",
            "<svg><a xlink:href='javascript:go()'>x</a></svg>",
            "<form action='javascript:go()'><button formaction='javascript:go()'>x</button></form>",
            "<iframe src='javascript:go()'></iframe>",
            "<iframe srcdoc='<script>go()</script>'></iframe>",
            "<object data='javascript:go()'></object><embed src='javascript:go()'>",
            "<svg><animate attributeName=href values='javascript:go()' /><set attributeName=href to='javascript:go()' /></svg>",
            "<meta http-equiv=' Refresh ' content='0;url=javascript:go()'>",
            "<link rel=preload as=script href=x><link rel=modulepreload href=x><link rel=import href=x>",
            "<noscript><style></noscript><script>go()</script></style></noscript>",
            "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=go()&gt;'>",
            "<svg></p><style><a id='</style><img src=1 onerror=go()>'>",
            "<form><math><mtext></form><form><mglyph><style></math><img src onerror=go()>",
            "<a href='data:text/html,<script>go()</script>'>x</a><iframe src='data:text/html,<script>go()</script>'></iframe>",
        ] {
            let html = to_html(&extraction(vector, vector), &OutputOptions::default());
            let dom = Dom::parse(&html);
            for node in dom.nodes() {
                assert!(!has_script(&dom, node), "{vector} becomes {html}");
                let is_live = |value: &str| {
                    let value: String = value.chars().filter(|c| !c.is_control() && *c != ' ').collect();
                    value.contains("javascript:")
                        || value.contains("<script")
                        || value.starts_with("data:text/html")
                };
                let live = dom.attributes(node).find(|attribute| is_live(attribute.value));
                assert_eq!(live, None, "{vector} becomes {html}");
            }
        }
    }

    #[test]
    fn what_binds_the_page_to_its_own_address_goes() {
        let page = "<meta charset=windows-1251><meta http-equiv=Content-Security-Policy content='default-src self'>\
            <link rel=stylesheet href=s.css integrity=x crossorigin><p>x";
        check(
            page,
            page,
            "<html><head><link rel=\"stylesheet\" href=\"https://example.org/dir/s.css\"></head>\
            <body><p>x</p></body></html>",
        );
        let html = to_html(
            &extraction("<meta charset=koi8-r><p>x", "<p>x"),
            &OutputOptions::default(),
        );
        assert!(
            html.starts_with("<html><head><meta charset=\"utf-8\">") && !html.contains("koi8"),
            "{html}"
        );
    }

    #[test]
    fn style_stays_and_titles_hold_no_comment() {
        check(
            "<style id=a>p{}</style><link rel=icon href=i><title class='a b c'>Mine</title><p>x",
            "<p>x",
            "<html><head data-husk-slot=\"1\"><style id=\"a\">p{}</style><link rel=\"icon\" href=\"https://example.org/dir/i\">\
            <!--husk:slot 1--></head><body><p>x</p></body></html>",
        );
    }

    #[test]
    fn what_was_saved_along_shows_and_runs_nothing() {
        let url = |path| {
            Url::parse("https://example.org/dir/")
                .unwrap()
                .join(path)
                .unwrap()
        };
        let svg = || Resource::Data("data:image/svg+xml;base64,PHN2Zz4=".to_owned());
        let resources: Resources = [
            (
                url("s.css"),
                Resource::StyleSheet("a{b:url(i.svg)}</style><script>".to_owned()),
            ),
            (url("i.svg"), svg()),
            (url("f.svg"), svg()),
        ]
        .into_iter()
        .collect();
        let page = "<link rel=stylesheet href=s.css><style>@import 's.css'</style><img src=i.svg>\
            <iframe src=f.svg></iframe><embed src=f.svg><video poster=f.svg></video><a href=i.svg>i</a>";
        let options = OutputOptions {
            resources: Some(resources),
            ..OutputOptions::default()
        };
        let html = to_html(&extraction(page, page), &options);
        let dom = Dom::parse(&html);
        assert!(!dom.nodes().any(|node| has_script(&dom, node)), "{html}");
        assert!(
            html.contains("<link rel=\"stylesheet\" href=\"data:text/css;charset=utf-8,a{b:url(%22data:image/svg+xml;base64,"),
            "{html}"
        );
        assert!(html.contains("@import \"data:text/css"), "{html}");
        assert!(html.contains("<img src=\"data:image/svg+xml;base64,"), "{html}");
        assert!(
            html.contains("<iframe src=\"https://example.org/dir/f.svg\">"),
            "{html}"
        );
        assert!(
            html.contains("<video poster=\"https://example.org/dir/f.svg\">"),
            "{html}"
        );
        assert!(
            html.contains("<a href=\"https://example.org/dir/i.svg\">"),
            "{html}"
        );
    }

    fn as_is() -> OutputOptions {
        OutputOptions {
            scripts: Scripts::Keep,
            links: Links::AsWritten,
            ..OutputOptions::default()
        }
    }

    /// Template and cuts give the page back.
    fn gives_the_page_back(extraction: &Extraction) {
        let dom = &extraction.key_page.dom;
        let contents: Vec<_> = slots(extraction).iter().map(|slot| slot.content(dom)).collect();
        let filled = fill(&to_html(extraction, &as_is()), &contents);
        assert_eq!(filled, serialize(dom, dom.document()));
    }

    #[test]
    fn slots_of_every_kind_give_the_page_back() {
        gives_the_page_back(&extraction(
            "<title id=t>Mine</title><textarea id=u>a</textarea><p>x<b>y</b>z",
            "<title id=t></title><textarea id=u></textarea>",
        ));
    }

    prop_compose! {
        fn small_page()(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<p class=a>", "<ul><li>", "<li>", "</ul>", "text", "<b id=x>", "</b>",
                "<!-- c -->", " ", "<template><i>", "</template>", "<script>x</script>", "<table><td>", "</table>",
                "<title>t</title>", "<textarea>u", "</textarea>", "<style>a{}</style>", "<link rel=stylesheet href=x>",
                "<meta charset=utf-8>", "&lt;", "<a title='<>\"'>", "<textarea id=x y<z=1>", "<textarea>\n\nfoo", " data-husk-slot=\"7\" husk", "<svg><title><b>x</b><i>y</i>", "</title>", "<p a<b 'c=d>", "<body class=z>", "<svg><g>", "</svg>", "\n",
            ]),
            0..40,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_doubled(key in small_page(), other in small_page()) {
            gives_the_page_back(&extraction(&key, &other));
        }
    }
}
