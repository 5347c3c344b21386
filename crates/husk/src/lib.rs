//! The engine: pages in, extraction out. No I/O, no clock, no threads.

mod page;

pub use husk_dom as dom;
pub use page::Page;
pub use url::Url;
