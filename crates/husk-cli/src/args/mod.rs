//! The command line as it is written: here what several commands share, in a file of its own what one command has.

mod bulk;

mod content;

mod inspect;

mod learn;

mod loading;

mod menu;

mod pack;

mod pagelets;

mod serve;

mod shell;

mod show;

mod strip;

mod template;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use husk::Url;

pub(crate) use bulk::{BulkArgs, BulkContentFormat, BulkFormat, Compress, RowField};
pub(crate) use content::{ContentArgs, ContentFormat, WrittenFormat};
pub(crate) use inspect::InspectArgs;
pub(crate) use learn::LearnArgs;
pub(crate) use loading::{Flatten, LoadingArgs, Proxy, parse_proxy, parse_user_agent};
pub(crate) use menu::{MenuArgs, MenuFormat};
pub(crate) use pack::PackArgs;
pub(crate) use pagelets::{PageletsArgs, PageletsFormat};
pub(crate) use serve::{LogFormat, ServeArgs};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use show::{ShowArgs, ShowFormat};
pub(crate) use strip::{StripArgs, StripFormat};
pub(crate) use template::{Engine, Links, Scripts, TemplateArgs, TemplateFormat};

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
page has no siblings, or there are too few pages to learn from.

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
    Menu(Box<MenuArgs>),
    Content(Box<ContentArgs>),
    Pagelets(Box<PageletsArgs>),
    Inspect(Box<InspectArgs>),
    Pack(Box<PackArgs>),
    Learn(Box<LearnArgs>),
    Show(Box<ShowArgs>),
    Strip(Box<StripArgs>),
    Bulk(Box<BulkArgs>),
    Serve(Box<ServeArgs>),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The page that is meant, and how it is loaded.
#[derive(Debug, clap::Args)]
pub(crate) struct PageArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,
}

/// The page that is meant, and where its site is.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PlaceArgs {
    /// The page: an address, a file of a saved site, a page saved as MHTML or by SingleFile, or - for standard input
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) page: OsString,

    /// The root of the saved site; found from the page's place if not given
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,

    /// The address that the site or the page was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// Web archives that hold the site; nothing is loaded from the web then
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath, conflicts_with_all = ["site", "live", "render"])]
    pub(crate) warc: Vec<PathBuf>,

    /// Load the siblings of a saved page from the web
    #[arg(long, conflicts_with = "site")]
    pub(crate) live: bool,
}

/// The method, and how it goes about it.
#[derive(Debug, clap::Args)]
pub(crate) struct MethodArgs {
    /// How the template is found [default: husk]
    #[arg(long, value_enum, help_heading = "Method")]
    pub(crate) method: Option<Method>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// How the template is found. What is not given comes from husk.toml, then from the defaults.
#[derive(Debug, Default, clap::Args)]
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

/// The methods by their names on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Method {
    /// Pages most like the key page first, until they agree; nodes weighed by what the pages say of them
    Husk,
    /// The paper's: links in document order, a clique of pages, the intersection of their mappings
    Paper,
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
