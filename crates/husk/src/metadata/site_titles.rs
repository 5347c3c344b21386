//! What the titles of a site's pages have in common: the name of the site.

use husk_dom::Dom;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::numbers::{MOST_TITLE_PARTS, TITLE_OF_ALL, TITLE_OF_SEVERAL};
use super::title::{name_in, plain, prefixes, suffixes};
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
    /// How it begins, up to a separator.
    prefixes: Counts,
    /// How it ends, from a separator on.
    suffixes: Counts,
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
        let count = |counts: &mut Counts, text: &str| *counts.entry(text.to_owned()).or_default() += 1;
        if let Some(given) = given_title(dom) {
            count(&mut self.given, &given);
        }
        count(&mut self.whole, &title);
        for prefix in prefixes(&title) {
            count(&mut self.prefixes, prefix);
        }
        for suffix in suffixes(&title) {
            count(&mut self.suffixes, suffix);
        }
    }

    /// Adds the titles of other pages.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.pages += other.pages;
        for (own, other) in
            self.counts()
                .into_iter()
                .zip([&other.given, &other.whole, &other.prefixes, &other.suffixes])
        {
            for (text, count) in other {
                *own.entry(text.clone()).or_default() += count;
            }
        }
    }

    /// Drops what only one page has, and all but the most common texts, so that a file of templates stays small.
    pub(crate) fn keep_common(&mut self) {
        keep_longest(&mut self.prefixes, |longer, shorter| longer.starts_with(shorter));
        keep_longest(&mut self.suffixes, |longer, shorter| longer.ends_with(shorter));
        for counts in self.counts() {
            counts.retain(|_, count| *count > 1);
            counts.sort_by(|one, count, other, other_count| other_count.cmp(count).then(one.cmp(other)));
            counts.truncate(MOST_TITLE_PARTS);
        }
    }

    fn counts(&mut self) -> [&mut Counts; 4] {
        [
            &mut self.given,
            &mut self.whole,
            &mut self.prefixes,
            &mut self.suffixes,
        ]
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// A title without what most pages begin or end with, and the name of the site in that.
    pub(crate) fn cut<'t>(&self, title: &'t str) -> (&'t str, Option<&'t str>) {
        let is_shared = |counts: &Counts, affix: &str| 2 * self.count(counts, affix) > self.pages;
        let prefix_of = |own: &'t str| {
            let mut prefixes = prefixes(own).into_iter();
            prefixes.find(|start| is_shared(&self.prefixes, start))
        };
        let suffix_of = |own: &'t str| {
            let mut suffixes = suffixes(own).into_iter();
            suffixes.find(|end| is_shared(&self.suffixes, end))
        };
        let number =
            |counts: &Counts, affix: Option<&str>| affix.map_or(0, |affix| self.count(counts, affix));
        // What more pages share is the name of the site; the other end may be that of a section.
        let begins_with_name =
            number(&self.prefixes, prefix_of(title)) > number(&self.suffixes, suffix_of(title));
        let mut own = title;
        let mut names = [None; 2];
        for step in 0..2 {
            if (step == 0) == begins_with_name {
                if let Some(prefix) = prefix_of(own) {
                    own = &own[prefix.len()..];
                    names[1] = Some(name_in(prefix));
                }
            } else if let Some(suffix) = suffix_of(own) {
                own = &own[..own.len() - suffix.len()];
                names[0] = Some(name_in(suffix));
            }
        }
        (own, names.into_iter().flatten().next())
    }

    /// Whether a title is only the name that most pages have in theirs.
    pub(crate) fn is_name_of_site(&self, title: &str) -> bool {
        let title = plain(title);
        let mut affixes = self.prefixes.iter().chain(&self.suffixes);
        affixes.any(|(affix, &count)| 2 * count > self.pages && plain(affix) == title)
    }

    /// Whether several pages have the same title, so that it names none of them.
    pub(crate) fn is_of_several(&self, title: &str) -> bool {
        self.count(&self.whole, title) >= TITLE_OF_SEVERAL
            || self.count(&self.given, title) >= TITLE_OF_SEVERAL
    }

    fn count(&self, counts: &Counts, text: &str) -> u32 {
        counts.get(text).copied().unwrap_or_default()
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
        let count = self.count(counts, title);
        count > 1 && f64::from(count) >= TITLE_OF_ALL * f64::from(self.pages)
    }
}

/// Drops texts that are a part of a longer one on as many pages.
fn keep_longest(counts: &mut Counts, is_part: impl Fn(&str, &str) -> bool) {
    let all = counts.clone();
    counts.retain(|text, count| {
        let mut longer = all.iter().filter(|(other, _)| other.len() > text.len());
        !longer.any(|(other, others)| others >= count && is_part(other, text))
    });
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

    #[track_caller]
    fn check(site: &SiteTitles, title: &str, own: &str, name: Option<&str>) {
        assert_eq!(site.cut(title), (own, name), "{title}");
    }

    #[test]
    fn most_titles_have_the_name_of_the_site() {
        let site = titles(&["B – The Site", "C – The Site", "Else"]);
        check(&site, "A – The Site", "A", Some("The Site"));
        check(&site, "A – Else", "A – Else", None);
        check(&site, "The Site", "The Site", None);
        assert!(site.is_name_of_site("The site"));
        check(&titles(&["S | b", "S | c"]), "S | a – d", "a – d", Some("S"));
        check(&titles(&["Site: b", "Site: c"]), "Site: a", "a", Some("Site"));
        check(
            &titles(&["Site -- b", "Site -- c"]),
            "Site -- a",
            "a",
            Some("Site"),
        );
        check(
            &titles(&["b [S.ORG]", "c [S.ORG]"]),
            "a [S.ORG]",
            "a",
            Some("S.ORG"),
        );
        check(&titles(&[]), "A – B", "A – B", None);
    }

    #[test]
    fn names_may_have_several_parts() {
        let site = titles(&[
            "b - Tab - Fast and free.",
            "c - Tab - Fast and free.",
            "Tab - Fast and free.",
        ]);
        check(
            &site,
            "a - Tab - Fast and free.",
            "a",
            Some("Tab - Fast and free."),
        );
        check(&site, "Tab - Fast and free.", "Tab", Some("Fast and free."));
        let site = titles(&["Care - Dr. med. A B - Team", "Care - Dr. med. A B - Contact"]);
        check(
            &site,
            "Care - Dr. med. A B - News",
            "News",
            Some("Care - Dr. med. A B"),
        );
        let site = titles(&["S | b - Best", "S | c - Best"]);
        check(&site, "S | a - Best", "a", Some("Best"));
    }

    #[test]
    fn a_title_of_several_pages_names_none() {
        assert!(titles(&["S", "S", "S", "T"]).is_title_of_all("S"));
        assert!(!titles(&["S", "S", "T"]).is_title_of_all("S"));
        assert!(!titles(&["S"]).is_title_of_all("S"));
        assert!(titles(&["S", "S", "S", "T", "U", "V"]).is_of_several("S"));
        assert!(!titles(&["S", "S", "T", "U"]).is_of_several("S"));
    }

    #[test]
    fn what_one_page_has_is_not_kept() {
        let mut site = titles(&["A – S", "B – S", "C – T"]);
        let mut other = titles(&["D – S"]);
        other.keep_common();
        assert_eq!((other.pages(), other.suffixes.len()), (1, 0));
        site.keep_common();
        assert_eq!(site.suffixes.keys().collect::<Vec<_>>(), [" – S"]);
        assert!(site.whole.is_empty());
        site.merge(&titles(&["D – S"]));
        assert_eq!((site.pages(), site.suffixes[" – S"]), (4, 3));
        let mut long = titles(&["A – S – T", "B – S – T"]);
        long.keep_common();
        assert_eq!(long.suffixes.keys().collect::<Vec<_>>(), [" – S – T"]);
    }
}
