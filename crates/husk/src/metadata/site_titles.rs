//! What the titles of a site's pages have in common: the name of the site.

use husk_dom::Dom;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::numbers::{MOST_TITLE_PARTS, TITLE_OF_ALL};
use super::title::{before_colon, parts};
use super::{given_title, page_title};
use crate::page::Page;

/// Titles of pages of one site, counted by what they may share.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteTitles {
    /// Number of pages with a `<title>`.
    pages: u32,
    /// Titles for other programs, such as OpenGraph's.
    given: Counts,
    /// `<title>` as a whole.
    whole: Counts,
    /// Its first part.
    first: Counts,
    /// Its last part.
    last: Counts,
    /// What is before a colon, if it has one part.
    before_colon: Counts,
}

/// How many pages have a text.
type Counts = IndexMap<String, u32>;

impl SiteTitles {
    /// The titles of some pages.
    pub(crate) fn of<'a>(pages: impl IntoIterator<Item = &'a Page>) -> Self {
        let mut titles = Self::default();
        for page in pages {
            titles.add(&page.dom);
        }
        titles
    }

    /// Adds the titles of a page.
    pub(crate) fn add(&mut self, dom: &Dom) {
        let Some(title) = page_title(dom) else {
            return;
        };
        self.pages += 1;
        let count = |counts: &mut Counts, text: Option<&str>| {
            if let Some(text) = text {
                *counts.entry(text.to_owned()).or_default() += 1;
            }
        };
        let parts = parts(&title);
        count(&mut self.given, given_title(dom).as_deref());
        count(&mut self.whole, Some(&title));
        count(&mut self.first, parts.first().copied());
        count(&mut self.last, parts.last().copied());
        count(
            &mut self.before_colon,
            before_colon(&title).filter(|_| parts.len() < 2),
        );
    }

    /// Adds the titles of other pages.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.pages += other.pages;
        for (own, other) in self.counts().into_iter().zip([
            &other.given,
            &other.whole,
            &other.first,
            &other.last,
            &other.before_colon,
        ]) {
            for (text, count) in other {
                *own.entry(text.clone()).or_default() += count;
            }
        }
    }

    /// Drops what only one page has, and all but the most common texts, so that a file of templates stays small.
    pub(crate) fn keep_common(&mut self) {
        for counts in self.counts() {
            counts.retain(|_, count| *count > 1);
            counts.sort_by(|one, count, other, other_count| other_count.cmp(count).then(one.cmp(other)));
            counts.truncate(MOST_TITLE_PARTS);
        }
    }

    fn counts(&mut self) -> [&mut Counts; 5] {
        [
            &mut self.given,
            &mut self.whole,
            &mut self.first,
            &mut self.last,
            &mut self.before_colon,
        ]
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// The part of a title that most pages have at the same place: the name of the site.
    pub(crate) fn shared_part<'t>(&self, title: &'t str) -> Option<&'t str> {
        let is_shared = |counts: &Counts, part: &str| {
            let count = counts.get(part).copied().unwrap_or_default();
            2 * count > self.pages
        };
        match parts(title)[..] {
            [_, .., last] if is_shared(&self.last, last) => Some(last),
            [first, _, ..] => Some(first).filter(|first| is_shared(&self.first, first)),
            _ => before_colon(title).filter(|before| is_shared(&self.before_colon, before)),
        }
    }

    /// Whether nearly all pages have the same title for other programs, so that it says nothing about a page.
    pub(crate) fn is_given_to_all(&self, title: &str) -> bool {
        self.is_of_all(&self.given, title)
    }

    /// Whether nearly all pages have the same `<title>`.
    pub(crate) fn is_title_of_all(&self, title: &str) -> bool {
        self.is_of_all(&self.whole, title)
    }

    fn is_of_all(&self, counts: &Counts, title: &str) -> bool {
        let count = counts.get(title).copied().unwrap_or_default();
        count > 1 && f64::from(count) >= TITLE_OF_ALL * f64::from(self.pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(all: &[&str]) -> SiteTitles {
        let mut titles = SiteTitles::default();
        for title in all {
            titles.add(&Dom::parse(&format!("<title>{title}</title>")));
        }
        titles
    }

    #[test]
    fn most_titles_have_the_name_of_the_site() {
        let site = titles(&["B – The Site", "C – The Site", "Else"]);
        assert_eq!(site.shared_part("A – The Site"), Some("The Site"));
        assert_eq!(site.shared_part("A – Else"), None);
        assert_eq!(site.shared_part("The Site"), None);
        assert_eq!(titles(&["S | b", "S | c"]).shared_part("S | a – d"), Some("S"));
        assert_eq!(
            titles(&["Site: b", "Site: c"]).shared_part("Site: a"),
            Some("Site")
        );
        assert_eq!(titles(&[]).shared_part("A – B"), None);
        assert!(titles(&["S", "S", "S", "T"]).is_title_of_all("S"));
        assert!(!titles(&["S", "S", "T"]).is_title_of_all("S"));
        assert!(!titles(&["S"]).is_title_of_all("S"));
    }

    #[test]
    fn what_one_page_has_is_not_kept() {
        let mut site = titles(&["A – S", "B – S", "C – T"]);
        let mut other = titles(&["D – S"]);
        other.keep_common();
        assert_eq!((other.pages(), other.last.len()), (1, 0));
        site.keep_common();
        assert_eq!(site.last.keys().collect::<Vec<_>>(), ["S"]);
        assert!(site.whole.is_empty());
        site.merge(&titles(&["D – S"]));
        assert_eq!((site.pages(), site.last["S"]), (4, 3));
    }
}
