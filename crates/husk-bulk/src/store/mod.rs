//! Pages on disk between the two passes: runs sorted by site, and a reader that merges them site by site.
//!
//! A run is two files: pages and index. Runs are written in the order of the inputs, so the pages of a site
//! in one run come before those in the next.

mod page;

mod run;

mod sites;

pub use page::{PageInfo, WarcRecord, pack_page, parse_page_url, unpack_page};
pub(crate) use page::{PagePacker, PageUnpacker, date_of};
pub(crate) use run::{RunBuffer, index_name, pages_name};
pub(crate) use sites::{SitePages, Sites};
