//! The command line as it is written: here what several commands share, in a file of its own what one command has.

mod bulk;

mod check;

mod content;

mod diff;

mod formats;

mod inspect;

mod learn;

mod loading;

mod menu;

mod pack;

mod pagelets;

mod report;

mod serve;

mod shell;

mod show;

mod strip;

mod template;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use husk::Url;

use formats::{content_formats, default_format, formats};

pub(crate) use bulk::{BulkArgs, BulkContentFormat, BulkFormat, Compress, RowField};
pub(crate) use check::{CheckArgs, DriftFormat};
pub(crate) use content::ContentArgs;
pub(crate) use diff::DiffArgs;
pub(crate) use formats::require_heeded;
pub(crate) use inspect::InspectArgs;
pub(crate) use learn::LearnArgs;
pub(crate) use loading::{Flatten, LoadingArgs, Proxy, parse_proxy, parse_user_agent};
pub(crate) use menu::MenuArgs;
pub(crate) use pack::PackArgs;
pub(crate) use pagelets::PageletsArgs;
pub(crate) use report::{ReportArgs, ReportFormat};
pub(crate) use serve::{LogFormat, ServeArgs};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use show::{ShowArgs, ShowFormat};
pub(crate) use strip::{StripArgs, StripFormat};
pub(crate) use template::{Links, Scripts, TemplateArgs};

/// Separate a web page's template from its content
#[derive(Debug, Parser)]
#[command(
    name = "husk",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit status: 0 on success, 1 if something could not be read or written, 2 for wrong usage,
3 if the page has no siblings or there are too few pages to learn from, 4 if a template changed (check, diff).

Options can also be set in a file husk.toml, found from the working folder upward."
)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands. Options are built for the command that runs only: building all of them takes most of the start.
///
/// The help of a command is here, and no structure of options has a documentation comment, which would replace it.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Extract the template of a page: HTML with slots where content was cut out
    ///
    /// Loads the pages that are most like this one, compares their DOM trees with the page's from the root down, and stops when
    /// further pages would change nothing.
    Template(Box<TemplateArgs>),
    /// Extract the main menu as a tree of labels and links
    ///
    /// The menu is part of the template: links that the page shares with its siblings. Without a menu, JSON has null, and other
    /// formats exit with status 1.
    Menu(Box<MenuArgs>),
    /// Extract the main content of pages
    ///
    /// Leaves out the template and the boilerplate around the content: share buttons, related posts, comments, cookie banners.
    /// With several pages, JSON is one object per page, and other formats have a line ==> PAGE <== before each page.
    Content(Box<ContentArgs>),
    /// List the blocks of a page with their functions
    ///
    /// Functions are main-content, main-menu, submenu, header, footer, sidebar, search, login, advertisement, related,
    /// breadcrumb, pagination, social, comments, language, consent and other. Header, footer, sidebar and main-content may
    /// hold other blocks.
    Pagelets(Box<PageletsArgs>),
    /// Write an HTML report on a page: template, menu and content tinted, pages compared, blocks
    ///
    /// The report is one file and runs none of the page's scripts. It loads the page's pictures and style sheets when it is
    /// opened, unless --offline is given.
    Inspect(Box<InspectArgs>),
    /// Save a page and its siblings as a WARC file, to repeat an extraction offline
    ///
    /// For a URL, everything the other commands would load is saved: the page, its siblings, redirects, robots.txt and failures.
    /// For a folder, every page in it. The file name sets the compression: .warc.gz, .warc.zst, or .warc for none.
    Pack(Box<PackArgs>),
    /// Learn the templates of a site from some of its pages
    ///
    /// Groups pages by layout and learns a template for each layout. husk strip applies the templates to pages, husk show prints
    /// them. Pages of folders and archives are sampled evenly; on the web, links are followed breadth-first.
    Learn(Box<LearnArgs>),
    /// Print the templates in a file of husk learn, or in a template store
    Show(Box<ShowArgs>),
    /// Extract content from pages with the templates of husk learn, or of a template store
    ///
    /// No other page is loaded. If the layout of a page was not learned, its content is extracted without a template, with a
    /// warning.
    Strip(Box<StripArgs>),
    /// Check whether pages still fit the templates learned by husk learn, or those of a template store
    ///
    /// Prints for each layout how well its pages fit, and which blocks, selectors and slots of the template changed, since when.
    /// Pages of other sites are counted, but not checked.
    Check(Box<CheckArgs>),
    /// Compare two captures of a site: what changed in the template, and on which pages the content changed
    ///
    /// Pages are matched by URL, and each site is compared for itself. A change of the template is printed once, with the number of pages that have it.
    Diff(Box<DiffArgs>),
    /// Extract the content of every page in a crawl
    ///
    /// Reads WARC files and folders, groups pages by site on disk, learns the templates of each site, and writes one row per page
    /// to the output folder. Run the same command again to resume an interrupted run. The result does not depend on the number
    /// of threads.
    Bulk(Box<BulkArgs>),
    /// Check and summarise a finished output of husk bulk
    ///
    /// Reads all files of the output and compares them with the sizes and digests that the run recorded.
    Report(ReportArgs),
    /// Run the HTTP API and the web page
    ///
    /// Listens on this machine only, unless --address says otherwise, and loads no pages from private IP addresses, unless
    /// --allow-private is given.
    ///
    /// Flags override environment variables, which override the [serve] table of husk.toml.
    Serve(Box<ServeArgs>),
    /// Print a completion script for your shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command into a folder
    Man(ManArgs),
}

// The key page, and how it is loaded.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PageArgs {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,

    /// Fail if the output would have more bytes [default: 1 MiB and 16 times the page]
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    pub(crate) max_output: Option<usize>,
}

// The key page, and where its site is.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PlaceArgs {
    /// URL, file of a saved site, page saved as MHTML or by SingleFile, or - for standard input
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) page: OsString,

    /// Root folder of the saved site [default: guessed from the page's path]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,

    /// URL that the site or the page was saved from
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub(crate) base_url: Option<Url>,

    /// WARC files with the site; nothing is loaded from the web
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath, conflicts_with_all = ["site", "live", "render"])]
    pub(crate) warc: Vec<PathBuf>,

    /// Load the siblings of a saved page from the web
    #[arg(long, conflicts_with = "site", hide_short_help = true)]
    pub(crate) live: bool,
}

/// Options that only matter to the method paper are listed last.
const RESEARCH: &str = "Method paper";

// The method and its options.
#[derive(Debug, clap::Args)]
pub(crate) struct MethodArgs {
    /// Method to find the template [default: husk]
    #[arg(long, value_enum, help_heading = "Method", hide_short_help = true)]
    pub(crate) method: Option<Method>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

// Options of the methods. What is not given comes from husk.toml, then from the defaults.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct EngineArgs {
    /// Pages to compare with: one fewer if they agree, more if they differ; for paper, the size of the clique [default: 4]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count, hide_short_help = true)]
    pub(crate) pages_to_compare: Option<usize>,

    /// Most pages to request besides the page itself [default: until 7 are loaded; for paper, all that it links to]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(crate) max_pages: Option<usize>,

    /// Pages of one site share the host, or the registrable domain [default: host]
    #[arg(long, value_enum, value_name = "SCOPE", hide_short_help = true)]
    pub(crate) same_site: Option<SameSite>,

    /// When two nodes are equal [default: weighted]
    #[arg(long, value_enum, help_heading = RESEARCH, hide_short_help = true)]
    pub(crate) equality: Option<Equality>,

    /// Least similarity of two equal nodes, for the weighted equality [default: 0.6]
    #[arg(long, value_name = "0..1", value_parser = parse_share, help_heading = RESEARCH, hide_short_help = true)]
    pub(crate) threshold: Option<f64>,

    /// Weights of the weighted equality [default: class=0.1,children=0.5,position=0.4,attributes=0]
    #[arg(
        long,
        value_name = "NAME=WEIGHT,...",
        value_delimiter = ',',
        value_parser = parse_weight,
        help_heading = RESEARCH,
        hide_short_help = true
    )]
    pub(crate) weights: Vec<(WeightName, f64)>,

    /// Attribute to leave out of the comparison; can be repeated
    #[arg(long = "ignore-attribute", value_name = "NAME", help_heading = RESEARCH, hide_short_help = true)]
    pub(crate) ignored_attributes: Vec<String>,

    /// Configuration file [default: husk.toml in this folder or a parent]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Options", hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,
}

impl EngineArgs {
    /// Whether any option of the equality was given.
    pub(crate) fn sets_equality(&self) -> bool {
        self.equality.is_some()
            || self.threshold.is_some()
            || !self.weights.is_empty()
            || !self.ignored_attributes.is_empty()
    }
}

// Where the result goes.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print only errors
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print the options in use and every page that is loaded or fails
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

impl OutputArgs {
    /// The file to write to; none for standard output (`-` or nothing).
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| *file != Path::new("-"))
    }
}

/// The methods.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Method {
    /// Compare with the most similar pages until they agree, and weigh the evidence for each node
    Husk,
    /// As published: a clique of pages, links in document order, the intersection of their mappings
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
    /// Class, number of children, position and attributes, weighted
    Weighted,
}

/// The terms of the weighted equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightName {
    Class,
    Children,
    Position,
    Attributes,
}

fn parse_base_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|cause| format!("{cause}: expected a whole URL such as https://example.org/"))?;
    match url.scheme() {
        "http" | "https" | "file" => Ok(url),
        other => Err(format!(
            "unsupported URL scheme `{other}`: expected http, https or file"
        )),
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("expected at least 1 page".to_owned()),
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_consistent() {
        super::Args::command().debug_assert();
    }
}
