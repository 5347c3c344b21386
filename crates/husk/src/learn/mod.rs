//! Templates that are learned once for a whole site, and taken off any number of its pages.
//!
//! Pages in, [`SiteTemplates`] out, which holds a template for each [`Layout`] of the site; a [`Stripper`] takes these off
//! further pages, one at a time, without any other page.

mod paths;

mod groups;

mod layout;

mod lesson;

mod strip;

mod format;

pub use format::FormatError;
pub use layout::Layout;
pub use lesson::Lesson;
pub use strip::{Stripped, Stripper, Warning};

use crate::thresholds::Thresholds;

/// What was learned of a site: its layouts, each with its template.
#[derive(Debug)]
pub struct SiteTemplates {
    site: String,
    layouts: Vec<Layout>,
    pages: u64,
    thresholds: Thresholds,
}

impl SiteTemplates {
    /// Nothing is known of a site yet.
    pub fn new(site: impl Into<String>) -> Self {
        Self {
            site: site.into(),
            layouts: Vec::new(),
            pages: 0,
            thresholds: Thresholds::default(),
        }
    }

    /// The name of the site.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// The layouts that are known, those learned first before others.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// How many pages were looked at.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Takes the templates off pages.
    pub fn stripper(&self) -> Stripper<'_> {
        Stripper::new(self)
    }
}
