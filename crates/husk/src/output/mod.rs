//! An [`Extraction`](crate::Extraction) in the forms that people and programs want.

mod resources;

mod addresses;

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

pub use addresses::Relocation;
pub use content_html::{ContentHtmlOptions, content_html, in_document, nodes_html};
pub use content_json::ContentJson;
pub use escape::Escaped;
pub use fill::fill;
pub use html::{HtmlOptions, Links, Scripts, to_html};
pub use markdown::{MarkdownOptions, content_markdown, nodes_markdown};

pub use menu::{
    MenuItemJson, MenuJson, MenuOptions, NavigationJson, menu_html, menu_json, menu_markdown, menu_text,
    menu_xpath,
};

pub use engines::{Engine, to_engine};
pub use inspect::{InspectOptions, MarkedPage, to_inspection};
pub use json::{
    FailedJson, NodeJson, PlaceholderJson, SlotJson, TemplateJson, VisitJson, to_json, visits_json,
};
pub use marks::MarkClass;
pub use marks_json::{MarkJson, MarksJson, marks_json};
pub use outline::to_outline;
pub use pagelets::{PageletJson, PageletsJson, pagelets_json, pagelets_text, pagelets_xpath};
pub use placeholders::{Form, Place, Placeholder, placeholders};
pub use resources::{Resource, Resources};
pub use selectors::{selectors_summary, to_selectors};
pub use slots::{Slot, slots};
pub use style_sheets::{imported_style_sheets, style_sheets};
pub use text::{content_text, nodes_text};
pub use xpath::{nodes_xpath, to_xpath};
