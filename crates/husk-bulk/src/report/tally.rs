//! Sums over the pages of a site.

use std::collections::BTreeMap;

use husk::{ContentMethod, Page, Stripped};
use serde::{Deserialize, Serialize};

use super::amounts::{Amounts, PageAmounts};

/// Sums over pages of a site. Tallies of parts of a site merge in any order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SiteTally {
    pub(super) pages: u64,
    pub(super) captured_bytes: u64,
    pub(super) page_sizes: PageSizes,
    pub(super) single_page: u64,
    pub(super) unknown_layout: u64,
    /// By the index of the layout.
    pub(super) layouts: Vec<LayoutTally>,
    pub(super) warnings: BTreeMap<String, u64>,
}

/// Sums over pages of a layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LayoutTally {
    pub(super) pages: u64,
    /// Pages whose template is known.
    pub(super) measured: u64,
    /// Amounts of those pages.
    pub(super) page: Amounts,
    /// Amounts of their templates.
    pub(super) template: Amounts,
}

impl SiteTally {
    /// Adds a page, with its captured size and the warnings of its row.
    pub fn add(&mut self, page: &Page, bytes: u64, stripped: &Stripped, warnings: &[String]) {
        self.add_measured(PageAmounts::of(page, stripped), bytes, stripped, warnings);
    }

    /// Adds a page that is already measured.
    pub fn add_measured(
        &mut self,
        amounts: PageAmounts,
        bytes: u64,
        stripped: &Stripped,
        warnings: &[String],
    ) {
        self.pages += 1;
        self.captured_bytes += bytes;
        self.page_sizes.add(bytes);
        self.single_page += u64::from(stripped.content.method == ContentMethod::SinglePage);
        match stripped.layout {
            Some(layout) => self.layout(layout).add(amounts),
            None => self.unknown_layout += 1,
        }
        for name in warnings {
            count(&mut self.warnings, name, 1);
        }
    }

    /// The sum of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.pages += other.pages;
        self.captured_bytes += other.captured_bytes;
        self.page_sizes.add_all(&other.page_sizes.0);
        self.single_page += other.single_page;
        self.unknown_layout += other.unknown_layout;
        for (index, layout) in other.layouts.into_iter().enumerate() {
            self.layout(index).merge(layout);
        }
        for (name, pages) in other.warnings {
            count(&mut self.warnings, &name, pages);
        }
        self
    }

    fn layout(&mut self, index: usize) -> &mut LayoutTally {
        if self.layouts.len() <= index {
            self.layouts.resize_with(index + 1, LayoutTally::default);
        }
        &mut self.layouts[index]
    }
}

impl LayoutTally {
    fn add(&mut self, amounts: PageAmounts) {
        self.pages += 1;
        if let Some(template) = amounts.template {
            self.measured += 1;
            self.page = self.page.plus(amounts.page);
            self.template = self.template.plus(template);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.pages += other.pages;
        self.measured += other.measured;
        self.page = self.page.plus(other.page);
        self.template = self.template.plus(other.template);
    }
}

/// Pages by size. The first class is below 1 KiB, each further one twice as large, the last unlimited.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageSizes(Vec<u64>);

impl PageSizes {
    /// Number of size classes. The last begins at 16 MiB.
    pub const SIZES: usize = 16;

    /// Pages in each class, up to the last that is not empty.
    pub fn counts(&self) -> &[u64] {
        &self.0[..self.0.len().min(Self::SIZES)]
    }

    fn add(&mut self, bytes: u64) {
        let kibibytes = (bytes >> 10).checked_ilog2().map_or(0, |log| log as usize + 1);
        let class = kibibytes.min(Self::SIZES - 1);
        if self.0.len() <= class {
            self.0.resize(class + 1, 0);
        }
        self.0[class] += 1;
    }

    fn add_all(&mut self, counts: &[u64]) {
        if self.0.len() < counts.len() {
            self.0.resize(counts.len(), 0);
        }
        for (sum, count) in self.0.iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

fn count(warnings: &mut BTreeMap<String, u64>, name: &str, pages: u64) {
    match warnings.get_mut(name) {
        Some(sum) => *sum += pages,
        None => {
            warnings.insert(name.to_owned(), pages);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::made_pages::{page, stripped, unknown_layout};

    const TEA: &str = "<nav class=t>Our tea</nav><p>Green</p>";
    const CUPS: &str =
        "<nav class=t><a class=t href=/>Our cups</a></nav><p>Blue <a href=/x>and</a> white</p>";

    fn tally_of(html: &str, bytes: u64, layout: Option<usize>, warnings: &[&str]) -> SiteTally {
        let page = page(html);
        let stripped = layout.map_or_else(|| unknown_layout(&page), |layout| stripped(&page, layout));
        let warnings: Vec<_> = warnings.iter().map(|&name| name.to_owned()).collect();
        let mut tally = SiteTally::default();
        tally.add(&page, bytes, &stripped, &warnings);
        tally
    }

    fn parts() -> [SiteTally; 4] {
        [
            tally_of(TEA, 500, Some(0), &[]),
            tally_of(CUPS, 5_000, Some(2), &["no-content"]),
            tally_of(CUPS, u64::from(u32::MAX), None, &["unknown-layout", "no-content"]),
            SiteTally::default(),
        ]
    }

    #[test]
    fn pages_add_up() {
        let all = parts().into_iter().reduce(SiteTally::merge).unwrap();
        assert_eq!((all.pages, all.single_page, all.unknown_layout), (3, 1, 1));
        assert_eq!(all.captured_bytes, 5_500 + u64::from(u32::MAX));
        assert_eq!(
            all.layouts.iter().map(|layout| layout.pages).collect::<Vec<_>>(),
            [1, 0, 1]
        );
        assert_eq!((all.layouts[2].page.words, all.layouts[2].template.words), (5, 2));
        assert_eq!((all.layouts[2].page.links, all.layouts[2].template.links), (2, 1));
        let warnings: Vec<_> = all
            .warnings
            .iter()
            .map(|(name, &pages)| (&**name, pages))
            .collect();
        assert_eq!(warnings, [("no-content", 2), ("unknown-layout", 1)]);
    }

    #[test]
    fn merging_equals_adding() {
        let mut one = SiteTally::default();
        for (html, bytes) in [(TEA, 1_000), (CUPS, 2_000), (TEA, 3_000)] {
            let page = page(html);
            one.add(&page, bytes, &stripped(&page, 1), &[]);
        }
        let merged = [(TEA, 1_000), (CUPS, 2_000), (TEA, 3_000)]
            .map(|(html, bytes)| tally_of(html, bytes, Some(1), &[]))
            .into_iter()
            .reduce(SiteTally::merge);
        assert_eq!(Some(one), merged);
    }

    #[test]
    fn the_order_of_merging_does_not_matter() {
        let [a, b, c, d] = parts();
        let from_left = a.clone().merge(b.clone()).merge(c.clone()).merge(d.clone());
        let from_right = a.clone().merge(b.clone().merge(c.clone().merge(d.clone())));
        let backwards = d.merge(c).merge(b).merge(a);
        assert_eq!(from_left, from_right);
        assert_eq!(from_left, backwards);
    }

    #[test]
    fn a_tally_survives_being_stored() {
        let all = parts().into_iter().reduce(SiteTally::merge).unwrap();
        let stored = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<SiteTally>(&stored).unwrap(), all);
    }

    #[test]
    fn sizes_double() {
        let mut sizes = PageSizes::default();
        for bytes in [0, 1_023, 1_024, 2_047, 2_048, (16 << 20) - 1, 16 << 20, u64::MAX] {
            sizes.add(bytes);
        }
        assert_eq!(sizes.counts(), [2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    }
}
