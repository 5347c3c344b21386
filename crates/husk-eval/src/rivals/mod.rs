//! Other people's methods, as their papers describe them, to be measured beside ours on the same pages.

mod visit;

mod support;

mod hybex;

use husk::{Extraction, Page, SameSite};
use husk_sources::Source;

pub(crate) use hybex::Hybex;

/// A method that brings its own choice of pages.
///
/// It loads what it needs from the source; what could not be loaded goes to the failures of the extraction. The same
/// input gives the same output: what its paper leaves to chance is drawn from a fixed seed.
pub trait Rival {
    /// Finds the template of a key page.
    fn extract(&self, key_page: Page, source: &mut dyn Source, same_site: SameSite) -> Extraction;
}
