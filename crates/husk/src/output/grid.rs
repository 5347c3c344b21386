//! A table of GitHub's flavour while its cells arrive.

use husk_dom::{NodeId, name};

use super::selection::Selection;
use super::tables::Table;

/// A table under way.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) table: Table,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) row: Vec<String>,
    pub(super) aligned: Vec<Option<&'static str>>,
    /// How many rows further a cell above reaches, for each column.
    pub(super) reach: Vec<usize>,
    pub(super) caption: String,
}

/// Cells that reach down are followed in so many columns.
const MAX_REACH: usize = 200;

impl Grid {
    /// Leaves cells empty where one from above reaches down.
    pub(super) fn skip_reached(&mut self) {
        while let Some(reach) = self.reach.get_mut(self.row.len()).filter(|reach| **reach > 0) {
            *reach -= 1;
            self.row.push(String::new());
        }
    }

    /// Adds a cell that reaches over so many columns and rows.
    pub(super) fn add(&mut self, text: String, columns: usize, rows: usize, aligned: Option<&'static str>) {
        let first = self.row.len();
        let columns = columns.min(MAX_REACH.saturating_sub(first).max(1));
        self.row.push(text);
        self.row.extend(std::iter::repeat_n(String::new(), columns - 1));
        if rows > 1 && self.row.len() <= MAX_REACH {
            self.reach.resize(self.reach.len().max(self.row.len()), 0);
            self.reach[first..first + columns].fill(rows - 1);
        }
        if aligned.is_some() && first < MAX_REACH {
            self.aligned.resize(self.aligned.len().max(first + 1), None);
            let known = &mut self.aligned[first];
            *known = known.or(aligned);
        }
    }

    pub(super) fn to_markdown(&self) -> String {
        let columns = self
            .rows
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or(0)
            .max(self.table.columns);
        let mut lines = Vec::with_capacity(self.rows.len() + 2);
        let (header, body) = match self.rows.split_first() {
            Some((first, rest)) if self.table.has_header => (&first[..], rest),
            _ => (&[][..], &self.rows[..]),
        };
        // A parser wants as many cells in the header as below it.
        let empty = String::new();
        let header: Vec<&String> = (0..columns)
            .map(|column| header.get(column).unwrap_or(&empty))
            .collect();
        lines.push(row_line(header.into_iter().map(String::as_str)));
        let rule = (0..columns).map(|column| self.aligned.get(column).copied().flatten().unwrap_or("---"));
        lines.push(row_line(rule));
        lines.extend(body.iter().map(|row| row_line(row.iter().map(String::as_str))));
        lines.join("\n")
    }
}

fn row_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let mut line = "|".to_owned();
    for cell in cells {
        line.push(' ');
        line.push_str(cell);
        line.push_str(" |");
    }
    line
}

/// How a cell is aligned, as the rule below a header says it.
pub(super) fn alignment(selection: &Selection<'_>, cell: NodeId) -> Option<&'static str> {
    let dom = selection.dom;
    let style = dom.attribute(cell, &name!("style")).and_then(|style| {
        let (_, behind) = style.split_once("text-align:")?;
        Some(behind.trim_start())
    });
    let value = style
        .or_else(|| dom.attribute(cell, &name!("align")))?
        .to_ascii_lowercase();
    match &*value {
        value if value.starts_with("left") => Some(":--"),
        value if value.starts_with("center") => Some(":-:"),
        value if value.starts_with("right") => Some("--:"),
        _ => None,
    }
}
