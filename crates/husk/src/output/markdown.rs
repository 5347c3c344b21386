//! Content as Markdown of GitHub's flavour.
//!
//! What a parser reads back has the words of the page, in the same structure. Left out are images without a URL,
//! numbers beside lines of code, lines of code that the page hides, links for copying and editing at headings, a heading that
//! repeats the one before it, and the words that stand in for a video.

use husk_dom::{Dom, NodeId, NodeKind, name};
use url::Url;

use super::alerts::alert;
use super::blocks::{BlockKind, Blocks};
use super::code::{code_text, language};
use super::elements::{Mark, Meaning, meaning};
use super::footnotes::Footnotes;
use super::formula::{TextPart, formula, has_tex, is_twin_of_math, split_tex};
use super::grid::{Grid, alignment};
use super::inline::{Line, LineContext, Span, destination, longest_run};
use super::links::{is_for_editing, is_permalink, media, picture, target};
use super::neighbours::is_apart_from_next;
use super::nodes::write_content;
use super::options::{ContentFormat, OutputOptions};
use super::registry::{MARKDOWN, Output, Part};
use super::selection::{Selection, Visit, Visits};
use super::tables::{Table, Tables, colspan, rowspan};
use super::urls::Resolver;
use crate::content::Content;
use crate::links::base_url;
use crate::mapping::NodeSet;
use crate::page::Page;

pub(super) const CONTENT_MARKDOWN: Output = Output {
    part: Part::Content,
    name: "markdown",
    media_type: MARKDOWN,
    extension: "md",
    help: "GitHub's Markdown",
    options: &["include", "comments"],
    writer: |analysis, options| Ok(write_content(analysis, ContentFormat::Markdown, options).into()),
};

pub(super) const TEMPLATE_MARKDOWN: Output = Output {
    part: Part::Template,
    name: "markdown",
    media_type: MARKDOWN,
    extension: "md",
    help: "The text of the template as GitHub's Markdown",
    options: &[],
    writer: |analysis, options| {
        Ok(nodes_markdown(analysis.page(), &analysis.template_nodes(), options).into())
    },
};

/// The content as Markdown.
pub fn content_markdown(page: &Page, content: &Content, options: &OutputOptions) -> String {
    nodes_markdown(page, &content.nodes, options)
}

/// Some nodes of a page as Markdown.
pub fn nodes_markdown(page: &Page, nodes: &NodeSet, options: &OutputOptions) -> String {
    let selection = Selection::new(&page.dom, nodes);
    let tables = Tables::of(&selection);
    let footnotes = Footnotes::of(&selection);
    let resolver = Resolver::new(base_url(page), options.relocation.clone());
    let mut writer = Writer {
        selection: &selection,
        tables: &tables,
        footnotes: &footnotes,
        resolver: &resolver,
        own_url: without_index(&resolver.absolute(page.url.as_str())).to_owned(),
        declared_url: declared_url(&page.dom),
        blocks: Blocks::new(),
        line: Line::default(),
        place: LineContext::Paragraph,
        open: Vec::new(),
        table: None,
        lists: Vec::new(),
        has_tex: has_tex(&selection),
        title_of_alert: None,
        last_heading: None,
    };
    writer.line.has_math = writer.has_tex || has_math(&selection);
    let mut visits = selection.visits();
    while let Some(visit) = visits.next() {
        match visit {
            Visit::Enter(node) if page.dom.kind(node) == NodeKind::Text => {
                writer.write_text(page.dom.text_of(node))
            }
            Visit::Enter(node) => {
                let end = writer.enter(node, &mut visits);
                writer.open.push(end);
            }
            Visit::Leave(node) => {
                let end = writer.open.pop();
                writer.leave(end.unwrap_or(End::Nothing));
                if is_apart_from_next(&selection, node) {
                    writer.line.space();
                }
            }
        }
    }
    writer.flush();
    writer.blocks.finish()
}

fn has_math(selection: &Selection<'_>) -> bool {
    let dom = selection.dom;
    dom.nodes()
        .any(|node| meaning(dom, node) == Meaning::Math && selection.is_visited(node))
}

/// What is to be done at the end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Nothing,
    Block,
    Heading(u8),
    /// A container, and whether it is one in the Markdown too.
    Container(bool),
    /// A list, likewise.
    List(bool),
    /// An entry, likewise.
    Item(bool),
    /// A term, and whether it is marked as one.
    Term(bool),
    Span,
    Space,
    Quoted,
    Row,
    Cell(NodeId),
    Caption,
    Table,
}

/// A list under way.
#[derive(Debug)]
struct List {
    sign: char,
    /// The number of the next entry, if entries have one.
    number: Option<u32>,
    /// Whether an entry of a glossary is open in the Markdown, and whether it has only terms so far.
    entry: Option<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    is_open: bool,
    has_definition: bool,
}

struct Writer<'a> {
    selection: &'a Selection<'a>,
    tables: &'a Tables,
    footnotes: &'a Footnotes,
    resolver: &'a Resolver,
    /// Where the page itself is.
    own_url: String,
    /// The URL that the page declares as its own.
    declared_url: Option<Url>,
    blocks: Blocks,
    line: Line,
    place: LineContext,
    open: Vec<End>,
    table: Option<Grid>,
    lists: Vec<List>,
    /// Whether the text has formulas that a script shows.
    has_tex: bool,
    /// The title of the alert under way that is not written.
    title_of_alert: Option<NodeId>,
    /// The text of the last heading, and where it ends in the Markdown.
    last_heading: Option<(String, usize)>,
}

impl Writer<'_> {
    fn enter(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        let dom = self.selection.dom;
        let meaning = meaning(dom, node);
        if self.selection.is_around_all(node) && meaning != Meaning::Preformatted {
            return End::Nothing;
        }
        if is_permalink(self.selection, node)
            || is_for_editing(dom, node)
            || self.title_of_alert == Some(node)
            || self.footnotes.is_back(node)
            || is_twin_of_math(self.selection, node)
        {
            visits.skip();
            return End::Nothing;
        }
        match meaning {
            Meaning::Link => self.enter_link(node, visits),
            Meaning::Mark(mark) => self.enter_mark(mark, node),
            Meaning::Code => self.enter_code(node, visits),
            Meaning::Quoted => {
                self.line.text("“");
                End::Quoted
            }
            Meaning::Break => {
                self.end_line();
                End::Nothing
            }
            Meaning::Picture => {
                self.write_picture(node);
                End::Nothing
            }
            Meaning::Media => {
                visits.skip();
                self.write_media(node);
                End::Nothing
            }
            Meaning::Math => self.enter_math(node, visits),
            Meaning::Apart => {
                self.write_box(node);
                self.line.space();
                End::Space
            }
            Meaning::Inline => End::Nothing,
            _ if self.tables.numbers().contains(&node) => {
                visits.skip();
                End::Nothing
            }
            block if self.place != LineContext::Paragraph => self.enter_folded(block, node, visits),
            block => self.enter_block(block, node, visits),
        }
    }

    /// A block where a block cannot be: in a heading or in a cell.
    fn enter_folded(&mut self, block: Meaning, node: NodeId, visits: &mut Visits<'_>) -> End {
        match block {
            Meaning::Row if self.table.is_some() => End::Row,
            Meaning::Cell if self.table.is_some() => self.enter_cell(node),
            Meaning::Caption
                if self.table.is_some() && self.selection.dom.is_element(node, &name!("caption")) =>
            {
                let _ = self.line.take(LineContext::Cell);
                End::Caption
            }
            // A row that is a heading over others.
            Meaning::Heading(_) if self.table.is_some() => {
                self.fold();
                self.open_span(Span::Mark(Mark::Strong))
            }
            Meaning::Preformatted => {
                visits.skip();
                self.line.space();
                self.line.code(&code_text(self.selection, node));
                self.line.space();
                End::Nothing
            }
            Meaning::Block if self.is_part_of_table(node) => End::Nothing,
            // What is empty only keeps words apart.
            Meaning::Block if self.selection.dom.size(node) == 1 => End::Space,
            _ => {
                self.fold();
                End::Block
            }
        }
    }

    /// Whether a node is a group of rows.
    fn is_part_of_table(&self, node: NodeId) -> bool {
        matches!(
            &**self.selection.dom.name(node),
            "thead" | "tbody" | "tfoot" | "colgroup"
        )
    }

    /// The end of a block where there can be none.
    fn fold(&mut self) {
        match self.place {
            LineContext::Cell if !self.line.is_empty() => self.line.line_end(),
            _ => self.line.space(),
        }
    }

    fn enter_block(&mut self, block: Meaning, node: NodeId, visits: &mut Visits<'_>) -> End {
        self.flush();
        if let Some(label) = self.footnotes.note(node) {
            let first = format!("[^{label}]: ");
            return End::Container(self.blocks.open(BlockKind::Other, &first, "    "));
        }
        if matches!(block, Meaning::Block | Meaning::Quote)
            // GitHub shows them as such only where they are in nothing else.
            && self.blocks.is_at_top()
            && let Some(alert) = alert(self.selection, node)
        {
            self.title_of_alert = alert.title;
            let is_open = self.blocks.open(BlockKind::Other, "> ", "> ");
            self.blocks
                .write(BlockKind::AlertKind, &format!("[!{}]", alert.kind));
            return End::Container(is_open);
        }
        match block {
            Meaning::Heading(level) => {
                self.place = LineContext::Heading;
                End::Heading(level)
            }
            Meaning::Bullets | Meaning::Numbers if self.footnotes.are_all_in(self.selection, node) => {
                End::Block
            }
            Meaning::Bullets => self.enter_list(['-', '+'], None),
            Meaning::Numbers => self.enter_list(['.', ')'], Some(start_of(self.selection, node))),
            Meaning::Item => self.enter_item(node),
            Meaning::Glossary => {
                let end = self.enter_list(['-', '+'], None);
                if let Some(list) = self.lists.last_mut() {
                    list.entry = Some(Entry {
                        is_open: false,
                        has_definition: true,
                    });
                }
                end
            }
            Meaning::Term => self.enter_term(node),
            Meaning::Definition => self.enter_definition(),
            Meaning::Quote => End::Container(self.blocks.open(BlockKind::Other, "> ", "> ")),
            Meaning::Preformatted => {
                visits.skip();
                self.write_code_block(node);
                End::Nothing
            }
            Meaning::Table => match self.tables.get(node) {
                Some(table) => self.enter_table(table),
                None => End::Block,
            },
            Meaning::Rule => {
                if self.selection.contains(node) {
                    // In a list three dashes behind the dash would be one line across.
                    let rule = if self.blocks.is_in_item() { "***" } else { "---" };
                    self.blocks.write(BlockKind::Other, rule);
                }
                End::Nothing
            }
            Meaning::Caption if self.selection.dom.is_element(node, &name!("summary")) => {
                self.open_term(node)
            }
            _ => End::Block,
        }
    }

    fn leave(&mut self, end: End) {
        match end {
            End::Nothing => {}
            End::Space => self.line.space(),
            End::Span => self.line.close(),
            End::Quoted => self.line.text("”"),
            End::Block if self.place != LineContext::Paragraph => self.fold(),
            End::Block => self.flush(),
            End::Heading(level) => self.leave_heading(level),
            End::Container(is_open) => {
                self.flush();
                self.close_if(is_open);
            }
            End::Item(is_open) => {
                self.flush();
                self.close_if(is_open);
            }
            End::List(is_open) => {
                self.flush();
                self.end_entry();
                self.lists.pop();
                self.close_if(is_open);
            }
            End::Term(is_marked) => {
                if is_marked {
                    self.line.close();
                }
                self.flush();
            }
            End::Row => self.leave_row(),
            End::Cell(node) => self.leave_cell(node),
            End::Caption => {
                let caption = self.line.take(LineContext::Paragraph);
                if let Some(grid) = &mut self.table {
                    grid.caption = caption;
                }
            }
            End::Table => self.leave_table(),
        }
    }

    fn close_if(&mut self, is_open: bool) {
        if is_open {
            self.blocks.close();
        }
    }

    /// Writes the line as a paragraph.
    fn flush(&mut self) {
        if self.line.is_empty() {
            // Spaces at the end of a block do not reach into the next one.
            let _ = self.line.take(LineContext::Paragraph);
            return;
        }
        let paragraph = self.line.take(LineContext::Paragraph);
        self.blocks.write(BlockKind::Paragraph, &paragraph);
    }

    fn end_line(&mut self) {
        if self.place == LineContext::Paragraph && self.line.is_at_line_end() {
            self.flush();
        } else {
            self.line.line_end();
        }
    }

    fn leave_heading(&mut self, level: u8) {
        self.place = LineContext::Paragraph;
        if self.line.is_empty() {
            return self.flush();
        }
        let text = self.line.take(LineContext::Heading);
        let signs = &"######"[..usize::from(level)];
        // Forums and feeds write a title once for the list and once for the entry.
        let end = self.blocks.len();
        if self
            .last_heading
            .as_ref()
            .is_some_and(|last| *last == (text.clone(), end))
        {
            return;
        }
        self.blocks.write(BlockKind::Other, &format!("{signs} {text}"));
        if self.blocks.is_at_top() {
            self.last_heading = Some((text, self.blocks.len()));
        }
    }

    /// Words, and formulas that a script shows.
    fn write_text(&mut self, text: &str) {
        if !self.has_tex {
            return self.line.text(text);
        }
        for part in split_tex(text) {
            match part {
                TextPart::Words(words) => self.line.text(words),
                TextPart::Tex { tex, is_display } => self.write_formula(&tex, is_display),
            }
        }
    }

    fn write_formula(&mut self, tex: &str, is_display: bool) {
        let sign = if is_display { "$$" } else { "$" };
        self.line.raw(format!("{sign}{tex}{sign}"));
    }

    fn enter_link(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        if let Some(label) = self.footnotes.referred(node) {
            visits.skip();
            self.line.raw(format!("[^{label}]"));
            return End::Nothing;
        }
        match target(self.selection.dom, node, self.resolver) {
            // A heading that leads to itself is only meant to be copied.
            Some(target) if self.place == LineContext::Heading && self.leads_here(&target) => End::Nothing,
            Some(target) => self.open_span(Span::Link(target)),
            None => End::Nothing,
        }
    }

    /// Whether a URL leads to the page itself, or to a place on it.
    fn leads_here(&self, target: &str) -> bool {
        let page = target.split('#').next().unwrap_or_default();
        let is_declared = |own: &Url| {
            let joined = own.join(page);
            joined.is_ok_and(|url| without_index(url.as_str()) == without_index(own.as_str()))
        };
        page.is_empty()
            || without_index(&self.resolver.absolute(page)) == self.own_url
            || self.declared_url.as_ref().is_some_and(is_declared)
    }

    fn enter_mark(&mut self, mark: Mark, node: NodeId) -> End {
        // A reference to a footnote is raised by itself.
        let is_reference = mark == Mark::Raised
            && self
                .selection
                .children(node)
                .any(|child| self.footnotes.referred(child).is_some());
        if is_reference {
            End::Nothing
        } else {
            self.open_span(Span::Mark(mark))
        }
    }

    fn open_span(&mut self, span: Span) -> End {
        if self.line.open(span) {
            End::Span
        } else {
            End::Nothing
        }
    }

    fn enter_code(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        let dom = self.selection.dom;
        let holds_blocks = dom
            .subtree(node)
            .any(|below| meaning(dom, below).is_block() || meaning(dom, below) == Meaning::Picture);
        if holds_blocks {
            return End::Nothing;
        }
        visits.skip();
        let mut pieces = self.selection.visits_in(node);
        while let Some(visit) = pieces.next() {
            match visit {
                Visit::Enter(below) if dom.kind(below) == NodeKind::Text => {
                    self.line.code(dom.text_of(below))
                }
                Visit::Enter(below) if meaning(dom, below) == Meaning::Break => self.end_line(),
                _ => {}
            }
        }
        End::Nothing
    }

    fn enter_math(&mut self, node: NodeId, visits: &mut Visits<'_>) -> End {
        let Some(formula) = formula(self.selection, node) else {
            return End::Nothing;
        };
        visits.skip();
        self.write_formula(&formula.tex, formula.is_display);
        End::Nothing
    }

    /// A box to tick at the start of an entry.
    fn write_box(&mut self, node: NodeId) {
        let dom = self.selection.dom;
        let is_box = dom.is_element(node, &name!("input"))
            && dom
                .attribute(node, &name!("type"))
                .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        if is_box && self.line.is_empty() && self.blocks.is_at_item_start() {
            let is_ticked = dom.attribute(node, &name!("checked")).is_some();
            self.line.raw(if is_ticked { "[x]" } else { "[ ]" }.to_owned());
        }
    }

    fn write_picture(&mut self, node: NodeId) {
        if !self.selection.contains(node) {
            return;
        }
        if let Some(address) = picture(self.selection.dom, node, self.resolver) {
            let mut alt = Line::default();
            alt.open(Span::Link(String::new()));
            alt.text(
                self.selection
                    .dom
                    .attribute(node, &name!("alt"))
                    .unwrap_or_default(),
            );
            let alt = alt.take(LineContext::Heading);
            let alt = alt
                .strip_prefix('[')
                .and_then(|alt| alt.strip_suffix("]()"))
                .unwrap_or_default();
            self.line.raw(format!("![{alt}]({})", destination(&address)));
        }
    }

    fn write_media(&mut self, node: NodeId) {
        if let Some(address) = media(self.selection.dom, node, self.resolver) {
            let title = self
                .selection
                .dom
                .attribute(node, &name!("title"))
                .unwrap_or_default();
            let title = if title.trim().is_empty() { &address } else { title };
            self.line.space();
            let is_link = self.line.open(Span::Link(address.clone()));
            self.line.text(title);
            if is_link {
                self.line.close();
            }
            self.line.space();
        }
    }

    fn write_code_block(&mut self, node: NodeId) {
        let code = code_text(self.selection, node);
        if code.trim().is_empty() {
            return;
        }
        let fence = "`".repeat((longest_run(&code, '`') + 1).max(3));
        let language = language(self.selection.dom, node).unwrap_or_default();
        self.blocks
            .write(BlockKind::Other, &format!("{fence}{language}\n{code}\n{fence}"));
    }

    fn enter_list(&mut self, signs: [char; 2], number: Option<u32>) -> End {
        // Only a list that begins with 1 may follow words at once.
        let opened = self
            .blocks
            .open_list(signs, number.is_none_or(|number| number == 1));
        self.lists.push(List {
            sign: opened.unwrap_or(signs[0]),
            number,
            entry: None,
        });
        End::List(opened.is_some())
    }

    fn enter_item(&mut self, node: NodeId) -> End {
        let value = self.selection.dom.attribute(node, &name!("value"));
        let value = value.and_then(|value| value.trim().parse::<u32>().ok());
        let marker = match self.lists.last_mut() {
            Some(List {
                sign,
                number: Some(number),
                ..
            }) => {
                let own = value.unwrap_or(*number).min(MAX_NUMBER);
                *number = own + 1;
                format!("{own}{sign} ")
            }
            Some(list) => format!("{} ", list.sign),
            None => "- ".to_owned(),
        };
        End::Item(
            self.blocks
                .open(BlockKind::Item, &marker, &" ".repeat(marker.len())),
        )
    }

    /// A term begins an entry, unless the one before it has no definition yet and shares this one's.
    fn enter_term(&mut self, node: NodeId) -> End {
        let entry = self.lists.last().and_then(|list| list.entry);
        if entry.is_some_and(|entry| entry.has_definition) {
            self.end_entry();
            self.begin_entry();
        }
        self.open_term(node)
    }

    /// Marks a line as a term. What is made of several blocks is more than a term, and they have marks of their own.
    fn open_term(&mut self, node: NodeId) -> End {
        let dom = self.selection.dom;
        let holds_blocks = dom
            .subtree(node)
            .skip(1)
            .any(|below| meaning(dom, below).is_block());
        End::Term(!holds_blocks && self.line.open(Span::Mark(Mark::Strong)))
    }

    fn enter_definition(&mut self) -> End {
        let entry = self.lists.last().and_then(|list| list.entry);
        if entry.is_some_and(|entry| !entry.is_open) {
            self.begin_entry();
        }
        if let Some(Entry { has_definition, .. }) = self.lists.last_mut().and_then(|list| list.entry.as_mut())
        {
            *has_definition = true;
        }
        End::Block
    }

    fn begin_entry(&mut self) {
        if let Some(list) = self.lists.last_mut() {
            let is_open = self
                .blocks
                .open(BlockKind::Item, &format!("{} ", list.sign), "  ");
            list.entry = Some(Entry {
                is_open,
                has_definition: false,
            });
        }
    }

    fn end_entry(&mut self) {
        if let Some(entry) = self.lists.last_mut().and_then(|list| list.entry.as_mut())
            && std::mem::take(&mut entry.is_open)
        {
            self.blocks.close();
        }
    }

    fn enter_table(&mut self, table: Table) -> End {
        self.place = LineContext::Cell;
        self.table = Some(Grid {
            table,
            rows: Vec::new(),
            row: Vec::new(),
            aligned: Vec::new(),
            reach: Vec::new(),
            caption: String::new(),
        });
        End::Table
    }

    fn enter_cell(&mut self, node: NodeId) -> End {
        // What stands between cells is nowhere.
        let _ = self.line.take(LineContext::Cell);
        if let Some(grid) = &mut self.table {
            grid.skip_reached();
        }
        End::Cell(node)
    }

    fn leave_cell(&mut self, node: NodeId) {
        let text = self.line.take(LineContext::Cell);
        let dom = self.selection.dom;
        if let Some(grid) = &mut self.table {
            grid.add(
                text,
                colspan(dom, node),
                rowspan(dom, node),
                alignment(self.selection, node),
            );
        }
    }

    fn leave_row(&mut self) {
        if let Some(grid) = &mut self.table {
            let row = std::mem::take(&mut grid.row);
            if row.iter().any(|cell| !cell.is_empty()) {
                grid.rows.push(row);
            }
        }
    }

    fn leave_table(&mut self) {
        let _ = self.line.take(LineContext::Cell);
        self.place = LineContext::Paragraph;
        let Some(grid) = self.table.take() else { return };
        if !grid.caption.is_empty() {
            self.blocks.write(BlockKind::Paragraph, &grid.caption);
        }
        if !grid.rows.is_empty() {
            self.blocks.write(BlockKind::Other, &grid.to_markdown());
        }
    }
}

/// The URL that a page declares as its own.
fn declared_url(dom: &Dom) -> Option<Url> {
    let is_canonical = |&node: &NodeId| {
        let rel = dom.attribute(node, &name!("rel")).unwrap_or_default();
        dom.is_element(node, &name!("link")) && rel.eq_ignore_ascii_case("canonical")
    };
    let link = dom.nodes().find(is_canonical)?;
    Url::parse(dom.attribute(link, &name!("href"))?.trim()).ok()
}

/// A URL without the name that servers give the page of a folder, and without a place on the page.
fn without_index(address: &str) -> &str {
    let page = address.split('#').next().unwrap_or_default();
    let folder = page
        .strip_suffix("index.html")
        .or_else(|| page.strip_suffix("index.htm"));
    folder.filter(|folder| folder.ends_with('/')).unwrap_or(page)
}

/// Markdown knows numbers of up to nine digits.
const MAX_NUMBER: u32 = 999_999_998;

fn start_of(selection: &Selection<'_>, list: NodeId) -> u32 {
    let start = selection.dom.attribute(list, &name!("start"));
    start
        .and_then(|start| start.trim().parse().ok())
        .unwrap_or(1)
        .min(MAX_NUMBER)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::output::test_content::{marked, page};

    fn check(html: &str, expect: &str) {
        let (page, nodes) = page(html);
        let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
        assert_eq!(markdown.trim_end(), expect, "{html}");
    }

    /// The words of Markdown as a parser reads it, images left out.
    fn words_read(markdown: &str) -> String {
        let mut words = String::new();
        let mut pictures = 0;
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_FOOTNOTES;
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Start(Tag::Image { .. }) => pictures += 1,
                Event::End(TagEnd::Image) => pictures -= 1,
                Event::Text(text) | Event::Code(text) if pictures == 0 => words.push_str(&text),
                Event::InlineHtml(tag) if &*tag != "<br>" => {}
                Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
                | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link) => {}
                _ => words.push(' '),
            }
        }
        words
    }

    #[test]
    fn headings_and_paragraphs() {
        check(
            "<h1>A <b>b</b></h1><p>c\n d</p><div>e<p>f</p>g</div>",
            "# A **b**\n\nc d\n\ne\n\nf\n\ng",
        );
        check(
            "<h2>x <a href='#x'>¶</a></h2><h3><a href='#y'></a>y #</h3>",
            "## x\n\n### y \\#",
        );
        check("a<br>b<br><br>c<hr>d", "a\\\nb\n\nc\n\n---\n\nd");
        check("<h2></h2><p> </p><p>&nbsp;</p>", "");
        check(
            "<h1><a href='page.html'>x</a></h1><h2><a href='/dir/page.html#y'>y</a></h2><h2><a href='./'>z</a></h2>",
            "# x\n\n## y\n\n## [z](https://example.org/dir/)",
        );
    }

    #[test]
    fn lists() {
        check(
            "<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p><li>e</ul><ul><li>f</ul>",
            "- a\n  - b\n- c\n\n  d\n\n- e\n\n+ f",
        );
        check(
            "<ol start=9><li>a<li>b<ol start=3><li>c</ol></ol>",
            "9. a\n10. b\n\n    3. c",
        );
        check(
            "<ul><li><input type=checkbox checked> a<li><input type=checkbox>b<li></ul>",
            "- [x] a\n- [ ] b",
        );
        check("<ul><li><hr>a</ul>", "- ***\n\n  a");
        check(
            "<dl><dt>t</dt><dd>a</dd><dd><p>b</p></dd><dt>u</dt><dt>v</dt><dd>c</dd></dl>",
            "- **t**\n\n  a\n\n  b\n\n- **u**\n\n  **v**\n\n  c",
        );
    }

    #[test]
    fn code() {
        check(
            "<p>a <code>b`c</code><samp>d</samp></p><div class=highlight-python><pre>x = 1\n\n```\n</pre></div>",
            "a ``b`cd``\n\n````python\nx = 1\n\n```\n````",
        );
        check(
            "<table><tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
            "```\na\nb\n```",
        );
        check(
            "<ul><li>a<pre>b\n\nc</pre></ul>",
            "- a\n\n  ```\n  b\n\n  c\n  ```",
        );
    }

    #[test]
    fn tables() {
        check(
            "<table><caption>C</caption><tr><th>a|b<th align=right>c<tr><td><p>d</p><p>e</p><td><code>f|g</code></table>",
            "C\n\n| a\\|b | c |\n| --- | --: |\n| d<br>e | `f\\|g` |",
        );
        check(
            "<table><thead><tr><td>a<td>b</thead><tr><td>c<td>d</table>",
            "| a | b |\n| --- | --- |\n| c | d |",
        );
        check(
            "<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td colspan=2>d</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n|  | c |\n| d |  |",
        );
        check(
            "<table><tr><th>a<th>b<tr><td>-<div></div><code>c</code><td>d</table>",
            "| a | b |\n| --- | --- |\n| - `c` | d |",
        );
        check(
            "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>",
            "a\n\nb\n\nc",
        );
    }

    #[test]
    fn links_and_pictures() {
        check(
            "<p><a href=x>y</a><a href='#z'>z</a> <a href='javascript:x'>j</a><img src=i.png alt='a]b'><img alt=no>",
            "[y](https://example.org/dir/x) [z](#z) j ![a\\]b](https://example.org/dir/i.png)",
        );
        check(
            "<a href=x><h3>t</h3><p>u</p></a>",
            "### [t](https://example.org/dir/x)\n\n[u](https://example.org/dir/x)",
        );
        check(
            "<a href=x><img src=i.png></a>",
            "[![](https://example.org/dir/i.png)](https://example.org/dir/x)",
        );
        check(
            "<iframe src=v title='A film'>no</iframe>",
            "[A film](https://example.org/dir/v)",
        );
        check(
            "<figure><img src=i.png><figcaption>c</figcaption></figure>",
            "![](https://example.org/dir/i.png)\n\nc",
        );
        check("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b");
        check("<details><summary>s</summary>t</details>", "**s**\n\nt");
        check(
            "<details><summary><h4>s</h4><p>u</p></summary>t</details>",
            "#### s\n\nu\n\nt",
        );
    }

    #[test]
    fn footnotes() {
        check(
            "<p>a<sup id=r1><a href='#n1'>1</a></sup></p><h2>N</h2><ol><li id=n1><p>b</p><p>c <a href='#r1'>↩</a></p></ol>",
            "a[^1]\n\n## N\n\n[^1]: b\n\n    c",
        );
        check(
            "<p><a href='#s'>1</a></p><h2 id=s>S <a href='#x'>2</a></h2>",
            "[1](#s)\n\n## S 2",
        );
    }

    #[test]
    fn formulas() {
        check(
            "<p>a <math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math> b$",
            "a $x_1$ b\\$",
        );
        check("<script type='math/tex; mode=display'>y</script>", "$$y$$");
    }

    #[test]
    fn formulas_in_text_are_formulas_if_a_script_shows_them() {
        check(
            "<p>a \\(x_1\\) costs $5 <code>\\(y\\)</code></p><p>\\[ z \\]</p><script src=mathjax.js></script>",
            "a $x_1$ costs \\$5 `\\(y\\)`\n\n$$z$$",
        );
        check("<p>a \\(x\\)", "a \\\\(x\\\\)");
    }

    #[test]
    fn what_is_hidden_in_code_is_left_out() {
        check(
            "<pre><pre class=playground><code class=language-rust><span class=boring>fn main() {\n</span>let x = 5;\n<span \
             class=boring>}\n</span></code></pre></pre><p class=boring>b",
            "```rust\nlet x = 5;\n```\n\nb",
        );
        check("<p><code>a<span hidden>b</span></code>", "`a`");
    }

    #[test]
    fn rows_that_are_headings_stay_in_the_table() {
        let row = |name: &str| format!("<tr><td>{name}<td>x");
        check(
            &format!(
                "<table><tr><td colspan=2><h5>H</h5>{}{}{}</table>",
                row("a"),
                row("b"),
                row("c")
            ),
            "|  |  |\n| --- | --- |\n| **H** |  |\n| a | x |\n| b | x |\n| c | x |",
        );
        check(
            &format!("<table><tr><td colspan=2><h1>H</h1>{}</table>", row("a")),
            "# H\n\na\n\nx",
        );
    }

    #[test]
    fn links_for_editing_and_copying_are_left_out_of_headings() {
        check(
            "<h2><span class=x>[<a href='/w?title=A&amp;action=edit&amp;section=1'>edit</a>]</span> A</h2>\
             <h2>B<span>[<a href='?veaction=edit'>Bearbeiten</a> | <a href='?action=edit'>Quelltext</a>]</span></h2>",
            "## A\n\n## B",
        );
        check(
            "<div><h2>A</h2><span><b>[</b><a href='?action=edit'>edit</a><b>]</b></span></div><p>b",
            "## A\n\nb",
        );
        check(
            "<section id=c><h2>C <a href='#c'>Permalink</a></h2></section><h2 id=d>1 <a href='#d'>D</a></h2>",
            "## C\n\n## 1 D",
        );
        check(
            "<h2>How to <a href='?action=edit'>edit</a></h2><p><a href='?action=edit'>edit</a>",
            "## How to [edit](https://example.org/dir/page.html?action=edit)\n\n[edit](https://example.org/dir/page.html?action=edit)",
        );
    }

    #[test]
    fn alerts() {
        check(
            "<p>a</p><div class='admonition note'><p class=admonition-title>Note</p><p>b</p><p>c</p></div><p>d",
            "a\n\n> [!NOTE]\n> b\n>\n> c\n\nd",
        );
        check(
            "<div class='admonition danger'><p>Danger</p><ul><li>b</ul></div>",
            "> [!CAUTION]\n> Danger\n>\n> - b",
        );
        check(
            "<ul><li><div class='admonition tip'><p>Tip</p><p>b</p></div></ul>",
            "- Tip\n\n  b",
        );
    }

    #[test]
    fn headings_that_repeat_are_left_out() {
        check(
            "<h1>A</h1><h3>A</h3><p>b</p><h3>A</h3><p>c",
            "# A\n\nb\n\n### A\n\nc",
        );
    }

    #[test]
    fn headings_do_not_lead_to_the_page_that_is_declared() {
        let (mut page, nodes) = page(
            "<link rel=canonical href='https://example.com/b/'><h1><a href='/b/'>t</a></h1><h2><a href='/c/'>u</a></h2>",
        );
        page.url = Url::parse("file:///home/x/page.html").unwrap();
        let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
        assert_eq!(markdown, "# t\n\n## [u](/c/)\n");
    }

    #[test]
    fn files_of_this_computer_are_not_printed() {
        let (mut page, nodes) = page(
            "<h1><a href='page.html'>t</a></h1><p><a href='../a.html'>a</a><a href='file:///b'>b</a><img src=c.png>",
        );
        page.url = Url::parse("file:///home/x/page.html").unwrap();
        let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
        assert_eq!(markdown, "# t\n\n[a](../a.html) b ![](c.png)\n");
    }

    #[test]
    fn words_do_not_run_together() {
        check(
            "<p><a href=x>a</a><time>b</time><b>c</b><i>d</i><kbd>e</kbd><kbd>f</kbd>",
            "[a](https://example.org/dir/x) b **c**d `e` `f`",
        );
    }

    #[test]
    fn holes_are_left_out() {
        let (page, nodes) =
            marked("<ol><li class=in>a<li>no<li class=in>b <b class=out>no</b></ol><p class=in>c");
        let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
        assert_eq!(markdown, "1. a\n2. b\n\nc\n");
    }

    #[test]
    fn deep_pages_are_flattened() {
        let (page, nodes) = page(&format!("{}x", "<blockquote><ul><li>".repeat(150)));
        let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
        assert!(markdown.len() < 200 && markdown.ends_with("x\n"), "{markdown}");
    }

    fn html() -> impl Strategy<Value = String> {
        let text = prop_oneof![
            "[a-z]{1,3}",
            "[a-c ]{1,4}",
            "[ab *_`#<>()!|~&$+=.:1-]{1,6}",
            Just("[x]: y".to_owned()),
            Just("1. ".to_owned()),
            Just("[ ] ".to_owned()),
            Just("&amp;amp; ".to_owned()),
            Just("\\".to_owned()),
            Just("]".to_owned()),
            Just("（a）".to_owned()),
        ];
        let text = text.prop_map(|text| text.replace('<', "&lt;"));
        let leaf = prop_oneof![6 => text, 1 => Just("<br>".to_owned()), 1 => Just("<hr>".to_owned()), 1 => Just("<img src=i alt='p [q'>".to_owned())];
        leaf.prop_recursive(6, 60, 6, |inner| {
            let names = prop::sample::select(vec![
                "p",
                "div",
                "b",
                "i",
                "em",
                "del",
                "code",
                "h2",
                "blockquote",
                "pre",
                "a href=x",
                "ul",
                "ol",
                "ol start=4",
                "li",
                "dl",
                "dt",
                "dd",
                "table",
                "tr",
                "td",
                "th",
                "span",
                "q",
                "details",
                "summary",
            ]);
            (names, prop::collection::vec(inner, 0..5)).prop_map(|(name, parts)| {
                let end = name.split(' ').next().unwrap();
                format!("<{name}>{}</{end}>", parts.concat())
            })
        })
    }

    #[test]
    fn a_parser_reads_what_soups_of_tags_once_broke() {
        for (html, words) in [
            ("<a href=x><code>\\[x]: y</code></a> a", "\\[x]:ya"),
            ("<a href=x><code>[x]: y</code><b>[ ] </b></a>", "[x]:y[]"),
            ("<summary><i>a</i><b>\\</b><i>[ ] </i></summary>", "a\\[]"),
            ("<p><i>&#1<b>[ ] </b></i></p>", "\u{1}[]"),
            ("<p><i><p>&#11</p></i></p>", ""),
            ("<ul>#&#11. </ul>", "#."),
        ] {
            let (page, nodes) = page(html);
            let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
            let read: String = words_read(&markdown).split_whitespace().collect();
            assert_eq!(read, words, "{html}: {markdown}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_parser_reads_the_words_of_the_page(parts in prop::collection::vec(html(), 1..6)) {
            let (page, nodes) = page(&parts.concat());
            let markdown = nodes_markdown(&page, &nodes, &OutputOptions::default());
            let selection = Selection::new(&page.dom, &nodes);
            let words = selection.text_of(page.dom.document());
            let signs = |text: &str| text.split_whitespace().collect::<String>().replace(['“', '”'], "");
            // A heading that repeats the one before it is left out.
            let headings = page.dom.nodes().filter(|&node| page.dom.is_element(node, &name!("h2")));
            let headings: Vec<String> = headings.map(|node| signs(&selection.text_of(node))).collect();
            prop_assume!(headings.windows(2).all(|pair| pair[0] != pair[1]));
            prop_assert_eq!(signs(&words_read(&markdown)), signs(&words), "\n{}", markdown);
        }
    }
}
