//! Categories of elements that the rules refer to, as flags.

use super::super::tags::{ALL, COUNT, Tag};
use crate::dom::Namespace;

/// Special: ends the search for the element of an end tag that has no rule of its own.
pub(super) const SPECIAL: u32 = 1;
/// Ends the search for an element in scope.
pub(super) const ENDS_SCOPE: u32 = 1 << 1;
/// Ends the search in list item scope.
pub(super) const ENDS_LIST_SCOPE: u32 = 1 << 2;
/// Ends the search in button scope.
pub(super) const ENDS_BUTTON_SCOPE: u32 = 1 << 3;
/// Ends the search in table scope; also the elements that parts of a table are inserted into.
pub(super) const ENDS_TABLE_SCOPE: u32 = 1 << 4;
/// The end tag may be omitted.
pub(super) const IMPLIED_END: u32 = 1 << 5;
/// The end tag may be omitted before the end of a template.
pub(super) const IMPLIED_END_IN_TEMPLATE: u32 = 1 << 6;
/// A heading.
pub(super) const HEADING: u32 = 1 << 7;
/// Rows are inserted into it.
pub(super) const HOLDS_ROWS: u32 = 1 << 8;
/// Cells are inserted into it.
pub(super) const HOLDS_CELLS: u32 = 1 << 9;
/// A part of a table that contains only other parts: anything else is inserted before the table.
pub(super) const FOSTERS: u32 = 1 << 10;
/// A group of rows.
pub(super) const ROW_GROUP: u32 = 1 << 11;
/// A cell of a table.
pub(super) const CELL: u32 = 1 << 12;
/// Belongs to SVG.
pub(super) const SVG: u32 = 1 << 13;
/// Belongs to MathML.
pub(super) const MATHML: u32 = 1 << 14;
/// Not HTML.
pub(super) const FOREIGN: u32 = SVG | MATHML;
/// A MathML text integration point.
pub(super) const TEXT_POINT: u32 = 1 << 15;
/// An HTML integration point.
pub(super) const HTML_POINT: u32 = 1 << 16;
/// A foreign element in which text and most tags are HTML.
pub(super) const INTEGRATION_POINT: u32 = TEXT_POINT | HTML_POINT;
/// A MathML `annotation-xml`.
pub(super) const ANNOTATION: u32 = 1 << 17;

const ENDS_ALL_SCOPES: u32 = ENDS_SCOPE | ENDS_LIST_SCOPE | ENDS_BUTTON_SCOPE;

static KINDS: [u32; COUNT] = {
    let mut kinds = [0; COUNT];
    let mut index = 0;
    while index < COUNT {
        kinds[index] = kinds_of(ALL[index]);
        index += 1;
    }
    kinds
};

/// The categories of an HTML element.
#[inline]
pub(super) fn of_html(tag: Tag) -> u32 {
    KINDS[tag as usize]
}

/// The categories of an SVG or MathML element. `is_html_annotation` is true for an `annotation-xml` that contains HTML.
pub(super) fn of_foreign(tag: Tag, namespace: Namespace, is_html_annotation: bool) -> u32 {
    let ends = SPECIAL | ENDS_ALL_SCOPES;
    match (namespace, tag) {
        (Namespace::Html, _) => of_html(tag),
        (Namespace::Svg, Tag::ForeignObject | Tag::Desc | Tag::Title) => SVG | HTML_POINT | ends,
        (Namespace::Svg, _) => SVG,
        (Namespace::MathMl, Tag::Mi | Tag::Mo | Tag::Mn | Tag::Ms | Tag::Mtext) => MATHML | TEXT_POINT | ends,
        (Namespace::MathMl, Tag::AnnotationXml) if is_html_annotation => {
            MATHML | ANNOTATION | HTML_POINT | ends
        }
        (Namespace::MathMl, Tag::AnnotationXml) => MATHML | ANNOTATION | ends,
        (Namespace::MathMl, _) => MATHML,
    }
}

const fn kinds_of(tag: Tag) -> u32 {
    let mut kinds = 0;
    if is_special(tag) {
        kinds |= SPECIAL;
    }
    kinds | scopes_of(tag) | ends_of(tag) | table_kinds_of(tag)
}

#[rustfmt::skip]
const fn is_special(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Address | Applet | Area | Article | Aside | Base | Basefont | Bgsound | Blockquote | Body | Br | Button
            | Caption | Center | Col | Colgroup | Dd | Details | Dir | Div | Dl | Dt | Embed | Fieldset
            | Figcaption | Figure | Footer | Form | Frame | Frameset | H1 | H2 | H3 | H4 | H5 | H6 | Head
            | Header | Hgroup | Hr | Html | Iframe | Img | Input | Keygen | Li | Link | Listing | Main
            | Marquee | Menu | Meta | Nav | Noembed | Noframes | Noscript | Object | Ol | P | Param | Plaintext
            | Pre | Script | Search | Section | Select | Source | Style | Summary | Table | Tbody | Td
            | Template | Textarea | Tfoot | Th | Thead | Title | Tr | Track | Ul | Wbr | Xmp
    )
}

const fn scopes_of(tag: Tag) -> u32 {
    use Tag::*;
    match tag {
        Html | Table | Template => ENDS_ALL_SCOPES | ENDS_TABLE_SCOPE,
        Applet | Caption | Td | Th | Marquee | Object | Select => ENDS_ALL_SCOPES,
        Ol | Ul => ENDS_LIST_SCOPE,
        Button => ENDS_BUTTON_SCOPE,
        _ => 0,
    }
}

const fn ends_of(tag: Tag) -> u32 {
    use Tag::*;
    match tag {
        Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc => IMPLIED_END | IMPLIED_END_IN_TEMPLATE,
        Caption | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr => IMPLIED_END_IN_TEMPLATE,
        H1 | H2 | H3 | H4 | H5 | H6 => HEADING,
        _ => 0,
    }
}

const fn table_kinds_of(tag: Tag) -> u32 {
    use Tag::*;
    match tag {
        Html | Template => HOLDS_ROWS | HOLDS_CELLS,
        Table => FOSTERS,
        Tbody | Tfoot | Thead => FOSTERS | HOLDS_ROWS | ROW_GROUP,
        Tr => FOSTERS | HOLDS_CELLS,
        Td | Th => CELL,
        _ => 0,
    }
}
