//! Husk for JavaScript: the engine's `Session`, its `Extraction` and the outputs, one file for each type.
//!
//! Nothing is decided here. What goes in and comes out is described for TypeScript in the files of `types/`, in the
//! words of the JSON that the command prints.

mod json;

mod session;

mod formats;

mod extraction;

mod listing;

pub use extraction::Extraction;
pub use listing::Listing;
pub use session::{Session, default_options};
