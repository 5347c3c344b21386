//! The report on a crawl: how much of every site is template, by how many layouts, with which menu.
//!
//! Pages are counted as they are stripped ([`SiteTally`]), each site becomes a line of `sites.jsonl` ([`SiteSummary`]), and
//! that file becomes one page to look at ([`write_report`]). Nothing of it grows with the number of sites but the file.

mod extent;

mod tally;

mod menu;

mod summary;

mod totals;

mod html;

#[cfg(test)]
mod test_pages;

use std::io::{self, BufRead, Write};

use self::totals::Overview;

pub use extent::{Extent, PageExtent, Shares};
pub use summary::{LayoutSummary, LearnedLayout, SiteSummary};
pub use tally::{PageSizes, SiteTally};

/// So many sites are listed in the page: more would take long to open.
const LISTED_SITES: usize = 1_000;

/// Makes the page to look at from a `sites.jsonl`. The same file gives the same page.
pub fn write_report(sites: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let overview = Overview::read(sites, LISTED_SITES)?;
    out.write_all(html::page(&overview).as_bytes())
}
