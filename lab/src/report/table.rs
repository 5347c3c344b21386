//! One method as aligned text: a row for each key page, then the mean, the worst, and failures.

use std::fmt::Write;

use crate::evaluation::{Evaluation, Row, Times};
use crate::metrics::Scores;
use crate::report::grid::{Grid, shorten};

const HEAD: [&str; 16] = [
    "site", "key page", "P", "R", "F1", "P", "R", "F1", "P", "R", "F1", "loaded", "clique", "parse",
    "select", "mapping",
];

/// The first columns hold names and are set to the left, the others hold numbers.
const NAMES: usize = 2;

/// The groups of number columns: a title, and how many columns it spans.
const GROUPS: [(&str, usize); 5] = [
    ("nodes", 3),
    ("words", 3),
    ("links", 3),
    ("pages", 2),
    ("milliseconds", 3),
];

/// Longer names of sites are cut.
pub(super) const MAX_SITE: usize = 36;

/// Longer file names are cut: the numbers take most of a line.
pub(super) const MAX_KEY_PAGE: usize = 24;

type Cells = Vec<String>;

impl Evaluation {
    /// The evaluation as a table: precision, recall and F1 by nodes, words and links, pages, and times.
    pub fn table(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(row_cells).collect();
        let mut totals = vec![self.mean_cells()];
        totals.extend(self.worst().map(worst_cells));
        let grid = Grid {
            head: HEAD.to_vec(),
            names: NAMES,
            groups: GROUPS.to_vec(),
            parts: vec![rows, totals],
        };
        let mut out = grid.text();
        self.write_failures(&mut out);
        out
    }

    fn mean_cells(&self) -> Cells {
        let mean = self.mean();
        cells(
            ["mean", &key_pages(mean.pages)],
            &mean.scores,
            [format!("{:.1}", mean.loaded), format!("{:.1}", mean.clique)],
            &mean.times,
        )
    }

    pub(super) fn write_failures(&self, out: &mut String) {
        let failed = self.failed().count();
        let Some(first) = self.failed().next() else {
            return;
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "\nno {} on {failed} of {}:",
            first.part.noun(),
            key_pages(self.rows.len())
        );
        for row in self.failed() {
            let cause = row.error.as_deref().unwrap_or_default();
            let _ = writeln!(out, "  {} {}: {cause}", row.site, row.key_page);
        }
    }
}

pub(super) fn key_pages(count: usize) -> String {
    let noun = if count == 1 { "key page" } else { "key pages" };
    format!("{count} {noun}")
}

fn row_cells(row: &Row) -> Cells {
    let count = |count: Option<usize>| count.map_or("-".to_owned(), |count| count.to_string());
    cells(
        [
            &shorten(&row.site, MAX_SITE),
            &shorten(&row.key_page, MAX_KEY_PAGE),
        ],
        &row.scores,
        [count(row.loaded), count(row.clique)],
        &row.times,
    )
}

/// The row again, with a mark in front of its key page.
fn worst_cells(row: &Row) -> Cells {
    const MARK: &str = "worst: ";
    let mut cells = row_cells(row);
    cells[1] = format!("{MARK}{}", shorten(&row.key_page, MAX_KEY_PAGE - MARK.len()));
    cells
}

fn cells(names: [&str; NAMES], scores: &Scores, counts: [String; 2], times: &Times) -> Cells {
    let [site, key_page] = names.map(str::to_owned);
    let [loaded, clique] = counts;
    let share = |value: f64| format!("{value:.3}");
    let time = |value: f64| format!("{value:.1}");
    vec![
        site,
        key_page,
        share(scores.nodes.precision),
        share(scores.nodes.recall),
        share(scores.nodes.f1),
        share(scores.words.precision),
        share(scores.words.recall),
        share(scores.words.f1),
        share(scores.links.precision),
        share(scores.links.recall),
        share(scores.links.f1),
        loaded,
        clique,
        time(times.parse_ms),
        time(times.selection_ms),
        time(times.mapping_ms),
    ]
}

#[cfg(test)]
mod tests {
    use crate::evaluation::Evaluation;
    use crate::evaluation::tests::{failed_row, row};
    use crate::metrics::Score;

    #[test]
    fn shows_rows_mean_worst_and_failures() {
        let mut far = row("harbour", 4);
        far.key_page = "a/very/long/path/to/the/page/that/is/the/key/index.html".to_owned();
        far.scores.words = Score::of_counts(3, 4, 6);
        far.scores.links = Score::of_counts(2, 8, 2);
        let rows = vec![far, row("zoo", 2), failed_row("cellar")];
        let expect = "\
site     key page                        nodes              words              links            pages          milliseconds
                                       P     R    F1      P     R    F1      P     R    F1  loaded clique  parse select mapping
-------  ------------------------  -----------------  -----------------  -----------------  -------------  --------------------
harbour  …t/is/the/key/index.html  1.000 1.000 1.000  0.750 0.500 0.600  0.250 1.000 0.400       6      4    1.0    2.0     3.0
zoo      index.html                0.500 0.500 0.500  0.500 0.500 0.500  0.500 0.500 0.500       4      2    1.0    2.0     3.0
cellar   index.html                0.000 0.000 0.000  0.000 0.000 0.000  0.000 0.000 0.000       -      -    1.0    2.0     3.0
-------  ------------------------  -----------------  -----------------  -----------------  -------------  --------------------
mean     3 key pages               0.500 0.500 0.500  0.417 0.333 0.367  0.250 0.500 0.300     5.0    3.0    1.0    2.0     3.0
cellar   worst: index.html         0.000 0.000 0.000  0.000 0.000 0.000  0.000 0.000 0.000       -      -    1.0    2.0     3.0

no template on 1 of 3 key pages:
  cellar index.html: no sibling page to compare with
";
        assert_eq!(Evaluation { rows }.table(), expect);
    }

    #[test]
    fn the_worst_row_names_its_site_whole() {
        let mut worst = row("a-site-with-a-long-name.example.org", 0);
        worst.key_page = "a/long/path/index.html".to_owned();
        let rows = vec![worst, row("b", 4)];
        let table = Evaluation { rows }.table();
        let line = table.lines().last().unwrap();
        let expect = "a-site-with-a-long-name.example.org  worst: …/path/index.html ";
        assert!(line.starts_with(expect), "{table}");
    }

    #[test]
    fn one_key_page_is_counted_as_one() {
        let rows = vec![failed_row("a")];
        let table = Evaluation { rows }.table();
        assert!(table.contains("mean  1 key page "), "{table}");
        assert!(table.contains("no template on 1 of 1 key page:"), "{table}");
    }

    #[test]
    fn an_empty_evaluation_is_a_head_and_a_mean() {
        let table = Evaluation::default().table();
        assert_eq!(table.lines().count(), 4);
    }
}
