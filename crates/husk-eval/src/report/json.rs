//! One JSON object: `mean`, `worst` and `rows`.

use serde::Serialize;

use crate::evaluation::{Evaluation, Mean, Row};

#[derive(Serialize)]
struct Report<'a> {
    mean: Mean,
    worst: Option<Worst<'a>>,
    rows: &'a [Row],
}

/// Where to find the worst row.
#[derive(Serialize)]
struct Worst<'a> {
    site: &'a str,
    key_page: &'a str,
    f1: f64,
}

impl Evaluation {
    /// The evaluation as JSON.
    pub fn json(&self) -> String {
        let worst = self.worst().map(|row| Worst {
            site: &row.site,
            key_page: &row.key_page,
            f1: row.scores.nodes.f1,
        });
        let report = Report {
            mean: self.mean(),
            worst,
            rows: &self.rows,
        };
        serde_json::to_string_pretty(&report).expect("names and numbers can be written as JSON") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::evaluation::Evaluation;
    use crate::evaluation::tests::{failed_row, row};

    #[test]
    fn has_rows_their_mean_and_the_worst() {
        let rows = vec![row("a", 4), failed_row("b")];
        let report: Value = serde_json::from_str(&Evaluation { rows }.json()).unwrap();
        let perfect = json!({"precision": 1.0, "recall": 1.0, "f1": 1.0});
        assert_eq!(
            report["rows"][0],
            json!({
                "site": "a", "key_page": "index.html", "method": "paper",
                "nodes": perfect, "words": perfect, "links": perfect,
                "loaded": 6, "clique": 4,
                "parse_ms": 1.0, "choice_ms": 2.0, "mapping_ms": 3.0,
                "error": null, "warnings": [],
            })
        );
        assert_eq!(report["rows"][1]["loaded"], Value::Null);
        assert_eq!(report["mean"]["pages"], 2);
        assert_eq!(report["mean"]["nodes"]["f1"], 0.5);
        assert_eq!(
            report["worst"],
            json!({"site": "b", "key_page": "index.html", "f1": 0.0})
        );
    }
}
