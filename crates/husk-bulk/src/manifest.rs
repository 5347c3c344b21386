//! What a run was asked for and what it left.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::counts::{Counts, Totals};
use crate::error::BulkError;
use crate::inputs::{Input, Stamp};
use crate::settings::Settings;

/// Changes when a run of an older version could not be gone on with.
const VERSION: u32 = 3;

/// What a run was asked for. Whoever goes on with it must ask for the same.
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
    stamp: Stamp,
}

/// A file of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// What a finished run was asked for and what it left. The same inputs give the same manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    pub(crate) request: Request,
    /// What was met in the inputs.
    pub counts: Counts,
    /// What came of it.
    pub totals: Totals,
    /// The files, in the order of their rows.
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

    /// Fails if an earlier run was asked for something else, and says what.
    pub(crate) fn agree_with(&self, earlier: &Self, out: &Path) -> Result<(), BulkError> {
        let mut differences = Vec::new();
        if (self.version, &self.husk) != (earlier.version, &earlier.husk) {
            differences.push(format!("by husk {}, and this is {}", earlier.husk, self.husk));
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

/// Each setting that differs, by the name of its flag.
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
            format!("--{name} was {} and is {}", plain(before), plain(value))
        })
        .collect()
}

/// A value as one writes it on the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => "not given".to_owned(),
        Value::Bool(true) => "given".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let chosen = fields
                .iter()
                .filter(|(_, is_chosen)| **is_chosen == Value::Bool(true));
            let names: Vec<&str> = chosen.map(|(name, _)| name.as_str()).collect();
            names.join(",")
        }
        other => other.to_string(),
    }
}

/// The first input that differs, since all behind it may.
fn different_inputs(earlier: &[InputFile], now: &[InputFile]) -> Option<String> {
    for (earlier, now) in earlier.iter().zip(now) {
        if earlier.path != now.path {
            return Some(format!(
                "the input {} stands where {} was",
                now.path.display(),
                earlier.path.display()
            ));
        }
        if earlier.stamp != now.stamp {
            return Some(format!("the input {} was changed since", now.path.display()));
        }
    }
    let added = now.get(earlier.len());
    let missing = earlier.get(now.len());
    added
        .map(|input| format!("the input {} was not there", input.path.display()))
        .or_else(|| missing.map(|input| format!("the input {} is missing", input.path.display())))
}
