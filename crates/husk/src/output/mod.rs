//! Writes the parts of an [`Analysis`](crate::Analysis) in all formats that people and programs want.
//!
//! [`OUTPUTS`] lists the formats. To add one, write a file with its [`Output`], and add it to the modules and to the table
//! below: the command, the server, and the packages for JavaScript and Python take their formats from there.

mod registry;

mod resources;

mod urls;

mod options;

mod alerts;

mod escape;

mod css;

mod style_sheets;

mod scripts;

mod slots;

mod html;

mod fill;

mod slot_names;

mod placeholders;

mod engines;

mod xpath;

mod selection;

mod elements;

mod neighbours;

mod tables;

mod links;

mod text;

mod code;

mod footnotes;

mod inline;

mod blocks;

mod formula;

mod grid;

mod markdown;

mod included;

mod nodes;

mod content_html;

mod content_json;

mod selectors;

mod json;

mod outline;

#[cfg(test)]
mod test_content;

mod menu;

mod pagelets;

mod marks;

mod marks_json;

mod inspect;

pub use content_html::{content_html, in_document, nodes_html};
pub use content_json::{ContentJson, PostJson, content_json};
pub use escape::Escaped;
pub use fill::fill;
pub use html::to_html;
pub use inspect::MarkedPage;
pub use json::{
    FailedJson, NodeJson, NodesJson, PlaceholderJson, SlotJson, TemplateJson, VisitJson, to_json, visits_json,
};
pub use markdown::{content_markdown, nodes_markdown};
pub use marks::MarkClass;
pub use marks_json::{MarkJson, MarksJson, marks_json};
pub use menu::{MenuItemJson, MenuJson, NavigationJson, menu_json};
pub use nodes::write_nodes;
pub use options::{ContentFormat, ContentPart, Links, OutputOptions, Scripts};
pub use outline::to_outline;
pub use pagelets::{PageletJson, PageletsJson, pagelets_json};
pub use placeholders::{Placeholder, PlaceholderKind, PlaceholderTarget, placeholders};
pub use registry::{HTML, JSON, Output, OutputText, Part};
pub use resources::{Resource, Resources};
pub use slots::{Slot, slots};
pub use style_sheets::{imported_style_sheets, style_sheets};
pub use text::{content_text, nodes_text};
pub use urls::Relocation;
pub use xpath::{NodePath, nodes_xpath, to_xpath};

/// All outputs: those of a part in the order in which they are listed, the default of the command first.
///
/// Of several with one media type, a request over HTTP for that type gets the first.
pub const OUTPUTS: &[Output] = &[
    html::TEMPLATE_HTML,
    json::TEMPLATE_JSON,
    outline::TEMPLATE_OUTLINE,
    xpath::TEMPLATE_XPATH,
    selectors::TEMPLATE_SELECTORS,
    markdown::TEMPLATE_MARKDOWN,
    text::TEMPLATE_TEXT,
    engines::TEMPLATE_JINJA,
    engines::TEMPLATE_LIQUID,
    engines::TEMPLATE_HANDLEBARS,
    engines::TEMPLATE_HTML_SLOTS,
    menu::MENU_MARKDOWN,
    menu::MENU_JSON,
    menu::MENU_HTML,
    menu::MENU_TEXT,
    menu::MENU_XPATH,
    selectors::MENU_SELECTORS,
    markdown::CONTENT_MARKDOWN,
    text::CONTENT_TEXT,
    content_html::CONTENT_HTML,
    content_json::CONTENT_JSON,
    xpath::CONTENT_XPATH,
    selectors::CONTENT_SELECTORS,
    pagelets::PAGELETS_TEXT,
    pagelets::PAGELETS_JSON,
    pagelets::PAGELETS_XPATH,
    inspect::INSPECT_HTML,
    marks_json::INSPECT_MARKS,
    inspect::INSPECT_PAGE,
    outline::INSPECT_OUTLINE,
];
