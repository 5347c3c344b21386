//! Learned templates of sites.

use husk::{SameSite, SiteTemplates, Url};
use husk_store::{LearnedBy, PackedTemplates, SiteInfo, StoreError, StoredSite, catch_damage};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::Store;

/// Summary of a site's stored templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SiteSummary {
    /// Host of the site without `www.`, with the port if it is not the default.
    #[schema(example = "example.org")]
    pub(crate) site: String,
    /// Number of layouts.
    pub(crate) layouts: u64,
    /// Number of pages they were learned from.
    pub(crate) pages: u64,
    /// Time of the last learning.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) learned: Timestamp,
    /// Seconds since then.
    pub(crate) age_seconds: u64,
}

impl From<SiteInfo> for SiteSummary {
    fn from(info: SiteInfo) -> Self {
        let age = Timestamp::now().duration_since(info.learned).as_secs();
        Self {
            age_seconds: u64::try_from(age).unwrap_or_default(),
            site: info.site,
            layouts: info.layouts,
            pages: info.pages,
            learned: info.learned,
        }
    }
}

/// The name of a page's site in the store, as in a crawl.
pub(crate) fn site_of(url: &Url) -> String {
    SameSite::Host.name_of(url)
}

impl Store {
    /// The templates of a site, unless expired.
    pub(crate) fn site(&self, site: &str) -> Result<Option<StoredSite>, StoreError> {
        let found = catch_damage(self.templates.path(), || self.templates.site(site))?;
        Ok(found.filter(|found| !self.is_site_expired(&found.info)))
    }

    /// Stores or replaces the templates of a site and deletes the oldest ones that exceed a limit.
    pub(crate) fn put_site(
        &self,
        templates: &SiteTemplates,
        learned_by: LearnedBy,
    ) -> Result<(), StoreError> {
        let info = SiteInfo::learned(templates, Timestamp::now(), learned_by);
        let packed = PackedTemplates::pack(templates).map_err(|cause| StoreError::Failed {
            action: "write",
            path: self.templates.path().to_owned(),
            cause: cause.to_string(),
        })?;
        let oldest = self.oldest_site();
        catch_damage(self.templates.path(), || {
            self.templates.update(None, |update| {
                update.put(&info, &packed)?;
                update.expire_served(oldest, self.limits.sites as u64)
            })
        })
    }

    /// All sites, sorted by name.
    pub(crate) fn sites(&self) -> Result<Vec<SiteSummary>, StoreError> {
        let mut sites = catch_damage(self.templates.path(), || self.templates.sites())?;
        sites.retain(|info| !self.is_site_expired(info));
        Ok(sites.into_iter().map(SiteSummary::from).collect())
    }

    /// Deletes a site; returns whether it existed.
    pub(crate) fn delete_site(&self, site: &str) -> Result<bool, StoreError> {
        catch_damage(self.templates.path(), || {
            self.templates.update(None, |update| update.remove(site))
        })
    }

    /// What a crawl taught doesn't expire: every page that uses it is checked.
    fn is_site_expired(&self, info: &SiteInfo) -> bool {
        info.learned_by == LearnedBy::Serve && info.learned < self.oldest_site()
    }

    fn oldest_site(&self) -> Timestamp {
        let age = jiff::SignedDuration::try_from(self.limits.site_age).unwrap_or(jiff::SignedDuration::MAX);
        Timestamp::now().saturating_sub(age).unwrap_or(Timestamp::MIN)
    }
}

pub(super) fn timestamp(milliseconds: u64) -> Timestamp {
    let milliseconds = i64::try_from(milliseconds).unwrap_or_default();
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::settings::Limits;

    fn names(store: &Store) -> Vec<String> {
        store.sites().unwrap().into_iter().map(|site| site.site).collect()
    }

    fn put(store: &Store, site: &str, learned_by: LearnedBy) {
        store.put_site(&SiteTemplates::new(site), learned_by).unwrap();
        std::thread::sleep(Duration::from_millis(3));
    }

    #[test]
    fn the_oldest_sites_are_deleted_first() {
        let limits = Limits {
            sites: 2,
            ..Limits::default()
        };
        let store = Store::open(None, limits).unwrap();
        put(&store, "crawled.org", LearnedBy::Bulk);
        for site in ["a.org", "b.org", "a.org", "c.org"] {
            put(&store, site, LearnedBy::Serve);
        }
        assert_eq!(names(&store), ["a.org", "c.org", "crawled.org"]);
        assert_eq!(store.site("a.org").unwrap().unwrap().templates.site(), "a.org");
    }

    #[test]
    fn expired_sites_are_not_readable() {
        let limits = Limits {
            site_age: Duration::ZERO,
            ..Limits::default()
        };
        let store = Store::open(None, limits).unwrap();
        put(&store, "crawled.org", LearnedBy::Bulk);
        put(&store, "a.org", LearnedBy::Serve);
        assert!(store.site("a.org").unwrap().is_none());
        assert_eq!(names(&store), ["crawled.org"]);
    }

    #[test]
    fn a_site_has_the_name_of_its_host() {
        let name = |url: &str| site_of(&Url::parse(url).unwrap());
        assert_eq!(name("https://Example.org/a?b"), "example.org");
        assert_eq!(name("http://example.org:80/"), "example.org");
        assert_eq!(name("https://www.example.org/"), "example.org");
        assert_eq!(name("http://127.0.0.1:8080/"), "127.0.0.1:8080");
    }
}
