//! Small sites in a temporary folder, for tests.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A folder that is deleted with this value.
pub(crate) struct TestFolder(TempDir);

impl TestFolder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Adds a file and its folders.
    pub(crate) fn file(self, path: &str, content: &str) -> Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Adds a sparse file that is larger than the limit.
    pub(crate) fn large_file(self, path: &str, content: &str) -> Self {
        let folder = self.file(path, content);
        let file = fs::File::options().write(true).open(folder.path().join(path));
        file.unwrap().set_len((64 << 20) + 1).unwrap();
        folder
    }

    /// Adds a site in our own format, without pages.
    pub(crate) fn site(self, name: &str, gold: &str) -> Self {
        let site = format!(r#"{{"name": "{name}", "base_url": "https://{name}.example"}}"#);
        fs::create_dir_all(self.path().join(name).join("pages")).unwrap();
        self.file(&format!("{name}/site.json"), &site)
            .file(&format!("{name}/gold.json"), gold)
    }
}
