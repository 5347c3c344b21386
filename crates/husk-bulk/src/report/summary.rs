//! The summary of a site: a line of `sites.jsonl`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use husk::Layout;
use serde::{Deserialize, Serialize};

use super::amounts::{Amounts, Shares};
use super::menu::bounded_menu;
use super::tally::{LayoutTally, PageSizes, SiteTally};
use crate::row::RowMenuItem;

/// The summary of a site, with the fields in the order of `sites.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteSummary {
    /// Name of the site.
    pub site: String,
    /// Number of pages.
    pub pages: u64,
    /// Bytes of the pages as captured, decompressed.
    pub captured_bytes: u64,
    /// Pages by size.
    pub page_sizes: PageSizes,
    /// Pages extracted with the method `single-page`.
    pub single_page: u64,
    /// Pages with an unknown layout.
    pub unknown_layout: u64,
    /// Pages whose template is known: `page`, `template` and `share` cover these.
    pub measured: u64,
    /// Amounts of those pages.
    pub page: Amounts,
    /// Amounts of their templates.
    pub template: Amounts,
    /// Share of the template.
    pub share: Shares,
    /// Layouts, in the order in which they were learned.
    pub layouts: Vec<LayoutSummary>,
    /// Main menu of the largest layout.
    pub menu: Vec<RowMenuItem>,
    /// Menu items omitted because there are too many, or too deep.
    pub menu_omitted: u64,
    /// Pages by warning.
    pub warnings: BTreeMap<String, u64>,
}

/// The summary of a layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutSummary {
    /// Id.
    pub id: String,
    /// Number of pages.
    pub pages: u64,
    /// Pages it was learned from.
    pub support: u32,
    /// URL of its model page.
    pub model: Option<String>,
    /// Share of the template.
    pub share: Shares,
}

/// A layout as learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedLayout {
    /// Id.
    pub id: String,
    /// Pages it was learned from.
    pub support: u32,
    /// URL of its model page.
    pub model: Option<String>,
}

impl LearnedLayout {
    /// The layout with the URL of its model page.
    pub fn of(layout: &Layout, model: Option<String>) -> Self {
        Self {
            id: layout.id().to_owned(),
            support: layout.pages(),
            model,
        }
    }
}

impl SiteTally {
    /// The index of the layout with the most pages; the first one if several are equal.
    pub fn largest_layout(&self) -> Option<usize> {
        let indexes = (0..self.layouts.len()).filter(|&index| self.layouts[index].pages > 0);
        indexes.rev().max_by_key(|&index| self.layouts[index].pages)
    }

    /// The summary of the site. `layouts` are in the order in which they were learned, `menu` is that of the largest.
    pub fn summary(
        self,
        site: impl Into<String>,
        layouts: Vec<LearnedLayout>,
        menu: Option<&[RowMenuItem]>,
    ) -> SiteSummary {
        let mut all = LayoutTally::default();
        for layout in &self.layouts {
            all.merge(*layout);
        }
        let of_layout = |(index, learned): (usize, LearnedLayout)| {
            let tally = self.layouts.get(index).copied().unwrap_or_default();
            LayoutSummary {
                id: learned.id,
                pages: tally.pages,
                support: learned.support,
                model: learned.model,
                share: Shares::of(tally.template, tally.page),
            }
        };
        let layouts = layouts.into_iter().enumerate().map(of_layout).collect();
        let (menu, menu_omitted) = bounded_menu(menu.unwrap_or_default());
        SiteSummary {
            site: site.into(),
            pages: self.pages,
            captured_bytes: self.captured_bytes,
            page_sizes: self.page_sizes,
            single_page: self.single_page,
            unknown_layout: self.unknown_layout,
            measured: all.measured,
            page: all.page,
            template: all.template,
            share: Shares::of(all.template, all.page),
            layouts,
            menu,
            menu_omitted,
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

    /// Number of layouts with pages.
    pub(super) fn layouts_in_use(&self) -> usize {
        self.layouts.iter().filter(|layout| layout.pages > 0).count()
    }
}

/// Bounds memory: no summary is longer.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// Reads a `sites.jsonl` line by line. An invalid line is an error with its number.
pub(super) fn read_sites(mut sites: impl BufRead, mut each: impl FnMut(SiteSummary)) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if sites.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let summary = serde_json::from_slice(&line).map_err(|cause| {
            let words = format!("line {number} of sites.jsonl is not a site summary: {cause}");
            io::Error::new(io::ErrorKind::InvalidData, words)
        })?;
        each(summary);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::made_pages::{page, stripped, unknown_layout};

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
            let stripped = layout.map_or_else(|| unknown_layout(&page), |layout| stripped(&page, layout));
            tally.add(&page, 100, &stripped, &[]);
        }
        assert_eq!(tally.largest_layout(), Some(1));
        tally.summary("example.org", vec![learned("first"), learned("second")], None)
    }

    #[test]
    fn a_site_sums_its_layouts() {
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
    fn summaries_are_read_back() {
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
    fn an_invalid_line_is_named() {
        let mut file = Vec::new();
        summary().write_line(&mut file).unwrap();
        for rest in ["{\"site\":1}\n", "\n", "{", "\u{0}"] {
            let file = [&*file, rest.as_bytes()].concat();
            let error = read_sites(&*file, |_| ()).unwrap_err();
            assert!(error.to_string().starts_with("line 2 of sites.jsonl"), "{error}");
        }
    }
}
