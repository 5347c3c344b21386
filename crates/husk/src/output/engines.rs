//! The template in the language of a template engine, with a named placeholder for each slot.

use husk_dom::{Dom, Namespace, NodeId, serialize};
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use super::html::{HtmlOptions, Marks, write_marked};
use super::placeholders::{Form, Place, Placeholder, left_out, placeholders};
use crate::extraction::Extraction;

/// What a template can be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
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
pub fn to_engine(extraction: &Extraction, engine: Engine, options: &HtmlOptions) -> String {
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
            match &placeholder.place {
                Place::Before(node) => {
                    marks.before.insert(*node, self.comment(number));
                }
                Place::Inside(node) if engine == Engine::HtmlSlots => {
                    marks
                        .added
                        .insert(*node, ("data-slot".to_owned(), self.of(number)));
                }
                Place::Inside(node) => {
                    marks.inside.insert(*node, self.of(number));
                }
                Place::Attribute(node, attribute) if engine == Engine::HtmlSlots => {
                    marks
                        .added
                        .insert(*node, (format!("data-slot-{attribute}"), self.of(number)));
                }
                Place::Attribute(node, attribute) => {
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
                self.place(dom, placeholder, out);
            }
            rest = behind;
        }
        self.escape(rest, false, out);
    }

    /// Writes a placeholder.
    fn place(self, dom: &Dom, placeholder: &Placeholder, out: &mut String) {
        let name = &placeholder.name;
        let written = match (self, placeholder.form) {
            (Self::Jinja, Form::Html) => format!("{{{{ {name} | safe }}}}"),
            (Self::Jinja, Form::Text) => format!("{{{{ {name} | e }}}}"),
            (Self::Liquid, Form::Html) => format!("{{{{ {name} }}}}"),
            (Self::Liquid, Form::Text) => format!("{{{{ {name} | escape }}}}"),
            (Self::Handlebars, Form::Html) => format!("{{{{{{ {name} }}}}}}"),
            (Self::Handlebars, Form::Text) => format!("{{{{ {name} }}}}"),
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
    let Place::Before(node) = placeholder.place else {
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
