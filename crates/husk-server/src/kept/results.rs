//! Results that can be looked at again, and shown to others, by their addresses.

use redb::{
    ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction,
};
use std::time::Duration;

use super::sites::timestamp;
use super::{Store, now, pack, unpack};

/// By the id of a result: when it was made, how many bytes its forms take, and what it is, as JSON.
const RESULTS: TableDefinition<'_, &str, (u64, u64, &[u8])> = TableDefinition::new("results");

/// By the id of a result and the name of a form: that form, packed.
const FORMS: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("forms");

/// The results by when they were made.
const AGES: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("result-ages");

/// How many bytes all results take.
const BYTES: TableDefinition<'_, (), u64> = TableDefinition::new("result-bytes");

/// A result on its way into the store.
#[derive(Debug, Clone)]
pub(crate) struct KeptResult {
    pub(crate) id: String,
    /// What it is, as JSON.
    pub(crate) summary: Vec<u8>,
    /// Its forms by name.
    pub(crate) forms: Vec<(&'static str, String)>,
}

/// The tables while results are written.
struct Writing<'a> {
    results: Table<'a, &'static str, (u64, u64, &'static [u8])>,
    forms: Table<'a, (&'static str, &'static str), &'static [u8]>,
    ages: Table<'a, (u64, &'static str), ()>,
    bytes: Table<'a, (), u64>,
}

pub(super) fn make_tables(writing: &WriteTransaction) -> Result<(), redb::Error> {
    Writing::open(writing).map(|_| ())
}

impl<'a> Writing<'a> {
    fn open(writing: &'a WriteTransaction) -> Result<Self, redb::Error> {
        Ok(Self {
            results: writing.open_table(RESULTS)?,
            forms: writing.open_table(FORMS)?,
            ages: writing.open_table(AGES)?,
            bytes: writing.open_table(BYTES)?,
        })
    }

    fn all_bytes(&self) -> Result<u64, redb::Error> {
        Ok(self.bytes.get(())?.map_or(0, |bytes| bytes.value()))
    }

    fn insert(&mut self, result: &KeptResult, made: u64) -> Result<(), redb::Error> {
        let mut bytes = result.summary.len() as u64;
        for (name, text) in &result.forms {
            let packed = pack(text.as_bytes())?;
            bytes += packed.len() as u64;
            self.forms.insert((&*result.id, *name), &*packed)?;
        }
        self.results
            .insert(&*result.id, (made, bytes, &*result.summary))?;
        self.ages.insert((made, &*result.id), ())?;
        let all = self.all_bytes()? + bytes;
        self.bytes.insert((), all)?;
        Ok(())
    }

    fn remove(&mut self, id: &str) -> Result<bool, redb::Error> {
        let removed = self.results.remove(id)?.map(|removed| {
            let (made, bytes, _) = removed.value();
            (made, bytes)
        });
        let Some((made, bytes)) = removed else {
            return Ok(false);
        };
        self.ages.remove((made, id))?;
        self.forms
            .retain_in((id, "")..=(id, "\u{10FFFF}"), |_, _| false)?;
        let all = self.all_bytes()?.saturating_sub(bytes);
        self.bytes.insert((), all)?;
        Ok(true)
    }

    /// The oldest result but one, and when it was made.
    fn oldest_but(&self, spared: &str) -> Result<Option<(u64, String)>, redb::Error> {
        for age in self.ages.iter()? {
            let (key, _) = age?;
            let (made, id) = key.value();
            if id != spared {
                return Ok(Some((made, id.to_owned())));
            }
        }
        Ok(None)
    }
}

impl Store {
    /// Keeps a result; others that are too old, too many or too large together go.
    pub(crate) fn keep_result(&self, result: &KeptResult) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        {
            let mut tables = Writing::open(&writing)?;
            tables.insert(result, now())?;
            // The newest stays, however large: somebody is about to look at it.
            while let Some((made, id)) = tables.oldest_but(&result.id)? {
                let is_too_much = tables.results.len()? > self.limits.results as u64
                    || tables.all_bytes()? > self.limits.result_bytes;
                if !(is_too_much || self.is_expired(made)) {
                    break;
                }
                tables.remove(&id)?;
            }
        }
        writing.commit()?;
        Ok(())
    }

    /// What a result is, as JSON.
    pub(crate) fn result(&self, id: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        let results = self.database.begin_read()?.open_table(RESULTS)?;
        let found = results.get(id)?;
        Ok(found.and_then(|found| {
            let (made, _, summary) = found.value();
            (!self.is_expired(made)).then(|| summary.to_vec())
        }))
    }

    /// A form of a result.
    pub(crate) fn form(&self, id: &str, name: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        if self.result(id)?.is_none() {
            return Ok(None);
        }
        let forms = self.database.begin_read()?.open_table(FORMS)?;
        let found = forms.get((id, name))?;
        found.map(|packed| unpack(packed.value())).transpose()
    }

    /// Forgets a result; tells whether there was one.
    pub(crate) fn forget_result(&self, id: &str) -> Result<bool, redb::Error> {
        let writing = self.database.begin_write()?;
        let was_there = Writing::open(&writing)?.remove(id)?;
        writing.commit()?;
        Ok(was_there)
    }

    /// How many results and sites there are.
    pub(crate) fn counts(&self) -> Result<(u64, u64), redb::Error> {
        let reading = self.database.begin_read()?;
        let results = reading.open_table(RESULTS)?.len()?;
        Ok((results, self.sites()?.len() as u64))
    }

    /// When a result that is made now is forgotten.
    pub(crate) fn expires(&self, made: jiff::Timestamp) -> jiff::Timestamp {
        let made = u64::try_from(made.as_millisecond()).unwrap_or_default();
        let age = u64::try_from(self.limits.result_age.as_millis()).unwrap_or(u64::MAX);
        timestamp(made.saturating_add(age))
    }

    fn is_expired(&self, made: u64) -> bool {
        Duration::from_millis(now().saturating_sub(made)) > self.limits.result_age
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Limits;

    fn result(id: &str, letters: usize) -> KeptResult {
        // Not to be packed to nothing.
        let mut number = 1_u32;
        let text = (0..letters).map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b' ' + (number >> 25) as u8 % 90)
        });
        KeptResult {
            id: id.to_owned(),
            summary: format!("{{\"id\":\"{id}\"}}").into_bytes(),
            forms: vec![("page", text.collect())],
        }
    }

    fn keep(store: &Store, ids: &[&str]) {
        for id in ids {
            store.keep_result(&result(id, 10)).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn results_come_back_until_they_are_forgotten() {
        let store = Store::open(None, Limits::default()).unwrap();
        keep(&store, &["a", "ab", "b"]);
        assert_eq!(store.result("a").unwrap().unwrap(), b"{\"id\":\"a\"}");
        assert_eq!(store.form("a", "page").unwrap().unwrap().len(), 10);
        assert_eq!(store.form("a", "menu").unwrap(), None);
        assert!(store.forget_result("a").unwrap());
        assert!(!store.forget_result("a").unwrap());
        assert_eq!(
            (store.result("a").unwrap(), store.form("a", "page").unwrap()),
            (None, None)
        );
        assert!(store.form("ab", "page").unwrap().is_some(), "others stay");
        assert_eq!(store.counts().unwrap(), (2, 0));
    }

    #[test]
    fn the_oldest_make_room() {
        let store = Store::open(
            None,
            Limits {
                results: 2,
                ..Limits::default()
            },
        )
        .unwrap();
        keep(&store, &["a", "b", "c"]);
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
        keep(&store, &["a", "b"]);
        store.keep_result(&result("large", 100_000)).unwrap();
        assert_eq!(store.counts().unwrap().0, 1, "only the newest");
        keep(&store, &["c"]);
        assert!(store.result("large").unwrap().is_none() && store.result("c").unwrap().is_some());
    }

    #[test]
    fn what_is_expired_is_gone() {
        let store = Store::open(
            None,
            Limits {
                result_age: Duration::ZERO,
                ..Limits::default()
            },
        )
        .unwrap();
        keep(&store, &["a"]);
        assert_eq!(
            (store.result("a").unwrap(), store.form("a", "page").unwrap()),
            (None, None)
        );
    }
}
