//! `husk content`.

use husk::output::{ContentFormat, Output, Part};

use super::{MethodArgs, OutputArgs, PageArgs, content_formats, default_format, formats};

/// Print the main content of a page
///
/// What the page shares with its siblings is left out, and so is what stands around the content without being part of
/// it: share buttons, related posts, comments, cookie banners.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk content https://example.org/a                 as Markdown
  husk content site/a.html                           of a saved site
  curl URL | husk content - --base-url URL           of a page from elsewhere
  husk content site/a.html --format text             paragraphs, nothing else
  husk content site/a.html --format json             with title, author, dates and so on
  husk content page.html --alone                     a page without its site")]
pub(crate) struct ContentArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print
    #[arg(long, short, value_name = "FORMAT", value_parser = formats(Part::Content), default_value = default_format(Part::Content))]
    pub(crate) format: &'static Output,

    /// The format of the content in the JSON [default: markdown]
    #[arg(long, value_name = "FORMAT", value_parser = content_formats())]
    pub(crate) content_format: Option<ContentFormat>,

    /// Print what readers wrote about it as well, set apart behind the content
    #[arg(long)]
    pub(crate) comments: bool,

    /// Tell the content by the page alone, and load no other page
    #[arg(long)]
    pub(crate) alone: bool,

    /// Fail, with exit status 3, if there is no sibling page, instead of telling the content by the page alone
    #[arg(long, conflicts_with = "alone")]
    pub(crate) no_fallback: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) method: MethodArgs,
}
