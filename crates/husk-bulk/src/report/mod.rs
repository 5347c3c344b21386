//! The report on a crawl: for each site, how much of it is template, its layouts and its menu.
//!
//! Pages are tallied as they are stripped ([`SiteTally`]), each site becomes a line of `sites.jsonl` ([`SiteSummary`]), and
//! that file becomes an HTML page ([`write_report`]). Memory doesn't grow with the number of sites.

mod amounts;

mod tally;

mod menu;

mod summary;

mod totals;

mod html;

#[cfg(test)]
mod made_pages;

use std::io::{self, BufRead, Write};

use self::totals::Overview;

pub use amounts::{Amounts, PageAmounts, Shares};
pub use summary::{LayoutSummary, LearnedLayout, SiteSummary};
pub use tally::{PageSizes, SiteTally};

/// Sites listed on the page. A longer list would take long to open.
const LISTED_SITES: usize = 1_000;

/// Writes the HTML report on a `sites.jsonl`.
pub fn write_report(sites: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let overview = Overview::read(sites, LISTED_SITES)?;
    out.write_all(html::page(&overview).as_bytes())
}
