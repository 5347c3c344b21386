//! `husk content`.

use std::ffi::OsString;

use clap::ValueHint;
use husk::output::{ContentFormat, ContentPart, Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, content_formats, default_format, formats};

/// A list of parts: a type of its own, since the command would take a `Vec` for an option that is given several times.
pub(crate) type PartList = Vec<ContentPart>;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk content https://example.org/a                 as Markdown
  husk content site/a.html site/b.html -f text       pages of a saved site as plain text
  husk content site/a.html -f json                   with title, author and dates
  husk content page.html --alone                     from the page without its site
  curl URL | husk content - --base-url URL           a page from standard input")]
pub(crate) struct ContentArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Further pages
    #[arg(value_name = "PAGE", value_hint = ValueHint::AnyPath)]
    pub(crate) further_pages: Vec<OsString>,

    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Content), default_value = default_format(Part::Content))]
    pub(crate) format: &'static Output,

    /// Format of the content in JSON [default: markdown]
    #[arg(long, value_name = "FORMAT", value_parser = content_formats())]
    pub(crate) content_format: Option<ContentFormat>,

    /// Parts to add to the body text: title, byline, captions, comments
    ///
    /// A comma-separated list; parts that are not listed are left out, so an empty list leaves only the body text. A part that is listed is written where the page has it, comments
    /// after the content. Without this option, the title and those captions are written that were found to be content.
    #[arg(long, value_name = "LIST", value_parser = ContentPart::parse_list)]
    pub(crate) include: Option<PartList>,

    /// Include readers' comments, after the content
    #[arg(long)]
    pub(crate) comments: bool,

    /// Use only the page itself, and load no other page
    #[arg(long)]
    pub(crate) alone: bool,

    /// Exit with status 3 if there is no sibling page, instead of using the page alone
    #[arg(long, conflicts_with = "alone", hide_short_help = true)]
    pub(crate) no_fallback: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
