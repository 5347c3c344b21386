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

mod pagelets;

mod inspect;

pub use addresses::Relocation;
pub use fill::fill;
pub use html::{HtmlOptions, Links, Scripts, to_html};
pub use inspect::{InspectOptions, to_inspection};
pub use json::{FailedJson, NodeJson, SlotJson, TemplateJson, VisitJson, to_json};
pub use outline::to_outline;
pub use pagelets::{PageletJson, PageletsJson, pagelets_json, pagelets_text, pagelets_xpath};
pub use slots::{Slot, slots};
pub use text::content_text;
pub use xpath::{nodes_xpath, to_xpath};
