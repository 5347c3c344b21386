//! The store: the template store with tables for results in the same file.

mod results;

mod sites;

pub(crate) use results::StoredResult;
pub(crate) use sites::{SiteSummary, site_of};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use husk_store::{StoreError, TemplateStore, catch_damage, store_file};
use redb::Database;

use crate::settings::Limits;

#[derive(Clone)]
pub(crate) struct Store {
    templates: TemplateStore,
    database: Arc<Database>,
    limits: Limits,
}

/// zstd level, chosen for speed.
const COMPRESSION_LEVEL: i32 = 3;

impl Store {
    /// Opens or creates the file; keeps everything in memory if there is none.
    ///
    /// A damaged file is renamed, and a new one takes its place.
    pub(crate) fn open(file: Option<&Path>, limits: Limits) -> Result<Self, StoreError> {
        match Self::open_file(file, limits.clone()) {
            Err(cause @ StoreError::Damaged { .. }) => {
                let Some(file) = file else { return Err(cause) };
                let Ok(aside) = set_aside(file) else {
                    return Err(cause);
                };
                tracing::error!(%cause, aside = %aside.display(), "the store is damaged: it was renamed, and a new one is used");
                Self::open_file(Some(file), limits)
            }
            opened => opened,
        }
    }

    fn open_file(file: Option<&Path>, limits: Limits) -> Result<Self, StoreError> {
        let templates = match file {
            Some(file) => TemplateStore::open(file)?,
            None => TemplateStore::in_memory()?,
        };
        let mut limits = limits;
        if file.is_none() {
            limits.result_bytes = limits.result_bytes.min((limits.memory_bytes / 8) as u64);
        }
        let store = Self {
            database: templates.database().clone(),
            templates,
            limits,
        };
        let path = store.templates.path();
        catch_damage(path, || {
            // Reading all keys finds most damage.
            let usable = store.create_tables().and_then(|()| store.check_results());
            usable.map_err(StoreError::failed("open", path))?;
            store.templates.sites().map(|_| ())
        })?;
        Ok(store)
    }

    /// Reading a missing table would fail.
    fn create_tables(&self) -> Result<(), redb::Error> {
        let writing = self.database.begin_write()?;
        results::create_tables(&writing)?;
        writing.commit()?;
        Ok(())
    }

    /// Whether the store can be written.
    pub(crate) fn is_healthy(&self) -> bool {
        let written = self.guarded(|| {
            let writing = self.database.begin_write()?;
            results::touch(&writing)?;
            writing.commit()?;
            Ok(())
        });
        if let Err(cause) = &written {
            tracing::error!(%cause, "the store cannot be written");
        }
        written.is_ok()
    }

    /// Uses the database, whose library panics where pages of the file are damaged.
    fn guarded<T>(&self, work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, redb::Error> {
        let path = self.templates.path();
        catch_damage(path, || Ok(work()))
            .unwrap_or_else(|cause| Err(redb::Error::Corrupted(cause.to_string())))
    }
}

/// Renames a damaged file. Returns its new name.
fn set_aside(file: &Path) -> std::io::Result<PathBuf> {
    let file = store_file(file);
    let mut aside = file.clone().into_os_string();
    aside.push(format!(".damaged-{}", now()));
    std::fs::rename(&file, &aside)?;
    Ok(aside.into())
}

fn compress(bytes: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::bulk::compress(bytes, COMPRESSION_LEVEL).map_err(redb::Error::Io)
}

fn decompress(compressed: &[u8]) -> Result<Vec<u8>, redb::Error> {
    zstd::stream::decode_all(compressed).map_err(redb::Error::Io)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("serve.redb");
        let store = Store::open(Some(&file), Limits::default()).unwrap();
        for number in 0..50 {
            let mut result = StoredResult {
                id: format!("{number}"),
                summary: b"{}".to_vec(),
                outputs: Vec::new(),
            };
            result
                .add("page".to_owned(), &format!("{number} ").repeat(500))
                .unwrap();
            store.put_result(&result).unwrap();
        }
        assert!(store.is_healthy());
        drop(store);
        let whole = std::fs::read(&file).unwrap();
        let mut set_aside = 0;
        // Pages have 4 KiB; the first half is enough to have one of each kind.
        for page in 0..whole.len() / 4096 / 2 {
            let mut damaged = whole.clone();
            damaged[page * 4096..(page + 1) * 4096].fill(0);
            std::fs::write(&file, &damaged).unwrap();
            let store = Store::open(Some(&file), Limits::default()).unwrap();
            // What was read at start is right; the rest may fail, but does not panic.
            for number in 0..50 {
                let _ = store.output(&number.to_string(), "page");
            }
            let _ = (store.counts(), store.is_healthy(), store.delete_result("1"));
            drop(store);
            for entry in std::fs::read_dir(folder.path()).unwrap() {
                let path = entry.unwrap().path();
                set_aside += usize::from(path != file);
                std::fs::remove_file(path).unwrap();
            }
        }
        assert!(set_aside > 2, "{set_aside}");
    }

    #[test]
    fn a_file_of_something_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("thesis.txt");
        std::fs::write(&file, "Years of work. ".repeat(1000)).unwrap();
        assert!(matches!(
            Store::open(Some(&file), Limits::default()),
            Err(StoreError::NotAStore { .. })
        ));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
