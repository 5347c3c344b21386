//! What the elements of HTML mean to a reader.

use husk_dom::{Dom, Namespace, NodeId, NodeKind};

/// What an element means to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing: what is in it stands in the line around it.
    Inline,
    /// As `Inline`, but a reader sees a gap on either side of it.
    Apart,
    /// A paragraph or something else that stands for itself.
    Block,
    /// A heading of a level from 1 to 6.
    Heading(u8),
    /// A list without numbers.
    Bullets,
    /// A list with numbers.
    Numbers,
    /// An entry of a list.
    Item,
    /// A list of terms and what they mean.
    Glossary,
    /// A term.
    Term,
    /// What a term means.
    Definition,
    /// Somebody else's words.
    Quote,
    /// Text whose spaces and line ends count.
    Preformatted,
    /// A table.
    Table,
    /// A row of a table.
    Row,
    /// A cell of a table.
    Cell,
    /// What a table or a figure is, or what one may unfold.
    Caption,
    /// A line across.
    Rule,
    /// The end of a line.
    Break,
    /// A picture.
    Picture,
    /// Something that plays or is shown from elsewhere.
    Media,
    /// A formula.
    Math,
    /// A link.
    Link,
    /// Words in a stronger, slanted or other type.
    Mark(Mark),
    /// Words of a programming language.
    Code,
    /// Somebody else's words within a line.
    Quoted,
}

/// How words stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Strong,
    Emphasis,
    Deleted,
    Raised,
    Lowered,
}

/// What an element means. Foreign elements mean nothing but formulas.
pub(super) fn meaning(dom: &Dom, node: NodeId) -> Meaning {
    if dom.kind(node) != NodeKind::Element {
        return Meaning::Inline;
    }
    match (dom.namespace(node), &**dom.name(node)) {
        (Namespace::Html, "script") => Meaning::Math,
        (Namespace::Html, name) => of_html(name),
        (Namespace::MathMl, "math") => Meaning::Math,
        (Namespace::MathMl, "mi" | "mn" | "mo" | "ms" | "mtext" | "annotation") => Meaning::Apart,
        (Namespace::Svg, "svg" | "text" | "title" | "desc") => Meaning::Apart,
        _ => Meaning::Inline,
    }
}

fn of_html(name: &str) -> Meaning {
    match name {
        "h1" => Meaning::Heading(1),
        "h2" => Meaning::Heading(2),
        "h3" => Meaning::Heading(3),
        "h4" => Meaning::Heading(4),
        "h5" => Meaning::Heading(5),
        "h6" => Meaning::Heading(6),
        "ul" | "menu" | "dir" => Meaning::Bullets,
        "ol" => Meaning::Numbers,
        "li" => Meaning::Item,
        "dl" => Meaning::Glossary,
        "dt" => Meaning::Term,
        "dd" => Meaning::Definition,
        "blockquote" => Meaning::Quote,
        "pre" | "listing" | "xmp" | "plaintext" => Meaning::Preformatted,
        "table" => Meaning::Table,
        "tr" => Meaning::Row,
        "td" | "th" => Meaning::Cell,
        "caption" | "figcaption" | "summary" | "legend" => Meaning::Caption,
        "hr" => Meaning::Rule,
        "br" => Meaning::Break,
        "img" => Meaning::Picture,
        "video" | "audio" | "iframe" | "embed" | "object" => Meaning::Media,
        "a" => Meaning::Link,
        "strong" | "b" => Meaning::Mark(Mark::Strong),
        "em" | "i" | "cite" | "dfn" | "var" => Meaning::Mark(Mark::Emphasis),
        "del" | "s" | "strike" => Meaning::Mark(Mark::Deleted),
        "sup" => Meaning::Mark(Mark::Raised),
        "sub" => Meaning::Mark(Mark::Lowered),
        "code" | "kbd" | "samp" | "tt" => Meaning::Code,
        "q" => Meaning::Quoted,
        "button" | "select" | "option" | "optgroup" | "textarea" | "input" | "canvas" => Meaning::Apart,
        "html" | "body" | "p" | "div" | "section" | "article" | "aside" | "main" | "nav" | "header"
        | "footer" | "hgroup" | "search" | "address" | "center" | "form" | "fieldset" | "figure"
        | "details" | "dialog" | "thead" | "tbody" | "tfoot" | "colgroup" | "frameset" | "noframes"
        | "marquee" => Meaning::Block,
        _ => Meaning::Inline,
    }
}

impl Meaning {
    /// Whether it begins and ends a block of its own.
    pub(super) fn is_block(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::Heading(_)
                | Self::Bullets
                | Self::Numbers
                | Self::Item
                | Self::Glossary
                | Self::Term
                | Self::Definition
                | Self::Quote
                | Self::Preformatted
                | Self::Table
                | Self::Row
                | Self::Cell
                | Self::Caption
                | Self::Rule
        )
    }
}
