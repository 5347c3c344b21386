//! Learned templates of sites.

use std::time::Duration;

use husk::{SiteTemplates, Url};
use redb::{
    ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Store, compress, decompress, now};

/// Site name to learning time, number of layouts, number of pages, and templates, compressed.
const SITES: TableDefinition<'_, &str, (u64, u64, u64, &[u8])> = TableDefinition::new("sites");

/// Sites by learning time.
const AGES: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("site-ages");

/// The stored templates of a site.
#[derive(Debug)]
pub(crate) struct StoredSite {
    pub(crate) templates: SiteTemplates,
    pub(crate) info: SiteInfo,
}

/// Summary of a site's stored templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SiteInfo {
    /// Host of the site, with the port if it is not the default.
    #[schema(example = "example.org")]
    pub(crate) site: String,
    /// Number of layouts.
    pub(crate) layouts: u64,
    /// Number of pages they were learned from.
    pub(crate) pages: u64,
    /// Time of the last learning.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) learned: jiff::Timestamp,
    /// Seconds since then.
    pub(crate) age_seconds: u64,
}

/// The name of a page's site in the store.
pub(crate) fn site_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

pub(super) fn create_tables(writing: &WriteTransaction) -> Result<(), redb::Error> {
    writing.open_table(SITES)?;
    writing.open_table(AGES)?;
    Ok(())
}

impl Store {
    /// The templates of a site, unless expired. `None` as well if a newer version of Husk wrote them.
    pub(crate) fn site(&self, site: &str) -> Result<Option<StoredSite>, redb::Error> {
        let sites = self.database.begin_read()?.open_table(SITES)?;
        let Some(found) = sites.get(site)? else {
            return Ok(None);
        };
        let (learned, layouts, pages, compressed) = found.value();
        if self.is_site_expired(learned) {
            return Ok(None);
        }
        let json = String::from_utf8(decompress(compressed)?).unwrap_or_default();
        let templates = SiteTemplates::from_json(&json).ok();
        Ok(templates.map(|templates| StoredSite {
            templates,
            info: info(site, learned, layouts, pages),
        }))
    }

    /// Stores or replaces the templates of a site and deletes the oldest ones that exceed a limit.
    pub(crate) fn put_site(&self, templates: &SiteTemplates) -> Result<(), redb::Error> {
        let (site, learned) = (templates.site(), now());
        let compressed = compress(templates.to_json().as_bytes())?;
        let writing = self.database.begin_write()?;
        {
            let (mut sites, mut ages) = (writing.open_table(SITES)?, writing.open_table(AGES)?);
            let layouts = templates.layouts().len() as u64;
            let before = sites.insert(site, (learned, layouts, templates.pages(), &*compressed))?;
            if let Some(before) = before.map(|before| before.value().0) {
                ages.remove((before, site))?;
            }
            ages.insert((learned, site), ())?;
            while let Some((age, name)) = oldest(&ages)? {
                if sites.len()? <= self.limits.sites as u64 && !self.is_site_expired(age) {
                    break;
                }
                ages.remove((age, &*name))?;
                sites.remove(&*name)?;
            }
        }
        writing.commit()?;
        Ok(())
    }

    /// All sites, sorted by name.
    pub(crate) fn sites(&self) -> Result<Vec<SiteInfo>, redb::Error> {
        let sites = self.database.begin_read()?.open_table(SITES)?;
        let mut known = Vec::new();
        for site in sites.iter()? {
            let (name, value) = site?;
            let (learned, layouts, pages, _) = value.value();
            if !self.is_site_expired(learned) {
                known.push(info(name.value(), learned, layouts, pages));
            }
        }
        Ok(known)
    }

    /// Deletes a site; returns whether it existed.
    pub(crate) fn delete_site(&self, site: &str) -> Result<bool, redb::Error> {
        let writing = self.database.begin_write()?;
        let learned = {
            let mut sites = writing.open_table(SITES)?;
            let removed = sites.remove(site)?;
            removed.map(|removed| removed.value().0)
        };
        if let Some(learned) = learned {
            writing.open_table(AGES)?.remove((learned, site))?;
        }
        writing.commit()?;
        Ok(learned.is_some())
    }

    fn is_site_expired(&self, learned: u64) -> bool {
        Duration::from_millis(now().saturating_sub(learned)) > self.limits.site_age
    }
}

/// The site with the earliest learning time.
fn oldest(ages: &Table<'_, (u64, &'static str), ()>) -> Result<Option<(u64, String)>, redb::Error> {
    Ok(ages.first()?.map(|(key, _)| {
        let (age, name) = key.value();
        (age, name.to_owned())
    }))
}

fn info(site: &str, learned: u64, layouts: u64, pages: u64) -> SiteInfo {
    SiteInfo {
        site: site.to_owned(),
        layouts,
        pages,
        learned: timestamp(learned),
        age_seconds: now().saturating_sub(learned) / 1000,
    }
}

pub(super) fn timestamp(milliseconds: u64) -> jiff::Timestamp {
    let milliseconds = i64::try_from(milliseconds).unwrap_or_default();
    jiff::Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Limits;

    fn names(store: &Store) -> Vec<String> {
        store.sites().unwrap().into_iter().map(|site| site.site).collect()
    }

    #[test]
    fn sites_are_stored_replaced_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("husk.redb");
        let limits = Limits {
            sites: 2,
            ..Limits::default()
        };
        let store = Store::open(Some(&file), limits.clone()).unwrap();
        for site in ["a.org", "b.org", "a.org"] {
            store.put_site(&SiteTemplates::new(site)).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(store);
        let store = Store::open(Some(&file), limits).unwrap();
        assert_eq!(names(&store), ["a.org", "b.org"]);
        assert_eq!(store.site("a.org").unwrap().unwrap().templates.site(), "a.org");
        store.put_site(&SiteTemplates::new("c.org")).unwrap();
        assert_eq!(names(&store), ["a.org", "c.org"], "the oldest is deleted");
        assert!(store.delete_site("c.org").unwrap());
        assert!(!store.delete_site("c.org").unwrap());
        assert_eq!(names(&store), ["a.org"]);
    }

    #[test]
    fn expired_sites_are_not_readable() {
        let limits = Limits {
            site_age: Duration::ZERO,
            ..Limits::default()
        };
        let store = Store::open(None, limits).unwrap();
        store.put_site(&SiteTemplates::new("a.org")).unwrap();
        std::thread::sleep(Duration::from_millis(3));
        assert!(store.site("a.org").unwrap().is_none());
        assert!(store.sites().unwrap().is_empty());
    }

    #[test]
    fn a_site_has_the_name_of_its_host() {
        let name = |url: &str| site_of(&Url::parse(url).unwrap());
        assert_eq!(name("https://Example.org/a?b"), "example.org");
        assert_eq!(name("http://example.org:80/"), "example.org");
        assert_eq!(name("http://127.0.0.1:8080/"), "127.0.0.1:8080");
    }
}
