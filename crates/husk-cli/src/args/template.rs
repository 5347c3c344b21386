//! `husk template`.

use clap::ValueEnum;
use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

/// Print the template of a page: HTML that opens in a browser, with slots where content was cut out
///
/// Husk follows links to the pages that are most like the page, compares their DOM trees with the page's, beginning at the
/// roots, and goes on until further pages would change nothing. It prints what they bear out as the site's.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk template https://example.org/about            a page of the web
  husk template https://example.org/about --render   as a browser shows it
  husk template https://example.org/about --warc example.warc.gz
                                                     the same from an archive
  husk template site/about.html                      a page of a saved site
  husk template site/about.html --open               look at its template in your browser
  husk template site/a/b.html --site site --base-url https://example.org/
                                                     its links as they were on the web
  husk template https://example.org/a/b --site site --base-url https://example.org/
                                                     the same page by its address
  husk template site/about.html --format xpath       the nodes of the template, one XPath a line
  husk template site/about.html --format json -o about.json
  husk template site/about.html --format jinja       a placeholder for each slot: {{ title | e }}, ...
  husk template site/about.html --format selectors | cut -f1
                                                     what a crawler should leave out")]
pub(crate) struct TemplateArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Template), default_value = default_format(Part::Template))]
    pub(crate) format: &'static Output,

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

    #[command(flatten)]
    pub(crate) method: MethodArgs,
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
