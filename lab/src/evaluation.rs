//! The results of a method: a row per key page, their mean and the worst of them.

use serde::Serialize;

use crate::method::EvalMethod;
use crate::metrics::{Score, Scores, mean};
use crate::outline::Outline;
use crate::part::Part;

/// The results of a method on a corpus.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// The results on each key page, in the order of the corpus.
    pub rows: Vec<Row>,
}

/// The result on one key page.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The name of the site.
    pub site: String,
    /// The file of the key page, from the root of its site.
    pub key_page: String,
    /// The category of the site, if known.
    pub category: Option<String>,
    /// The language of the site, if known.
    pub language: Option<String>,
    /// The part that was scored.
    #[serde(rename = "what")]
    pub part: Part,
    /// The method that was run.
    pub method: EvalMethod,
    /// Precision, recall and F1.
    #[serde(flatten)]
    pub scores: Scores,
    /// How many pages were loaded, the key page included; none if nothing was found.
    pub loaded: Option<usize>,
    /// How many pages all link to each other, of those loaded; none if nothing was found.
    pub clique: Option<usize>,
    /// Time per stage.
    #[serde(flatten)]
    pub times: Times,
    /// Why nothing was found.
    pub error: Option<String>,
    /// Problems of the labels.
    pub warnings: Vec<String>,
    /// The page with a verdict per node.
    #[serde(skip)]
    pub outline: Outline,
}

/// Time per stage, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Times {
    /// Loading and parsing all pages. Files were read before and come from memory, see
    /// [`Sample::new`](crate::Sample::new).
    pub parse_ms: f64,
    /// Finding links and selecting the pages to compare with.
    pub selection_ms: f64,
    /// Mapping these pages, computing the template, and from it the part that is scored.
    pub mapping_ms: f64,
}

/// The mean of many rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mean {
    /// How many key pages there are.
    pub pages: usize,
    /// On how many of them nothing was found.
    pub failed: usize,
    /// The means of the scores.
    #[serde(flatten)]
    pub scores: Scores,
    /// The mean of the pages loaded, where something was found.
    pub loaded: f64,
    /// The mean size of the clique, where something was found.
    pub clique: f64,
    /// The means of the times.
    #[serde(flatten)]
    pub times: Times,
}

impl Evaluation {
    /// The means over all key pages.
    pub fn mean(&self) -> Mean {
        let rows = || self.rows.iter();
        let of = |value: fn(&Row) -> f64| mean(rows().map(value));
        let counted =
            |value: fn(&Row) -> Option<usize>| mean(rows().filter_map(value).map(|count| count as f64));
        let score = |part: fn(&Scores) -> Score| Score::mean(rows().map(|row| part(&row.scores)));
        Mean {
            pages: self.rows.len(),
            failed: self.failed().count(),
            scores: Scores {
                nodes: score(|scores| scores.nodes),
                words: score(|scores| scores.words),
                links: score(|scores| scores.links),
            },
            loaded: counted(|row| row.loaded),
            clique: counted(|row| row.clique),
            times: Times {
                parse_ms: of(|row| row.times.parse_ms),
                selection_ms: of(|row| row.times.selection_ms),
                mapping_ms: of(|row| row.times.mapping_ms),
            },
        }
    }

    /// The row with the lowest F1 over nodes; the first of several.
    pub fn worst(&self) -> Option<&Row> {
        self.rows
            .iter()
            .min_by(|one, other| one.scores.nodes.f1.total_cmp(&other.scores.nodes.f1))
    }

    /// The rows where nothing was found.
    pub fn failed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.error.is_some())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row with all scores equal: so many hits among four found nodes and four in the labels.
    pub(crate) fn row(site: &str, hits: usize) -> Row {
        let score = Score::of_counts(hits, 4, 4);
        Row {
            site: site.to_owned(),
            key_page: "index.html".to_owned(),
            category: Some("museum".to_owned()),
            language: Some("en".to_owned()),
            part: Part::Template,
            method: EvalMethod::Paper,
            scores: Scores {
                nodes: score,
                words: score,
                links: score,
            },
            loaded: Some(hits + 2),
            clique: Some(hits),
            times: Times {
                parse_ms: 1.0,
                selection_ms: 2.0,
                mapping_ms: 3.0,
            },
            error: None,
            warnings: Vec::new(),
            outline: Outline::default(),
        }
    }

    pub(crate) fn failed_row(site: &str) -> Row {
        Row {
            loaded: None,
            clique: None,
            error: Some("no sibling page to compare with".to_owned()),
            ..row(site, 0)
        }
    }

    #[test]
    fn failed_pages_count_in_the_scores_but_not_in_the_loads() {
        let evaluation = Evaluation {
            rows: vec![row("a", 4), failed_row("b"), row("c", 2), failed_row("d")],
        };
        let mean = evaluation.mean();
        assert_eq!((mean.pages, mean.failed), (4, 2));
        assert_eq!(mean.scores.nodes.f1, 0.375);
        assert_eq!(mean.scores.links.precision, 0.375);
        assert_eq!((mean.loaded, mean.clique), (5.0, 3.0));
        assert_eq!(mean.times.selection_ms, 2.0);
        assert_eq!(evaluation.worst().unwrap().site, "b");
    }

    #[test]
    fn nothing_has_no_worst() {
        let nothing = Evaluation::default();
        assert!(nothing.worst().is_none());
        assert_eq!(nothing.mean().scores.nodes.f1, 0.0);
    }
}
