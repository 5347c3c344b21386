//! Several methods as aligned text: a line for each, then F1 on each key page, then failures.

use std::fmt::Write;

use super::grid::{Grid, shorten};
use super::table::{MAX_KEY_PAGE, MAX_SITE, key_pages};
use crate::comparison::{Comparison, MethodResult};
use crate::evaluation::{Mean, Row};
use crate::part::Part;

const HEAD: [&str; 18] = [
    "method",
    "worst key page",
    "P",
    "R",
    "F1",
    "from",
    "to",
    "F1",
    "F1",
    "F1",
    "loaded",
    "parse",
    "select",
    "mapping",
    "parse",
    "mean",
    "from",
    "to",
];

/// The placeholder of missing values.
const NOTHING: &str = "-";

impl Comparison {
    /// The comparison as text: the table of a single method, or several side by side.
    pub fn table(&self) -> String {
        let mut out = match &self.results[..] {
            [entry] => entry.evaluation.table(),
            _ => self.side_by_side(),
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "\n{}", self.facts());
        out
    }

    /// The sites, in one line.
    pub(super) fn facts(&self) -> String {
        let sample = &self.sample;
        let sites = match sample.sites.len() {
            1 => "1 site".to_owned(),
            count => format!("{count} sites"),
        };
        // Template is the default.
        let part = match self.part {
            Part::Template => String::new(),
            part => format!("{} on ", part.name()),
        };
        format!(
            "{part}{}: {sites}, {}, digest {}",
            sample.title(),
            key_pages(sample.key_pages()),
            sample.digest
        )
    }

    fn side_by_side(&self) -> String {
        let mut out = self.summary().text();
        out.push('\n');
        out.push_str(&self.by_key_page().text());
        for entry in &self.results {
            if entry.evaluation.failed().next().is_some() {
                // Writing to a string does not fail.
                let _ = write!(out, "\n{}: ", entry.method.name());
                let mut failures = String::new();
                entry.evaluation.write_failures(&mut failures);
                out.push_str(failures.trim_start());
            }
        }
        out
    }

    fn summary(&self) -> Grid<'_> {
        let lines = self.results.iter().map(|entry| self.summary_line(entry));
        Grid {
            head: HEAD.to_vec(),
            names: 2,
            groups: vec![
                ("nodes, 95 % of F1", 5),
                ("words", 1),
                ("links", 1),
                ("worst", 1),
                ("pages", 1),
                ("milliseconds", 3),
                ("rest of", 1),
                ("lead of the first", 3),
            ],
            parts: vec![lines.collect()],
        }
    }

    fn summary_line(&self, entry: &MethodResult) -> Vec<String> {
        let evaluation = &entry.evaluation;
        let mean = evaluation.mean();
        let f1 = evaluation.interval(|row| row.scores.nodes.f1);
        let lead = self.lead_over(entry);
        let interval = lead.and_then(|lead| lead.interval);
        let time = |value: f64| format!("{value:.1}");
        vec![
            entry.method.name().to_owned(),
            evaluation.worst().map_or(NOTHING.to_owned(), page_name),
            share(Some(mean.scores.nodes.precision)),
            share(Some(mean.scores.nodes.recall)),
            share(Some(mean.scores.nodes.f1)),
            share(f1.map(|interval| interval.low)),
            share(f1.map(|interval| interval.high)),
            share(Some(mean.scores.words.f1)),
            share(Some(mean.scores.links.f1)),
            share(evaluation.worst().map(|row| row.scores.nodes.f1)),
            format!("{:.1}", mean.loaded),
            time(mean.times.parse_ms),
            time(mean.times.selection_ms),
            time(mean.times.mapping_ms),
            rest_of_parse(&mean),
            difference(lead.map(|lead| lead.mean)),
            difference(interval.map(|interval| interval.low)),
            difference(interval.map(|interval| interval.high)),
        ]
    }

    fn by_key_page(&self) -> Grid<'_> {
        let methods = self.results.iter().map(|entry| entry.method.name());
        let lines = self.key_pages().into_iter().map(|rows| {
            let names = [
                shorten(&rows[0].site, MAX_SITE),
                shorten(&rows[0].key_page, MAX_KEY_PAGE),
            ];
            let scores = rows.iter().map(|row| share(Some(row.scores.nodes.f1)));
            names.into_iter().chain(scores).collect()
        });
        Grid {
            head: ["site", "key page"].into_iter().chain(methods).collect(),
            names: 2,
            groups: vec![("F1 over nodes", self.results.len())],
            parts: vec![lines.collect()],
        }
    }
}

fn page_name(row: &Row) -> String {
    format!(
        "{} {}",
        shorten(&row.site, MAX_SITE),
        shorten(&row.key_page, MAX_KEY_PAGE)
    )
}

/// The time of selection and mapping relative to parsing.
pub(super) fn rest_of_parse(mean: &Mean) -> String {
    let times = &mean.times;
    if times.parse_ms == 0.0 {
        return NOTHING.to_owned();
    }
    format!("{:.2}", (times.selection_ms + times.mapping_ms) / times.parse_ms)
}

fn share(value: Option<f64>) -> String {
    value.map_or(NOTHING.to_owned(), |value| format!("{value:.3}"))
}

fn difference(value: Option<f64>) -> String {
    value.map_or(NOTHING.to_owned(), |value| format!("{value:+.3}"))
}

#[cfg(test)]
mod tests {
    use crate::comparison::tests::comparison;
    use crate::evaluation::tests::{failed_row, row};

    #[test]
    fn one_method_has_the_table_it_always_had() {
        let rows = vec![row("a", 4), row("b", 2)];
        let table = comparison(vec![rows.clone()]).table();
        let alone = crate::evaluation::Evaluation { rows }.table();
        assert_eq!(
            table,
            format!("{alone}\nhalf b of sites: 0 sites, 0 key pages, digest 1\n")
        );
    }

    #[test]
    fn several_methods_have_a_line_each_and_a_column_each() {
        let rows = |hits| vec![row("a", 4), row("b", hits), row("c", hits)];
        let mut worse = rows(1);
        worse[2] = failed_row("c");
        let table = comparison(vec![rows(3), worse]).table();
        let expect = "\
method  worst key page        nodes, 95 % of F1        words  links  worst  pages       milliseconds      rest of   lead of the first
                            P     R    F1  from    to     F1     F1     F1  loaded  parse select mapping    parse    mean   from     to
------  --------------  -----------------------------  -----  -----  -----  ------  --------------------  -------  --------------------
paper   b index.html    0.833 0.833 0.833 0.750 1.000  0.833  0.833  0.750     5.3    1.0    2.0     3.0     5.00       -      -      -
hybex   c index.html    0.417 0.417 0.417 0.000 1.000  0.417  0.417  0.000     4.5    1.0    2.0     3.0     5.00  +0.417 +0.000 +0.750

site  key page    F1 over nodes
                    paper hybex
----  ----------  -------------
a     index.html    1.000 1.000
b     index.html    0.750 0.250
c     index.html    0.750 0.000

hybex: no template on 1 of 3 key pages:
  c index.html: no sibling page to compare with

half b of sites: 0 sites, 0 key pages, digest 1
";
        assert_eq!(table, expect);
    }
}
