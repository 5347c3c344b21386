//! `husk eval`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::{EngineArgs, Method, OutputArgs};

/// Score methods side by side on a corpus of labelled sites: precision, recall, F1, pages loaded, time
///
/// Methods find templates. Menu and content are what husk makes of a template, and are scored with its default method
/// unless others are named.
///
/// A site is a folder with site.json, gold.json and pages/, or one of the TECO corpus, whose key pages carry their labels
/// as class names.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk eval fixtures/sites                       all methods on the sites of this project
  husk eval corpus --method paper                one method in detail
  husk eval corpus --method paper,hybex --format csv -o scores.csv
  husk eval corpus --report report.html          charts, and what was right and wrong on every key page
  husk eval corpus --what content                the main content instead of the template
  husk eval corpus --split a                     half of the sites
  husk eval corpus --floors floors.toml          fail if something became worse
  husk eval corpus --floors floors.toml --raise  keep what was gained")]
pub(crate) struct EvalArgs {
    /// Folders of sites, or sites
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::DirPath)]
    pub(crate) corpus: Vec<PathBuf>,

    /// What to look for and to score
    #[arg(long, value_enum, value_name = "PART", default_value_t = Part::Template)]
    pub(crate) what: Part,

    /// What to print [default: table]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<EvalFormat>,

    /// Write a page to look at too: charts, and what was right and wrong on every key page
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,

    /// Run on this half of the sites; the name of a site says which half it is in
    #[arg(long, value_enum, value_name = "HALF")]
    pub(crate) split: Option<Split>,

    /// Fail if a method does not reach the figures in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Floors")]
    pub(crate) floors: Option<PathBuf>,

    /// Raise the figures in the file to those reached, and add what is not in it yet
    #[arg(long, requires = "floors", help_heading = "Floors")]
    pub(crate) raise: bool,

    /// Lower figures too, where a loss is wanted
    #[arg(long, requires = "raise", help_heading = "Floors")]
    pub(crate) lower: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// What to run, several separated by commas; the first is what the others are compared with [default: all for
    /// templates, husk for the rest]
    #[arg(
        long = "method",
        value_enum,
        value_delimiter = ',',
        value_name = "METHOD",
        help_heading = "Method"
    )]
    pub(crate) methods: Vec<Method>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// What `husk eval` scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// What the site wraps around every page
    Template,
    /// The main menu
    Menu,
    /// The main content; words are those of the text that is printed
    Content,
    /// The main content, told by the page alone
    ContentAlone,
    /// The main content, by templates that were learned from the other pages of the site, as husk strip does it
    ContentStripped,
}

/// What `husk eval` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// A table to read
    Table,
    /// One object: rows and means
    Json,
    /// One row a key page
    Csv,
}

/// The halves of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    A,
    B,
}
