//! The command line as it is written.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use husk::Url;

/// Tells the template of a web page, what its site wraps around every page, from its content.
#[derive(Debug, Parser)]
#[command(
    name = "husk",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit status: 0 if all went well, 1 if something could not be read or written, 2 for a mistake in the command, 3 if the
page has no siblings.

Options may stand in a file husk.toml as well, which is looked for from the working folder upward."
)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Template(Box<TemplateArgs>),
    Eval(Box<EvalArgs>),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print the template of a page: HTML that opens in a browser, with slots where content was cut out
///
/// Husk follows links to the pages that are most like the page, compares their DOM trees with the page's, beginning at the
/// roots, and goes on until further pages would change nothing. It prints what they bear out as the site's.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk template site/about.html                      a page of a saved site
  husk template site/about.html --open               look at its template in your browser
  husk template site/a/b.html --site site --base-url https://example.org/
                                                     its links as they were on the web
  husk template https://example.org/a/b --site site --base-url https://example.org/
                                                     the same page by its address
  husk template site/about.html --format xpath       the nodes of the template, one XPath a line
  husk template site/about.html --format json -o about.json")]
pub(crate) struct TemplateArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print [default: html]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<TemplateFormat>,

    /// Whether the page's scripts, event handlers and refreshes stay in the HTML [default: drop]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) scripts: Option<Scripts>,

    /// Whether addresses in the HTML are made absolute or left as the page has them [default: absolute]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) links: Option<Links>,

    /// Show the template in your browser
    #[arg(long, conflicts_with = "format")]
    pub(crate) open: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// How the template is found [default: husk]
    #[arg(long, value_enum, help_heading = "Method")]
    pub(crate) method: Option<Method>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// The page that is meant, and where its site is.
#[derive(Debug, clap::Args)]
pub(crate) struct PageArgs {
    /// The page: a file of a saved site, or an address in it
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) page: OsString,

    /// The root of the saved site; found from the page's place if not given
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,

    /// The address that the site was saved from; without it links lead to the saved files
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,
}

/// How the template is found. What is not given comes from husk.toml, then from the defaults.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct EngineArgs {
    /// How many pages are compared with the page: one less if they agree, more if they do not; for the method paper so
    /// many that all link to each other [default: 4]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count)]
    pub(crate) pages_to_compare: Option<usize>,

    /// How many pages are asked for at most, the page itself not counted [default: until 7 are loaded, or all it links to
    /// for the method paper]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(crate) max_pages: Option<usize>,

    /// What makes two pages belong to one site: the same host, or the same registrable domain [default: host]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) same_site: Option<SameSite>,

    /// When two nodes are equal, for the method paper [default: weighted]
    #[arg(long, value_enum)]
    pub(crate) equality: Option<Equality>,

    /// The similarity from which on two nodes are equal, for the weighted equality [default: 0.9]
    #[arg(long, value_name = "0..1", value_parser = parse_share)]
    pub(crate) threshold: Option<f64>,

    /// What class, children, position and attributes count [default: class=0.1,children=0.5,position=0.4,attributes=0]
    #[arg(long, value_name = "NAME=WEIGHT,...", value_delimiter = ',', value_parser = parse_weight)]
    pub(crate) weights: Vec<(WeightName, f64)>,

    /// An attribute that is not compared; may be given several times
    #[arg(long = "ignore-attribute", value_name = "NAME")]
    pub(crate) ignored_attributes: Vec<String>,

    /// The configuration file, instead of the husk.toml found from the working folder upward
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

impl EngineArgs {
    /// Whether anything was said about when two nodes are equal.
    pub(crate) fn tells_equality(&self) -> bool {
        self.equality.is_some()
            || self.threshold.is_some()
            || !self.weights.is_empty()
            || !self.ignored_attributes.is_empty()
    }
}

/// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output, which is - too
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Say nothing on standard error but errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say on standard error which options apply, which page is loaded and which could not be
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

impl OutputArgs {
    /// The file to write to; none for standard output, which is also called `-`.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| *file != Path::new("-"))
    }
}

/// Score methods side by side on a corpus of labelled sites: precision, recall, F1, pages loaded, time
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
  husk eval corpus --split a                     half of the sites
  husk eval corpus --floors floors.toml          fail if something became worse
  husk eval corpus --floors floors.toml --raise  keep what was gained")]
pub(crate) struct EvalArgs {
    /// Folders of sites, or sites
    #[arg(required = true, value_name = "CORPUS", value_hint = ValueHint::DirPath)]
    pub(crate) corpus: Vec<PathBuf>,

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

    /// What to run, several separated by commas; the first is what the others are compared with [default: all]
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

/// Print a completion script for your shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  husk completions bash > ~/.local/share/bash-completion/completions/husk")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page, or write one for each command into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk man | man -l -
  husk man --folder ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write husk.1, husk-template.1 and so on into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}

/// What `husk template` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateFormat {
    /// HTML that opens in a browser, slots marked
    Html,
    /// One object: pages, nodes with their support, slots
    Json,
    /// One absolute XPath a line for each node
    Xpath,
    /// The page, one node a line, T in front of the template
    Outline,
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

/// The methods by their names on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Method {
    /// Pages most like the key page first, until they agree; nodes weighed by what the pages say of them
    Husk,
    /// The paper's: links in document order, a clique of pages, the intersection of their mappings
    Paper,
    /// A rival: the later settings of the paper's authors, three pages and two votes
    Hybex,
    /// A rival: restricted top-down mapping over a random sample of the site
    RtdmTd,
    /// A rival: the Site Style Tree
    Sst,
    /// A rival: blocks that recur across the site
    BlockCount,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SameSite {
    Host,
    Domain,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Equality {
    /// The same kind and name
    Label,
    /// The same kind, name and attributes
    LabelAttributes,
    /// Class, number of children, position and attributes, weighed
    Weighted,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Scripts {
    Keep,
    Drop,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Links {
    Absolute,
    AsWritten,
}

/// What the weighted equality weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightName {
    Class,
    Children,
    Position,
    Attributes,
}

fn parse_base_url(text: &str) -> Result<Url, String> {
    let url =
        Url::parse(text).map_err(|cause| format!("{cause}; write it in full, as https://example.org/"))?;
    match url.scheme() {
        "http" | "https" | "file" => Ok(url),
        other => Err(format!("{other}: is not http:, https: or file:")),
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 page is needed".to_owned()),
        Ok(count) => Ok(count),
        Err(cause) => Err(format!("{cause}")),
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|cause| format!("{cause}"))?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("must lie between 0 and 1".to_owned())
    }
}

fn parse_weight(text: &str) -> Result<(WeightName, f64), String> {
    let (name, weight) = text.split_once('=').ok_or("write it as class=0.1")?;
    let name = WeightName::from_str(name, true)
        .map_err(|_| format!("{name:?} is not one of class, children, position, attributes"))?;
    let weight: f64 = weight.parse().map_err(|cause| format!("{weight:?}: {cause}"))?;
    if weight >= 0.0 && weight.is_finite() {
        Ok((name, weight))
    } else {
        Err("must be 0 or more".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_consistent() {
        super::Args::command().debug_assert();
    }
}
