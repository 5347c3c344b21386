//! Several methods on the same sites: a [`Sample`] and methods in, a [`Comparison`] out.

use std::slice;

use husk::Options;
use serde::Serialize;

use crate::bootstrap::Interval;
use crate::corpus::Sample;
use crate::evaluation::{Evaluation, Row};
use crate::method::EvalMethod;
use crate::metrics::mean;
use crate::part::Part;
use crate::run::evaluate;

/// The results of methods on the same sites.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// The sites.
    pub sample: Sample,
    /// The part that was scored.
    pub part: Part,
    /// The results of each method. The others are compared with the first.
    pub results: Vec<MethodResult>,
}

/// The results of a method.
#[derive(Debug, Clone)]
pub struct MethodResult {
    /// The method.
    pub method: EvalMethod,
    /// Its results, with the same key pages in the same order for every method.
    pub evaluation: Evaluation,
}

/// By how much the first method is better than another, as a difference of mean F1 over nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lead {
    /// The difference; below zero the other one is better.
    pub mean: f64,
    /// Its 95 % interval, with both methods on the same resampled sites; none for less than two sites.
    pub interval: Option<Interval>,
}

/// Runs all methods on each site, site by site.
///
/// The first method on a site runs with cold caches, so the order rotates: otherwise the first method would always
/// get the worst times.
pub fn compare(sample: Sample, part: Part, methods: &[EvalMethod], options: &Options) -> Comparison {
    let mut results: Vec<_> = methods.iter().copied().map(MethodResult::new).collect();
    let count = results.len();
    for (turn, site) in sample.sites.iter().enumerate() {
        for step in 0..count {
            let entry = &mut results[(turn + step) % count];
            let found = evaluate(slice::from_ref(site), part, entry.method, options);
            entry.evaluation.rows.extend(found.rows);
        }
    }
    Comparison {
        sample,
        part,
        results,
    }
}

impl MethodResult {
    /// A method that was not run yet.
    fn new(method: EvalMethod) -> Self {
        Self {
            method,
            evaluation: Evaluation::default(),
        }
    }
}

impl Comparison {
    /// The results on each key page: a row for every method, in the order of the methods.
    pub fn key_pages(&self) -> Vec<Vec<&Row>> {
        let pages = self
            .results
            .first()
            .map_or(0, |entry| entry.evaluation.rows.len());
        (0..pages)
            .map(|page| {
                let rows = self.results.iter().map(|entry| &entry.evaluation.rows[page]);
                rows.collect()
            })
            .collect()
    }

    /// All rows, method by method.
    pub fn rows(&self) -> impl Iterator<Item = &Row> + Clone {
        self.results.iter().flat_map(|entry| &entry.evaluation.rows)
    }

    /// The lead of the first method over one of the others; none over itself.
    pub fn lead_over(&self, entry: &MethodResult) -> Option<Lead> {
        let first = self.results.first()?;
        (first.method != entry.method).then(|| Lead::of(&first.evaluation, &entry.evaluation))
    }
}

impl Lead {
    /// The lead of one method over another on the same key pages.
    pub fn of(one: &Evaluation, other: &Evaluation) -> Self {
        let f1 = |row: &Row| row.scores.nodes.f1;
        let differences = one
            .rows
            .iter()
            .zip(&other.rows)
            .map(|(one, other)| (one, f1(one) - f1(other)));
        Self {
            mean: mean(differences.clone().map(|(_, difference)| difference)),
            interval: Interval::of_mean(differences),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::corpus::Split;
    use crate::evaluation::tests::row;

    /// An evaluation with a key page on each of the sites `a`, `b`, ..., of so many right nodes among four.
    pub(crate) fn evaluation(hits: &[usize]) -> Evaluation {
        let sites = ('a'..='z').map(String::from);
        let rows = sites.zip(hits).map(|(site, &hits)| row(&site, hits));
        Evaluation { rows: rows.collect() }
    }

    /// Methods with these rows on half a corpus.
    pub(crate) fn comparison(methods: Vec<Vec<Row>>) -> Comparison {
        let sample = Sample {
            name: "sites".to_owned(),
            split: Some(Split::B),
            digest: "1".to_owned(),
            sites: Vec::new(),
        };
        let results = methods
            .into_iter()
            .zip([EvalMethod::Paper, EvalMethod::Hybex].into_iter().cycle());
        Comparison {
            sample,
            part: Part::Template,
            results: results
                .map(|(rows, method)| MethodResult {
                    method,
                    evaluation: Evaluation { rows },
                })
                .collect(),
        }
    }

    #[test]
    fn a_lead_is_taken_page_by_page() {
        let lead = Lead::of(&evaluation(&[4, 3, 2]), &evaluation(&[3, 2, 1]));
        assert_eq!(lead.mean, 0.25);
        // Every page has the same difference, so the interval is a point although the scores vary.
        assert_eq!(
            lead.interval,
            Some(Interval {
                low: 0.25,
                high: 0.25
            })
        );
        let behind = Lead::of(&evaluation(&[0, 1, 4]), &evaluation(&[4, 1, 2]));
        assert!(behind.mean < 0.0 && behind.interval.unwrap().has_zero());
    }

    #[test]
    fn every_method_is_run_on_every_key_page() {
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/sites");
        let corpus = crate::corpus::Corpus::read(fixtures.as_ref()).unwrap();
        let sample = Sample::new("sites".to_owned(), corpus.sites, None).unwrap();
        let comparison = compare(sample, Part::Template, &EvalMethod::ALL, &Options::default());
        assert_eq!(comparison.results.len(), EvalMethod::ALL.len());
        for (entry, method) in comparison.results.iter().zip(EvalMethod::ALL) {
            assert_eq!(entry.method, method);
            assert!(entry.evaluation.rows.iter().all(|row| row.method == method));
        }
        let key_pages = comparison.key_pages();
        assert_eq!(key_pages.len(), comparison.sample.key_pages());
        for rows in key_pages {
            assert!(rows.iter().all(|row| row.key_page == rows[0].key_page));
        }
        assert!(comparison.lead_over(&comparison.results[0]).is_none());
    }
}
