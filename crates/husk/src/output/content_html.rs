//! Content as clean HTML: known elements, known attributes, URLs in full, and nothing that runs, loads or looks.
//!
//! Only what is on a list is written. What is not is unwrapped: its words stay. A tag is left out, too, where a parser would
//! close another one for it, so that what is read back is what was written.

use husk_dom::{Dom, Namespace, NodeId, NodeKind, name, write_attribute, write_text};
use indexmap::IndexSet;

use super::code::language;
use super::elements::{Meaning, meaning};
use super::formula::{formula, is_twin_of_math};
use super::links::{is_for_editing, is_permalink, media, picture, printed, target};
use super::neighbours::is_apart_from_next;
use super::nodes::write_content;
use super::options::{ContentFormat, OutputOptions};
use super::registry::{HTML, Output, Part};
use super::selection::{Selection, Visit, Visits};
use super::urls::Resolver;
use crate::content::Content;
use crate::links::base_url;
use crate::mapping::NodeSet;
use crate::metadata::Metadata;
use crate::page::Page;

pub(super) const CONTENT_HTML: Output = Output {
    part: Part::Content,
    name: "html",
    media_type: HTML,
    extension: "html",
    help: "Clean HTML: an article without scripts, styles and forms",
    options: &["include", "comments", "document"],
    writer: |analysis, options| Ok(write_content(analysis, ContentFormat::Html, options).into()),
};

/// The content as clean HTML: an `<article>`.
pub fn content_html(page: &Page, content: &Content, options: &OutputOptions) -> String {
    format!(
        "<article>{}</article>\n",
        nodes_html(page, &content.nodes, options)
    )
}

/// A document around clean HTML.
pub fn in_document(html: &str, metadata: &Metadata) -> String {
    let mut out = "<!DOCTYPE html>\n<html".to_owned();
    if let Some(language) = &metadata.language {
        write_attribute("lang", language, &mut out);
    }
    out.push_str(">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    write_text(metadata.title.as_deref().unwrap_or_default(), &mut out);
    out.push_str("</title>\n</head>\n<body>\n");
    out.push_str(html);
    out.push_str("</body>\n</html>\n");
    out
}

/// Some nodes of a page as clean HTML, with nothing around them.
pub fn nodes_html(page: &Page, nodes: &NodeSet, options: &OutputOptions) -> String {
    let selection = Selection::new(&page.dom, nodes);
    let resolver =
        Resolver::new(base_url(page), options.relocation.clone()).with_resources(options.resources.clone());
    let mut writer = Writer {
        selection: &selection,
        resolver: &resolver,
        targets: targets(&selection),
        out: String::new(),
        open: Vec::new(),
        ends: Vec::new(),
    };
    let mut visits = selection.visits();
    while let Some(visit) = visits.next() {
        match visit {
            Visit::Enter(node) if page.dom.kind(node) == NodeKind::Text => {
                writer.text(page.dom.text_of(node))
            }
            Visit::Enter(node) => {
                let end = writer.enter(node, &mut visits);
                writer.ends.push(end);
            }
            Visit::Leave(node) => {
                if let Some(end) = writer.ends.pop() {
                    writer.leave(end);
                }
                if is_apart_from_next(&selection, node) && !writer.is_in_code() {
                    writer.space();
                }
            }
        }
    }
    writer.out.trim().to_owned()
}

/// The places that links of the content lead to.
fn targets(selection: &Selection<'_>) -> IndexSet<String> {
    let dom = selection.dom;
    let links = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("a")) && selection.is_visited(node));
    let places = links.filter_map(|link| dom.attribute(link, &name!("href"))?.trim().strip_prefix('#'));
    places.map(str::to_owned).collect()
}

/// What is to be done at the end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Nothing,
    /// A tag that was written must be closed.
    Tag,
    /// Words on either side of a tag that was not written must not run together.
    Space,
}

struct Writer<'a> {
    selection: &'a Selection<'a>,
    resolver: &'a Resolver,
    targets: IndexSet<String>,
    out: String,
    /// The tags that are open in what is written.
    open: Vec<&'static str>,
    ends: Vec<End>,
}

impl Writer<'_> {
    fn enter(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        let dom = self.selection.dom;
        let meaning = meaning(dom, node);
        let is_outside = self.selection.is_around_all(node) && meaning != Meaning::Preformatted;
        if is_outside || dom.kind(node) != NodeKind::Element {
            return End::Nothing;
        }
        if is_permalink(self.selection, node)
            || is_for_editing(self.selection.dom, node)
            || is_twin_of_math(self.selection, node)
        {
            visits.skip();
            return End::Nothing;
        }
        match meaning {
            Meaning::Math => self.enter_math(node, visits),
            Meaning::Picture => {
                self.write_picture(node);
                End::Nothing
            }
            Meaning::Media => {
                visits.skip();
                self.write_media(node);
                End::Nothing
            }
            Meaning::Apart => {
                self.space();
                End::Space
            }
            _ => self.enter_plain(node),
        }
    }

    fn enter_plain(&mut self, node: NodeId) -> End {
        let dom = self.selection.dom;
        if dom.namespace(node) != Namespace::Html {
            return End::Nothing;
        }
        let Some(tag) = written_as(dom.name(node)) else {
            return End::Nothing;
        };
        let is_block = is_block(tag);
        let is_needless = tag == "div" && !self.holds_words(node) && !self.is_target(node);
        let is_line_end = matches!(tag, "br" | "hr" | "wbr");
        if is_line_end && !self.selection.contains(node) {
            return End::Nothing;
        }
        if is_needless || !may_stand_in(tag, &self.open) {
            if is_block {
                self.space();
            }
            return if is_block { End::Space } else { End::Nothing };
        }
        self.out.push('<');
        self.out.push_str(tag);
        self.attributes(node, tag);
        self.out.push('>');
        if is_line_end {
            return End::Nothing;
        }
        if tag == "pre" && self.selection.text_starts_with_line_end(node) {
            self.out.push('\n');
        }
        self.open.push(tag);
        End::Tag
    }

    /// Whether something else than blocks is right in a node: then it is a paragraph of its own.
    fn holds_words(&self, node: NodeId) -> bool {
        let dom = self.selection.dom;
        self.selection.children(node).any(|child| match dom.kind(child) {
            NodeKind::Text => !dom.is_blank_text(child),
            NodeKind::Element => !meaning(dom, child).is_block(),
            _ => false,
        })
    }

    fn is_target(&self, node: NodeId) -> bool {
        let id = self.selection.dom.attribute(node, &name!("id"));
        id.is_some_and(|id| self.targets.contains(id))
    }

    fn leave(&mut self, end: End) {
        match end {
            End::Nothing => {}
            End::Space => self.space(),
            End::Tag => {
                if let Some(tag) = self.open.pop() {
                    self.out.push_str("</");
                    self.out.push_str(tag);
                    self.out.push('>');
                }
            }
        }
    }

    fn space(&mut self) {
        let is_between_rows = self.open.last().is_some_and(|tag| is_table_frame(tag));
        if !is_between_rows
            && !self.out.is_empty()
            && !self.out.ends_with(|last: char| last.is_ascii_whitespace())
        {
            self.out.push(' ');
        }
    }

    fn is_in_code(&self) -> bool {
        self.open.iter().any(|tag| matches!(*tag, "pre" | "code"))
    }

    fn text(&mut self, text: &str) {
        write_text(text, &mut self.out);
    }

    fn enter_math(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        let Some(formula) = formula(self.selection, node) else {
            return End::Nothing;
        };
        visits.skip();
        // As the scripts that show formulas look for them.
        let (start, end) = if formula.is_display {
            ("\\[", "\\]")
        } else {
            ("\\(", "\\)")
        };
        self.text(&format!("{start}{}{end}", formula.tex));
        End::Nothing
    }

    fn write_picture(&mut self, node: NodeId) {
        if !self.selection.contains(node) {
            return;
        }
        let dom = self.selection.dom;
        let data = dom
            .attribute(node, &name!("src"))
            .map(str::trim)
            .filter(|src| is_picture_data(src));
        let address = picture(dom, node, self.resolver).or_else(|| data.map(str::to_owned));
        if let Some(address) = address {
            let saved = self.resolver.saved(&address).filter(|data| is_picture_data(data));
            self.out.push_str("<img");
            write_attribute("src", &saved.unwrap_or(address), &mut self.out);
            write_attribute(
                "alt",
                dom.attribute(node, &name!("alt")).unwrap_or_default(),
                &mut self.out,
            );
            self.attributes(node, "img");
            self.out.push('>');
        }
    }

    fn write_media(&mut self, node: NodeId) {
        let Some(address) = media(self.selection.dom, node, self.resolver) else {
            return;
        };
        self.space();
        if may_stand_in("a", &self.open) {
            let title = self
                .selection
                .dom
                .attribute(node, &name!("title"))
                .unwrap_or_default()
                .trim();
            self.out.push_str("<a");
            write_attribute("href", &address, &mut self.out);
            self.out.push('>');
            let title = if title.is_empty() { &*address } else { title };
            write_text(title, &mut self.out);
            self.out.push_str("</a>");
        }
        self.space();
    }

    fn attributes(&mut self, node: NodeId, tag: &str) {
        let dom = self.selection.dom;
        if self.is_target(node) {
            let id = dom.attribute(node, &name!("id")).unwrap_or_default();
            write_attribute("id", id, &mut self.out);
        }
        if tag == "a"
            && let Some(target) = target(dom, node, self.resolver)
        {
            write_attribute("href", &target, &mut self.out);
        }
        if tag == "code"
            && let Some(language) = code_language(dom, node)
        {
            write_attribute("class", &format!("language-{language}"), &mut self.out);
        }
        for attribute in dom.attributes(node) {
            if let Some(value) = self.value(tag, attribute.name, attribute.value) {
                write_attribute(attribute.name, &value, &mut self.out);
            }
        }
    }

    /// The value of an attribute that is kept.
    fn value(&self, tag: &str, name: &str, value: &str) -> Option<String> {
        let value = value.trim();
        let is_number = || (1..=6).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = || {
            value.len() <= 40
                && value
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_kept = match (tag, name) {
            (_, "lang") => !value.is_empty() && is_word(),
            (_, "dir") => matches!(value, "ltr" | "rtl" | "auto"),
            ("img", "width" | "height") | ("td" | "th", "colspan" | "rowspan") => is_number(),
            ("ol", "start") | ("li", "value") => is_number(),
            ("ol", "type") => matches!(value, "1" | "a" | "A" | "i" | "I"),
            ("ol", "reversed") => true,
            ("th", "scope") => is_word(),
            ("abbr" | "dfn", "title") | ("time", "datetime") => true,
            ("blockquote" | "q" | "del" | "ins", "cite") => {
                return printed(value, self.resolver, &["http", "https"]);
            }
            _ => false,
        };
        is_kept.then(|| value.to_owned())
    }
}

/// The language of code that is a block of its own.
fn code_language(dom: &Dom, code: NodeId) -> Option<String> {
    let pre = dom
        .parent(code)
        .filter(|&parent| meaning(dom, parent) == Meaning::Preformatted)?;
    language(dom, pre)
}

/// Whether a URL is an image in itself. Those in SVG may hold scripts.
fn is_picture_data(address: &str) -> bool {
    ["png", "jpeg", "gif", "webp", "avif"]
        .iter()
        .any(|kind| address.starts_with(&format!("data:image/{kind};base64,")))
}

/// The tag that an element is written with, if it is.
fn written_as(name: &str) -> Option<&'static str> {
    let tag = match name {
        "xmp" | "listing" | "plaintext" => "pre",
        "tt" => "code",
        "strike" => "s",
        "menu" | "dir" => "ul",
        "section" | "article" | "aside" | "main" | "header" | "footer" | "hgroup" | "nav" | "search"
        | "center" | "address" | "fieldset" | "form" | "legend" | "dialog" | "marquee" => "div",
        _ => TAGS.iter().find(|tag| **tag == name)?,
    };
    Some(tag)
}

/// The elements that are written under their own name.
pub(super) const TAGS: [&str; 59] = [
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
    "wbr",
    "img",
];

fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "blockquote"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "figcaption"
            | "figure"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "hr"
            | "li"
            | "ol"
            | "p"
            | "pre"
            | "summary"
            | "table"
            | "ul"
            | "td"
            | "th"
            | "tr"
            | "caption"
    )
}

/// Elements that hold rows and cells only.
fn is_table_frame(tag: &str) -> bool {
    matches!(tag, "table" | "thead" | "tbody" | "tfoot" | "tr")
}

/// Whether a parser would leave a tag where it stands, with these open around it.
fn may_stand_in(tag: &str, open: &[&str]) -> bool {
    let parent = open.last().copied().unwrap_or_default();
    match tag {
        "td" | "th" => return parent == "tr",
        "tr" => return matches!(parent, "thead" | "tbody" | "tfoot" | "table"),
        "thead" | "tbody" | "tfoot" | "caption" => return parent == "table",
        _ if is_table_frame(parent) => return false,
        _ => {}
    }
    // A cell begins anew: what is open outside of it does not matter.
    let from = open
        .iter()
        .rposition(|tag| matches!(*tag, "td" | "th" | "caption"))
        .map_or(0, |at| at + 1);
    let near = &open[from..];
    let is_open = |wanted: &str| near.contains(&wanted);
    let heads = ["h1", "h2", "h3", "h4", "h5", "h6"];
    match tag {
        "a" => !is_open("a"),
        "rt" | "rp" => parent == "ruby",
        _ if is_block(tag) && is_open("p") => false,
        "li" => !is_open_since(near, &["li"], &["ul", "ol"]),
        "dt" | "dd" => !is_open_since(near, &["dt", "dd"], &["dl"]),
        _ if heads.contains(&tag) => !near.iter().any(|open| heads.contains(open)),
        "pre" => !is_open("pre"),
        _ => true,
    }
}

/// Whether one of the tags is open with none of the lists in it.
fn is_open_since(open: &[&str], tags: &[&str], lists: &[&str]) -> bool {
    let last = |wanted: &[&str]| open.iter().rposition(|tag| wanted.contains(tag));
    last(tags) > last(lists)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use husk_dom::outline;
    use proptest::prelude::*;

    use super::*;
    use crate::output::test_content::{marked, page};

    fn html(body: &str) -> String {
        let (page, nodes) = page(body);
        nodes_html(&page, &nodes, &OutputOptions::default())
    }

    fn check(body: &str, expect: &str) {
        assert_eq!(html(body), expect, "{body}");
        stays_as_it_is(&html(body)).unwrap();
    }

    /// Another sanitiser finds nothing to remove, and a parser nothing to move.
    fn stays_as_it_is(html: &str) -> Result<(), String> {
        #[allow(clippy::disallowed_types, reason = "what the other sanitiser takes")]
        let classes = [("code", ["language-rust", "language-x"].into())].into();
        let attributes = [
            ("a", ["href"].into()),
            ("img", ["src", "alt", "width", "height"].into()),
            ("td", ["colspan", "rowspan"].into()),
            ("th", ["colspan", "rowspan", "scope"].into()),
            ("ol", ["start", "type", "reversed"].into()),
            ("li", ["value"].into()),
            ("abbr", ["title"].into()),
            ("dfn", ["title"].into()),
            ("time", ["datetime"].into()),
            ("blockquote", ["cite"].into()),
            ("q", ["cite"].into()),
            ("del", ["cite"].into()),
            ("ins", ["cite"].into()),
        ]
        .into();
        let mut oracle = ammonia::Builder::empty();
        oracle
            .tags(TAGS.into())
            .tag_attributes(attributes)
            .allowed_classes(classes)
            .generic_attributes(["id", "lang", "dir"].into())
            .url_schemes(["http", "https", "mailto", "tel", "ftp", "data"].into())
            .link_rel(None);
        let shape = |html: &str| outline(&Dom::parse(&format!("<!DOCTYPE html><body>{html}")));
        let cleaned = oracle.clean(html).to_string();
        let tags: BTreeSet<_> = ["script", "style", "iframe", "svg", "math", "form", "object"].into();
        let dom = Dom::parse(html);
        if let Some(bad) = dom.nodes().find(|&node| tags.contains(&**dom.name(node))) {
            return Err(format!("<{}> in {html}", &**dom.name(bad)));
        }
        if shape(&cleaned) == shape(html) {
            Ok(())
        } else {
            Err(format!("{html}\nbecomes\n{cleaned}"))
        }
    }

    #[test]
    fn known_elements_stay_and_others_are_unwrapped() {
        check(
            "<main class=x><div><div id=y onclick=z><p style=a>b <font color=red>c</font></p></div>d</div></main>",
            "<div> <p>b c</p> d</div>",
        );
        check(
            "<section><p>a</p><x-y><b>b</b></x-y></section>",
            "<div><p>a</p><b>b</b></div>",
        );
        check(
            "<form><label>a</label><button>b</button><input value=c></form>",
            "<div>a b </div>",
        );
        check("<p>a<br>b</p><hr>", "<p>a<br>b</p><hr>");
        check("<pre>\n\n a</pre>", "<pre>\n\n a</pre>");
    }

    #[test]
    fn attributes_that_run_or_look_go() {
        check(
            "<p onclick=a onmouseover=b style=c class=d data-e=f dir=rtl>g</p>",
            "<p dir=\"rtl\">g</p>",
        );
    }

    #[test]
    fn addresses_are_in_full_and_lead_somewhere() {
        check(
            "<a href=x title=t target=_blank>a</a><a href='javascript:b'>b</a><a href='#c'>c</a><i id=c>d</i><i id=e>f</i>",
            "<a href=\"https://example.org/dir/x\">a</a> <a>b</a> <a href=\"#c\">c</a> <i id=\"c\">d</i><i>f</i>",
        );
        check(
            "<img src=i.png srcset='j.png 2x' alt=a width=3 onerror=x><img src='data:image/svg+xml;base64,AA'>",
            "<img src=\"https://example.org/dir/i.png\" alt=\"a\" width=\"3\">",
        );
        check(
            "<img src='data:image/png;base64,AA'>",
            "<img src=\"data:image/png;base64,AA\" alt=\"\">",
        );
        check(
            "<video src=v></video>",
            "<a href=\"https://example.org/dir/v\">https://example.org/dir/v</a>",
        );
        check(
            "<pre class=language-rust><code class=hljs>a</code></pre>",
            "<pre><code class=\"language-rust\">a</code></pre>",
        );
    }

    #[test]
    fn parts_of_tables_stand_in_tables_only() {
        let (page, nodes) = marked("<table><tr><td class=in>a<td class=in>b</table>");
        assert_eq!(nodes_html(&page, &nodes, &OutputOptions::default()), "a b");
        let (page, nodes) = marked("<table><tr><td class=in>a<td>no<tr><td class=in>b</table><p class=in>c");
        assert_eq!(
            nodes_html(&page, &nodes, &OutputOptions::default()),
            "<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table><p>c</p>"
        );
    }

    #[test]
    fn a_document_has_title_and_language() {
        let page = Page::parse(husk_url(), "<html lang=de><title>A &lt;b&gt;</title><p>x");
        let content = Content {
            nodes: NodeSet::all(&page.dom),
            comments: NodeSet::none(&page.dom),
            method: crate::content::ContentMethod::SinglePage,
            confidence: None,
        };
        let article = content_html(&page, &content, &OutputOptions::default());
        assert_eq!(
            in_document(&article, &Metadata::of(&page)),
            "<!DOCTYPE html>\n<html lang=\"de\">\n<head>\n<meta charset=\"utf-8\">\n<title>A &lt;b&gt;</title>\n</head>\n<body>\n\
            <article><p>x</p></article>\n</body>\n</html>\n"
        );
    }

    fn husk_url() -> url::Url {
        url::Url::parse("https://example.org/").unwrap()
    }

    #[test]
    fn nothing_hostile_survives() {
        for vector in HOSTILE {
            stays_as_it_is(&html(vector)).unwrap();
        }
    }

    const HOSTILE: [&str; 24] = [
        "<script>x</script><SCRIPT SRC=//x></SCRIPT>",
        "<svg><script>x</script></svg><svg/onload=go()>",
        "<img src=x OnError=go()>",
        "<a href=' java&#9;script:go()'>x</a><a href='&#1;javascript:go()'>y</a>",
        "<svg><a xlink:href='javascript:go()'>x</a></svg>",
        "<form action='javascript:go()'><button formaction='javascript:go()'>x</button></form>",
        "<iframe src='javascript:go()'></iframe><iframe srcdoc='<script>go()</script>'></iframe>",
        "<object data='javascript:go()'></object><embed src='javascript:go()'>",
        "<meta http-equiv=refresh content='0;url=javascript:go()'><base href=//evil>",
        "<noscript><style></noscript><script>go()</script></style></noscript>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=go()&gt;'>",
        "<svg></p><style><a id='</style><img src=1 onerror=go()>'>",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=go()>",
        "<a href='data:text/html,<script>go()</script>'>x</a>",
        "<p><button><p>a</p><div>b</div></button>c</p>",
        "<a href=x>a<table><tr><td><a href=y>b</a></table></a>",
        "<xmp><script>go()</script></xmp><plaintext></plaintext><script>",
        "<textarea></textarea><script>go()</script>",
        "<select><option><b>x</select><keygen><isindex>",
        "<ul><li><div><li>a</li></div></li></ul><h1><button><h2>x</h2></button></h1>",
        "<div style='background:url(javascript:go())' class=x id=y>z</div>",
        "<template><script>go()</script></template><p is=x>a</p>",
        "<time datetime='\"><script>go()</script>'>x</time><abbr title='\"onload=go()'>y</abbr>",
        "<svg><foreignObject><p>a<div>b</div></p></foreignObject><desc><b>c</desc></svg><title>t</title>",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn another_sanitiser_finds_nothing_to_remove(
            pieces in prop::collection::vec(prop_oneof![
                prop::sample::select(HOSTILE.to_vec()),
                prop::sample::select(vec![
                    "<p>", "</p>", "<div>", "</div>", "<a href=x>", "</a>", "<b>", "</b>", "<ul>", "<li>", "</ul>", "<table>",
                    "<tr>", "<td>", "<caption>", "</table>", "<pre>", "</pre>", "<h2>", "</h2>", "<dl>", "<dt>", "<dd>", "</dl>",
                    "<button>", "</button>", "<svg>", "</svg>", "<math>", "<mi>", "</math>", "<select>", "<option>", "</select>",
                    "<ruby>", "<rt>", "</ruby>", "<details>", "<summary>", "</details>", "x", " ", "\n", "&lt;img&gt;",
                ]),
            ], 0..14)
        ) {
            if let Err(difference) = stays_as_it_is(&html(&pieces.concat())) {
                prop_assert!(false, "{}", difference);
            }
        }
    }
}
