//! Opens, reads and updates a store.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::backends::InMemoryBackend;
use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTable, StorageError,
    WriteTransaction,
};

use crate::error::StoreError;
use crate::location::store_file;
use crate::site::{SiteInfo, StoredSite, unpack};
use crate::tables::{FORMAT, LAST_RUN, NUMBERS, REVISION, SITES, StoreUpdate, read_stored};

/// The format of this version. Increases when older versions can't read the store.
const CURRENT_FORMAT: u64 = 2;

/// Size of the database's cache.
const CACHE_BYTES: usize = 32 << 20;

/// A store, open for reading and writing. Other processes can't open it meanwhile.
#[derive(Clone)]
pub struct TemplateStore {
    path: PathBuf,
    database: Arc<Database>,
}

impl TemplateStore {
    /// Opens the store at a path ([`store_file`]); creates it, and its folder, if there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = store_file(path);
        if !path.exists() {
            Self::create(&path)?;
        }
        catch_damage(&path, || Self::open_file(path.clone()))
    }

    fn open_file(path: PathBuf) -> Result<Self, StoreError> {
        reject_empty(&path)?;
        let database = builder().open(&path).map_err(|cause| cannot_open(cause, &path))?;
        Self::prepare(database, path)
    }

    /// Writes a store beside its place and moves it there when it is whole: the database takes several steps to create a
    /// file, and could not open one that a killed process left between them.
    fn create(path: &Path) -> Result<(), StoreError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut beside = tempfile::Builder::new();
        beside.prefix(".husk-");
        // Temporary files are private otherwise; the umask still counts.
        #[cfg(unix)]
        beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let begin = || fs::create_dir_all(folder).and_then(|()| beside.tempfile_in(folder));
        let beside = begin()
            .map_err(StoreError::failed("create", path))?
            .into_temp_path();
        let database = builder().create(&beside);
        let database = database.map_err(|cause| cannot_open(cause, path))?;
        Self::prepare(database, path.to_owned())?;
        match beside.persist_noclobber(path) {
            // Another process was faster.
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done.map_err(|failed| StoreError::failed("create", path)(failed.error)),
        }
    }

    /// A store in memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from("in memory");
        let database = builder().create_with_backend(InMemoryBackend::new());
        let database = database.map_err(|cause| cannot_open(cause, &path))?;
        Self::prepare(database, path)
    }

    /// Checks the format, and creates the tables: reading a missing one would fail.
    fn prepare(database: Database, path: PathBuf) -> Result<Self, StoreError> {
        let create = || -> Result<u64, redb::Error> {
            let writing = database.begin_write()?;
            let found = {
                let mut numbers = writing.open_table(NUMBERS)?;
                let found = numbers.get(FORMAT)?.map(|found| found.value());
                if found.is_none() {
                    numbers.insert(FORMAT, CURRENT_FORMAT)?;
                }
                found.unwrap_or(CURRENT_FORMAT)
            };
            if found == CURRENT_FORMAT {
                writing.open_table(LAST_RUN)?;
                StoreUpdate::begin(&writing, &path)?;
                writing.commit()?;
            }
            Ok(found)
        };
        let format = create().map_err(StoreError::failed("open", &path))?;
        require_format(format, &path)?;
        Ok(Self {
            path,
            database: Arc::new(database),
        })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database, for tables of others beside those of the store.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The templates of a site. None as well if another version of Husk wrote them in a form that this one can't read.
    pub fn site(&self, site: &str) -> Result<Option<StoredSite>, StoreError> {
        read_site(&*self.database, site).map_err(StoreError::failed("read", &self.path))
    }

    /// What is known of every site, sorted by name.
    pub fn sites(&self) -> Result<Vec<SiteInfo>, StoreError> {
        read_sites(&*self.database).map_err(StoreError::failed("read", &self.path))
    }

    /// The number of updates so far.
    pub fn revision(&self) -> Result<u64, StoreError> {
        let read = || -> Result<u64, redb::Error> {
            let numbers = self.database.begin_read()?.open_table(NUMBERS)?;
            Ok(numbers.get(REVISION)?.map_or(0, |found| found.value()))
        };
        read().map_err(StoreError::failed("read", &self.path))
    }

    /// The run that made the last update, if it has a name.
    pub fn last_run(&self) -> Result<Option<String>, StoreError> {
        let read = || -> Result<Option<String>, redb::Error> {
            let runs = self.database.begin_read()?.open_table(LAST_RUN)?;
            Ok(runs.get(())?.map(|found| found.value().to_owned()))
        };
        read().map_err(StoreError::failed("read", &self.path))
    }

    /// Makes changes: all or, after a failure or a kill, none. `run` is the name of the run that makes them, if it has one.
    pub fn update<T, E: From<StoreError>>(
        &self,
        run: Option<&str>,
        change: impl FnOnce(&mut StoreUpdate<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let failed = |cause: redb::Error| StoreError::failed("write", &self.path)(cause);
        let writing = self
            .database
            .begin_write()
            .map_err(|cause| failed(cause.into()))?;
        let changed = change(&mut StoreUpdate::begin(&writing, &self.path).map_err(failed)?)?;
        count_update(&writing, run).map_err(failed)?;
        writing.commit().map_err(|cause| failed(cause.into()))?;
        Ok(changed)
    }
}

/// Runs what reads or writes a store. The library panics where pages of the file are damaged; that becomes an error.
pub fn catch_damage<T>(path: &Path, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let cause = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(StoreError::Damaged {
            path: path.to_owned(),
            cause: cause.unwrap_or("its pages do not fit together").to_owned(),
        })
    })
}

fn count_update(writing: &WriteTransaction, run: Option<&str>) -> Result<(), redb::Error> {
    let mut numbers = writing.open_table(NUMBERS)?;
    let revision = numbers.get(REVISION)?.map_or(0, |found| found.value());
    numbers.insert(REVISION, revision + 1)?;
    let mut runs = writing.open_table(LAST_RUN)?;
    match run {
        Some(run) => runs.insert((), run)?,
        None => runs.remove(())?,
    };
    Ok(())
}

/// A store, open for reading. Other processes may read it, too.
pub struct StoreReader {
    path: PathBuf,
    database: ReadAccess,
}

enum ReadAccess {
    Shared(ReadOnlyDatabase),
    /// A killed process left the file to be repaired, which takes writing.
    Repaired(Database),
}

impl StoreReader {
    /// Opens the store at a path ([`store_file`]).
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = store_file(path);
        if !path.exists() {
            return Err(StoreError::Missing { path });
        }
        catch_damage(&path, || Self::open_file(path.clone()))
    }

    fn open_file(path: PathBuf) -> Result<Self, StoreError> {
        reject_empty(&path)?;
        let database = match builder().open_read_only(&path) {
            Ok(database) => ReadAccess::Shared(database),
            Err(DatabaseError::RepairAborted) => {
                ReadAccess::Repaired(builder().open(&path).map_err(|cause| cannot_open(cause, &path))?)
            }
            Err(cause) => return Err(cannot_open(cause, &path)),
        };
        let reader = Self { path, database };
        let format = match &reader.database {
            ReadAccess::Shared(database) => read_format(database),
            ReadAccess::Repaired(database) => read_format(database),
        };
        require_format(
            format.map_err(StoreError::failed("read", &reader.path))?,
            &reader.path,
        )?;
        Ok(reader)
    }

    /// The templates of a site. None as well if another version of Husk wrote them in a form that this one can't read.
    pub fn site(&self, site: &str) -> Result<Option<StoredSite>, StoreError> {
        let found = match &self.database {
            ReadAccess::Shared(database) => read_site(database, site),
            ReadAccess::Repaired(database) => read_site(database, site),
        };
        found.map_err(StoreError::failed("read", &self.path))
    }

    /// What is known of every site, sorted by name.
    pub fn sites(&self) -> Result<Vec<SiteInfo>, StoreError> {
        let found = match &self.database {
            ReadAccess::Shared(database) => read_sites(database),
            ReadAccess::Repaired(database) => read_sites(database),
        };
        found.map_err(StoreError::failed("read", &self.path))
    }
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn read_site(database: &impl ReadableDatabase, site: &str) -> Result<Option<StoredSite>, redb::Error> {
    let sites = database.begin_read()?.open_table(SITES)?;
    let Some(found) = sites.get(site)? else {
        return Ok(None);
    };
    let (info, packed) = read_stored(site, found.value())?;
    Ok(unpack(packed)
        .ok()
        .map(|templates| StoredSite { info, templates }))
}

fn read_sites(database: &impl ReadableDatabase) -> Result<Vec<SiteInfo>, redb::Error> {
    let sites = database.begin_read()?.open_table(SITES)?;
    let infos = sites.iter()?.map(|site| {
        let (site, stored) = site?;
        Ok(read_stored(site.value(), stored.value())?.0)
    });
    infos.collect()
}

fn read_format(database: &impl ReadableDatabase) -> Result<u64, redb::Error> {
    let numbers = database.begin_read()?.open_table(NUMBERS)?;
    Ok(numbers.get(FORMAT)?.map_or(CURRENT_FORMAT, |found| found.value()))
}

fn require_format(found: u64, path: &Path) -> Result<(), StoreError> {
    let (path, known) = (path.to_owned(), CURRENT_FORMAT);
    match found.cmp(&known) {
        Ordering::Greater => Err(StoreError::NewerFormat { path, found, known }),
        Ordering::Less => Err(StoreError::OlderFormat { path, found, known }),
        Ordering::Equal => Ok(()),
    }
}

/// The database takes an empty file for a new one, but a store that lost everything is none.
fn reject_empty(path: &Path) -> Result<(), StoreError> {
    match fs::metadata(path).is_ok_and(|found| found.len() == 0) {
        true => Err(StoreError::Damaged {
            path: path.to_owned(),
            cause: "it is empty".to_owned(),
        }),
        false => Ok(()),
    }
}

/// Whether the start of a file was lost, as after a failure of the disk.
fn begins_with_zeroes(path: &Path) -> bool {
    let mut start = [0; 64];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start.iter().all(|&byte| byte == 0)
}

fn cannot_open(cause: DatabaseError, path: &Path) -> StoreError {
    let path = path.to_owned();
    match cause {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse { path },
        DatabaseError::Storage(StorageError::Io(cause)) if cause.kind() == io::ErrorKind::InvalidData => {
            match begins_with_zeroes(&path) {
                true => StoreError::Damaged {
                    path,
                    cause: "its first page is empty".to_owned(),
                },
                false => StoreError::NotAStore { path },
            }
        }
        cause => StoreError::failed("open", &path)(cause),
    }
}

#[cfg(test)]
mod tests {
    use husk::SiteTemplates;
    use jiff::Timestamp;

    use super::*;
    use crate::site::{LearnedBy, PackedTemplates};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn put(store: &TemplateStore, site: &str, learned: i64, learned_by: LearnedBy) {
        let templates = SiteTemplates::new(site);
        let info = SiteInfo::learned(&templates, at(learned), learned_by);
        let packed = PackedTemplates::pack(&templates).unwrap();
        store.update(None, |update| update.put(&info, &packed)).unwrap();
    }

    fn names(infos: Vec<SiteInfo>) -> Vec<String> {
        infos.into_iter().map(|info| info.site).collect()
    }

    #[test]
    fn sites_are_stored_replaced_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/store");
        let store = TemplateStore::open(&path).unwrap();
        for (site, learned) in [("b.org", 1), ("a.org", 2), ("b.org", 3)] {
            put(&store, site, learned, LearnedBy::Bulk);
        }
        assert_eq!((store.revision().unwrap(), store.last_run().unwrap()), (3, None));
        drop(store);
        let reader = StoreReader::open(&path).unwrap();
        let other = StoreReader::open(&path).unwrap();
        assert_eq!(names(other.sites().unwrap()), ["a.org", "b.org"]);
        let found = reader.site("b.org").unwrap().unwrap();
        assert_eq!((found.templates.site(), found.info.learned), ("b.org", at(3)));
        assert!(reader.site("c.org").unwrap().is_none());
        assert!(matches!(
            TemplateStore::open(&path),
            Err(StoreError::InUse { .. })
        ));
        drop((reader, other));
        let store = TemplateStore::open(&path).unwrap();
        assert!(matches!(StoreReader::open(&path), Err(StoreError::InUse { .. })));
        assert!(
            store
                .update(Some("run 1"), |update| update.remove("b.org"))
                .unwrap()
        );
        assert!(
            !store
                .update(Some("run 2"), |update| update.remove("b.org"))
                .unwrap()
        );
        assert_eq!(store.last_run().unwrap().as_deref(), Some("run 2"));
        assert_eq!(names(store.sites().unwrap()), ["a.org"]);
    }

    /// A process that is killed meanwhile leaves a store or none.
    #[test]
    fn a_new_store_is_whole_as_soon_as_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..20 {
            let path = folder.path().join(format!("{number}.redb"));
            let first_seen = std::thread::scope(|scope| {
                let seen = scope.spawn(|| {
                    loop {
                        if let Ok(bytes) = fs::read(&path) {
                            break bytes;
                        }
                    }
                });
                TemplateStore::open(&path).unwrap();
                seen.join().unwrap()
            });
            let copy = folder.path().join("copy.redb");
            fs::write(&copy, first_seen).unwrap();
            let reader = StoreReader::open(&copy).map_err(|error| error.to_string());
            assert_eq!(reader.map(|reader| reader.sites().unwrap()), Ok(Vec::new()));
        }
        let mut files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.retain(|file| file.extension().is_none());
        assert_eq!(files, Vec::<PathBuf>::new());
    }

    #[test]
    fn infos_change_without_templates() {
        let store = TemplateStore::in_memory().unwrap();
        put(&store, "a.org", 1, LearnedBy::Bulk);
        let mut info = store.site("a.org").unwrap().unwrap().info;
        (info.checked, info.checked_pages, info.fit) = (Some(at(9)), 5, Some(0.8));
        store.update(None, |update| update.put_info(&info)).unwrap();
        let found = store.site("a.org").unwrap().unwrap();
        assert_eq!((found.info, found.templates.site()), (info.clone(), "a.org"));
        info.site = "b.org".to_owned();
        store.update(None, |update| update.put_info(&info)).unwrap();
        assert!(store.site("b.org").unwrap().is_none());
    }

    #[test]
    fn only_what_the_server_learned_expires() {
        let store = TemplateStore::in_memory().unwrap();
        for (site, learned, by) in [
            ("old.org", 1, LearnedBy::Serve),
            ("crawled.org", 2, LearnedBy::Bulk),
            ("a.org", 10, LearnedBy::Serve),
            ("b.org", 11, LearnedBy::Serve),
            ("a.org", 12, LearnedBy::Serve),
            ("c.org", 13, LearnedBy::Serve),
        ] {
            put(&store, site, learned, by);
        }
        let expire = |before, most| {
            store
                .update(None, |update| update.expire_served(at(before), most))
                .unwrap()
        };
        expire(5, 9);
        assert_eq!(
            names(store.sites().unwrap()),
            ["a.org", "b.org", "c.org", "crawled.org"]
        );
        expire(5, 2);
        assert_eq!(names(store.sites().unwrap()), ["a.org", "c.org", "crawled.org"]);
        put(&store, "a.org", 14, LearnedBy::Bulk);
        expire(99, 9);
        assert_eq!(names(store.sites().unwrap()), ["a.org", "crawled.org"]);
    }

    #[test]
    fn a_failed_update_changes_nothing() {
        let store = TemplateStore::in_memory().unwrap();
        put(&store, "a.org", 1, LearnedBy::Bulk);
        let failed = store.update(None, |update| {
            update.remove("a.org")?;
            Err::<(), _>(StoreError::failed("write", Path::new("it"))(io::Error::other(
                "on purpose",
            )))
        });
        assert!(failed.unwrap_err().to_string().contains("on purpose"));
        assert_eq!(
            (names(store.sites().unwrap()).len(), store.revision().unwrap()),
            (1, 1)
        );
    }

    #[test]
    fn what_is_no_store_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.redb");
        let missing = StoreReader::open(&path).err().unwrap().to_string();
        assert!(
            missing.contains("no template store in") && missing.contains("letter.redb"),
            "{missing}"
        );
        fs::write(&path, "Dear reader, ".repeat(1000)).unwrap();
        for error in [StoreReader::open(&path).err(), TemplateStore::open(&path).err()] {
            let error = error.unwrap().to_string();
            assert!(
                error.contains("letter.redb is not a template store: name one"),
                "{error}"
            );
        }
        fs::write(&path, "").unwrap();
        for error in [StoreReader::open(&path).err(), TemplateStore::open(&path).err()] {
            let error = error.unwrap().to_string();
            assert!(
                error.contains("letter.redb is damaged (it is empty): put"),
                "{error}"
            );
        }
        let store = TemplateStore::open(&folder.path().join("new")).unwrap();
        let writing = store.database().begin_write().unwrap();
        writing.open_table(NUMBERS).unwrap().insert(FORMAT, 9).unwrap();
        writing.commit().unwrap();
        drop(store);
        let newer = StoreReader::open(&folder.path().join("new"))
            .err()
            .unwrap()
            .to_string();
        assert!(
            newer.contains("has format 9") && newer.contains("update husk"),
            "{newer}"
        );
    }
    #[test]
    fn a_truncated_store_is_named_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        put(&TemplateStore::open(&path).unwrap(), "a.org", 1, LearnedBy::Bulk);
        let whole = fs::read(&path).unwrap();
        for length in [400, 5_000, whole.len() / 2] {
            fs::write(&path, &whole[..length]).unwrap();
            for error in [StoreReader::open(&path).err(), TemplateStore::open(&path).err()] {
                let error = error.unwrap().to_string();
                assert!(
                    error.contains("is damaged") && error.contains("remove it"),
                    "{length}: {error}"
                );
            }
        }
    }

    /// Bits that flip in what is stored of a site.
    #[test]
    fn a_damaged_site_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let store = TemplateStore::open(&path).unwrap();
        put(&store, "a.org", 1, LearnedBy::Bulk);
        let info = store.site("a.org").unwrap().unwrap().info;
        drop(store);
        let whole = fs::read(&path).unwrap();
        let json = serde_json::to_vec(&info).unwrap();
        let found = whole
            .windows(json.len())
            .rposition(|bytes| bytes == json)
            .unwrap();
        for at in found..found + json.len() + 20 {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            fs::write(&path, &damaged).unwrap();
            let reader = StoreReader::open(&path).unwrap();
            let errors = [reader.site("a.org").err(), reader.sites().err()];
            drop(reader);
            let store = TemplateStore::open(&path).unwrap();
            // Writing must not give a new checksum to what is damaged.
            let updated = store.update(None, |update| update.put_info(&info)).err();
            for error in errors.into_iter().chain([store.site("a.org").err(), updated]) {
                let error = error.unwrap().to_string();
                assert!(
                    error.contains("store.redb is damaged (the checksum of a.org differs)"),
                    "byte {at}: {error}"
                );
            }
        }
    }
}
