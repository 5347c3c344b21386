//! Finds the first of several candidate names that is a file below a folder.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::source::LoadError;

/// The first name that is a file, or else the first that exactly one file matches in another letter case.
///
/// A file outside `root`, reached through a symbolic link, is an error.
pub(super) fn find(root: &Path, names: &[PathBuf]) -> Result<Option<PathBuf>, LoadError> {
    find_by(&mut Listings::default(), root, names)
}

/// The same with a cache of listings, so that no folder is listed twice.
pub(super) fn find_by(
    listings: &mut Listings,
    root: &Path,
    names: &[PathBuf],
) -> Result<Option<PathBuf>, LoadError> {
    for name in names {
        // Most names of a missing page are in folders that are missing, too.
        let folder = name.parent().unwrap_or(Path::new(""));
        if !listings.has_folder(root, folder) {
            continue;
        }
        let path = root.join(name);
        if listings.is_file(&path)? {
            return inside(root, path).map(Some);
        }
    }
    match find_in_any_case(listings, root, names) {
        Some(path) => inside(root, path).map(Some),
        None => Ok(None),
    }
}

/// The path, if it is below `root` after following symbolic links.
pub(super) fn inside(root: &Path, path: PathBuf) -> Result<PathBuf, LoadError> {
    match fs::canonicalize(&path) {
        Ok(real) if real.starts_with(root) => Ok(path),
        Ok(_) => Err(LoadError::Outside {
            file: path,
            root: root.to_owned(),
        }),
        Err(cause) => Err(LoadError::Io { path, cause }),
    }
}

/// Whether an error means that there is no such file; names too long to exist included.
pub(super) fn is_absence(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename | ErrorKind::InvalidInput
    )
}

fn find_in_any_case(listings: &mut Listings, root: &Path, names: &[PathBuf]) -> Option<PathBuf> {
    for name in names {
        let found = listings.matches(root, name);
        match &found[..] {
            [] => {}
            [only] => return Some(only.clone()),
            // Ambiguous.
            _ => return None,
        }
    }
    None
}

/// What is known of the folders seen so far.
#[derive(Default)]
pub(super) struct Listings {
    /// The entries of each by lower-case name.
    entries: HashMap<PathBuf, HashMap<String, Vec<OsString>>>,
    /// Whether there is such a folder.
    folders: HashMap<PathBuf, bool>,
    /// How often the system was asked for a file or folder.
    #[cfg(test)]
    asked: usize,
}

impl Listings {
    /// Whether there is something other than a folder. Devices count: reading them fails with a reason.
    fn is_file(&mut self, path: &Path) -> Result<bool, LoadError> {
        match self.metadata(path) {
            Ok(found) => Ok(!found.is_dir()),
            Err(cause) if is_absence(&cause) => Ok(false),
            Err(cause) => Err(LoadError::Io {
                path: path.to_owned(),
                cause,
            }),
        }
    }

    /// Whether there may be a folder below `root`: one that cannot be looked at counts.
    fn has_folder(&mut self, root: &Path, folder: &Path) -> bool {
        if folder.as_os_str().is_empty() {
            return true;
        }
        if let Some(&is_there) = self.folders.get(folder) {
            return is_there;
        }
        // From the top down, without recursion: a path may have thousands of steps.
        let above = folder
            .ancestors()
            .skip(1)
            .find_map(|above| self.folders.get(above));
        let is_there = above.is_none_or(|&is_there| is_there)
            && match self.metadata(&root.join(folder)) {
                Ok(found) => found.is_dir(),
                Err(cause) => !is_absence(&cause),
            };
        self.folders.insert(folder.to_owned(), is_there);
        is_there
    }

    fn metadata(&mut self, path: &Path) -> io::Result<fs::Metadata> {
        #[cfg(test)]
        {
            self.asked += 1;
        }
        fs::metadata(path)
    }

    /// The files below `root` whose path is `name` in any letter case.
    fn matches(&mut self, root: &Path, name: &Path) -> Vec<PathBuf> {
        let mut found = vec![root.to_owned()];
        for part in name.components() {
            let Component::Normal(part) = part else {
                return Vec::new();
            };
            let wanted = part.to_string_lossy().to_lowercase();
            found = found
                .iter()
                .flat_map(|folder| self.entries(folder, &wanted))
                .collect();
        }
        found.retain(|path| path.is_file());
        found
    }

    fn entries(&mut self, folder: &Path, wanted: &str) -> Vec<PathBuf> {
        let listing = self
            .entries
            .entry(folder.to_owned())
            .or_insert_with(|| list(folder));
        let names = listing.get(wanted).map(Vec::as_slice).unwrap_or_default();
        names.iter().map(|name| folder.join(name)).collect()
    }
}

/// The entries of a folder by lower-case name; none if it cannot be read.
fn list(folder: &Path) -> HashMap<String, Vec<OsString>> {
    let mut listing: HashMap<_, Vec<_>> = HashMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        listing
            .entry(name.to_string_lossy().to_lowercase())
            .or_default()
            .push(name);
    }
    listing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[&str], names: &[&str], expect: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for file in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        let found = find(&root, &names).unwrap();
        assert_eq!(
            found,
            expect.map(|name| root.join(name)),
            "{names:?} in {files:?}"
        );
    }

    #[test]
    fn a_missing_page_is_asked_for_a_few_times() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("there")).unwrap();
        let mut listings = Listings::default();
        for number in 0..1000 {
            let of = |folder: &'static str| {
                (0..40).map(move |index| format!("{folder}/{number}/index{index}.html").into())
            };
            let names: Vec<PathBuf> = of("there").chain(of("gone")).collect();
            assert_eq!(find_by(&mut listings, &root, &names).unwrap(), None);
        }
        assert!(listings.asked <= 2002, "{}", listings.asked);
    }

    #[test]
    fn the_first_name_wins() {
        check(
            &["a.html", "a/index.html"],
            &["a", "a.html", "a/index.html"],
            Some("a.html"),
        );
        check(&["a.html", "A"], &["a", "a.html"], Some("a.html"));
        check(&["a.html"], &["b"], None);
        check(&["a.html"], &["a.html/b"], None);
    }

    #[test]
    fn letter_case_matters_only_if_it_can() {
        check(
            &["Docs/Guide.HTML"],
            &["docs/guide.html"],
            Some("Docs/Guide.HTML"),
        );
        check(
            &["Docs/a.html", "docs/b.html"],
            &["DOCS/B.html"],
            Some("docs/b.html"),
        );
        check(&["A.html", "a.HTML"], &["a.html"], None);
        check(&["ÜBER.html"], &["über.html"], Some("ÜBER.html"));
    }

    #[test]
    fn many_questions_list_a_folder_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let mut listings = Listings::default();
        let mut find = || find_by(&mut listings, &root, &["a.html".into()]).unwrap();
        assert_eq!(find(), None);
        fs::write(root.join("A.html"), "").unwrap();
        assert_eq!(find(), None, "the listing is that of the first question");
    }

    #[test]
    fn names_too_long_to_exist_do_not() {
        check(&["a"], &[&"x".repeat(5000), "a"], Some("a"));
    }

    #[cfg(unix)]
    #[test]
    fn links_may_not_leave_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("secret.html");
        let root = folder.path().join("site");
        fs::create_dir(&root).unwrap();
        let root = root.canonicalize().unwrap();
        fs::write(&outside, "secret").unwrap();
        fs::write(root.join("real.html"), "real").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("out.html")).unwrap();
        std::os::unix::fs::symlink(folder.path(), root.join("up")).unwrap();
        std::os::unix::fs::symlink("real.html", root.join("in.html")).unwrap();
        std::os::unix::fs::symlink("gone.html", root.join("broken.html")).unwrap();

        let find = |name: &str| find(&root, &[name.into()]);
        assert!(matches!(find("out.html"), Err(LoadError::Outside { .. })));
        assert!(matches!(find("OUT.html"), Err(LoadError::Outside { .. })));
        assert!(matches!(find("up/secret.html"), Err(LoadError::Outside { .. })));
        assert_eq!(find("in.html").unwrap(), Some(root.join("in.html")));
        assert_eq!(find("broken.html").unwrap(), None);
    }
}
