//! `husk content`.

use clap::ValueEnum;

use super::{MethodArgs, OutputArgs, PageArgs};

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

    /// What to print [default: markdown]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<ContentFormat>,

    /// What form the content has in the JSON [default: markdown]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) content_format: Option<WrittenFormat>,

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

/// What `husk content` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentFormat {
    /// GitHub's Markdown
    Markdown,
    /// Paragraphs, with an empty line between them
    Text,
    /// Clean HTML: an article without scripts, styles and forms
    Html,
    /// One object: title, author, dates and so on, and the content
    Json,
    /// One absolute XPath a line for each node
    Xpath,
    /// CSS selectors of the elements that hold it, one a line, then a tab and why
    Selectors,
}

/// The forms that content has for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WrittenFormat {
    Markdown,
    Text,
    Html,
}

impl WrittenFormat {
    /// The name it has in the JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Html => "html",
        }
    }
}
