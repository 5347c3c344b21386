//! The request and the result of a run, as files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::counts::{RecordCounts, RowTotals};
use crate::error::BulkError;
use crate::inputs::{Input, InputStamp};
use crate::settings::Settings;

/// Increases when runs of an older version can't be resumed.
const VERSION: u32 = 3;

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
}

/// `manifest.json`: request and result of a finished run. The same inputs and settings give the same manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    pub(crate) request: Request,
    /// Records read from the inputs.
    pub counts: RecordCounts,
    /// Sums over all rows.
    pub totals: RowTotals,
    /// The files with rows, in order.
    pub parts: Vec<PartFile>,
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
    let different = now
        .iter()
        .filter(|(name, value)| earlier.get(*name) != Some(value));
    different
        .map(|(name, value)| {
            let before = earlier.get(name).unwrap_or(&Value::Null);
            let flag = name.replace('_', "-");
            format!("--{flag} was {} and is {}", plain(before), plain(value))
        })
        .collect()
}

/// A value as on the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => "not given".to_owned(),
        Value::Bool(true) => "given".to_owned(),
        Value::String(text) => text.clone(),
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
