//! Which pages of the inputs are wanted.

use std::collections::BTreeSet;
use std::time::SystemTime;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use husk::Url;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::BulkError;

/// Which pages are wanted. Empty lists and missing values select all pages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    /// Only pages whose URL matches one of these patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// No pages whose URL matches one of these patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Only pages that declare one of these languages; `und` stands for pages that declare none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub language: Vec<String>,
    /// Only responses with a status in one of these ranges, first and last included; by default 200 to 299.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub status: Vec<(u16, u16)>,
    /// Only pages captured at this time or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Only pages captured at this time or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Only pages of these sites.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub sites: BTreeSet<String>,
    /// At most so many pages, the first ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// A selection, ready to be applied.
#[derive(Debug)]
pub(crate) struct Selector<'a> {
    selection: &'a Selection,
    include: UrlPatterns,
    exclude: UrlPatterns,
}

impl<'a> Selector<'a> {
    /// Fails if a pattern or a language is not valid.
    pub(crate) fn new(selection: &'a Selection) -> Result<Self, BulkError> {
        if let Some(wrong) = selection.language.iter().find(|tag| !is_language_tag(tag)) {
            return Err(BulkError::Settings(format!(
                "--language: {wrong:?} is not a language: expected a tag such as en or pt-BR, or und"
            )));
        }
        Ok(Self {
            selection,
            include: UrlPatterns::new(&selection.include, "--include")?,
            exclude: UrlPatterns::new(&selection.exclude, "--exclude")?,
        })
    }

    /// Why a response is not wanted: a skip reason; none if it is, as far as its bytes don't matter. `given` is its URL as the
    /// input has it.
    pub(crate) fn rejects(
        &self,
        url: &Url,
        given: &str,
        site: &str,
        date: SystemTime,
    ) -> Option<&'static str> {
        let Selection { sites, .. } = self.selection;
        if !sites.is_empty() && !sites.contains(site) {
            return Some("excluded-site");
        }
        let matches =
            |patterns: &UrlPatterns| [url.as_str(), given].iter().any(|url| patterns.match_url(url));
        if !(self.include.are_none() || matches(&self.include)) || matches(&self.exclude) {
            return Some("excluded-url");
        }
        (!self.is_in_time(date)).then_some("excluded-date")
    }

    /// Whether a status was asked for; none if nothing was said about statuses.
    pub(crate) fn wants_status(&self, status: u16) -> Option<bool> {
        let ranges = &self.selection.status;
        let is_wanted = || {
            ranges
                .iter()
                .any(|&(first, last)| (first..=last).contains(&status))
        };
        (!ranges.is_empty()).then(is_wanted)
    }

    fn is_in_time(&self, date: SystemTime) -> bool {
        let Selection { since, until, .. } = *self.selection;
        if since.is_none() && until.is_none() {
            return true;
        }
        // The epoch stands for an unknown date.
        let date = Timestamp::try_from(date)
            .ok()
            .filter(|date| *date != Timestamp::UNIX_EPOCH);
        date.is_some_and(|date| {
            since.is_none_or(|since| since <= date) && until.is_none_or(|until| date <= until)
        })
    }

    pub(crate) fn needs_language(&self) -> bool {
        !self.selection.language.is_empty()
    }

    /// Whether the language of a page is wanted: `en` stands for `en-GB`, too.
    pub(crate) fn wants_language(&self, language: Option<&str>) -> bool {
        let language = language.unwrap_or("und").to_ascii_lowercase();
        self.selection.language.iter().any(|wanted| {
            let rest = language.strip_prefix(&wanted.to_ascii_lowercase());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }
}

/// Whether a text has the form of a language tag: letters, then groups of letters and digits.
fn is_language_tag(text: &str) -> bool {
    let mut groups = text.split('-');
    let language = groups.next().unwrap_or_default();
    let is_language =
        matches!(language.len(), 2..=8) && language.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_group =
        |group: &str| matches!(group.len(), 1..=8) && group.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_language && groups.all(is_group)
}

/// Patterns of URLs: `*` stands for any characters but `/`, `**` between slashes for any folders.
#[derive(Debug)]
struct UrlPatterns {
    /// Patterns with a scheme.
    whole: GlobSet,
    /// Patterns from the host on.
    from_host: GlobSet,
}

impl UrlPatterns {
    fn new(patterns: &[String], flag: &str) -> Result<Self, BulkError> {
        let (mut whole, mut from_host) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern).literal_separator(true).build();
            let glob = glob.map_err(|cause| BulkError::Settings(format!("{flag}: {cause}")))?;
            match pattern.contains("://") {
                true => whole.add(glob),
                false => from_host.add(glob),
            };
        }
        let build = |set: GlobSetBuilder| {
            set.build()
                .map_err(|cause| BulkError::Settings(format!("{flag}: {cause}")))
        };
        Ok(Self {
            whole: build(whole)?,
            from_host: build(from_host)?,
        })
    }

    fn are_none(&self) -> bool {
        self.whole.is_empty() && self.from_host.is_empty()
    }

    fn match_url(&self, url: &str) -> bool {
        let from_host = url.split_once("://").map_or(url, |(_, rest)| rest);
        self.whole.is_match(url) || self.from_host.is_match(from_host)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn texts(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&text| text.to_owned()).collect()
    }

    #[track_caller]
    fn check_urls(include: &[&str], exclude: &[&str], expect: &[&str]) {
        let selection = Selection {
            include: texts(include),
            exclude: texts(exclude),
            ..Selection::default()
        };
        let selector = Selector::new(&selection).unwrap();
        let urls = [
            "https://a.example/",
            "https://a.example/blog/1",
            "https://a.example/blog/2/comments?page=2",
            "http://b.example/blog/1",
            "https://B.example/líderes",
        ];
        let wanted = urls.into_iter().filter(|given| {
            let url = Url::parse(given).unwrap();
            selector
                .rejects(&url, given, "", SystemTime::UNIX_EPOCH)
                .is_none()
        });
        assert_eq!(wanted.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn urls_are_matched_by_patterns() {
        let [home, one, two, other, odd] = [
            "https://a.example/",
            "https://a.example/blog/1",
            "https://a.example/blog/2/comments?page=2",
            "http://b.example/blog/1",
            "https://B.example/líderes",
        ];
        check_urls(&[], &[], &[home, one, two, other, odd]);
        // As it was given, and as the URL standard writes it.
        check_urls(&["**/líderes"], &[], &[odd]);
        check_urls(&["b.example/l%C3%ADderes"], &[], &[odd]);
        check_urls(&[], &["B.example/*", "a.example/**"], &[other]);
        check_urls(&["https://a.example/**"], &[], &[home, one, two]);
        check_urls(&["a.example/blog/*"], &[], &[one]);
        check_urls(&["**/blog/**"], &[], &[one, two, other]);
        check_urls(&["{a,b}.example/blog/?"], &[], &[one, other]);
        check_urls(&["**/blog/**"], &["**/*page=*", "http://**"], &[one]);
        let selection = Selection {
            exclude: texts(&["a["]),
            ..Selection::default()
        };
        let error = Selector::new(&selection).unwrap_err().to_string();
        assert!(
            error.starts_with("--exclude: ") && error.contains("a["),
            "{error}"
        );
    }

    #[test]
    fn languages_stand_for_their_regions() {
        let selection = Selection {
            language: texts(&["en", "pt-BR", "und"]),
            ..Selection::default()
        };
        let selector = Selector::new(&selection).unwrap();
        for (language, expect) in [
            (Some("en"), true),
            (Some("EN-gb"), true),
            (Some("eng"), false),
            (Some("pt-br"), true),
            (Some("pt"), false),
            (None, true),
        ] {
            assert_eq!(selector.wants_language(language), expect, "{language:?}");
        }
    }

    #[test]
    fn what_is_no_language_is_an_error() {
        for (tag, is_valid) in [
            ("en", true),
            ("und", true),
            ("zh-Hant-TW", true),
            ("en_GB", false),
            ("", false),
            ("*", false),
            ("xx-nonsense-zzzzzzzzzzzz", false),
        ] {
            let selection = Selection {
                language: texts(&[tag]),
                ..Selection::default()
            };
            let error = Selector::new(&selection).err().map(|error| error.to_string());
            assert_eq!(error.is_none(), is_valid, "{tag}: {error:?}");
        }
    }

    #[test]
    fn dates_and_sites_select_pages() {
        let selection = Selection {
            since: Some(Timestamp::from_second(100).unwrap()),
            until: Some(Timestamp::from_second(200).unwrap()),
            sites: BTreeSet::from(["a.example".to_owned()]),
            ..Selection::default()
        };
        let selector = Selector::new(&selection).unwrap();
        let url = Url::parse("https://a.example/").unwrap();
        let rejects = |site: &str, second: u64| {
            selector.rejects(
                &url,
                url.as_str(),
                site,
                SystemTime::UNIX_EPOCH + Duration::from_secs(second),
            )
        };
        assert_eq!(
            [100, 150, 200].map(|second| rejects("a.example", second)),
            [None; 3]
        );
        for second in [0, 99, 201] {
            assert_eq!(rejects("a.example", second), Some("excluded-date"));
        }
        assert_eq!(rejects("b.example", 150), Some("excluded-site"));
    }
}
