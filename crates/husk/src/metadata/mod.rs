//! What a page says about itself: title, author, dates and the like, for machines or for readers.
//!
//! A [`Page`] in, [`Metadata`] out.

use url::Url;

use crate::page::Page;

/// What a page says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The title of what is on the page, without the site's name.
    pub title: Option<String>,
    /// Who wrote it.
    pub byline: Option<String>,
    /// When it was published, as written or, if it can be told, in the form of RFC 3339.
    pub published: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// Its language, as a BCP 47 tag.
    pub language: Option<String>,
    /// What it is about, in a sentence or two.
    pub description: Option<String>,
    /// The address it wants to be known by.
    pub canonical: Option<Url>,
    /// A picture that stands for it.
    pub image: Option<Url>,
    /// The name of its site.
    pub site_name: Option<String>,
}

impl Metadata {
    /// Reads what a page says about itself.
    pub fn of(page: &Page) -> Self {
        let _ = page;
        Self::default()
    }
}
