//! An [`Extraction`](crate::Extraction) in the forms that people and programs want.

mod addresses;

mod css;

mod scripts;

mod slots;

mod html;

mod fill;

mod slot_names;

mod placeholders;

mod engines;

mod xpath;

mod text;

mod selectors;

mod json;

mod outline;

pub use addresses::Relocation;
pub use engines::{Engine, to_engine};
pub use fill::fill;
pub use html::{HtmlOptions, Links, Scripts, to_html};
pub use json::{FailedJson, NodeJson, PlaceholderJson, SlotJson, TemplateJson, to_json};
pub use outline::to_outline;
pub use placeholders::{Form, Place, Placeholder, placeholders};
pub use selectors::{selectors_summary, to_selectors};
pub use slots::{Slot, slots};
pub use text::content_text;
pub use xpath::{nodes_xpath, to_xpath};
