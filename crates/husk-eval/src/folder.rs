//! Pages of a saved site. Stands in for the folder source of `husk-sources` until that is there.

use std::path::{Path, PathBuf};

use husk::{Page, Url};
use husk_dom::Dom;

pub(crate) struct Folder {
    root: PathBuf,
    base: Url,
}

impl Folder {
    pub(crate) fn open(root: &Path, base: Option<Url>) -> Result<Self, String> {
        Ok(Self {
            root: root.to_owned(),
            base: base.ok_or("no base")?,
        })
    }

    pub(crate) fn page(&self, file: &Path) -> Result<Page, String> {
        let path = file.to_string_lossy().into_owned();
        let path = path
            .strip_suffix("index.html")
            .or(path.strip_suffix("index.htm"))
            .unwrap_or(&path)
            .to_owned();
        let url = self.base.join(&path).map_err(|cause| cause.to_string())?;
        let bytes = std::fs::read(self.root.join(file)).map_err(|cause| cause.to_string())?;
        Ok(Page::new(url, Dom::from_bytes(&bytes, None)))
    }

    pub(crate) fn load(&self, url: &Url) -> Result<Page, String> {
        let trim = |url: &Url| {
            url.host_str()
                .unwrap_or_default()
                .trim_start_matches("www.")
                .to_owned()
        };
        if trim(url) != trim(&self.base) {
            return Err("other host".into());
        }
        let path = url.path().trim_start_matches('/');
        let candidates = [
            path.to_owned(),
            if path.is_empty() || path.ends_with('/') {
                format!("{path}index.html")
            } else {
                format!("{path}/index.html")
            },
            format!("{path}.html"),
            format!("{path}index.htm"),
        ];
        let file = candidates
            .iter()
            .find(|file| self.root.join(file).is_file())
            .ok_or("not found")?;
        self.page(Path::new(file))
    }
}
