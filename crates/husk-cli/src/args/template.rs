//! `husk template`.

use clap::ValueEnum;
use husk::output::{Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, default_format, formats};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk template https://example.org/about            a page on the web
  husk template site/about.html --open               a page of a saved site, shown in your browser
  husk template https://example.org/a/b --site site --base-url https://example.org/
                                                     a page of a saved site by its URL
  husk template site/about.html -f jinja             a placeholder for each slot
  husk template site/about.html -f selectors         CSS selectors of what a crawler should remove")]
pub(crate) struct TemplateArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Template), default_value = default_format(Part::Template))]
    pub(crate) format: &'static Output,

    /// Keep or drop scripts, event handlers and refreshes in HTML [default: drop]
    #[arg(long, value_enum, value_name = "WHAT", hide_short_help = true)]
    pub(crate) scripts: Option<Scripts>,

    /// Make URLs in HTML absolute, or keep them as written [default: absolute]
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
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
