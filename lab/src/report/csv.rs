//! CSV: a header, then a row for each method and key page.

use serde::Serialize;

use crate::comparison::Comparison;
use crate::evaluation::Row;
use crate::method::EvalMethod;
use crate::part::Part;

/// The columns.
#[derive(Serialize)]
struct CsvRow<'a> {
    site: &'a str,
    key_page: &'a str,
    what: Part,
    method: EvalMethod,
    precision: f64,
    recall: f64,
    f1: f64,
    words_precision: f64,
    words_recall: f64,
    words_f1: f64,
    links_precision: f64,
    links_recall: f64,
    links_f1: f64,
    loaded: Option<usize>,
    clique: Option<usize>,
    parse_ms: f64,
    selection_ms: f64,
    mapping_ms: f64,
    error: Option<&'a str>,
}

impl<'a> CsvRow<'a> {
    fn of(row: &'a Row) -> Self {
        let scores = &row.scores;
        Self {
            site: &row.site,
            key_page: &row.key_page,
            what: row.part,
            method: row.method,
            precision: scores.nodes.precision,
            recall: scores.nodes.recall,
            f1: scores.nodes.f1,
            words_precision: scores.words.precision,
            words_recall: scores.words.recall,
            words_f1: scores.words.f1,
            links_precision: scores.links.precision,
            links_recall: scores.links.recall,
            links_f1: scores.links.f1,
            loaded: row.loaded,
            clique: row.clique,
            parse_ms: row.times.parse_ms,
            selection_ms: row.times.selection_ms,
            mapping_ms: row.times.mapping_ms,
            error: row.error.as_deref(),
        }
    }
}

impl Comparison {
    /// The rows of all methods as CSV.
    pub fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        for row in self.rows() {
            csv.serialize(CsvRow::of(row)).expect("memory takes any line");
        }
        let bytes = csv.into_inner().expect("memory takes any line");
        String::from_utf8(bytes).expect("lines are made of text")
    }
}

#[cfg(test)]
mod tests {
    use crate::comparison::tests::comparison;
    use crate::evaluation::tests::{failed_row, row};

    #[test]
    fn has_a_line_for_each_key_page() {
        let rows = vec![row("a, b", 4), failed_row("c")];
        let csv = comparison(vec![rows]).csv();
        let lines: Vec<_> = csv.lines().collect();
        assert!(lines[0].starts_with("site,key_page,what,method,precision,recall,f1,words_precision,"));
        assert_eq!(
            lines[1],
            "\"a, b\",index.html,template,paper,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,6,4,1.0,2.0,3.0,"
        );
        assert!(lines[2].ends_with(",,,1.0,2.0,3.0,no sibling page to compare with"));
    }
}
