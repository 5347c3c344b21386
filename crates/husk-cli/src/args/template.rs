//! `husk template`.

use clap::ValueEnum;

use super::{MethodArgs, OutputArgs, PageArgs};

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
  husk template site/about.html --engine jinja       a placeholder for each slot: {{ title | e }}, ...
  husk template site/about.html --format selectors | cut -f1
                                                     what a crawler should leave out")]
pub(crate) struct TemplateArgs {
    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// What to print [default: html]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<TemplateFormat>,

    /// Print the template for a template engine, with a named placeholder for each slot
    #[arg(long, value_enum, value_name = "ENGINE", conflicts_with_all = ["format", "open"])]
    pub(crate) engine: Option<Engine>,

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
    /// CSS selectors of what to exclude so that the content is left, one a line, then a tab and why
    Selectors,
}

/// The template engines by their names on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Engine {
    /// {{ title | e }}: Jinja, Nunjucks, MiniJinja
    Jinja,
    /// {{ title | escape }}: Liquid, as in Jekyll
    Liquid,
    /// {{ title }}, and {{{ main_content }}} for HTML
    Handlebars,
    /// <slot name="main_content">, and the attribute data-slot where no element may stand
    HtmlSlots,
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
