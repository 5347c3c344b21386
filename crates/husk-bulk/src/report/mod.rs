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
use crate::counts::RecordCounts;

pub use amounts::{Amounts, PageAmounts, Shares};
pub use summary::{LayoutSummary, LearnedLayout, SiteSummary};
pub use tally::{PageSizes, SiteTally};

/// Sites listed on the page. A longer list would take long to open.
const LISTED_SITES: usize = 1_000;

/// Writes the HTML report on a `sites.jsonl`, with the counts of skipped records if they are known.
pub fn write_report(
    sites: impl BufRead,
    counts: Option<&RecordCounts>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut overview = Overview::read(sites, LISTED_SITES)?;
    overview.skipped = counts.map(|counts| counts.skipped.clone()).unwrap_or_default();
    out.write_all(html::page(&overview).as_bytes())
}
