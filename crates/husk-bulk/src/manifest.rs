//! The request and the result of a run, as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::counts::{RecordCounts, RowTotals};
use crate::error::BulkError;
use crate::hashed_file::FileState;
use crate::inputs::{Input, InputStamp};
use crate::output_folder::{MANIFEST, REPORT_PAGE, read_json, sites_file, with_digest};
use crate::settings::Settings;

/// Increases when runs of an older version can't be resumed.
const VERSION: u32 = 5;

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

impl PartFile {
    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self, out: &Path) -> Option<FileProblem> {
        let state = FileState {
            bytes: self.bytes,
            xxh128: self.xxh128.clone(),
        };
        FileProblem::of(&self.name, &state, out)
    }
}

/// A file that is not what the manifest says, or that it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// Its path in the output folder.
    pub name: String,
    /// What is wrong.
    pub cause: String,
}

impl FileProblem {
    fn of(name: &str, state: &FileState, out: &Path) -> Option<Self> {
        let cause = state.difference(&out.join(name))?;
        let name = name.to_owned();
        Some(Self { name, cause })
    }
}

impl fmt::Display for FileProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.name, self.cause)
    }
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
    /// The other files, by path: of the report, and of templates that were found in a store.
    others: BTreeMap<String, FileState>,
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
    /// The manifest of an output folder, if it has one.
    pub(crate) fn read(out: &Path) -> Result<Option<Self>, BulkError> {
        let path = out.join(MANIFEST);
        read_json(&path).map_err(|error| match error {
            BulkError::Damaged { path, cause } => BulkError::DamagedManifest { path, cause },
            error => error,
        })
    }

    /// As the text of its file.
    pub fn to_json(&self) -> Result<String, BulkError> {
        with_digest(self).map_err(|cause| BulkError::damaged(Path::new(MANIFEST), cause))
    }

    /// Forgets a first run that has no rows, so that another selection can be tried.
    pub(crate) fn drop_empty_run(&mut self) {
        if self.totals.rows == 0 {
            *self = Self::default();
        }
    }

    /// The index of the run that had a request.
    pub(crate) fn run_of(&self, request: &Request) -> Option<usize> {
        self.runs.iter().position(|run| run.request == *request)
    }

    pub(crate) fn has_part(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// The command line that writes a file again; none if no run does.
    pub(crate) fn command_of(&self, file: &str, out: &Path) -> Option<String> {
        let part = self.parts.iter().position(|part| part.name == file);
        let writes = |run: usize| {
            let has_part = part.is_some_and(|part| self.parts_of(run).contains(&part));
            has_part || file == sites_file(run) || file == REPORT_PAGE
        };
        let run = (0..self.runs.len()).find(|&run| writes(run))?;
        Some(self.runs[run].request.command(out))
    }

    pub(crate) fn put_other(&mut self, file: &str, state: FileState) {
        self.others.insert(file.to_owned(), state);
    }

    /// What is wrong with a file that is no part, if anything; nothing if no run wrote it.
    pub(crate) fn problem_of_other(&self, file: &str, out: &Path) -> Option<FileProblem> {
        FileProblem::of(file, self.others.get(file)?, out)
    }

    /// What is wrong with any file that is no part.
    pub(crate) fn problems_of_others(&self, out: &Path) -> Vec<FileProblem> {
        let others = self.others.keys();
        others
            .filter_map(|file| self.problem_of_other(file, out))
            .collect()
    }

    pub(crate) fn has_sites_of_all_runs(&self, out: &Path) -> bool {
        let mut runs = 0..self.runs.len();
        runs.all(|run| self.problem_of_other(&sites_file(run), out).is_none())
    }

    /// What is wrong with the files of a run, if anything: those that its command writes again.
    pub(crate) fn problem_of_run(&self, run: usize, out: &Path) -> Option<FileProblem> {
        let mut parts = self.parts[self.parts_of(run)].iter();
        parts
            .find_map(|part| part.problem(out))
            .or_else(|| self.problem_of_other(&sites_file(run), out))
    }

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
        self.sum();
    }

    fn sum(&mut self) {
        (self.counts, self.totals) = Default::default();
        for run in &self.runs {
            self.counts.add(&run.counts);
            self.totals.add_all(&run.totals);
        }
    }

    /// Fails unless a request can be appended: settings that shape the files must be the same, and inputs new. An input
    /// may be read again with another selection, with a note.
    pub(crate) fn require_appendable(
        &self,
        request: &Request,
        out: &Path,
        note: &dyn Fn(&str),
    ) -> Result<(), BulkError> {
        let Some(first) = self.runs.first() else {
            return Ok(());
        };
        let (earlier, now) = (&first.request.settings, &request.settings);
        let differences = different_settings(&earlier.of_output(), &now.of_output());
        if !differences.is_empty() {
            return Err(BulkError::Differs {
                out: out.to_owned(),
                differences,
                remedy: "all runs of an output share these settings, so repeat the earlier ones, or choose another folder",
            });
        }
        for input in &request.inputs {
            let mut was_selected_from = false;
            for run in &self.runs {
                let earlier = &run.request;
                let Some(before) = earlier.inputs.iter().find(|before| before.is_same_as(input)) else {
                    continue;
                };
                let (name, out) = (input.path.display(), out.display());
                if earlier.settings.selection != request.settings.selection {
                    was_selected_from = true;
                } else if before.stamp.has_same_content(&input.stamp) {
                    return Err(BulkError::Input(format!(
                        "{name} is in {out} already, as {}: append other inputs only",
                        before.path.display()
                    )));
                } else {
                    return Err(BulkError::Input(format!(
                        "{name} is in {out} already, with other content than now: rename it if it is another input"
                    )));
                }
            }
            if was_selected_from {
                note(&format!(
                    "{} was read before with another selection: a page of both selections has a row of each",
                    input.path.display()
                ));
            }
        }
        Ok(())
    }
}

impl InputFile {
    /// Whether two inputs are the same file or folder, copies of an archive, or streams that begin alike.
    fn is_same_as(&self, other: &Self) -> bool {
        if self.path == Path::new("-") || other.path == Path::new("-") {
            return self == other;
        }
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let is_copy = || other.path.is_file() && self.stamp.has_same_content(&other.stamp);
        self.path == other.path || real(&self.path) == real(&other.path) || is_copy()
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

    /// Fails with a list of differences, and what to do, if the earlier request was another one.
    pub(crate) fn require_same(
        &self,
        earlier: &Self,
        out: &Path,
        remedy: &'static str,
    ) -> Result<(), BulkError> {
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
            remedy,
        })
    }

    /// File name of a part.
    pub(crate) fn part_name(&self, number: usize) -> String {
        self.settings.part_name(number)
    }

    /// The command line that asks for this.
    pub(crate) fn command(&self, out: &Path) -> String {
        let mut words = vec!["husk bulk".to_owned()];
        words.extend(
            self.inputs
                .iter()
                .take(NAMED_INPUTS)
                .map(|input| quoted(&input.path)),
        );
        if self.inputs.len() > NAMED_INPUTS {
            let others = self.inputs.len() - NAMED_INPUTS;
            words.push(format!("(and {others} more inputs that {MANIFEST} lists)"));
        }
        words.push(format!("-o {}", quoted(out)));
        words.extend(flags(&self.settings));
        words.join(" ")
    }
}

/// How many inputs a command line in a message names.
const NAMED_INPUTS: usize = 4;

/// The settings that are not the default, as flags.
fn flags(settings: &Settings) -> Vec<String> {
    let (defaults, settings) = (fields_of(&Settings::default()), fields_of(settings));
    let changed = settings
        .iter()
        .filter(|(name, value)| defaults.get(*name) != Some(value));
    let flag = |(name, value): (&String, &Value)| {
        let flag = format!("--{}", name.replace('_', "-"));
        match (&**name, value) {
            (_, Value::Bool(true)) => flag,
            ("include" | "exclude", Value::Array(patterns)) => {
                let flags = patterns
                    .iter()
                    .map(|pattern| format!("{flag} {}", quoted(plain(pattern).as_ref())));
                flags.collect::<Vec<_>>().join(" ")
            }
            ("status", Value::Array(ranges)) => {
                let range = |range: &Value| match range.as_array().map(|ends| &ends[..]) {
                    Some([first, last]) if first != last => format!("{first}-{last}"),
                    Some([first, ..]) => first.to_string(),
                    _ => plain(range),
                };
                format!(
                    "{flag} {}",
                    ranges.iter().map(range).collect::<Vec<_>>().join(",")
                )
            }
            ("sites", Value::Array(sites)) => format!("{flag} FILE (a list of {} sites)", sites.len()),
            _ => format!("{flag} {}", quoted(plain(value).as_ref())),
        }
    };
    changed.map(flag).collect()
}

/// A word of a command line.
fn quoted(word: &Path) -> String {
    let word = word.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:,+@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn fields_of(settings: &Settings) -> serde_json::Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Default::default(),
    }
}

/// The settings that differ, by the names of their flags.
fn different_settings(earlier: &Settings, now: &Settings) -> Vec<String> {
    let (earlier, now) = (fields_of(earlier), fields_of(now));
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
