//! Stored results.

use redb::{
    ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction,
};
use std::time::Duration;

use super::sites::timestamp;
use super::{Store, compress, decompress, now};

/// Result id to creation time, size in bytes, and summary as JSON.
const RESULTS: TableDefinition<'_, &str, (u64, u64, &[u8])> = TableDefinition::new("results");

/// Result id and output name to the output, compressed.
const OUTPUTS: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("forms");

/// Results by creation time.
const AGES: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("result-ages");

/// Total size of all results.
const BYTES: TableDefinition<'_, (), u64> = TableDefinition::new("result-bytes");

/// A result to store.
#[derive(Debug, Clone)]
pub(crate) struct StoredResult {
    pub(crate) id: String,
    /// As JSON.
    pub(crate) summary: Vec<u8>,
    /// Outputs by name, compressed.
    pub(crate) outputs: Vec<(String, Vec<u8>)>,
}

impl StoredResult {
    /// Adds an output.
    pub(crate) fn add(&mut self, name: String, text: &str) -> Result<(), redb::Error> {
        self.outputs.push((name, compress(text.as_bytes())?));
        Ok(())
    }
}

/// The tables, open for writing.
struct WritableTables<'a> {
    results: Table<'a, &'static str, (u64, u64, &'static [u8])>,
    outputs: Table<'a, (&'static str, &'static str), &'static [u8]>,
    ages: Table<'a, (u64, &'static str), ()>,
    bytes: Table<'a, (), u64>,
}

pub(super) fn create_tables(writing: &WriteTransaction) -> Result<(), redb::Error> {
    WritableTables::open(writing).map(|_| ())
}

/// Writes what is there already.
pub(super) fn touch(writing: &WriteTransaction) -> Result<(), redb::Error> {
    let mut tables = WritableTables::open(writing)?;
    let bytes = tables.total_bytes()?;
    tables.bytes.insert((), bytes)?;
    Ok(())
}

impl<'a> WritableTables<'a> {
    fn open(writing: &'a WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            results: writing.open_table(RESULTS)?,
            outputs: writing.open_table(OUTPUTS)?,
            ages: writing.open_table(AGES)?,
            bytes: writing.open_table(BYTES)?,
        })
    }

    fn total_bytes(&self) -> Result<u64, redb::Error> {
        Ok(self.bytes.get(())?.map_or(0, |bytes| bytes.value()))
    }

    fn insert(&mut self, result: &StoredResult, created: u64) -> Result<(), redb::Error> {
        let mut bytes = result.summary.len() as u64;
        for (name, compressed) in &result.outputs {
            bytes += compressed.len() as u64;
            self.outputs.insert((&*result.id, &**name), &**compressed)?;
        }
        self.results
            .insert(&*result.id, (created, bytes, &*result.summary))?;
        self.ages.insert((created, &*result.id), ())?;
        let all = self.total_bytes()? + bytes;
        self.bytes.insert((), all)?;
        Ok(())
    }

    fn remove(&mut self, id: &str) -> Result<bool, redb::Error> {
        let removed = self.results.remove(id)?.map(|removed| {
            let (created, bytes, _) = removed.value();
            (created, bytes)
        });
        let Some((created, bytes)) = removed else {
            return Ok(false);
        };
        self.ages.remove((created, id))?;
        self.outputs
            .retain_in((id, "")..=(id, "\u{10FFFF}"), |_, _| false)?;
        let all = self.total_bytes()?.saturating_sub(bytes);
        self.bytes.insert((), all)?;
        Ok(true)
    }

    /// The oldest result other than `spared`, with its creation time.
    fn oldest_except(&self, spared: &str) -> Result<Option<(u64, String)>, redb::Error> {
        for age in self.ages.iter()? {
            let (key, _) = age?;
            let (created, id) = key.value();
            if id != spared {
                return Ok(Some((created, id.to_owned())));
            }
        }
        Ok(None)
    }
}

impl Store {
    /// Stores a result and deletes the oldest ones that exceed a limit.
    pub(crate) fn put_result(&self, result: &StoredResult) -> Result<(), redb::Error> {
        self.guarded(|| self.insert_result(result))
    }

    fn insert_result(&self, result: &StoredResult) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        {
            let mut tables = WritableTables::open(&writing)?;
            tables.insert(result, now())?;
            // The new result stays, however large: the client is about to read it.
            while let Some((created, id)) = tables.oldest_except(&result.id)? {
                let exceeds_limits = tables.results.len()? > self.limits.results as u64
                    || tables.total_bytes()? > self.limits.result_bytes;
                if !(exceeds_limits || self.is_expired(created)) {
                    break;
                }
                tables.remove(&id)?;
            }
        }
        writing.commit()?;
        Ok(())
    }

    /// The summary of a result, as JSON.
    pub(crate) fn result(&self, id: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        self.guarded(|| self.read_result(id))
    }

    fn read_result(&self, id: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        let results = self.database.begin_read()?.open_table(RESULTS)?;
        let found = results.get(id)?;
        Ok(found.and_then(|found| {
            let (created, _, summary) = found.value();
            (!self.is_expired(created)).then(|| summary.to_vec())
        }))
    }

    /// An output of a result.
    pub(crate) fn output(&self, id: &str, name: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        self.guarded(|| self.read_output(id, name))
    }

    fn read_output(&self, id: &str, name: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        if self.result(id)?.is_none() {
            return Ok(None);
        }
        let outputs = self.database.begin_read()?.open_table(OUTPUTS)?;
        let found = outputs.get((id, name))?;
        found.map(|output| decompress(output.value())).transpose()
    }

    /// Deletes a result; returns whether it existed.
    pub(crate) fn delete_result(&self, id: &str) -> Result<bool, redb::Error> {
        self.guarded(|| {
            let writing = self.database.begin_write()?;
            let existed = WritableTables::open(&writing)?.remove(id)?;
            writing.commit()?;
            Ok(existed)
        })
    }

    /// Reads the keys of all results.
    pub(super) fn check_results(&self) -> Result<(), redb::Error> {
        let reading = self.database.begin_read()?;
        for age in reading.open_table(AGES)?.iter()? {
            age?;
        }
        for result in reading.open_table(RESULTS)?.iter()? {
            result?;
        }
        Ok(())
    }

    /// Number of results and sites.
    pub(crate) fn counts(&self) -> Result<(u64, u64), redb::Error> {
        let results = self.guarded(|| Ok(self.database.begin_read()?.open_table(RESULTS)?.len()?))?;
        let sites = self
            .sites()
            .map_err(|cause| redb::Error::Corrupted(cause.to_string()))?;
        Ok((results, sites.len() as u64))
    }

    /// Expiry time of a result.
    pub(crate) fn expires(&self, created: jiff::Timestamp) -> jiff::Timestamp {
        let created = u64::try_from(created.as_millisecond()).unwrap_or_default();
        let age = u64::try_from(self.limits.result_age.as_millis()).unwrap_or(u64::MAX);
        timestamp(created.saturating_add(age))
    }

    fn is_expired(&self, created: u64) -> bool {
        Duration::from_millis(now().saturating_sub(created)) > self.limits.result_age
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Limits;

    fn result(id: &str, letters: usize) -> StoredResult {
        // Pseudo-random, so that it does not compress well.
        let mut number = 1_u32;
        let text = (0..letters).map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b' ' + (number >> 25) as u8 % 90)
        });
        StoredResult {
            id: id.to_owned(),
            summary: format!("{{\"id\":\"{id}\"}}").into_bytes(),
            outputs: vec![(
                "page".to_owned(),
                compress(text.collect::<String>().as_bytes()).unwrap(),
            )],
        }
    }

    fn put_all(store: &Store, ids: &[&str]) {
        for id in ids {
            store.put_result(&result(id, 10)).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn results_are_readable_until_deleted() {
        let store = Store::open(None, Limits::default()).unwrap();
        put_all(&store, &["a", "ab", "b"]);
        assert_eq!(store.result("a").unwrap().unwrap(), b"{\"id\":\"a\"}");
        assert_eq!(store.output("a", "page").unwrap().unwrap().len(), 10);
        assert_eq!(store.output("a", "menu").unwrap(), None);
        assert!(store.delete_result("a").unwrap());
        assert!(!store.delete_result("a").unwrap());
        assert_eq!(
            (store.result("a").unwrap(), store.output("a", "page").unwrap()),
            (None, None)
        );
        assert!(store.output("ab", "page").unwrap().is_some(), "others stay");
        assert_eq!(store.counts().unwrap(), (2, 0));
    }

    #[test]
    fn the_oldest_results_are_deleted_first() {
        let store = Store::open(
            None,
            Limits {
                results: 2,
                ..Limits::default()
            },
        )
        .unwrap();
        put_all(&store, &["a", "b", "c"]);
        assert_eq!(store.result("a").unwrap(), None);
        assert!(store.result("c").unwrap().is_some());
        let store = Store::open(
            None,
            Limits {
                result_bytes: 1500,
                ..Limits::default()
            },
        )
        .unwrap();
        put_all(&store, &["a", "b"]);
        store.put_result(&result("large", 100_000)).unwrap();
        assert_eq!(store.counts().unwrap().0, 1, "only the newest");
        put_all(&store, &["c"]);
        assert!(store.result("large").unwrap().is_none() && store.result("c").unwrap().is_some());
    }

    #[test]
    fn expired_results_are_not_readable() {
        let store = Store::open(
            None,
            Limits {
                result_age: Duration::ZERO,
                ..Limits::default()
            },
        )
        .unwrap();
        put_all(&store, &["a"]);
        assert_eq!(
            (store.result("a").unwrap(), store.output("a", "page").unwrap()),
            (None, None)
        );
    }
}
