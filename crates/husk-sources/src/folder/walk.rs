//! Lists the pages of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::lookup::inside;
use super::names::INDEX;
use super::read::is_page;

/// The files of all pages below a folder: those of a folder before those of its subfolders, its index page
/// first, the others by name.
///
/// Hidden files, HTTrack's cache and what cannot be read are left out; symbolic links to folders are not
/// followed, so that no page comes twice and the walk ends.
pub(super) struct Pages {
    root: PathBuf,
    /// Folders still to be read, the next one last.
    folders: Vec<PathBuf>,
    /// Pages of the folder last read, the next one last.
    files: Vec<PathBuf>,
}

impl Pages {
    /// The pages below a folder, whose path must be canonical.
    pub(super) fn below(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folders: vec![root.to_owned()],
            files: Vec::new(),
        }
    }

    fn read(&mut self, folder: &Path) {
        let mut folders = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if is_skipped(&path) {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if let Ok(path) = inside(&self.root, path) {
                self.files.push(path);
            }
        }
        self.files
            .sort_by_cached_key(|file| std::cmp::Reverse(place(file)));
        folders.sort_by(|one, other| other.cmp(one));
        self.folders.extend(folders);
    }
}

impl Iterator for Pages {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        loop {
            while let Some(file) = self.files.pop() {
                if is_page(&file) {
                    return Some(file);
                }
            }
            let folder = self.folders.pop()?;
            self.read(&folder);
        }
    }
}

fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".") || name == b"hts-cache"
}

/// Where a file comes in the order of its folder.
fn place(file: &Path) -> (bool, PathBuf) {
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
}
