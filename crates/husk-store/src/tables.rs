//! The tables of the store, and how they change.

use std::path::Path;

use jiff::Timestamp;
use redb::{ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction};
use xxhash_rust::xxh3::Xxh3;

use crate::error::StoreError;
use crate::site::{LearnedBy, PackedTemplates, SiteInfo};

/// What is stored of a site: its info as JSON, its templates, packed, and the checksum of both.
type Stored<'a> = (&'a [u8], &'a [u8], u64);

/// Site name to what is stored of it.
pub(crate) const SITES: TableDefinition<'_, &str, Stored<'_>> = TableDefinition::new("templates");

/// Sites that the server learned, by time in milliseconds: it deletes the oldest.
const SERVE_AGES: TableDefinition<'_, (i64, &str), ()> = TableDefinition::new("template-ages");

/// Numbers by name: [`FORMAT`] and [`REVISION`].
pub(crate) const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("template-store");

/// Key of the store's format.
pub(crate) const FORMAT: &str = "format";

/// Key of the number of updates so far.
pub(crate) const REVISION: &str = "revision";

/// The run that made the last update, if it has a name.
pub(crate) const LAST_RUN: TableDefinition<'_, (), &str> = TableDefinition::new("template-last-run");

/// Changes of one transaction: all of them are made, or none.
pub struct StoreUpdate<'a> {
    tables: Tables<'a>,
    path: &'a Path,
}

struct Tables<'a> {
    sites: Table<'a, &'static str, Stored<'static>>,
    ages: Table<'a, (i64, &'static str), ()>,
}

impl<'a> StoreUpdate<'a> {
    pub(crate) fn begin(writing: &'a WriteTransaction, path: &'a Path) -> Result<Self, redb::Error> {
        let tables = Tables {
            sites: writing.open_table(SITES)?,
            ages: writing.open_table(SERVE_AGES)?,
        };
        Ok(Self { tables, path })
    }

    /// Adds or replaces a site.
    pub fn put(&mut self, info: &SiteInfo, templates: &PackedTemplates) -> Result<(), StoreError> {
        let written = self.tables.write(info, templates.as_bytes());
        written.map_err(StoreError::failed("write", self.path))
    }

    /// Replaces what is known of a site, and keeps its templates. Does nothing if it has none.
    pub fn put_info(&mut self, info: &SiteInfo) -> Result<(), StoreError> {
        let written = self.tables.write_info(info);
        written.map_err(StoreError::failed("write", self.path))
    }

    /// Deletes a site; returns whether it existed.
    pub fn remove(&mut self, site: &str) -> Result<bool, StoreError> {
        let removed = self.tables.remove(site);
        removed.map_err(StoreError::failed("write", self.path))
    }

    /// Deletes sites that the server learned: those before a time, and the oldest beyond a number.
    pub fn expire_served(&mut self, before: Timestamp, max_sites: u64) -> Result<(), StoreError> {
        let expired = self.tables.expire_served(before, max_sites);
        expired.map_err(StoreError::failed("write", self.path))
    }
}

impl Tables<'_> {
    fn write_info(&mut self, info: &SiteInfo) -> Result<(), redb::Error> {
        let packed = match self.sites.get(&*info.site)? {
            Some(found) => read_stored(&info.site, found.value())?.1.to_vec(),
            None => return Ok(()),
        };
        self.write(info, &packed)
    }

    fn write(&mut self, info: &SiteInfo, packed: &[u8]) -> Result<(), redb::Error> {
        let json = serde_json::to_vec(info).map_err(to_redb)?;
        let before = self
            .sites
            .insert(&*info.site, (&*json, packed, checksum(&info.site, &json, packed)))?;
        let before = before.map(|before| read_info(before.value().0)).transpose()?;
        if let Some(before) = before {
            self.forget_age(&before)?;
        }
        if info.learned_by == LearnedBy::Serve {
            self.ages
                .insert((info.learned.as_millisecond(), &*info.site), ())?;
        }
        Ok(())
    }

    fn remove(&mut self, site: &str) -> Result<bool, redb::Error> {
        let removed = self.sites.remove(site)?;
        let removed = removed.map(|removed| read_info(removed.value().0)).transpose()?;
        removed.as_ref().map_or(Ok(()), |info| self.forget_age(info))?;
        Ok(removed.is_some())
    }

    fn expire_served(&mut self, before: Timestamp, max_sites: u64) -> Result<(), redb::Error> {
        while let Some((learned, site)) = self.oldest_served()? {
            if learned >= before.as_millisecond() && self.ages.len()? <= max_sites {
                break;
            }
            self.ages.remove((learned, &*site))?;
            self.sites.remove(&*site)?;
        }
        Ok(())
    }

    fn oldest_served(&self) -> Result<Option<(i64, String)>, redb::Error> {
        Ok(self.ages.first()?.map(|(key, _)| {
            let (learned, site) = key.value();
            (learned, site.to_owned())
        }))
    }

    fn forget_age(&mut self, info: &SiteInfo) -> Result<(), redb::Error> {
        if info.learned_by == LearnedBy::Serve {
            self.ages.remove((info.learned.as_millisecond(), &*info.site))?;
        }
        Ok(())
    }
}

/// Info and packed templates of a site, if they are as they were written.
pub(crate) fn read_stored<'a>(
    site: &str,
    (info, packed, sum): Stored<'a>,
) -> Result<(SiteInfo, &'a [u8]), redb::Error> {
    match checksum(site, info, packed) == sum {
        true => Ok((read_info(info)?, packed)),
        false => Err(redb::Error::Corrupted(format!("the checksum of {site} differs"))),
    }
}

fn checksum(site: &str, info: &[u8], packed: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    for bytes in [site.as_bytes(), info, packed] {
        hash.update(&bytes.len().to_le_bytes());
        hash.update(bytes);
    }
    hash.digest()
}

fn read_info(json: &[u8]) -> Result<SiteInfo, redb::Error> {
    serde_json::from_slice(json).map_err(to_redb)
}

fn to_redb(cause: serde_json::Error) -> redb::Error {
    redb::Error::Corrupted(cause.to_string())
}
