//! SVG and MathML.

use web_atoms::local_name;

use super::super::tags::Tag;
use super::foreign_names::{svg_attribute_name, svg_name};
use super::stack::OpenElement;
use super::{Builder, EndTag, StartTag, Step, kinds};
use crate::dom::Namespace;

impl Builder {
    /// Whether a start tag follows the rules for foreign content.
    #[inline]
    pub(super) fn is_foreign_start(&self, tag: Tag) -> bool {
        let Some(current) = self.open.last() else {
            return false;
        };
        current.is(kinds::FOREIGN) && is_foreign_within(current, tag)
    }

    /// A start tag that opens foreign content.
    pub(super) fn start_foreign(&mut self, start: &StartTag, namespace: Namespace) -> Step {
        self.reopen_formatting();
        self.insert_foreign(start, namespace)
    }

    pub(super) fn start_in_foreign(&mut self, start: &StartTag) -> Step {
        if breaks_out(start.tag) || (start.tag == Tag::Font && self.is_styled_font(start)) {
            self.close_foreign();
            return self.start_in(self.mode, start);
        }
        let namespace = match self.open.last() {
            Some(current) if current.is(kinds::SVG) => Namespace::Svg,
            _ => Namespace::MathMl,
        };
        self.insert_foreign(start, namespace)
    }

    fn is_styled_font(&self, start: &StartTag) -> bool {
        let mut attributes = self.tree.attributes.get(start.attributes);
        attributes.any(|attribute| {
            matches!(
                *attribute.name,
                local_name!("color") | local_name!("face") | local_name!("size")
            )
        })
    }

    /// Closes foreign elements up to HTML content.
    fn close_foreign(&mut self) {
        while self
            .open
            .last()
            .is_some_and(|open| open.is(kinds::FOREIGN) && !open.is(kinds::INTEGRATION_POINT))
        {
            self.open.pop();
        }
    }

    fn insert_foreign(&mut self, start: &StartTag, namespace: Namespace) -> Step {
        let attributes = &mut self.tree.attributes;
        let mut name = start.name.clone();
        if namespace == Namespace::Svg {
            attributes.rename(start.attributes, svg_attribute_name);
            name = svg_name(&name).unwrap_or(name);
        } else {
            attributes.rename(start.attributes, |name| {
                (*name == local_name!("definitionurl")).then_some(local_name!("definitionURL"))
            });
        }
        let point = self.insertion_point();
        let node = self.tree.add_element(point, name, namespace, start.attributes);
        if !start.is_self_closing {
            self.open.push(OpenElement {
                node,
                tag: Tag::Foreign,
                kinds: kinds::of_foreign(start.tag, namespace, self.is_html_annotation(start)),
            });
        }
        Step::Done
    }

    /// Whether the tag is an `annotation-xml` that contains HTML.
    fn is_html_annotation(&self, start: &StartTag) -> bool {
        start.tag == Tag::AnnotationXml
            && self.tree.attributes.get(start.attributes).any(|attribute| {
                *attribute.name == local_name!("encoding")
                    && (attribute.value.eq_ignore_ascii_case("text/html")
                        || attribute.value.eq_ignore_ascii_case("application/xhtml+xml"))
            })
    }

    pub(super) fn end_in_foreign(&mut self, end: &EndTag<'_>) -> Step {
        if matches!(end.tag, Tag::Br | Tag::P) {
            self.close_foreign();
            return self.end_in(self.mode, end);
        }
        for (index, open) in self.open.from(1).iter().enumerate().rev() {
            if !open.is(kinds::FOREIGN) {
                return self.end_in(self.mode, end);
            }
            if self.tree.node(open.node).name.eq_ignore_ascii_case(end.name) {
                self.open.truncate(index + 1);
                return Step::Done;
            }
        }
        Step::Done
    }
}

/// Whether a start tag within a foreign element is foreign too.
fn is_foreign_within(current: OpenElement, tag: Tag) -> bool {
    if current.is(kinds::TEXT_POINT) && !matches!(tag, Tag::Mglyph | Tag::Malignmark) {
        return false;
    }
    if current.is(kinds::ANNOTATION) && tag == Tag::Svg {
        return false;
    }
    !current.is(kinds::HTML_POINT)
}

/// Tags that are HTML everywhere.
#[rustfmt::skip]
fn breaks_out(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        B | Big | Blockquote | Body | Br | Center | Code | Dd | Div | Dl | Dt | Em | Embed | H1 | H2 | H3 | H4
            | H5 | H6 | Head | Hr | I | Img | Li | Listing | Menu | Meta | Nobr | Ol | P | Pre | Ruby | S
            | Small | Span | Strong | Strike | Sub | Sup | Table | Tt | U | Ul | Var
    )
}
