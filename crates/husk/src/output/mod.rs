//! An [`Extraction`](crate::Extraction) in the forms that people and programs want.

mod addresses;

mod css;

mod scripts;

mod slots;

mod html;

mod fill;

mod xpath;

mod text;

mod json;

mod outline;

mod menu;

pub use addresses::Relocation;
pub use fill::fill;
pub use html::{HtmlOptions, Links, Scripts, to_html};
pub use json::{FailedJson, NodeJson, SlotJson, TemplateJson, to_json};
pub use menu::{
    EntryJson, MenuJson, MenuOptions, NavigationJson, menu_html, menu_json, menu_markdown, menu_text,
    menu_xpath,
};
pub use outline::to_outline;
pub use slots::{Slot, slots};
pub use text::content_text;
pub use xpath::{nodes_xpath, to_xpath};
