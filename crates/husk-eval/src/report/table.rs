//! A table in aligned text: a row for each key page, then their mean, the worst, and what failed.

use std::fmt::Write;

use crate::evaluation::{Evaluation, Row, Times};
use crate::metrics::Scores;

const HEAD: [&str; 12] = [
    "site", "key page", "P", "R", "F1", "words", "links", "loaded", "clique", "parse", "choice", "mapping",
];

/// The first columns hold names and are set to the left, the others hold numbers.
const NAMES: usize = 2;

/// The longest name shown whole.
const MAX_NAME: usize = 36;

type Cells = [String; HEAD.len()];

impl Evaluation {
    /// The evaluation as a table. P, R and F1 are of nodes, words and links have their F1, times are in
    /// milliseconds.
    pub fn table(&self) -> String {
        let mut lines = vec![HEAD.map(str::to_owned)];
        lines.extend(self.rows.iter().map(row_cells));
        let rows = lines.len();
        lines.push(self.mean_cells());
        lines.extend(self.worst().map(worst_cells));
        let mut out = String::new();
        let widths = widths(&lines);
        for (index, line) in lines.iter().enumerate() {
            if index == 1 || index == rows {
                write_line(&widths.map(|width| "-".repeat(width)), &widths, &mut out);
            }
            write_line(line, &widths, &mut out);
        }
        self.write_failures(&mut out);
        out
    }

    fn mean_cells(&self) -> Cells {
        let mean = self.mean();
        let pages = format!("{} key pages", mean.pages);
        cells(
            ["mean", &pages],
            &mean.scores,
            [format!("{:.1}", mean.loaded), format!("{:.1}", mean.clique)],
            &mean.times,
        )
    }

    fn write_failures(&self, out: &mut String) {
        let failed = self.failed().count();
        if failed == 0 {
            return;
        }
        // Writing to a string does not fail.
        let _ = writeln!(out, "\nno template on {failed} of {} key pages:", self.rows.len());
        for row in self.failed() {
            let cause = row.error.as_deref().unwrap_or_default();
            let _ = writeln!(out, "  {} {}: {cause}", row.site, row.key_page);
        }
    }
}

fn row_cells(row: &Row) -> Cells {
    let count = |count: Option<usize>| count.map_or("-".to_owned(), |count| count.to_string());
    cells(
        [&row.site, &row.key_page],
        &row.scores,
        [count(row.loaded), count(row.clique)],
        &row.times,
    )
}

fn worst_cells(row: &Row) -> Cells {
    let mut cells = row_cells(row);
    cells[0] = "worst".to_owned();
    cells[1] = shorten(&format!("{} {}", row.site, row.key_page));
    cells
}

fn cells(names: [&str; NAMES], scores: &Scores, counts: [String; 2], times: &Times) -> Cells {
    let [site, key_page] = names.map(shorten);
    let [loaded, clique] = counts;
    let share = |value: f64| format!("{value:.3}");
    let time = |value: f64| format!("{value:.1}");
    [
        site,
        key_page,
        share(scores.nodes.precision),
        share(scores.nodes.recall),
        share(scores.nodes.f1),
        share(scores.words.f1),
        share(scores.links.f1),
        loaded,
        clique,
        time(times.parse_ms),
        time(times.choice_ms),
        time(times.mapping_ms),
    ]
}

/// Cuts a long name at its start, as paths differ at their end.
fn shorten(name: &str) -> String {
    let length = name.chars().count();
    if length <= MAX_NAME {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length - MAX_NAME + 1).collect();
    format!("…{end}")
}

fn widths(lines: &[Cells]) -> [usize; HEAD.len()] {
    std::array::from_fn(|column| {
        let width = |line: &Cells| line[column].chars().count();
        lines.iter().map(width).max().unwrap_or_default()
    })
}

fn write_line(cells: &Cells, widths: &[usize; HEAD.len()], out: &mut String) {
    let mut line = String::new();
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        // Writing to a string does not fail.
        let _ = if column < NAMES {
            write!(line, "{cell:<width$}  ")
        } else {
            write!(line, "{cell:>width$}  ")
        };
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use crate::evaluation::Evaluation;
    use crate::evaluation::tests::{failed_row, row};

    #[test]
    fn shows_rows_mean_worst_and_failures() {
        let mut far = row("harbour", 4);
        far.key_page = "a/very/long/path/to/the/page/that/is/the/key/index.html".to_owned();
        let rows = vec![far, row("zoo", 2), failed_row("cellar")];
        let expect = "\
site     key page                                  P      R     F1  words  links  loaded  clique  parse  choice  mapping
-------  ------------------------------------  -----  -----  -----  -----  -----  ------  ------  -----  ------  -------
harbour  …the/page/that/is/the/key/index.html  1.000  1.000  1.000  1.000  1.000       6       4    1.0     2.0      3.0
zoo      index.html                            0.500  0.500  0.500  0.500  0.500       4       2    1.0     2.0      3.0
cellar   index.html                            0.000  0.000  0.000  0.000  0.000       -       -    1.0     2.0      3.0
-------  ------------------------------------  -----  -----  -----  -----  -----  ------  ------  -----  ------  -------
mean     3 key pages                           0.500  0.500  0.500  0.500  0.500     5.0     3.0    1.0     2.0      3.0
worst    cellar index.html                     0.000  0.000  0.000  0.000  0.000       -       -    1.0     2.0      3.0

no template on 1 of 3 key pages:
  cellar index.html: no sibling page to compare with
";
        assert_eq!(Evaluation { rows }.table(), expect);
    }

    #[test]
    fn an_empty_evaluation_is_a_head_and_a_mean() {
        let table = Evaluation::default().table();
        assert_eq!(table.lines().count(), 3);
    }
}
