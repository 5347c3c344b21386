//! The blocks of a page, each with what it is for.
//!
//! An [`Extraction`] with its navigation and content in, [`Pagelet`]s out.

use husk_dom::NodeId;

use crate::content::Content;
use crate::extraction::Extraction;
use crate::measure::Amount;
use crate::navigation::Navigation;

/// A block of a page that has one function.
#[derive(Debug, Clone)]
pub struct Pagelet {
    /// The subtrees it consists of, neighbours in document order.
    pub roots: Vec<NodeId>,
    /// What it is for.
    pub function: Function,
    /// How much it says.
    pub amount: Amount,
    /// Whether it belongs to the template.
    pub is_template: bool,
}

/// What a block of a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// What a reader came for.
    MainContent,
    /// The main menu of the site.
    MainMenu,
    /// The menu of a section, or another menu beside the main one.
    Submenu,
    /// The top of the page.
    Header,
    /// The bottom of the page.
    Footer,
    /// Beside the content.
    Sidebar,
    /// A search form.
    Search,
    /// Logging in.
    Login,
    /// Advertisement.
    Advertisement,
    /// Other things one might want to read.
    Related,
    /// The way from the home page to this one.
    Breadcrumb,
    /// Previous, next, page 3 of 7.
    Pagination,
    /// Sharing and following.
    Social,
    /// What readers wrote.
    Comments,
    /// Anything else.
    Other,
}

/// The blocks of a page, in document order.
pub fn pagelets(extraction: &Extraction, navigation: &Navigation, content: &Content) -> Vec<Pagelet> {
    let _ = (extraction, navigation, content);
    Vec::new()
}
