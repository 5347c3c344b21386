//! What comes out of the technique.

use url::Url;

use crate::page::Page;
use crate::template::Template;

/// What was found out about a page.
#[derive(Debug, Clone)]
pub struct Extraction {
    /// The page whose template was wanted.
    pub key_page: Page,
    /// The name of the method: how it was done.
    pub method: &'static str,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<Url>,
    /// The pages that the key page was compared with.
    pub compared: Vec<Url>,
    /// The other pages that were loaded and could be read, in that order, whether compared or not. Rival methods keep none.
    pub pages: Vec<Page>,
    /// Pages that were asked for and could not be had or not be used.
    pub failures: Vec<Failure>,
    /// How many pages all link to each other, of those loaded; none if the method does not look for such pages.
    pub clique: Option<usize>,
    /// The template of the key page; all of it when it was compared with nothing.
    pub template: Template,
}

/// A page that could not be had or not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The page.
    pub url: Url,
    /// Why not.
    pub cause: String,
}
