//! Pages on disk between the two passes: runs that are sorted by site, and what reads them site by site.
//!
//! A run is two files, its pages and an index of them. Runs are written in the order of the inputs, so the pages of a site
//! in one run come before those in the next.

mod page;

mod run;

mod site;

pub use page::{About, pack_page, unpack_page};
pub(crate) use page::{PagePacker, PageUnpacker};
pub(crate) use run::{RunBuffer, index_name, pages_name};
pub(crate) use site::{SitePages, Sites};
