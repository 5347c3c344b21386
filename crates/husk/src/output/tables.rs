//! Which tables hold data, and which only lay out a page.

use husk_dom::{Dom, NodeId, NodeKind, name};
use indexmap::{IndexMap, IndexSet};

use super::elements::{Meaning, meaning};
use super::selection::{Selection, Visit};

/// The tables of a selection that hold data.
#[derive(Debug)]
pub(super) struct Tables {
    data: IndexMap<NodeId, Table>,
    /// Cells that hold nothing but the numbers of lines of code beside them.
    numbers: IndexSet<NodeId>,
}

/// A table that holds data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    /// How many columns it has.
    pub(super) columns: usize,
    /// Whether its first row says what is in the columns.
    pub(super) has_header: bool,
}

/// More columns than this are no table that anybody reads, and a row may ask for a thousand by one attribute.
const MAX_COLUMNS: usize = 100;

/// With fewer rows of several cells, a row that is a heading is the top of a page that a table lays out.
const MIN_ROWS_BELOW_HEADINGS: usize = 3;

impl Tables {
    /// Looks at all tables in one way through the selection.
    pub(super) fn of(selection: &Selection<'_>) -> Self {
        let dom = selection.dom;
        let mut data = IndexMap::new();
        let mut numbers = IndexSet::new();
        if !dom.nodes().any(|node| dom.is_element(node, &name!("table"))) {
            return Self { data, numbers };
        }
        let mut open: Vec<Survey> = Vec::new();
        let mut visits = selection.visits();
        while let Some(visit) = visits.next() {
            match visit {
                Visit::Enter(node) => match meaning(dom, node) {
                    Meaning::Table => {
                        if let Some(around) = open.last_mut() {
                            around.is_layout = true;
                            around.has_table = true;
                        }
                        open.push(Survey::new(selection, node));
                    }
                    meaning => {
                        if let Some(table) = open.last_mut() {
                            table.see(dom, node, meaning);
                        }
                    }
                },
                Visit::Leave(node) if meaning(dom, node) == Meaning::Table => {
                    let Some(survey) = open.pop() else { continue };
                    if survey.has_code && !survey.has_table {
                        numbers.extend(line_numbers(selection, node));
                    }
                    if let Some(table) = survey.finish() {
                        data.insert(node, table);
                    }
                }
                Visit::Leave(_) => {}
            }
        }
        Self { data, numbers }
    }

    /// What is known of a table that holds data; nothing of one that lays out the page.
    pub(super) fn get(&self, table: NodeId) -> Option<Table> {
        self.data.get(&table).copied()
    }

    /// Cells that hold nothing but the numbers of lines of code beside them.
    pub(super) fn numbers(&self) -> &IndexSet<NodeId> {
        &self.numbers
    }
}

/// A table on the way through it.
#[derive(Debug, Default)]
struct Survey {
    is_layout: bool,
    rows: usize,
    columns: usize,
    cells_in_row: usize,
    /// Cells of the first row that are headings, all of them, and whether the row stands in a `<thead>`.
    headings: usize,
    first_row_headings: usize,
    first_row_cells: usize,
    is_first_in_head: bool,
    has_lists: bool,
    has_names: bool,
    has_code: bool,
    has_table: bool,
    /// The last cell, and how many its row has so far.
    cell: Option<NodeId>,
    row_cells: usize,
    /// Rows of several cells, and rows that are a heading over others.
    full_rows: usize,
    heading_rows: usize,
    is_heading_row: bool,
}

impl Survey {
    fn new(selection: &Selection<'_>, table: NodeId) -> Self {
        let role = selection.dom.attribute(table, &name!("role")).unwrap_or_default();
        Self {
            is_layout: matches!(role.trim(), "presentation" | "none") || selection.is_around_all(table),
            ..Self::default()
        }
    }

    fn see(&mut self, dom: &Dom, node: NodeId, meaning: Meaning) {
        match meaning {
            Meaning::Row => {
                self.rows += 1;
                self.cells_in_row = 0;
                self.row_cells = 0;
                self.is_heading_row = false;
                if self.rows == 1 {
                    self.is_first_in_head = dom
                        .parent(node)
                        .is_some_and(|parent| dom.is_element(parent, &name!("thead")));
                }
            }
            Meaning::Cell => self.see_cell(dom, node),
            Meaning::Caption => self.has_names |= dom.is_element(node, &name!("caption")),
            Meaning::Heading(_) => self.see_heading(dom, node),
            Meaning::Quote | Meaning::Rule => self.is_layout = true,
            // One line of code goes into a cell, more do not.
            Meaning::Preformatted => {
                self.has_code = true;
                self.is_layout |= dom.text_of(node).trim().contains('\n');
            }
            Meaning::Bullets | Meaning::Numbers | Meaning::Glossary => self.has_lists = true,
            _ => {}
        }
    }

    /// A heading belongs to a table of data only if it is all of a row.
    fn see_heading(&mut self, dom: &Dom, heading: NodeId) {
        let is_all = |cell| dom.text_of(cell).trim() == dom.text_of(heading).trim();
        if self.row_cells == 1 && self.cell.is_some_and(is_all) {
            self.heading_rows += usize::from(!self.is_heading_row);
            self.is_heading_row = true;
        } else {
            self.is_layout = true;
        }
    }

    fn see_cell(&mut self, dom: &Dom, cell: NodeId) {
        self.cell = Some(cell);
        self.row_cells += 1;
        if self.row_cells == 2 {
            self.full_rows += 1;
            self.is_layout |= self.is_heading_row;
        }
        let is_heading = dom.is_element(cell, &name!("th"));
        self.cells_in_row += colspan(dom, cell);
        self.columns = self.columns.max(self.cells_in_row);
        self.headings += usize::from(is_heading);
        if self.rows == 1 {
            self.first_row_cells += 1;
            self.first_row_headings += usize::from(is_heading);
        }
    }

    fn finish(self) -> Option<Table> {
        let has_names = self.has_names || self.headings > 0 || self.is_first_in_head;
        let is_grid = self.rows >= 2 && self.columns >= 2 || has_names && self.columns >= 1;
        let has_banner =
            self.heading_rows > 0 && self.full_rows < MIN_ROWS_BELOW_HEADINGS.max(self.heading_rows);
        let is_layout =
            self.is_layout || has_banner || (self.has_lists && !has_names) || self.columns > MAX_COLUMNS;
        (is_grid && !is_layout).then_some(Table {
            columns: self.columns,
            has_header: self.is_first_in_head
                || self.first_row_cells > 0 && self.first_row_headings == self.first_row_cells,
        })
    }
}

/// How many columns a cell takes.
pub(super) fn colspan(dom: &Dom, cell: NodeId) -> usize {
    span(dom, cell, "colspan")
}

/// How many rows a cell takes.
pub(super) fn rowspan(dom: &Dom, cell: NodeId) -> usize {
    span(dom, cell, "rowspan")
}

fn span(dom: &Dom, cell: NodeId, name: &str) -> usize {
    let value = dom.attributes(cell).find(|attribute| &**attribute.name == name);
    let value = value.and_then(|attribute| attribute.value.trim().parse::<usize>().ok());
    value.unwrap_or(1).clamp(1, 1000)
}

/// Whether a table or something like it has line numbers beside code: two cells, the first with nothing but numbers that
/// count up, one a line. Gives the cell with the numbers.
fn line_numbers(selection: &Selection<'_>, table: NodeId) -> Option<NodeId> {
    let dom = selection.dom;
    let mut cells = Vec::new();
    let mut visits = selection.visits_in(table);
    while let Some(visit) = visits.next() {
        if let Visit::Enter(node) = visit
            && meaning(dom, node) == Meaning::Cell
        {
            visits.skip();
            cells.push(node);
            if cells.len() > 2 {
                return None;
            }
        }
    }
    let [numbers, code] = cells[..] else { return None };
    let is_code = |cell| {
        dom.subtree(cell)
            .any(|node| meaning(dom, node) == Meaning::Preformatted)
    };
    (is_code(numbers) || is_code(code)).then_some(())?;
    counts_up(dom.text_of(numbers)).then_some(numbers)
}

/// Whether a text is nothing but numbers, each one more than that before.
fn counts_up(text: &str) -> bool {
    let mut last = None;
    for number in text.split_whitespace() {
        let Ok(number) = number.parse::<u32>() else {
            return false;
        };
        if last.is_some_and(|last: u32| last.checked_add(1) != Some(number)) {
            return false;
        }
        last = Some(number);
    }
    last.is_some()
}

/// Whether an element in code is a line's number and no code: by its name, and by what it says.
pub(super) fn is_line_number(dom: &Dom, node: NodeId) -> bool {
    if dom.kind(node) != NodeKind::Element || dom.size(node) > 3 {
        return false;
    }
    let is_number = || {
        let text = dom.text_of(node).trim();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_named = || {
        let class = dom.attribute(node, &name!("class")).unwrap_or_default();
        let plain: String = class
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        ["lineno", "linenumber", "linenum", "gutter"]
            .iter()
            .any(|name| plain.contains(name))
            || dom
                .attributes(node)
                .any(|attribute| &**attribute.name == "data-line-number")
    };
    is_named() && is_number()
}
