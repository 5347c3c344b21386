//! A folder with a file for each page, named after its address.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use husk::Url;
use husk::output::ContentFormat;
use percent_encoding::percent_decode_str;

use crate::output;

/// So many bytes of a name come from the address: file systems take 255, and a number and an ending follow.
const LONGEST: usize = 180;

/// What a page is called that has no name.
const NAMELESS: &str = "index";

/// Names that stand for devices on Windows, whatever their ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Writes pages into a folder, no two into one file.
pub(crate) struct PageFiles {
    folder: PathBuf,
    /// The site as its templates name it: the folder of one that has no host.
    site: String,
    ending: &'static str,
    /// The names that are taken, in lower case since some file systems ignore case, and the last
    /// number that was put behind each.
    taken: HashMap<String, u64>,
}

impl PageFiles {
    /// Opens a folder, a new or empty one: what is in it may be of another run, or lead elsewhere.
    pub(crate) fn new(folder: &Path, site: &str, format: ContentFormat) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write to the folder {}", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
        if fs::read_dir(folder).with_context(cannot)?.next().is_some() {
            bail!(
                "{} is not empty: name a new folder, or an empty one",
                folder.display()
            );
        }
        Ok(Self {
            folder: folder.to_owned(),
            site: site.to_owned(),
            ending: match format {
                ContentFormat::Markdown => "md",
                ContentFormat::Text => "txt",
                ContentFormat::Html => "html",
            },
            taken: HashMap::new(),
        })
    }

    pub(crate) fn write(&mut self, page: &Url, result: &str) -> anyhow::Result<()> {
        let name = self.free_name(&name_of(page, &self.site));
        output::write_file(result, &self.folder.join(format!("{name}.{}", self.ending)))
    }

    /// The name, with a number behind it if it is taken.
    fn free_name(&mut self, name: &str) -> String {
        let key = name.to_lowercase();
        let Some(&count) = self.taken.get(&key) else {
            self.taken.insert(key, 1);
            return name.to_owned();
        };
        let mut number = count;
        loop {
            number += 1;
            let found = format!("{name}-{number}");
            let free = found.to_lowercase();
            if !self.taken.contains_key(&free) {
                self.taken.insert(free, 1);
                self.taken.insert(key, number);
                return found;
            }
        }
    }
}

/// The path of an address and its query as one name: letters and digits of all languages, `-`, `_` and dots within.
fn name_of(page: &Url, site: &str) -> String {
    let path = match page.scheme() {
        // Where the site lies on this machine says nothing about the page.
        "file" => {
            let whole = page.as_str().split(['?', '#']).next().unwrap_or_default();
            whole.strip_prefix(site).unwrap_or(page.path())
        }
        _ => page.path(),
    };
    let path = percent_decode_str(path).decode_utf8_lossy();
    let path = ["html", "htm", "xhtml"]
        .iter()
        .find_map(|ending| path.strip_suffix(&format!(".{ending}")))
        .unwrap_or(&path)
        .to_owned();
    let query = page.query().unwrap_or_default();
    let query = percent_decode_str(query).decode_utf8_lossy();
    let mut name = String::new();
    for letter in path.chars().chain(Some('-')).chain(query.chars()) {
        let is_plain = letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let letter = if is_plain { letter } else { '-' };
        // Never two marks in a row: `..` is a folder, and `a//b` reads like `a/b`.
        if letter.is_alphanumeric() || name.ends_with(|last: char| last.is_alphanumeric()) {
            name.push(letter);
        }
    }
    while name.len() > LONGEST {
        name.pop();
    }
    let name = name.trim_end_matches(|last: char| !last.is_alphanumeric());
    if name.is_empty() {
        return NAMELESS.to_owned();
    }
    if DEVICES.contains(&name.to_lowercase().as_str()) {
        return format!("{NAMELESS}-{name}");
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_addresses() {
        let check = |address: &str, expect: &str| {
            let name = name_of(&Url::parse(address).unwrap(), "file:///site/");
            assert_eq!(name, expect, "{address}");
        };
        check("https://a.example/", "index");
        check("https://a.example/visit/tickets/", "visit-tickets");
        check("https://a.example/b.html", "b");
        check("file:///site/c/d.htm", "c-d");
        check("file:///site/c.php?d=1", "c.php-d-1");
        check("file:///other/e.html", "other-e");
        check("https://a.example/b.php?x=1&y=%20z", "b.php-x-1-y-z");
        check("https://a.example/caf%C3%A9", "café");
        check("https://a.example/..%2F..%2Fetc%2Fpasswd", "etc-passwd");
        check("https://a.example/%2e%2e/%00%0a/", "index");
        check("https://a.example/.ssh/../.bashrc", "bashrc");
        check(
            "https://a.example/C:%5Cwindows%5Csystem.ini",
            "C-windows-system.ini",
        );
        check("https://a.example/NUL", "index-NUL");
        check("https://a.example/a....b/__/c", "a.b-c");
        let long = format!("https://a.example/{}", "%E6%96%87".repeat(500));
        let name = name_of(&Url::parse(&long).unwrap(), "a.example");
        assert!(name.len() <= LONGEST && name.starts_with('文'), "{name}");
    }

    #[test]
    fn no_two_pages_have_one_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = PageFiles::new(folder.path(), "a.example", ContentFormat::Text).unwrap();
        let names: Vec<String> = ["a", "A", "a-2", "a", "a-2", "A", "a-2-2", "b"]
            .iter()
            .map(|name| files.free_name(name).to_lowercase())
            .collect();
        let all: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(all.len(), names.len(), "{names:?}");
        assert_eq!((&*names[0], &*names[1]), ("a", "a-2"));
    }
}
