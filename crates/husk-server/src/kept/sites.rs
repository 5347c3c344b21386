//! Templates that were learned of sites.

use std::time::Duration;

use husk::{SiteTemplates, Url};
use redb::{
    ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Store, now, pack, unpack};

/// By the name of a site: when it was learned, how many layouts it has, from how many pages, and the templates, packed.
const SITES: TableDefinition<'_, &str, (u64, u64, u64, &[u8])> = TableDefinition::new("sites");

/// The sites by when they were learned.
const AGES: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("site-ages");

/// What was learned of a site, and when.
#[derive(Debug)]
pub(crate) struct KnownSite {
    pub(crate) templates: SiteTemplates,
    pub(crate) info: SiteInfo,
}

/// What is known of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SiteInfo {
    /// The name of the site: its host, and its port if that is no usual one.
    #[schema(example = "example.org")]
    pub(crate) site: String,
    /// How many layouts are known.
    pub(crate) layouts: u64,
    /// From how many pages.
    pub(crate) pages: u64,
    /// When they were learned last.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) learned: jiff::Timestamp,
    /// How long ago that is.
    pub(crate) age_seconds: u64,
}

/// The name that a site is kept by.
pub(crate) fn site_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

pub(super) fn make_tables(writing: &WriteTransaction) -> Result<(), redb::Error> {
    writing.open_table(SITES)?;
    writing.open_table(AGES)?;
    Ok(())
}

impl Store {
    /// What was learned of a site, unless it is too old. Nothing if a newer Husk wrote it: then it is learned anew.
    pub(crate) fn site(&self, site: &str) -> Result<Option<KnownSite>, redb::Error> {
        let sites = self.database.begin_read()?.open_table(SITES)?;
        let Some(found) = sites.get(site)? else {
            return Ok(None);
        };
        let (learned, layouts, pages, packed) = found.value();
        if self.is_too_old(learned) {
            return Ok(None);
        }
        let json = String::from_utf8(unpack(packed)?).unwrap_or_default();
        let templates = SiteTemplates::from_json(&json).ok();
        Ok(templates.map(|templates| KnownSite {
            templates,
            info: info(site, learned, layouts, pages),
        }))
    }

    /// Keeps what was learned of a site, in place of what was known before; others that are too old, or too many, go.
    pub(crate) fn keep_site(&self, templates: &SiteTemplates) -> Result<(), redb::Error> {
        let (site, learned) = (templates.site(), now());
        let packed = pack(templates.to_json().as_bytes())?;
        let writing = self.database.begin_write()?;
        {
            let (mut sites, mut ages) = (writing.open_table(SITES)?, writing.open_table(AGES)?);
            let layouts = templates.layouts().len() as u64;
            let before = sites.insert(site, (learned, layouts, templates.pages(), &*packed))?;
            if let Some(before) = before.map(|before| before.value().0) {
                ages.remove((before, site))?;
            }
            ages.insert((learned, site), ())?;
            while let Some((age, name)) = oldest(&ages)? {
                if sites.len()? <= self.limits.sites as u64 && !self.is_too_old(age) {
                    break;
                }
                ages.remove((age, &*name))?;
                sites.remove(&*name)?;
            }
        }
        writing.commit()?;
        Ok(())
    }

    /// All sites that something is known of, by name.
    pub(crate) fn sites(&self) -> Result<Vec<SiteInfo>, redb::Error> {
        let sites = self.database.begin_read()?.open_table(SITES)?;
        let mut known = Vec::new();
        for site in sites.iter()? {
            let (name, value) = site?;
            let (learned, layouts, pages, _) = value.value();
            if !self.is_too_old(learned) {
                known.push(info(name.value(), learned, layouts, pages));
            }
        }
        Ok(known)
    }

    /// Forgets a site; tells whether it was known.
    pub(crate) fn forget_site(&self, site: &str) -> Result<bool, redb::Error> {
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

    fn is_too_old(&self, learned: u64) -> bool {
        Duration::from_millis(now().saturating_sub(learned)) > self.limits.site_age
    }
}

/// The site that was learned first, and when.
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
    fn sites_are_kept_replaced_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("husk.redb");
        let limits = Limits {
            sites: 2,
            ..Limits::default()
        };
        let store = Store::open(Some(&file), limits.clone()).unwrap();
        for site in ["a.org", "b.org", "a.org"] {
            store.keep_site(&SiteTemplates::new(site)).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(store);
        let store = Store::open(Some(&file), limits).unwrap();
        assert_eq!(names(&store), ["a.org", "b.org"]);
        assert_eq!(store.site("a.org").unwrap().unwrap().templates.site(), "a.org");
        store.keep_site(&SiteTemplates::new("c.org")).unwrap();
        assert_eq!(names(&store), ["a.org", "c.org"], "the oldest makes room");
        assert!(store.forget_site("c.org").unwrap());
        assert!(!store.forget_site("c.org").unwrap());
        assert_eq!(names(&store), ["a.org"]);
    }

    #[test]
    fn what_is_too_old_is_not_known() {
        let limits = Limits {
            site_age: Duration::ZERO,
            ..Limits::default()
        };
        let store = Store::open(None, limits).unwrap();
        store.keep_site(&SiteTemplates::new("a.org")).unwrap();
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
