//! `husk-lab tune`: sets the thresholds of the default method on some sites and scores them on others.
//!
//! Coordinate search: each threshold in turn takes the best of a few values around its default, until none changes.
//! Steps are coarse and a change must gain on more than one page, which limits overfitting.

use std::collections::BTreeMap;
use std::io::{self, Write};

use husk::{Options, Thresholds};
use husk_lab::{Corpus, EvalMethod, Part, Site, Split, evaluate};
use serde_json::Value;

use crate::args::TuneArgs;

/// Maximum number of rounds over all thresholds.
const ROUNDS: usize = 2;

/// Minimum gain of a change in mean F1.
const MIN_GAIN: f64 = 0.001;

/// Cap on the gain or loss of a single key page, so that one page does not decide.
const MAX_GAIN_OF_PAGE: f64 = 0.02;

pub(crate) fn run(args: &TuneArgs) -> anyhow::Result<()> {
    let mut sites = Vec::new();
    for folder in &args.corpus {
        sites.extend(Corpus::read(folder)?.sites);
    }
    let out = &mut io::stdout().lock();
    if args.sensitivity {
        print_sensitivity(&sites, out)?;
    } else {
        cross_validate(sites, out)?;
    }
    Ok(())
}

/// Thresholds set on one half of the sites and scored on the other, both ways round.
fn cross_validate(sites: Vec<Site>, out: &mut impl Write) -> io::Result<()> {
    let (a, b): (Vec<Site>, Vec<Site>) = sites
        .into_iter()
        .partition(|site| Split::of(&site.name) == Split::A);
    let default = Thresholds::default();
    writeln!(
        out,
        "default: half a {}, half b {}",
        score(&a, &default),
        score(&b, &default)
    )?;
    for (name, set_on, other) in [("a", &a, &b), ("b", &b, &a)] {
        let found = search(set_on);
        writeln!(
            out,
            "set on half {name}: {} there, {} on the other half",
            score(set_on, &found),
            score(other, &found)
        )?;
        writeln!(out, "  {}", differences(&found))?;
    }
    Ok(())
}

fn print_sensitivity(sites: &[Site], out: &mut impl Write) -> io::Result<()> {
    let default = Thresholds::default();
    writeln!(out, "default: {}", score(sites, &default))?;
    for (name, value) in numbers(&default) {
        for other in around(value) {
            writeln!(
                out,
                "{name} = {other}: {}",
                score(sites, &with(&default, &name, other))
            )?;
        }
    }
    Ok(())
}

/// The best thresholds found in a few rounds.
fn search(sites: &[Site]) -> Thresholds {
    let mut best = Thresholds::default();
    let mut best_score = score(sites, &best);
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for name in numbers(&best).into_keys() {
            for value in around(numbers(&Thresholds::default())[&name]) {
                let tried = with(&best, &name, value);
                let tried_score = score(sites, &tried);
                if tried_score.gain_over(&best_score) > MIN_GAIN {
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

/// Values to try around a default.
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

/// The scores with some thresholds.
struct TunedScore {
    /// The F1 of each key page.
    pages: Vec<f64>,
    f1: f64,
    worst: f64,
    loaded: f64,
}

impl TunedScore {
    /// The gain over other thresholds. More than five pages loaded on average cost more than they could gain.
    fn gain_over(&self, other: &Self) -> f64 {
        let differences = self
            .pages
            .iter()
            .zip(&other.pages)
            .map(|(own, other)| own - other);
        let gain: f64 = differences
            .map(|difference| difference.clamp(-MAX_GAIN_OF_PAGE, MAX_GAIN_OF_PAGE))
            .sum();
        let excess = |reached: &Self| (reached.loaded - 5.0).max(0.0);
        gain / self.pages.len().max(1) as f64 - 0.05 * (excess(self) - excess(other))
    }
}

impl std::fmt::Display for TunedScore {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            f1, worst, loaded, ..
        } = self;
        write!(out, "F1 {f1:.4} (worst {worst:.3}, {loaded:.2} loaded)")
    }
}

fn score(sites: &[Site], thresholds: &Thresholds) -> TunedScore {
    let options = Options {
        thresholds: thresholds.clone(),
        ..Options::default()
    };
    let evaluation = evaluate(sites, Part::Template, EvalMethod::Husk, &options);
    let mean = evaluation.mean();
    TunedScore {
        pages: evaluation.rows.iter().map(|row| row.scores.nodes.f1).collect(),
        f1: mean.scores.nodes.f1,
        worst: evaluation.worst().map_or(0.0, |row| row.scores.nodes.f1),
        loaded: mean.loaded,
    }
}
