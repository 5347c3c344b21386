//! What the elements of HTML mean to a reader.

use husk_dom::{Dom, Name, Namespace, NodeId, NodeKind, name};

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
    /// An image.
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
    match (dom.namespace(node), dom.name(node)) {
        (Namespace::Html, name) => of_html(name),
        (Namespace::MathMl, &name!("math")) => Meaning::Math,
        (
            Namespace::MathMl,
            &(name!("mi") | name!("mn") | name!("mo") | name!("ms") | name!("mtext") | name!("annotation")),
        ) => Meaning::Apart,
        (Namespace::Svg, &(name!("svg") | name!("text") | name!("title") | name!("desc"))) => Meaning::Apart,
        _ => Meaning::Inline,
    }
}

fn of_html(name: &Name) -> Meaning {
    match *name {
        // Nearly all.
        name!("div") | name!("p") => Meaning::Block,
        name!("span") => Meaning::Inline,
        name!("a") => Meaning::Link,
        name!("script") => Meaning::Math,
        name!("h1") => Meaning::Heading(1),
        name!("h2") => Meaning::Heading(2),
        name!("h3") => Meaning::Heading(3),
        name!("h4") => Meaning::Heading(4),
        name!("h5") => Meaning::Heading(5),
        name!("h6") => Meaning::Heading(6),
        name!("ul") | name!("menu") | name!("dir") => Meaning::Bullets,
        name!("ol") => Meaning::Numbers,
        name!("li") => Meaning::Item,
        name!("dl") => Meaning::Glossary,
        name!("dt") => Meaning::Term,
        name!("dd") => Meaning::Definition,
        name!("blockquote") => Meaning::Quote,
        name!("pre") | name!("listing") | name!("xmp") | name!("plaintext") => Meaning::Preformatted,
        name!("table") => Meaning::Table,
        name!("tr") => Meaning::Row,
        name!("td") | name!("th") => Meaning::Cell,
        name!("caption") | name!("figcaption") | name!("summary") | name!("legend") => Meaning::Caption,
        name!("hr") => Meaning::Rule,
        name!("br") => Meaning::Break,
        name!("img") => Meaning::Picture,
        name!("video") | name!("audio") | name!("iframe") | name!("embed") | name!("object") => {
            Meaning::Media
        }
        name!("strong") | name!("b") => Meaning::Mark(Mark::Strong),
        name!("em") | name!("i") | name!("cite") | name!("dfn") | name!("var") => {
            Meaning::Mark(Mark::Emphasis)
        }
        name!("del") | name!("s") | name!("strike") => Meaning::Mark(Mark::Deleted),
        name!("sup") => Meaning::Mark(Mark::Raised),
        name!("sub") => Meaning::Mark(Mark::Lowered),
        name!("code") | name!("kbd") | name!("samp") | name!("tt") => Meaning::Code,
        name!("q") => Meaning::Quoted,
        name!("button")
        | name!("select")
        | name!("option")
        | name!("optgroup")
        | name!("textarea")
        | name!("input")
        | name!("canvas") => Meaning::Apart,
        name!("html")
        | name!("body")
        | name!("section")
        | name!("article")
        | name!("aside")
        | name!("main")
        | name!("nav")
        | name!("header")
        | name!("footer")
        | name!("hgroup")
        | name!("search")
        | name!("address")
        | name!("center")
        | name!("form")
        | name!("fieldset")
        | name!("figure")
        | name!("details")
        | name!("dialog")
        | name!("thead")
        | name!("tbody")
        | name!("tfoot")
        | name!("colgroup")
        | name!("frameset")
        | name!("noframes")
        | name!("marquee") => Meaning::Block,
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
