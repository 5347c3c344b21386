//! The template store: learned templates of many sites in one redb file.
//!
//! `husk bulk` fills it and uses it, as `husk serve` does; `husk strip`, `husk show` and Python read it.
//! docs/templates.md describes it.

mod error;

mod location;

mod site;

mod tables;

mod store;

pub use error::StoreError;
pub use location::{is_store, store_file};
pub use site::{LearnedBy, PackedTemplates, SiteInfo, StoredSite};
pub use store::{StoreReader, TemplateStore, catch_damage};
pub use tables::StoreUpdate;
