//! One JSON object: the `corpus`, `what` was scored, the results of the `methods`, and `rows`.

use serde::Serialize;

use crate::bootstrap::Interval;
use crate::comparison::{Comparison, Lead, MethodResult};
use crate::corpus::{Sample, Split};
use crate::evaluation::{Evaluation, Mean, Row};
use crate::method::EvalMethod;
use crate::part::Part;

#[derive(Serialize)]
struct Report<'a> {
    corpus: CorpusJson<'a>,
    what: Part,
    /// Of a single method. Several are in `methods` only.
    #[serde(flatten)]
    only: Option<Summary<'a>>,
    methods: Vec<MethodJson<'a>>,
    rows: Vec<&'a Row>,
}

/// The corpus.
#[derive(Serialize)]
struct CorpusJson<'a> {
    name: &'a str,
    split: Option<Split>,
    digest: &'a str,
    sites: usize,
    key_pages: usize,
}

#[derive(Serialize)]
struct Summary<'a> {
    mean: Mean,
    worst: Option<Worst<'a>>,
}

#[derive(Serialize)]
struct MethodJson<'a> {
    method: EvalMethod,
    #[serde(flatten)]
    summary: Summary<'a>,
    /// The 95 % intervals of the means.
    intervals: Intervals,
    /// The lead of the first method over this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_of_first: Option<Lead>,
}

#[derive(Serialize)]
struct Intervals {
    precision: Option<Interval>,
    recall: Option<Interval>,
    f1: Option<Interval>,
    words_f1: Option<Interval>,
    links_f1: Option<Interval>,
}

/// Where to find the worst row.
#[derive(Serialize)]
struct Worst<'a> {
    site: &'a str,
    key_page: &'a str,
    f1: f64,
}

impl Comparison {
    /// The comparison as JSON.
    pub fn json(&self) -> String {
        let only = match &self.results[..] {
            [entry] => Some(Summary::of(&entry.evaluation)),
            _ => None,
        };
        let report = Report {
            corpus: CorpusJson::of(&self.sample),
            what: self.part,
            only,
            methods: self.results.iter().map(|entry| self.method(entry)).collect(),
            rows: self.rows().collect(),
        };
        serde_json::to_string_pretty(&report).expect("names and numbers can be written as JSON") + "\n"
    }

    fn method<'a>(&self, entry: &'a MethodResult) -> MethodJson<'a> {
        MethodJson {
            method: entry.method,
            summary: Summary::of(&entry.evaluation),
            intervals: Intervals::of(&entry.evaluation),
            lead_of_first: self.lead_over(entry),
        }
    }
}

impl<'a> CorpusJson<'a> {
    fn of(sample: &'a Sample) -> Self {
        Self {
            name: &sample.name,
            split: sample.split,
            digest: &sample.digest,
            sites: sample.sites.len(),
            key_pages: sample.key_pages(),
        }
    }
}

impl<'a> Summary<'a> {
    fn of(evaluation: &'a Evaluation) -> Self {
        let worst = evaluation.worst().map(|row| Worst {
            site: &row.site,
            key_page: &row.key_page,
            f1: row.scores.nodes.f1,
        });
        Self {
            mean: evaluation.mean(),
            worst,
        }
    }
}

impl Intervals {
    fn of(evaluation: &Evaluation) -> Self {
        Self {
            precision: evaluation.interval(|row| row.scores.nodes.precision),
            recall: evaluation.interval(|row| row.scores.nodes.recall),
            f1: evaluation.interval(|row| row.scores.nodes.f1),
            words_f1: evaluation.interval(|row| row.scores.words.f1),
            links_f1: evaluation.interval(|row| row.scores.links.f1),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::comparison::tests::comparison;
    use crate::evaluation::Row;
    use crate::evaluation::tests::{failed_row, row};

    fn report(rows: Vec<Vec<Row>>) -> Value {
        serde_json::from_str(&comparison(rows).json()).unwrap()
    }

    #[test]
    fn has_rows_their_mean_and_the_worst() {
        let report = report(vec![vec![row("a", 4), failed_row("b")]]);
        let perfect = json!({"precision": 1.0, "recall": 1.0, "f1": 1.0});
        assert_eq!(
            report["rows"][0],
            json!({
                "site": "a", "key_page": "index.html", "category": "museum", "language": "en", "what": "template", "method": "paper",
                "nodes": perfect, "words": perfect, "links": perfect,
                "loaded": 6, "clique": 4,
                "parse_ms": 1.0, "selection_ms": 2.0, "mapping_ms": 3.0,
                "error": null, "warnings": [],
            })
        );
        assert_eq!(report["what"], "template");
        assert_eq!(report["rows"][1]["loaded"], Value::Null);
        assert_eq!(report["mean"]["pages"], 2);
        assert_eq!(report["mean"]["nodes"]["f1"], 0.5);
        assert_eq!(
            report["worst"],
            json!({"site": "b", "key_page": "index.html", "f1": 0.0})
        );
        assert_eq!(report["methods"][0]["mean"], report["mean"]);
        assert_eq!(
            report["methods"][0]["intervals"]["f1"],
            json!({"low": 0.0, "high": 1.0})
        );
        assert_eq!(
            report["corpus"],
            json!({"name": "sites", "split": "b", "digest": "1", "sites": 0, "key_pages": 0})
        );
    }

    #[test]
    fn several_methods_have_a_mean_each_and_none_together() {
        let report = report(vec![
            vec![row("a", 4), row("b", 3)],
            vec![row("a", 3), row("b", 2)],
        ]);
        assert!(report.get("mean").is_none());
        assert_eq!(report["rows"].as_array().unwrap().len(), 4);
        assert_eq!(report["methods"][1]["mean"]["nodes"]["f1"], 0.625);
        assert!(report["methods"][0].get("lead_of_first").is_none());
    }
}
