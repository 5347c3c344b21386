//! The command line.

use std::fmt;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use husk::{EqualityPreset, SameSite};
use husk_lab::{EvalMethod, Part, Split};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

/// Measure template and content extraction on labelled sites.
#[derive(Debug, Parser)]
#[command(
    name = "husk-lab",
    version,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(Box<EvalArgs>),
    Tune(TuneArgs),
    Fit(FitArgs),
}

/// Fit the model of blocks, which decides what is content
///
/// Prints the word F1 of each set, by models that saw no page of the same site.
#[derive(Debug, clap::Args)]
pub(crate) struct FitArgs {
    /// Folders of sites, or sites
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::DirPath)]
    pub(crate) corpus: Vec<PathBuf>,

    /// A folder of pages NAME.html with their content in NAME.gold.txt; subfolders are sites
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) pages: Vec<PathBuf>,

    /// Where to write the model
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "crates/husk/model.txt")]
    pub(crate) output: PathBuf,
}

/// Tune the thresholds of the default method, with cross-validation over the two halves of the sites
#[derive(Debug, clap::Args)]
pub(crate) struct TuneArgs {
    /// Folders of sites, or sites
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::DirPath)]
    pub(crate) corpus: Vec<PathBuf>,

    /// Instead, print the score with each threshold set to values around its default
    #[arg(long)]
    pub(crate) sensitivity: bool,
}

/// Score methods on a corpus of labelled sites: precision, recall, F1, pages loaded, time
///
/// Methods find templates. Menu and content are computed from the template that a method found, and are scored with the
/// default method unless others are named.
///
/// A site is a folder with site.json, gold.json and pages/, or a site of the TECO corpus, whose key pages carry their
/// labels as class names.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk-lab eval fixtures/sites                       all methods on the sites of this project
  husk-lab eval corpus --method paper                one method in detail
  husk-lab eval corpus --method paper,hybex --format csv -o scores.csv
  husk-lab eval corpus --report report.html          charts, and the errors on every key page
  husk-lab eval corpus --what content                the main content instead of the template
  husk-lab eval corpus --split a                     half of the sites
  husk-lab eval corpus --floors floors.toml          fail if a score dropped
  husk-lab eval corpus --floors floors.toml --raise  raise the floors to the scores reached

Exit status: 0 for success, 1 if something could not be read or written or a score is below its floor, 2 for a usage
error.")]
pub(crate) struct EvalArgs {
    /// Folders of sites, or sites
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::DirPath)]
    pub(crate) corpus: Vec<PathBuf>,

    /// The part of the page to score
    #[arg(long, value_enum, value_name = "PART", default_value_t = Part::Template)]
    pub(crate) what: Part,

    /// Output format
    #[arg(long, short, value_enum, default_value_t = EvalFormat::Table)]
    pub(crate) format: EvalFormat,

    /// Also write an HTML report: charts, and the errors on every key page
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,

    /// Use only this half of the sites; the half is derived from the site's name
    #[arg(long, value_enum, value_name = "HALF")]
    pub(crate) split: Option<Split>,

    /// Fail if a method scores below the floors in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Floors")]
    pub(crate) floors: Option<PathBuf>,

    /// Raise the floors in the file to the scores reached, and add missing ones
    #[arg(long, requires = "floors", help_heading = "Floors")]
    pub(crate) raise: bool,

    /// Lower floors too, where a loss is intended
    #[arg(long, requires = "raise", help_heading = "Floors")]
    pub(crate) lower: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Methods to run, separated by commas; the others are compared with the first [default: all for templates, husk for
    /// other parts]
    #[arg(
        long = "method",
        value_enum,
        value_delimiter = ',',
        value_name = "METHOD",
        help_heading = "Method"
    )]
    pub(crate) methods: Vec<EvalMethod>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print only errors to standard error
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print details to standard error
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// The engine's options. Flags override the configuration file, which overrides the defaults.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct EngineArgs {
    /// How many pages to compare the key page with [default: 4]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count)]
    pub(crate) pages_to_compare: Option<usize>,

    /// How many pages to load at most, without the key page
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(crate) max_pages: Option<usize>,

    /// Which pages belong to the key page's site: host or domain [default: host]
    #[arg(long, value_name = "SCOPE", value_parser = parse_name::<SameSite>)]
    pub(crate) same_site: Option<SameSite>,

    /// When two nodes are equal, for the method paper: label, label-attributes or weighted [default: weighted]
    #[arg(long, value_parser = parse_name::<EqualityPreset>)]
    pub(crate) equality: Option<EqualityPreset>,

    /// Similarity at which two nodes are equal, for the weighted equality [default: 0.9]
    #[arg(long, value_name = "0..1", value_parser = parse_share)]
    pub(crate) threshold: Option<f64>,

    /// Weights of class, children, position and attributes [default:
    /// class=0.1,children=0.5,position=0.4,attributes=0]
    #[arg(long, value_name = "NAME=WEIGHT,...", value_delimiter = ',', value_parser = parse_weight)]
    pub(crate) weights: Vec<(WeightName, f64)>,

    /// An attribute to ignore in comparisons; may be repeated
    #[arg(long = "ignore-attribute", value_name = "NAME")]
    pub(crate) ignored_attributes: Vec<String>,

    /// Configuration file in the format of husk.toml; of its tables only those of the engine matter
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// The output formats of `husk-lab eval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// A table to read
    Table,
    /// One object with rows and means
    Json,
    /// One row per key page
    Csv,
}

/// The weights of the weighted equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightName {
    Class,
    Children,
    Position,
    Attributes,
}

/// A combination of flags that makes no sense: exit status 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("expected at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(cause) => Err(format!("{cause}")),
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|cause| format!("{cause}"))?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("expected a number from 0 to 1".to_owned())
    }
}

fn parse_weight(text: &str) -> Result<(WeightName, f64), String> {
    let (name, weight) = text
        .split_once('=')
        .ok_or("expected NAME=WEIGHT, such as class=0.1")?;
    let name = WeightName::from_str(name, true)
        .map_err(|_| format!("{name:?} is not one of class, children, position, attributes"))?;
    let weight: f64 = weight.parse().map_err(|cause| format!("{weight:?}: {cause}"))?;
    if weight >= 0.0 && weight.is_finite() {
        Ok((name, weight))
    } else {
        Err("expected a weight of 0 or more".to_owned())
    }
}

/// A value by the name that it has in configuration files.
fn parse_name<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let name: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(name)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_consistent() {
        super::Args::command().debug_assert();
    }
}
