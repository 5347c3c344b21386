//! Where a store is.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Name of the file in a store's folder.
const FILE: &str = "templates.redb";

/// First bytes of a redb file.
const MAGIC: &[u8] = b"redb";

/// The file of a store: the path itself if it is a file or ends in `.redb`, else the file in the folder of that name.
pub fn store_file(path: &Path) -> PathBuf {
    let names_file = path.extension().is_some_and(|extension| extension == "redb");
    match path.is_file() || (names_file && !path.is_dir()) {
        true => path.to_owned(),
        false => path.join(FILE),
    }
}

/// Whether a path means a store, be there one or not: a folder, a name that ends in `.redb`, or a file that begins like one.
pub fn is_store(path: &Path) -> bool {
    if store_file(path) != path {
        return path.is_dir();
    }
    let begins = |file: File| {
        let mut head = Vec::new();
        file.take(MAGIC.len() as u64)
            .read_to_end(&mut head)
            .is_ok_and(|_| head == MAGIC)
    };
    path.extension().is_some_and(|extension| extension == "redb") || File::open(path).is_ok_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_a_file_or_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(store_file(&at("new")), at("new").join(FILE));
        assert_eq!(store_file(&at("new.redb")), at("new.redb"));
        std::fs::write(at("odd.db"), "redb and more").unwrap();
        assert_eq!(store_file(&at("odd.db")), at("odd.db"));
        assert!(is_store(&at("odd.db")) && is_store(&at("new.redb")) && !is_store(&at("new")));
        std::fs::copy(at("odd.db"), at(FILE)).unwrap();
        assert!(is_store(folder.path()));
        std::fs::write(at("site.husk"), "\x1f\u{8b}").unwrap();
        assert!(!is_store(&at("site.husk")));
    }
}
