//! Separates the template of a web page from its content with the help of other pages of its site.
//!
//! Start with [`Session`]: it names the page that it needs, and you hand that page over. The result is an [`Extraction`];
//! an [`Analysis`] derives [`Navigation`], [`Content`], [`Metadata`] and [`pagelets`] from it, and [`output`] writes each
//! of them in all formats. Nothing here reads a file or opens a connection.
//!
//! ```
//! use husk::output::{Output, OutputOptions};
//! use husk::{Analysis, Function, Options, Page, Session, Url};
//!
//! // Pages come from wherever you have them.
//! let load = |url: &Url| {
//!     let menu = "<nav><ul><li><a href=/tea>Tea</a><li><a href=/cups>Cups</a><li><a href=/pots>Pots</a></ul></nav>";
//!     let name = url.path().trim_start_matches('/');
//!     let text = format!("<h1>All about {name}</h1><p>Here we say what {name} are, and why {name} matter to us.</p>");
//!     let html = format!("<title>{name}</title>{menu}<main>{text}</main><footer>Made by hand</footer>");
//!     Page::parse(url.clone(), &html)
//! };
//! let mut session = Session::new(load(&Url::parse("https://example.org/cups")?), Options::default());
//! while let Some(url) = session.next_wanted().cloned() {
//!     session.give(load(&url)); // or session.give_up("not found")
//! }
//! let analysis = Analysis::from(session.finish());
//! let write = |part, format| {
//!     let written = Output::find(part, format)?.write(&analysis, &OutputOptions::default())?;
//!     Ok::<_, husk::OutputError>(written.text)
//! };
//!
//! let template = write("template", "html")?;
//! assert!(template.contains("Made by hand") && !template.contains("why cups matter"));
//! assert!(write("menu", "markdown")?.starts_with("- [Tea](https://example.org/tea)\n"));
//! assert!(write("content", "markdown")?.starts_with("# All about cups\n"));
//! assert!(write("inspect", "html")?.starts_with("<!DOCTYPE html>"));
//!
//! assert_eq!(analysis.metadata().language, None);
//! let mut blocks = analysis.pagelets().iter();
//! assert!(blocks.any(|block| block.function == Function::MainMenu));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod work;

mod lexicon;

mod thresholds;

mod known;

mod hash_table;

mod measure;

mod page;

mod language;

mod links;

mod fingerprint;

mod select;

mod mapping;

mod likeness;

mod refusal;

mod vote;

mod template;

mod options;

mod extraction;

mod session;

mod hints;

mod blocks;

mod scripted;

mod navigation;

mod metadata;

mod content;

#[doc(hidden)]
pub mod fitting;

mod flags;

mod posts;

mod pagelets;

mod selectors;

mod learn;

mod diff;

mod analysis;

pub mod output;

pub use analysis::{Analysis, NoContentReason, OutputError};
pub use content::{Content, ContentMethod};
pub use diff::{ComparedPage, PageChange, SiteChanges, SiteDiff, TemplateChange};
pub use extraction::{Extraction, Failure, Outcome, Visit};
pub use flags::PageFlag;
pub use hints::{Hint, Hints};
pub use husk_dom as dom;
pub use learn::{
    Change, ChangedPart, Drift, DriftCheck, FormatError, Layout, LayoutDrift, Lesson, PageFit, PageState,
    SiteTemplates, Stripped, Stripper, Verdict, Warning,
};
pub use links::{Address, Link, SameSite, base_url, links};
pub use mapping::{
    Custom, Equality, Label, LabelAttributes, Mapping, NodePosition, NodeSet, Tree, Weighted, Weights,
    top_down,
};
pub use measure::{Amount, Measures, each_amount, words};
pub use metadata::{Metadata, SiteTitles};
pub use navigation::{MenuItem, Navigation, NavigationBlock, NavigationKind};
pub use options::{EqualityPreset, Method, Options};
pub use page::Page;
pub use pagelets::{Function, Pagelet, innermost_pagelets, pagelets};
pub use posts::{Post, Posts, Rating};
pub use scripted::{ScriptedReason, needs_rendering};
pub use select::{CliqueSearch, SelectionReason};
pub use selectors::{Basis, ChosenSelector, Selector, Selectors};
pub use session::Session;
pub use template::{Cut, Support, Template};
pub use thresholds::Thresholds;
pub use url::Url;
pub use work::{Cancel, Cancelled};
