//! Separates the template of a web page from its content with the help of other pages of its site.
//!
//! Start with [`Session`]: it names the page it needs next, and you give it that page. The result is an
//! [`Extraction`], from which [`Navigation`], [`Content`], [`Metadata`], [`pagelets`] and [`Selectors`] are computed.
//! [`output`] writes them in formats for people and programs. The crate reads no files and opens no connections.
//!
//! ```
//! use husk::output::{HtmlOptions, InspectOptions, MarkdownOptions, MenuOptions};
//! use husk::output::{content_markdown, menu_markdown, to_html, to_inspection};
//! use husk::{Content, Function, Metadata, Navigation, Options, Page, Session, Url, pagelets};
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
//! let extraction = session.finish();
//!
//! let template = to_html(&extraction, &HtmlOptions::default());
//! assert!(template.contains("Made by hand") && !template.contains("why cups matter"));
//!
//! let navigation = Navigation::of(&extraction);
//! let menu = menu_markdown(&navigation, &MenuOptions::default());
//! assert!(menu.starts_with("- [Tea](https://example.org/tea)\n"));
//!
//! // Without siblings, the content is found from the page alone.
//! let content = Content::of(&extraction);
//! let markdown = content_markdown(&extraction.key_page, &content, &MarkdownOptions::default());
//! assert!(markdown.starts_with("# All about cups\n"));
//! let metadata = Metadata::with_siblings(&extraction.key_page, &extraction.pages);
//! assert_eq!(metadata.language, None);
//!
//! let blocks = pagelets(&extraction, &navigation, &content);
//! assert!(blocks.iter().any(|block| block.function == Function::MainMenu));
//!
//! let report = to_inspection(&extraction, &InspectOptions::default());
//! assert!(report.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), url::ParseError>(())
//! ```

mod lexicon;

mod thresholds;

mod known;

mod page;

mod measure;

mod links;

mod fingerprint;

mod select;

mod mapping;

mod refusal;

mod vote;

mod template;

mod options;

mod extraction;

mod session;

mod hints;

mod scripted;

mod navigation;

mod content;

mod metadata;

mod pagelets;

mod selectors;

mod learn;

pub mod output;

pub use content::{Content, ContentMethod};
pub use extraction::{Extraction, Failure, Outcome, Visit};
pub use hints::{Hint, Hints};
pub use husk_dom as dom;
pub use learn::{FormatError, Layout, Lesson, SiteTemplates, Stripped, Stripper, Warning};
pub use links::{Address, Link, SameSite, base_url, links};
pub use mapping::{
    Custom, Equality, Label, LabelAttributes, Mapping, NodePosition, NodeSet, Tree, Weighted, Weights,
    top_down,
};
pub use measure::{Amount, Measures, words};
pub use metadata::Metadata;
pub use navigation::{MenuItem, Navigation, NavigationBlock, NavigationKind};
pub use options::{EqualityPreset, Method, Options};
pub use page::Page;
pub use pagelets::{Function, Pagelet, innermost_pagelets, pagelets};
pub use scripted::{ScriptedReason, needs_rendering};
pub use select::{CliqueSearch, SelectionReason};
pub use selectors::{Basis, ChosenSelector, Selector, Selectors};
pub use session::Session;
pub use template::{Cut, Support, Template};
pub use thresholds::Thresholds;
pub use url::Url;
