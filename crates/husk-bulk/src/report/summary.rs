//! What is told of a site: a line of `sites.jsonl`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use husk::Layout;
use serde::{Deserialize, Serialize};

use super::extent::{Extent, Shares};
use super::menu::kept_menu;
use super::tally::{LayoutTally, PageSizes, SiteTally};
use crate::row::MenuEntry;

/// What is told of a site. The order of the fields is that of `sites.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteSummary {
    /// Its name.
    pub site: String,
    /// Its pages.
    pub pages: u64,
    /// Their bytes as captured, unpacked.
    pub captured_bytes: u64,
    /// How many of them have which size.
    pub page_sizes: PageSizes,
    /// Pages whose content was told by the page alone.
    pub told_by_page_alone: u64,
    /// Pages of no layout that is known.
    pub unknown_layout: u64,
    /// Pages whose template is known: what follows is about these.
    pub measured: u64,
    /// What they have.
    pub page: Extent,
    /// What of it is template.
    pub template: Extent,
    /// The same as shares.
    pub share: Shares,
    /// The layouts, in the order in which they were learned.
    pub layouts: Vec<LayoutSummary>,
    /// The main menu of the largest layout; empty if there is none.
    pub menu: Vec<MenuEntry>,
    /// Entries of the menu that were left out because there are too many, or too deep.
    pub menu_left_out: u64,
    /// How many pages have which warning.
    pub warnings: BTreeMap<String, u64>,
}

/// What is told of a layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutSummary {
    /// Its name.
    pub id: String,
    /// Pages of the site that have it.
    pub pages: u64,
    /// Pages that it was learned from.
    pub support: u32,
    /// The page that stands for it.
    pub model: Option<String>,
    /// Which share of its pages is template.
    pub share: Shares,
}

/// What learning tells of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedLayout {
    /// Its name.
    pub id: String,
    /// Pages that it was learned from.
    pub support: u32,
    /// The address of the page that stands for it, if it is known.
    pub model: Option<String>,
}

impl LearnedLayout {
    /// A layout of a site, with the address of the page that stands for it.
    pub fn of(layout: &Layout, model: Option<String>) -> Self {
        Self {
            id: layout.id().to_owned(),
            support: layout.pages(),
            model,
        }
    }
}

impl SiteTally {
    /// The place of the layout that most pages have, the first of them if there are several: whose menu is shown.
    pub fn largest_layout(&self) -> Option<usize> {
        let places = (0..self.layouts.len()).filter(|&place| self.layouts[place].pages > 0);
        places.rev().max_by_key(|&place| self.layouts[place].pages)
    }

    /// What is told of the site, whose layouts are given in the order in which they were learned. The menu is that of the
    /// largest layout.
    pub fn summary(
        self,
        site: impl Into<String>,
        layouts: Vec<LearnedLayout>,
        menu: Option<&[MenuEntry]>,
    ) -> SiteSummary {
        let mut all = LayoutTally::default();
        for layout in &self.layouts {
            all.merge(*layout);
        }
        let of_layout = |(place, learned): (usize, LearnedLayout)| {
            let tally = self.layouts.get(place).copied().unwrap_or_default();
            LayoutSummary {
                id: learned.id,
                pages: tally.pages,
                support: learned.support,
                model: learned.model,
                share: Shares::of(tally.template, tally.page),
            }
        };
        let layouts = layouts.into_iter().enumerate().map(of_layout).collect();
        let (menu, menu_left_out) = kept_menu(menu.unwrap_or_default());
        SiteSummary {
            site: site.into(),
            pages: self.pages,
            captured_bytes: self.captured_bytes,
            page_sizes: self.page_sizes,
            told_by_page_alone: self.told_by_page_alone,
            unknown_layout: self.unknown_layout,
            measured: all.measured,
            page: all.page,
            template: all.template,
            share: Shares::of(all.template, all.page),
            layouts,
            menu,
            menu_left_out,
            warnings: self.warnings,
        }
    }
}

impl SiteSummary {
    /// Writes the summary as a line of `sites.jsonl`.
    pub fn write_line(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// The layouts that pages were found of.
    pub(super) fn layouts_in_use(&self) -> usize {
        self.layouts.iter().filter(|layout| layout.pages > 0).count()
    }
}

/// No summary is longer: a line that is cannot be ours, and is not held in memory.
const LONGEST_LINE: u64 = 64 << 20;

/// Hands over the summaries of a `sites.jsonl`, one at a time. A line that is no summary is an error that says which.
pub(super) fn read_sites(mut sites: impl BufRead, mut each: impl FnMut(SiteSummary)) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if sites.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let summary = serde_json::from_slice(&line).map_err(|cause| {
            let words = format!("line {number} of the list of sites is no summary of a site: {cause}");
            io::Error::new(io::ErrorKind::InvalidData, words)
        })?;
        each(summary);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_pages::{alone, page, stripped};

    fn learned(id: &str) -> LearnedLayout {
        LearnedLayout {
            id: id.to_owned(),
            support: 7,
            model: Some(format!("https://example.org/{id}")),
        }
    }

    fn summary() -> SiteSummary {
        let mut tally = SiteTally::default();
        for (html, layout) in [
            ("<nav class=t>a b c</nav><p>d</p>", Some(1)),
            ("<nav class=t>a b c</nav><p>d e f g</p>", Some(1)),
            ("<nav class=t>a</nav><p><a href=x>b</a></p>", Some(0)),
            ("<p>alone</p>", None),
        ] {
            let page = page(html);
            let stripped = layout.map_or_else(|| alone(&page), |layout| stripped(&page, layout));
            tally.add(&page, 100, &stripped, &[]);
        }
        assert_eq!(tally.largest_layout(), Some(1));
        tally.summary("example.org", vec![learned("first"), learned("second")], None)
    }

    #[test]
    fn a_site_has_the_sums_of_its_layouts() {
        let summary = summary();
        assert_eq!(
            (summary.pages, summary.measured, summary.unknown_layout),
            (4, 3, 1)
        );
        assert_eq!((summary.page.words, summary.template.words), (13, 7));
        let layouts: Vec<_> = summary
            .layouts
            .iter()
            .map(|layout| (&*layout.id, layout.pages, layout.support, layout.share.words))
            .collect();
        assert_eq!(
            layouts,
            [("first", 1, 7, Some(0.5)), ("second", 2, 7, Some(0.545455))]
        );
        assert_eq!(summary.share.links, Some(0.0));
        assert_eq!(
            summary.layouts[0].model.as_deref(),
            Some("https://example.org/first")
        );
    }

    #[test]
    fn ties_go_to_the_layout_learned_first() {
        let mut tally = SiteTally::default();
        assert_eq!(tally.largest_layout(), None);
        for layout in [2, 1] {
            let page = page("x");
            tally.add(&page, 1, &stripped(&page, layout), &[]);
        }
        assert_eq!(tally.largest_layout(), Some(1));
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut file = Vec::new();
        let summaries = [
            summary(),
            SiteTally::default().summary("b\n\"<", Vec::new(), None),
        ];
        for summary in &summaries {
            summary.write_line(&mut file).unwrap();
        }
        assert_eq!(file.iter().filter(|&&byte| byte == b'\n').count(), 2);
        let mut read = Vec::new();
        read_sites(&*file, |summary| read.push(summary)).unwrap();
        assert_eq!(read, summaries);
    }

    #[test]
    fn a_line_that_is_no_summary_is_named() {
        let mut file = Vec::new();
        summary().write_line(&mut file).unwrap();
        for rest in ["{\"site\":1}\n", "\n", "{", "\u{0}"] {
            let file = [&*file, rest.as_bytes()].concat();
            let error = read_sites(&*file, |_| ()).unwrap_err();
            assert!(
                error.to_string().starts_with("line 2 of the list of sites"),
                "{error}"
            );
        }
    }
}
