//! The template in the language of a template engine, with a named placeholder for each slot.

use husk_dom::{Dom, Namespace, NodeId, serialize};
use indexmap::IndexSet;

use super::html::{Marks, TEMPLATE_HTML, write_marked};
use super::options::OutputOptions;
use super::placeholders::{Placeholder, PlaceholderKind, PlaceholderTarget, left_out, placeholders};
use super::registry::Output;
use crate::extraction::Extraction;

pub(super) const TEMPLATE_JINJA: Output = Output {
    name: "jinja",
    extension: "jinja",
    help: "{{ title | e }}: for Jinja, Nunjucks and MiniJinja",
    writer: |analysis, options| Ok(to_engine(analysis.extraction(), Engine::Jinja, options).into()),
    ..TEMPLATE_HTML
};

pub(super) const TEMPLATE_LIQUID: Output = Output {
    name: "liquid",
    extension: "liquid",
    help: "{{ title | escape }}: for Liquid, as in Jekyll",
    writer: |analysis, options| Ok(to_engine(analysis.extraction(), Engine::Liquid, options).into()),
    ..TEMPLATE_HTML
};

pub(super) const TEMPLATE_HANDLEBARS: Output = Output {
    name: "handlebars",
    extension: "hbs",
    help: "{{ title }}, and {{{ main_content }}} for HTML: for Handlebars",
    writer: |analysis, options| Ok(to_engine(analysis.extraction(), Engine::Handlebars, options).into()),
    ..TEMPLATE_HTML
};

pub(super) const TEMPLATE_HTML_SLOTS: Output = Output {
    name: "html-slots",
    extension: "slots.html",
    help: "<slot name=\"main_content\">, and the attribute data-slot where no element may stand",
    writer: |analysis, options| Ok(to_engine(analysis.extraction(), Engine::HtmlSlots, options).into()),
    ..TEMPLATE_HTML
};

/// What a template can be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// Jinja, and those that read its language: Nunjucks, MiniJinja.
    Jinja,
    /// Liquid, as in Jekyll.
    Liquid,
    /// Handlebars.
    Handlebars,
    /// `<slot>` elements as web components have them, and `data-slot` attributes where an element may not stand.
    HtmlSlots,
}

/// The template for an engine: its own text escaped where the engine would take it for its own, and a list of the
/// placeholders in a comment at the top.
pub(super) fn to_engine(extraction: &Extraction, engine: Engine, options: &OutputOptions) -> String {
    let placeholders = placeholders(extraction, options.scripts);
    let dom = &extraction.key_page.dom;
    let mark = Mark::not_in(&serialize(dom, dom.document()));
    let cut_out = left_out(extraction, &placeholders);
    let html = write_marked(extraction, options, mark.marks(engine, &placeholders, cut_out));
    let mut out = engine.header(&placeholders);
    engine.write(dom, &placeholders, &html, &mark, &mut out);
    out
}

/// What stands for a placeholder, with its number, while the HTML is written.
struct Mark(String);

impl Mark {
    /// A mark that does not occur in some HTML.
    fn not_in(html: &str) -> Self {
        let mut mark = "huskplaceholder".to_owned();
        while html.contains(&mark) {
            mark.push('x');
        }
        Self(mark)
    }

    /// A mark. Letters and digits stay as they are wherever they stand.
    fn of(&self, number: usize) -> String {
        format!("{}{number}z", self.0)
    }

    /// A mark between elements, where plain text would not always stay.
    fn comment(&self, number: usize) -> String {
        format!("<!--{}-->", self.of(number))
    }

    fn marks(&self, engine: Engine, placeholders: &[Placeholder], cut_out: IndexSet<NodeId>) -> Marks {
        let mut marks = Marks::without(cut_out);
        for (number, placeholder) in placeholders.iter().enumerate() {
            match &placeholder.target {
                PlaceholderTarget::Before(node) => {
                    marks.before.insert(*node, self.comment(number));
                }
                PlaceholderTarget::Inside(node) if engine == Engine::HtmlSlots => {
                    marks
                        .added
                        .insert(*node, ("data-slot".to_owned(), self.of(number)));
                }
                PlaceholderTarget::Inside(node) => {
                    marks.inside.insert(*node, self.of(number));
                }
                PlaceholderTarget::Attribute(node, attribute) if engine == Engine::HtmlSlots => {
                    marks
                        .added
                        .insert(*node, (format!("data-slot-{attribute}"), self.of(number)));
                }
                PlaceholderTarget::Attribute(node, attribute) => {
                    marks.values.insert((*node, attribute.clone()), self.of(number));
                }
            }
        }
        marks
    }

    /// The next mark in some HTML: what is in front of it, its number, what is behind it.
    fn next<'a>(&self, html: &'a str) -> Option<(&'a str, usize, &'a str)> {
        let (before, behind) = html.split_once(&self.0)?;
        let (number, behind) = behind.split_once('z')?;
        let number = number.parse().ok()?;
        let in_comment = before.strip_suffix("<!--").zip(behind.strip_prefix("-->"));
        let (before, behind) = in_comment.unwrap_or((before, behind));
        Some((before, number, behind))
    }
}

impl Engine {
    /// A comment that lists the placeholders.
    fn header(self, placeholders: &[Placeholder]) -> String {
        let (start, end) = match self {
            Self::Jinja => ("{#", "-#}"),
            Self::Liquid => ("{% comment %}", "{% endcomment -%}"),
            Self::Handlebars => ("{{!--", "--}}"),
            Self::HtmlSlots => ("<!--", "-->"),
        };
        let widest = placeholders
            .iter()
            .map(|placeholder| placeholder.name.len())
            .max();
        let widest = widest.unwrap_or_default();
        let mut header = format!("{start} To be filled in:\n");
        for placeholder in placeholders {
            let (name, about) = (&placeholder.name, placeholder.about());
            header.push_str(&format!("  {name:widest$}  {about}\n"));
        }
        header.push_str(end);
        header.push('\n');
        header
    }

    fn write(self, dom: &Dom, placeholders: &[Placeholder], html: &str, mark: &Mark, out: &mut String) {
        let mut rest = html;
        while let Some((before, number, behind)) = mark.next(rest) {
            self.escape(before, true, out);
            if let Some(placeholder) = placeholders.get(number) {
                self.write_placeholder(dom, placeholder, out);
            }
            rest = behind;
        }
        self.escape(rest, false, out);
    }

    fn write_placeholder(self, dom: &Dom, placeholder: &Placeholder, out: &mut String) {
        let name = &placeholder.name;
        let written = match (self, placeholder.kind) {
            (Self::Jinja, PlaceholderKind::Html) => format!("{{{{ {name} | safe }}}}"),
            (Self::Jinja, PlaceholderKind::Text) => format!("{{{{ {name} | e }}}}"),
            (Self::Liquid, PlaceholderKind::Html) => format!("{{{{ {name} }}}}"),
            (Self::Liquid, PlaceholderKind::Text) => format!("{{{{ {name} | escape }}}}"),
            (Self::Handlebars, PlaceholderKind::Html) => format!("{{{{{{ {name} }}}}}}"),
            (Self::Handlebars, PlaceholderKind::Text) => format!("{{{{ {name} }}}}"),
            (Self::HtmlSlots, _) => slot_element(dom, placeholder),
        };
        out.push_str(&written);
    }

    /// Writes text of the template so that the engine gives it back as it is.
    fn escape(self, text: &str, is_before_placeholder: bool, out: &mut String) {
        match self {
            Self::Jinja => escape_braces(text, &['{', '%', '#'], is_before_placeholder, out),
            Self::Liquid => escape_braces(text, &['{', '%'], is_before_placeholder, out),
            Self::Handlebars => escape_mustaches(text, is_before_placeholder, out),
            Self::HtmlSlots => out.push_str(text),
        }
    }
}

/// The place of a slot as HTML has it: an element where one may stand, a comment where none may.
fn slot_element(dom: &Dom, placeholder: &Placeholder) -> String {
    let name = &placeholder.name;
    let PlaceholderTarget::Before(node) = placeholder.target else {
        return name.clone();
    };
    let parent = dom.parent(node).unwrap_or(dom.document());
    if dom.namespace(parent) != Namespace::Html {
        return format!("<!--slot {name}-->");
    }
    match &**dom.name(parent) {
        // A parser moves other elements out of these, or leaves them out.
        "head" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "colgroup" | "select" | "optgroup"
        | "option" => {
            format!("<template data-slot=\"{name}\"></template>")
        }
        "html" | "frameset" => format!("<!--slot {name}-->"),
        _ => format!("<slot name=\"{name}\"></slot>"),
    }
}

/// Has the engine itself write each brace that would begin something.
fn escape_braces(text: &str, behind: &[char], is_before_placeholder: bool, out: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let begins = after.starts_with(behind) || (after.is_empty() && is_before_placeholder);
        out.push_str(if begins { "{{ '{' }}" } else { "{" });
        rest = after;
    }
    out.push_str(rest);
}

/// Puts a backslash in front of what Handlebars would take for its own.
///
/// A backslash that stands there already would undo that, so it is doubled in front of an empty comment. A single brace
/// in front of a placeholder is written as HTML: it stands in text or in a value, where that is the same.
fn escape_mustaches(text: &str, is_before_placeholder: bool, out: &mut String) {
    let body = if is_before_placeholder {
        text.trim_end_matches('{')
    } else {
        text
    };
    let mut rest = body;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        if before.ends_with('\\') {
            out.push_str("\\{{!}}");
        }
        out.push_str("\\{{");
        rest = after;
    }
    out.push_str(rest);
    let braces = text.len() - body.len();
    out.push_str(&"&#123;".repeat(braces));
    if is_before_placeholder && braces == 0 && rest.ends_with('\\') {
        out.push('\\');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Links, Scripts};
    use crate::{Method, Options, Page, Session, Url};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const ENGINES: [Engine; 3] = [Engine::Jinja, Engine::Liquid, Engine::Handlebars];

    fn as_is() -> OutputOptions {
        OutputOptions {
            scripts: Scripts::Keep,
            links: Links::AsWritten,
            ..OutputOptions::default()
        }
    }

    /// The extraction from a page and one other page of its site.
    fn extraction(key: &str, other: &str) -> Extraction {
        let url = |path| Url::parse("https://example.org/").unwrap().join(path).unwrap();
        let options = Options {
            method: Method::Paper,
            ..Options::default()
        };
        let with_link = |html| format!("{html}<a href=/other.html></a>");
        let mut session = Session::new(Page::parse(url("key.html"), &with_link(key)), options);
        while let Some(url) = session.next_wanted().cloned() {
            session.give(Page::parse(url, &with_link(other)));
        }
        session.finish()
    }

    /// What an engine itself makes of a template.
    fn render(engine: Engine, template: &str, values: &BTreeMap<String, String>) -> String {
        match engine {
            Engine::Jinja => {
                let environment = minijinja::Environment::new();
                environment
                    .render_named_str("template.html", template, values)
                    .unwrap_or_else(|error| panic!("{error:?}: {template}"))
            }
            Engine::Liquid => {
                let parser = liquid::ParserBuilder::with_stdlib().build().unwrap();
                let template = parser
                    .parse(template)
                    .unwrap_or_else(|error| panic!("{error}: {template}"));
                template.render(&liquid::to_object(values).unwrap()).unwrap()
            }
            Engine::Handlebars => handlebars::Handlebars::new()
                .render_template(template, values)
                .unwrap_or_else(|error| panic!("{error}: {template}")),
            Engine::HtmlSlots => unreachable!("no engine fills these"),
        }
    }

    /// The key page's own values for its placeholders.
    fn own_values(extraction: &Extraction) -> BTreeMap<String, String> {
        placeholders(extraction, Scripts::Keep)
            .into_iter()
            .map(|placeholder| (placeholder.name, placeholder.value))
            .collect()
    }

    fn as_read(html: &str) -> String {
        let dom = Dom::parse(html);
        serialize(&dom, dom.document())
    }

    /// Every engine gives the page back when it is given what the page has.
    #[track_caller]
    fn gives_the_page_back(extraction: &Extraction) {
        let dom = &extraction.key_page.dom;
        let page = as_read(&serialize(dom, dom.document()));
        for engine in ENGINES {
            let template = to_engine(extraction, engine, &as_is());
            let rendered = render(engine, &template, &own_values(extraction));
            assert_eq!(as_read(&rendered), page, "{engine:?}: {template}");
        }
    }

    const KEY: &str = "<!DOCTYPE html><title>Mine & yours</title><body><nav>Menu</nav>\
        <article><h1 id=h><i>A &amp; b</i></h1><p class=author>By <b>me</b></p>\
        <div id=text><p>One <u>two</u> three.</p><p>Four.</p></div><textarea id=t>a<b</textarea></article>";
    const OTHER: &str = "<!DOCTYPE html><title></title><body><nav>Menu</nav>\
        <article><h1 id=h></h1><p class=author>By </p><div id=text></div><textarea id=t></textarea></article>";

    #[test]
    fn a_placeholder_stands_for_each_slot() {
        let check = |engine, expect: &[&str]| {
            let template = to_engine(&extraction(KEY, OTHER), engine, &OutputOptions::default());
            for words in expect {
                assert!(template.contains(words), "{words} in {template}");
            }
        };
        check(
            Engine::Jinja,
            &[
                "{# To be filled in:\n  title         text; 2 words on this page\n",
                "<title>{{ title | e }}</title>",
                "<h1 id=\"h\">{{ heading | safe }}</h1>",
                "</h1><p class=\"author\">By {{ author | safe }}</p>",
                "<div id=\"text\">{{ main_content | safe }}</div>",
            ],
        );
        check(
            Engine::Liquid,
            &["{% comment %}", "{{ title | escape }}", "{{ main_content }}"],
        );
        check(
            Engine::Handlebars,
            &["{{!--", "<title>{{ title }}</title>", "{{{ main_content }}}"],
        );
        check(
            Engine::HtmlSlots,
            &[
                "<!-- To be",
                "<title data-slot=\"title\"></title>",
                "<div id=\"text\"><slot name=\"main_content\"></slot></div>",
            ],
        );
    }

    #[test]
    fn engines_give_the_page_back() {
        gives_the_page_back(&extraction(KEY, OTHER));
    }

    #[test]
    fn engines_put_other_content_in_place() {
        let extraction = extraction(KEY, OTHER);
        let values = [
            ("title", "T <&> x"),
            ("heading", "<i>H</i>"),
            ("main_content", "<p>C</p>"),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        for engine in ENGINES {
            let template = to_engine(&extraction, engine, &OutputOptions::default());
            let mut all: BTreeMap<String, String> = own_values(&extraction);
            all.extend(values.clone());
            let html = as_read(&render(engine, &template, &all));
            for words in [
                "<title>T &lt;&amp;&gt; x</title>",
                "<nav>Menu</nav>",
                "<h1 id=\"h\"><i>H</i></h1>",
                "<div id=\"text\"><p>C</p></div>",
            ] {
                assert!(html.contains(words), "{engine:?}: {words} in {html}");
            }
        }
    }

    #[test]
    fn the_head_is_taken_apart() {
        let key = "<title class=a>T</title><meta name=description content='D &quot;d&quot;'><link rel=canonical href=/key>\
            <link rel=search href=/s><meta property=og:title content=O><p>x";
        let template = to_engine(&extraction(key, "<p>x"), Engine::Jinja, &OutputOptions::default());
        for words in [
            "<title class=\"a\">{{ title | e }}</title>",
            "<meta name=\"description\" content=\"{{ description | e }}\">",
            "<link rel=\"canonical\" href=\"{{ canonical | e }}\">",
            "<meta property=\"og:title\" content=\"{{ og_title | e }}\">",
            "{{ head_extra | safe }}",
        ] {
            assert!(template.contains(words), "{words} in {template}");
        }
    }

    #[test]
    fn links_that_differ_on_every_page_are_placeholders() {
        let template = to_engine(
            &extraction("<h1><a href=/mine>x</a></h1>", "<h1><a href=/theirs>x</a></h1>"),
            Engine::Liquid,
            &OutputOptions::default(),
        );
        assert!(
            template.contains("<h1><a href=\"{{ link_url | escape }}\">x</a></h1>"),
            "{template}"
        );
    }

    #[test]
    fn what_does_not_show_is_no_placeholder() {
        let key = "<p>x</p><script>1</script><div><i><!-- c --></i></div>";
        let template = to_engine(
            &extraction(key, "<p>x</p>"),
            Engine::Jinja,
            &OutputOptions::default(),
        );
        assert!(!template.contains("{{"), "{template}");
    }

    #[test]
    fn slots_stand_where_a_parser_leaves_them() {
        let key = "<table id=a><tr><td>x</td></tr></table><select id=s><option>y</option></select><svg id=v><text>z</text></svg>";
        let other = "<table id=a></table><select id=s></select><svg id=v></svg>";
        let template = to_engine(
            &extraction(key, other),
            Engine::HtmlSlots,
            &OutputOptions::default(),
        );
        assert!(
            template.contains("<table id=\"a\"><template data-slot="),
            "{template}"
        );
        assert!(
            template.contains("<select id=\"s\"><template data-slot="),
            "{template}"
        );
        assert!(template.contains("<svg id=\"v\"><!--slot "), "{template}");
        let body = |html: &str| html[html.find("<body").unwrap()..].to_owned();
        assert_eq!(body(&as_read(&template)), body(&template));
    }

    /// Text that means something to an engine, in every place of a template and beside slots.
    fn hostile(text: &str) -> (String, String) {
        let (attribute, raw) = (text.replace('"', "&quot;"), text.replace("--", "- "));
        let page = |cut: &str| {
            format!(
                "<p title=\"{attribute}\">{text}</p><!--{raw}--><script>{text}</script><style>{text}</style>\
                <div id=d>{text}{cut}{text}</div><b>{text}</b>"
            )
        };
        (page("<i>cut {{ out }}</i>"), page(""))
    }

    #[test]
    fn syntax_of_engines_in_the_page_stays_as_it_is() {
        for text in [
            "{{ x }}",
            "{% raw %}",
            "{% endraw %}",
            "{# c #}",
            "{{{ x }}}",
            "{{{{raw}}}}",
            "{{!-- c --}}",
            "\\{{ x }}",
            "\\\\{{ x }}",
            "\\\\\\{{x",
            "{",
            "{{",
            "}}",
            "\\",
            "\\\\",
            "%}",
            "{%- if -%}",
            "{{#if x}}",
            "{{~x~}}",
            "{{ '{' }}",
            "{{{{{",
            "\\{",
            "{\\{",
            "huskplaceholder0z",
        ] {
            let (key, other) = hostile(text);
            gives_the_page_back(&extraction(&key, &other));
        }
    }

    prop_compose! {
        fn hostile_text()(parts in prop::collection::vec(
            prop::sample::select(vec!["{", "{", "{{", "}}", "}", "%", "#", "\\", "!", "--", " ", "x", "\n", "'", "~", "raw", "/"]),
            0..10,
        )) -> String {
            parts.concat()
        }
    }

    proptest! {
        #[test]
        fn whatever_the_page_says_is_no_syntax(text in hostile_text()) {
            let (key, other) = hostile(&text);
            gives_the_page_back(&extraction(&key, &other));
        }
    }
}
