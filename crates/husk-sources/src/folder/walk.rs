//! Lists the pages of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::lookup::inside;
use super::names::INDEX;
use super::read::is_page;

/// The files of all pages below a folder: those of a folder before those of its subfolders, index pages first, the others by
/// name.
///
/// Skips hidden files, HTTrack's cache, system directories and what cannot be read. Symbolic links to folders are not
/// followed, so that no page comes twice and the walk ends.
pub(super) struct Pages {
    root: PathBuf,
    /// Folders still to be read, the next one last.
    folders: Vec<PathBuf>,
    /// Files of the folder last read, the next one last, and whether each is a symbolic link.
    files: Vec<(PathBuf, bool)>,
    /// How many more directory entries may be read.
    entries_left: usize,
}

impl Pages {
    /// `root` must be canonical.
    pub(super) fn below(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folders: vec![root.to_owned()],
            files: Vec::new(),
            entries_left: usize::MAX,
        }
    }

    /// Ends the walk after this many directory entries, pages or not. In a larger folder, the file system decides which come
    /// first.
    pub(super) fn within_entries(self, entries: usize) -> Self {
        Self {
            entries_left: entries,
            ..self
        }
    }

    fn read(&mut self, folder: &Path) {
        let mut folders = Vec::new();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.take(self.entries_left) {
            self.entries_left -= 1;
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if is_skipped(&path) {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else {
                self.files.push((path, kind.is_symlink()));
            }
        }
        self.files
            .sort_by_cached_key(|(file, _)| std::cmp::Reverse(sort_key(file)));
        folders.sort_by(|one, other| other.cmp(one));
        self.folders.extend(folders);
    }
}

impl Iterator for Pages {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        loop {
            while let Some((file, is_link)) = self.files.pop() {
                // Checked one at a time: a caller that wants a few pages of a large folder need not wait for all. No link
                // to a folder is followed, so only links lead out.
                let is_inside = !is_link || inside(&self.root, file.clone()).is_ok();
                if is_inside && is_page(&file) {
                    return Some(file);
                }
            }
            if self.entries_left == 0 {
                return None;
            }
            let folder = self.folders.pop()?;
            self.read(&folder);
        }
    }
}

/// System directories without sites, with endless numbers of apparent files.
const SYSTEM_FOLDERS: [&str; 3] = ["/proc", "/sys", "/dev"];

fn is_skipped(path: &Path) -> bool {
    if SYSTEM_FOLDERS.iter().any(|folder| path == Path::new(folder)) {
        return true;
    }
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".") || name == b"hts-cache"
}

/// The sort key of a file within its folder.
fn sort_key(file: &Path) -> (bool, PathBuf) {
    let is_index = file
        .file_name()
        .is_some_and(|name| INDEX.iter().any(|index| name == *index));
    (!is_index, file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let html = "<!doctype html>";
        for (file, text) in [
            ("z.html", html),
            ("index.html", html),
            ("about", html),
            ("style.css", "p {}"),
            ("b/index.htm", html),
            ("a/c.html", html),
            ("a/b/d.html", html),
            (".git/x.html", html),
            ("hts-cache/x.html", html),
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(&root, root.join("a/loop")).unwrap();
        let pages: Vec<_> = Pages::below(&root)
            .map(|file| file.strip_prefix(&root).unwrap().to_owned())
            .collect();
        let expect = [
            "index.html",
            "about",
            "z.html",
            "a/c.html",
            "a/b/d.html",
            "b/index.htm",
        ];
        assert_eq!(pages, expect.map(PathBuf::from));
    }

    #[test]
    fn walks_end_after_so_many_entries() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for number in 0..10 {
            fs::create_dir(root.join(format!("{number}"))).unwrap();
            fs::write(root.join(format!("{number}/a.html")), "").unwrap();
        }
        let count = |entries| Pages::below(&root).within_entries(entries).count();
        assert_eq!(count(10), 0, "folders count too");
        assert_eq!(count(13), 3);
        assert_eq!(count(20), 10);
        assert_eq!(count(0), 0);
    }

    #[cfg(unix)]
    #[test]
    fn folders_of_the_system_are_left_out() {
        let mut pages = Pages::below(Path::new("/"));
        pages.read(Path::new("/"));
        for folder in SYSTEM_FOLDERS {
            assert!(!pages.folders.contains(&PathBuf::from(folder)), "{folder}");
        }
        assert!(!is_skipped(Path::new("/home/site/dev")));
        assert!(!is_skipped(Path::new("/dev/shm")), "a site may lie in it");
    }
}
