//! Sets the thresholds of the default method on some sites and scores them on others.
//!
//! ```sh
//! cargo run --release -p husk-lab --example tune -- ../shared/corpus              # cross-validation
//! cargo run --release -p husk-lab --example tune -- ../shared/corpus sensitivity  # what each threshold is worth
//! ```
//!
//! Each threshold in turn takes that value of a few around it which scores best, until none changes: a search that
//! cannot overfit much, since thresholds are changed one by one, in coarse steps, and for more than one page's sake.
#![allow(clippy::print_stdout, reason = "an example that prints what it finds")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use husk::{Options, Thresholds};
use husk_lab::{EvalMethod, Corpus, Part, Site, Split, evaluate};
use serde_json::Value;

/// A search ends after so many rounds over all thresholds.
const ROUNDS: usize = 2;

/// A change must gain so much in mean F1: less is chance.
const LEAST_GAIN: f64 = 0.001;

/// What a single key page gains or loses counts up to this, so that one page that falls over an edge does not decide.
const MOST_OF_ONE_PAGE: f64 = 0.02;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut corpora: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let wants_sensitivity = corpora
        .last()
        .is_some_and(|last| last.as_os_str() == "sensitivity");
    if wants_sensitivity {
        corpora.pop();
    }
    let mut sites = Vec::new();
    for folder in &corpora {
        sites.extend(Corpus::read(folder)?.sites);
    }
    if wants_sensitivity {
        print_sensitivity(&sites);
    } else {
        cross_validate(sites);
    }
    Ok(())
}

/// Thresholds set on one half of the sites and scored on the other, both ways round.
fn cross_validate(sites: Vec<Site>) {
    let (a, b): (Vec<Site>, Vec<Site>) = sites
        .into_iter()
        .partition(|site| Split::of(&site.name) == Split::A);
    let default = Thresholds::default();
    println!(
        "default: half a {}, half b {}",
        score(&a, &default),
        score(&b, &default)
    );
    for (name, set_on, other) in [("a", &a, &b), ("b", &b, &a)] {
        let found = search(set_on);
        println!(
            "set on half {name}: {} there, {} on the other half",
            score(set_on, &found),
            score(other, &found)
        );
        println!("  {}", differences(&found));
    }
}

fn print_sensitivity(sites: &[Site]) {
    let default = Thresholds::default();
    println!("default: {}", score(sites, &default));
    for (name, value) in numbers(&default) {
        for other in around(value) {
            println!(
                "{name} = {other}: {}",
                score(sites, &with(&default, &name, other))
            );
        }
    }
}

/// The best thresholds that are found in a few rounds.
fn search(sites: &[Site]) -> Thresholds {
    let mut best = Thresholds::default();
    let mut best_score = score(sites, &best);
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for name in numbers(&best).into_keys() {
            for value in around(numbers(&Thresholds::default())[&name]) {
                let tried = with(&best, &name, value);
                let tried_score = score(sites, &tried);
                if tried_score.gain_over(&best_score) > LEAST_GAIN {
                    (best, best_score) = (tried, tried_score);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    best
}

/// Values to try beside a default: a share halfway nearer to its ends, a number a third up and down.
fn around(value: f64) -> Vec<f64> {
    match value {
        0.0 => vec![0.05, 0.1],
        share if share < 1.0 => vec![0.5 * share, 0.75 * share, (share + 0.2).min(0.5 + 0.5 * share)],
        count if count.fract() == 0.0 => vec![(count / 1.5).round(), (count * 1.5).round(), count * 2.0],
        number => vec![0.67 * number, 0.85 * number, 1.2 * number, 1.5 * number],
    }
}

/// The thresholds by their names.
fn numbers(thresholds: &Thresholds) -> BTreeMap<String, f64> {
    let Ok(Value::Object(fields)) = serde_json::to_value(thresholds) else {
        return BTreeMap::new();
    };
    let number = |(name, value): (String, Value)| Some((name, value.as_f64()?));
    fields.into_iter().filter_map(number).collect()
}

/// The thresholds with another value for one of them.
fn with(thresholds: &Thresholds, name: &str, value: f64) -> Thresholds {
    let Ok(mut fields) = serde_json::to_value(thresholds) else {
        return thresholds.clone();
    };
    let is_count = fields[name].is_u64();
    fields[name] = if is_count {
        Value::from(value as u64)
    } else {
        Value::from(value)
    };
    serde_json::from_value(fields).unwrap_or_else(|_| thresholds.clone())
}

fn differences(found: &Thresholds) -> String {
    let defaults = numbers(&Thresholds::default());
    let changed = numbers(found)
        .into_iter()
        .filter(|(name, value)| defaults[name] != *value)
        .map(|(name, value)| format!("{name} = {value:.3}"));
    changed.collect::<Vec<_>>().join(", ")
}

/// What the method reaches with some thresholds.
struct Reached {
    /// The F1 of each key page.
    pages: Vec<f64>,
    f1: f64,
    worst: f64,
    loaded: f64,
}

impl Reached {
    /// What is gained over other thresholds. Pages loaded beyond five on average cost as much as they could gain.
    fn gain_over(&self, other: &Self) -> f64 {
        let differences = self
            .pages
            .iter()
            .zip(&other.pages)
            .map(|(own, other)| own - other);
        let gain: f64 = differences
            .map(|difference| difference.clamp(-MOST_OF_ONE_PAGE, MOST_OF_ONE_PAGE))
            .sum();
        let excess = |reached: &Self| (reached.loaded - 5.0).max(0.0);
        gain / self.pages.len().max(1) as f64 - 0.05 * (excess(self) - excess(other))
    }
}

impl std::fmt::Display for Reached {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            f1, worst, loaded, ..
        } = self;
        write!(out, "F1 {f1:.4} (worst {worst:.3}, {loaded:.2} loaded)")
    }
}

fn score(sites: &[Site], thresholds: &Thresholds) -> Reached {
    let options = Options {
        thresholds: thresholds.clone(),
        ..Options::default()
    };
    let evaluation = evaluate(sites, Part::Template, EvalMethod::Husk, &options);
    let mean = evaluation.mean();
    Reached {
        pages: evaluation.rows.iter().map(|row| row.scores.nodes.f1).collect(),
        f1: mean.scores.nodes.f1,
        worst: evaluation.worst().map_or(0.0, |row| row.scores.nodes.f1),
        loaded: mean.loaded,
    }
}
