//! Content as plain text: what a reader sees, paragraph by paragraph.

use husk_dom::{NodeId, NodeKind};

use super::elements::{Mark, Meaning, meaning};
use super::links::{is_for_editing, is_permalink};
use super::neighbours::is_apart_from_next;
use super::nodes::write_content;
use super::options::ContentFormat;
use super::registry::{Output, PLAIN, Part};
use super::selection::{Selection, Visit, Visits, is_formula};
use super::tables::Tables;
use crate::content::Content;
use crate::mapping::NodeSet;
use crate::measure::Spacing;
use crate::page::Page;

pub(super) const CONTENT_TEXT: Output = Output {
    part: Part::Content,
    name: "text",
    media_type: PLAIN,
    extension: "txt",
    help: "Paragraphs, with an empty line between them",
    options: &["include", "comments"],
    writer: |analysis, options| Ok(write_content(analysis, ContentFormat::Text, options).into()),
};

pub(super) const TEMPLATE_TEXT: Output = Output {
    part: Part::Template,
    name: "text",
    media_type: PLAIN,
    extension: "txt",
    help: "The text of the template",
    options: &[],
    writer: |analysis, _| Ok(nodes_text(analysis.page(), &analysis.template_nodes()).into()),
};

/// The words of the content, paragraph by paragraph, an empty line between them.
///
/// Entries of lists begin with a dash and nothing is numbered: every word stands in the page.
pub fn content_text(page: &Page, content: &Content) -> String {
    nodes_text(page, &content.nodes)
}

/// The words of some nodes of a page, paragraph by paragraph.
pub fn nodes_text(page: &Page, nodes: &NodeSet) -> String {
    let selection = Selection::new(&page.dom, nodes);
    let tables = Tables::of(&selection);
    let mut writer = Writer::new(&selection, &tables);
    let mut visits = selection.visits();
    while let Some(visit) = visits.next() {
        match visit {
            Visit::Enter(node) => writer.enter(node, &mut visits),
            Visit::Leave(node) => {
                writer.leave(node);
                if writer.preformatted == 0 && writer.codes == 0 && is_apart_from_next(&selection, node) {
                    writer.want(Gap::Space);
                }
            }
        }
    }
    writer.finish()
}

/// What stands between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Space,
    Line,
    Paragraph,
}

/// Deeper lists are not indented any further.
const MAX_INDENT: usize = 32;

struct Writer<'a> {
    selection: &'a Selection<'a>,
    tables: &'a Tables,
    out: String,
    /// What must stand in front of the next word.
    gap: Gap,
    lists: usize,
    /// Entries of lists around the place.
    items: usize,
    /// Whether an entry begins with the next word.
    begins_item: bool,
    /// Elements around in which white space counts.
    preformatted: usize,
    /// Elements around that hold code within a line.
    codes: usize,
    /// The innermost table that holds data.
    table: Option<NodeId>,
    /// Whether the row of that table has a cell already.
    has_cell: bool,
}

impl<'a> Writer<'a> {
    fn new(selection: &'a Selection<'a>, tables: &'a Tables) -> Self {
        Self {
            selection,
            tables,
            out: String::new(),
            gap: Gap::Nothing,
            lists: 0,
            items: 0,
            begins_item: false,
            preformatted: 0,
            codes: 0,
            table: None,
            has_cell: false,
        }
    }

    /// What an element means here: what is around everything separates nothing.
    fn meaning(&self, node: NodeId) -> Meaning {
        let meaning = meaning(self.selection.dom, node);
        let is_outside = self.selection.is_around_all(node) && meaning != Meaning::Preformatted;
        if is_outside { Meaning::Inline } else { meaning }
    }

    fn enter(&mut self, node: NodeId, visits: &mut Visits<'_>) {
        let dom = self.selection.dom;
        if dom.kind(node) == NodeKind::Text {
            return self.write(dom.text_of(node));
        }
        if is_formula(dom, node) || is_permalink(self.selection, node) || is_for_editing(dom, node) {
            return visits.skip();
        }
        match self.meaning(node) {
            Meaning::Bullets | Meaning::Numbers => {
                self.want(if self.lists > 0 { Gap::Line } else { Gap::Paragraph });
                self.lists += 1;
            }
            Meaning::Item => {
                self.want(Gap::Line);
                self.items += 1;
                self.begins_item = self.table.is_none();
            }
            Meaning::Term | Meaning::Definition => self.want(Gap::Line),
            Meaning::Preformatted => {
                self.want(Gap::Paragraph);
                self.preformatted += 1;
            }
            Meaning::Table => {
                self.want(Gap::Paragraph);
                if self.tables.get(node).is_some() {
                    self.table = Some(node);
                }
            }
            Meaning::Row if self.table.is_some() => {
                self.gap = self.gap.max(Gap::Line);
                self.has_cell = false;
            }
            Meaning::Cell if self.table.is_some() => self.begin_cell(),
            Meaning::Break => self.end_line(),
            Meaning::Code => self.codes += 1,
            Meaning::Apart => self.want(Gap::Space),
            Meaning::Quoted => self.write("“"),
            Meaning::Mark(Mark::Raised) => self.raise(node),
            meaning if meaning.is_block() => self.want(Gap::Paragraph),
            _ => {}
        }
    }

    fn leave(&mut self, node: NodeId) {
        match self.meaning(node) {
            Meaning::Bullets | Meaning::Numbers => {
                self.lists = self.lists.saturating_sub(1);
                self.want(if self.lists > 0 { Gap::Line } else { Gap::Paragraph });
            }
            Meaning::Item => {
                self.items = self.items.saturating_sub(1);
                self.begins_item = false;
                self.gap = self.gap.min(Gap::Line);
                self.want(Gap::Line);
            }
            Meaning::Term | Meaning::Definition => self.want(Gap::Line),
            Meaning::Preformatted => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.want(Gap::Paragraph);
            }
            Meaning::Table => {
                if self.table == Some(node) {
                    self.table = None;
                }
                self.want(Gap::Paragraph);
            }
            Meaning::Apart => self.want(Gap::Space),
            Meaning::Quoted => self.write("”"),
            Meaning::Code => self.codes = self.codes.saturating_sub(1),
            Meaning::Break => {}
            meaning if meaning.is_block() => self.want(Gap::Paragraph),
            _ => {}
        }
    }

    /// Demands a gap in front of the next word. In a row of a table all is on one line.
    fn want(&mut self, gap: Gap) {
        let gap = if self.table.is_some() {
            gap.min(Gap::Space)
        } else {
            gap
        };
        if !self.begins_item {
            self.gap = self.gap.max(gap);
        }
    }

    /// The end of a line; a second one ends the paragraph, as old pages do it.
    fn end_line(&mut self) {
        if self.preformatted > 0 {
            return self.write("\n");
        }
        self.want(if self.gap >= Gap::Line {
            Gap::Paragraph
        } else {
            Gap::Line
        });
    }

    fn begin_cell(&mut self) {
        if self.has_cell {
            if self.gap == Gap::Space {
                self.gap = Gap::Nothing;
            }
            self.begin_word();
            self.out.push_str(" | ");
            self.gap = Gap::Nothing;
        }
        self.has_cell = true;
    }

    /// Sets raised figures off from what they stand at: ten to the sixth is not 106.
    fn raise(&mut self, node: NodeId) {
        let follows = self.gap == Gap::Nothing && self.out.ends_with(char::is_alphanumeric);
        let text = self.selection.text_of(node);
        if follows
            && text
                .trim_start()
                .starts_with(|first: char| first.is_ascii_digit() || first == '-')
        {
            self.out.push('^');
        }
    }

    fn write(&mut self, text: &str) {
        if self.preformatted > 0 {
            return self.write_as_is(text);
        }
        let is_space = |letter: char| letter.is_ascii_whitespace() || letter == '\u{A0}';
        let words = text.trim_matches(is_space);
        if words.len() < text.len() && text.starts_with(is_space) {
            self.want_space();
        }
        let spacing = Spacing::of(words);
        if spacing.is_single && (spacing.is_ascii || !words.contains('\u{A0}')) {
            self.write_words(words);
        } else {
            for (index, word) in words.split(is_space).filter(|word| !word.is_empty()).enumerate() {
                if index > 0 {
                    self.want_space();
                }
                self.write_words(word);
            }
        }
        if words.len() < text.len() && text.ends_with(is_space) {
            self.want_space();
        }
    }

    fn write_words(&mut self, words: &str) {
        if !words.is_empty() {
            self.begin_word();
            self.out.push_str(words);
        }
    }

    /// A space, unless a cell or a paragraph has just begun.
    fn want_space(&mut self) {
        if !self.out.ends_with(" | ") {
            self.want(Gap::Space);
        }
    }

    fn write_as_is(&mut self, text: &str) {
        // Empty lines at the start belong to the gap.
        let text = if self.gap > Gap::Space {
            text.trim_start_matches(['\n', '\r'])
        } else {
            text
        };
        if !text.is_empty() {
            self.begin_word();
            for (index, part) in text.split('\u{A0}').enumerate() {
                if index > 0 {
                    self.out.push(' ');
                }
                self.out.push_str(part);
            }
        }
    }

    /// Writes the gap in front of a word.
    fn begin_word(&mut self) {
        if !self.out.is_empty() || self.begins_item {
            match self.gap {
                Gap::Nothing => {}
                Gap::Space => self.out.push(' '),
                Gap::Line | Gap::Paragraph => self.begin_line(),
            }
        }
        self.gap = Gap::Nothing;
        self.begins_item = false;
    }

    fn begin_line(&mut self) {
        let written = self.out.trim_end().len();
        self.out.truncate(written);
        if written > 0 {
            self.out
                .push_str(if self.gap == Gap::Line { "\n" } else { "\n\n" });
        }
        // The first level is not indented: its dash is.
        let indent = self
            .items
            .min(MAX_INDENT)
            .saturating_sub(usize::from(self.begins_item));
        self.out.extend(std::iter::repeat_n("  ", indent));
        if self.begins_item {
            self.out.push_str("- ");
        }
    }

    fn finish(mut self) -> String {
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::test_content::page;

    fn check(html: &str, expect: &str) {
        let (page, nodes) = page(html);
        assert_eq!(nodes_text(&page, &nodes).trim_end(), expect, "{html}");
    }

    #[test]
    fn paragraphs_and_lines() {
        check(
            "<h1> A  title </h1><p>One\n two<b> three</b>.</p><p>Four</p>",
            "A title\n\nOne two three.\n\nFour",
        );
        check("a<br>b<br><br>c", "a\nb\n\nc");
        check("<div>a<p>b</p>c</div>", "a\n\nb\n\nc");
        check("<p>&nbsp;</p><p>a&nbsp; b</p>", "a b");
        check(
            "<script>x</script><style>y</style><noscript>z</noscript><template>t</template>",
            "",
        );
    }

    #[test]
    fn lists_have_no_numbers() {
        check(
            "<p>x</p><ol><li>a<li><p>b</p><p>c</p><li>d<ul><li>e</ul><li></ol><p>y",
            "x\n\n- a\n- b\n\n  c\n- d\n  - e\n\ny",
        );
        check("<dl><dt>t</dt><dd>d</dd><dt>u</dt><dd>e</dd></dl>", "t\nd\nu\ne");
    }

    #[test]
    fn tables_have_a_row_a_line() {
        check(
            "<table><tr><th>a<th>b<tr><td><p>c</p><p>d</p><td><tr><td><td>e</table>",
            "a | b\nc d |\n | e",
        );
        check(
            "<table><tr><td>menu<td><h2>x</h2><p>y</p></table>",
            "menu\n\nx\n\ny",
        );
    }

    #[test]
    fn code_stays_as_it_is() {
        check("<p>a</p><pre>\n  b\n    c\n</pre><p>d", "a\n\n  b\n    c\n\nd");
        check("<pre>a<br>b</pre>", "a\nb");
    }

    #[test]
    fn words_do_not_run_together() {
        check("10<sup>6</sup> 1<sup>st</sup>", "10^6 1st");
        check(
            "a<button>b</button>c<select><option>d<option>e</select>",
            "a b c d e",
        );
        check(
            "<a href=x>review</a><a href=y>howto</a><time>2020</time>",
            "review howto 2020",
        );
        check("<code><a href=x>a</a><a href=y>b</a></code>", "ab");
        check("<pre><a href=x>a</a><a href=y>b</a></pre>", "ab");
        check("<q>a</q>", "“a”");
        check("<svg><title>t</title><text>u</text></svg>", "t u");
        check("<h2>x<a href='#x'>¶</a></h2>", "x");
    }

    #[test]
    fn holes_are_left_out_and_what_is_around_counts() {
        let dom = "<ul><li class=in>a</li><li>b</li><li class=in>c<i class=out>no</i></li></ul><p class=in>d";
        let (page, nodes) = crate::output::test_content::marked(dom);
        assert_eq!(nodes_text(&page, &nodes), "- a\n- c\n\nd\n");
    }
}
