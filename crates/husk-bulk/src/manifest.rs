//! The request and the result of a run, as files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::counts::{RecordCounts, RowTotals};
use crate::error::BulkError;
use crate::inputs::{Input, InputStamp};
use crate::settings::Settings;

/// Increases when runs of an older version can't be resumed.
const VERSION: u32 = 4;

/// What a run was asked for. Resuming it takes the same request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    version: u32,
    husk: String,
    settings: Settings,
    inputs: Vec<InputFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct InputFile {
    path: PathBuf,
    #[serde(flatten)]
    stamp: InputStamp,
}

/// A file with rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// File name.
    pub name: String,
    /// Number of rows.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Digest of its bytes: XXH3 with 128 bits, in hex.
    pub xxh128: String,
}

/// `_manifest.json`: requests and results of finished runs. The same inputs and settings give the same manifest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Manifest {
    /// The runs: the first one, then those with `--append`.
    pub runs: Vec<RunRecord>,
    /// Records read from the inputs by all runs.
    pub counts: RecordCounts,
    /// Sums over all rows. A site counts once for each run that has pages of it.
    pub totals: RowTotals,
    /// The files with rows, in order.
    pub parts: Vec<PartFile>,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    #[serde(flatten)]
    pub(crate) request: Request,
    /// Records read from its inputs.
    pub counts: RecordCounts,
    /// Sums over its rows.
    pub totals: RowTotals,
    /// Number of its files, behind those of earlier runs.
    pub parts: usize,
}

impl Manifest {
    /// The parts of a run, as indexes; those of a further run are empty.
    pub(crate) fn parts_of(&self, run: usize) -> Range<usize> {
        let count = |runs: &[RunRecord]| runs.iter().map(|run| run.parts).sum::<usize>();
        let first = count(&self.runs[..run.min(self.runs.len())]);
        first..first + self.runs.get(run).map_or(0, |run| run.parts)
    }

    /// Adds a run, or replaces one by its repetition.
    pub(crate) fn put_run(&mut self, run: usize, record: RunRecord, files: Vec<PartFile>) {
        self.parts.splice(self.parts_of(run), files);
        match self.runs.get_mut(run) {
            Some(before) => *before = record,
            None => self.runs.push(record),
        }
        (self.counts, self.totals) = Default::default();
        for run in &self.runs {
            self.counts.add(&run.counts);
            self.totals.add_all(&run.totals);
        }
    }

    /// Fails unless a request can be appended: settings that shape the files must be the same, and inputs new.
    pub(crate) fn require_appendable(&self, request: &Request, out: &Path) -> Result<(), BulkError> {
        let Some(first) = self.runs.first() else {
            return Ok(());
        };
        let (earlier, now) = (&first.request.settings, &request.settings);
        let differences = different_settings(&earlier.of_output(), &now.of_output());
        if !differences.is_empty() {
            return Err(BulkError::Differs {
                out: out.to_owned(),
                differences,
            });
        }
        let is_repeated = |input: &&InputFile| {
            let mut runs = self.runs.iter().map(|run| &run.request);
            runs.any(|run| run.settings == request.settings && run.inputs.contains(input))
        };
        match request.inputs.iter().find(is_repeated) {
            Some(input) => Err(BulkError::Input(format!(
                "{} is in {} already: append other inputs only",
                input.path.display(),
                out.display()
            ))),
            None => Ok(()),
        }
    }
}

impl Request {
    pub(crate) fn new(settings: &Settings, inputs: &[Input]) -> Self {
        let file = |input: &Input| InputFile {
            path: input.path.clone(),
            stamp: input.stamp.clone(),
        };
        Self {
            version: VERSION,
            husk: env!("CARGO_PKG_VERSION").to_owned(),
            settings: Settings {
                threads: 0,
                restart: false,
                append: false,
                now: None,
                tuning: Default::default(),
                ..settings.clone()
            },
            inputs: inputs.iter().map(file).collect(),
        }
    }

    /// Fails with a list of differences if the earlier request was another one.
    pub(crate) fn require_same(&self, earlier: &Self, out: &Path) -> Result<(), BulkError> {
        let mut differences = Vec::new();
        if (self.version, &self.husk) != (earlier.version, &earlier.husk) {
            differences.push(format!("by husk {}, this is husk {}", earlier.husk, self.husk));
        }
        differences.extend(different_settings(&earlier.settings, &self.settings));
        differences.extend(different_inputs(&earlier.inputs, &self.inputs));
        if differences.is_empty() {
            return Ok(());
        }
        Err(BulkError::Differs {
            out: out.to_owned(),
            differences,
        })
    }
}

/// The settings that differ, by the names of their flags.
fn different_settings(earlier: &Settings, now: &Settings) -> Vec<String> {
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Default::default(),
    };
    let (earlier, now) = (fields(earlier), fields(now));
    // Settings that are not given are left out.
    let names: BTreeSet<&String> = earlier.keys().chain(now.keys()).collect();
    let value_in = |settings: &serde_json::Map<String, Value>, name: &str| {
        settings.get(name).cloned().unwrap_or_default()
    };
    let describe = |name: &String| {
        let (before, after) = (value_in(&earlier, name), value_in(&now, name));
        let flag = name.replace('_', "-");
        (before != after).then(|| format!("--{flag} was {} and is {}", plain(&before), plain(&after)))
    };
    names.into_iter().filter_map(describe).collect()
}

/// A value as on the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => "not given".to_owned(),
        Value::Bool(true) => "given".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        Value::Object(fields) => {
            let chosen = fields
                .iter()
                .filter(|(_, is_chosen)| **is_chosen == Value::Bool(true));
            let names: Vec<String> = chosen.map(|(name, _)| name.replace('_', "-")).collect();
            names.join(",")
        }
        other => other.to_string(),
    }
}

/// The first input that differs.
fn different_inputs(earlier: &[InputFile], now: &[InputFile]) -> Option<String> {
    for (earlier, now) in earlier.iter().zip(now) {
        if earlier.path != now.path {
            return Some(format!(
                "input {} was {} before",
                now.path.display(),
                earlier.path.display()
            ));
        }
        if earlier.stamp != now.stamp {
            return Some(format!("input {} has changed", now.path.display()));
        }
    }
    let added = now.get(earlier.len());
    let missing = earlier.get(now.len());
    added
        .map(|input| format!("input {} is new", input.path.display()))
        .or_else(|| missing.map(|input| format!("input {} is missing", input.path.display())))
}
