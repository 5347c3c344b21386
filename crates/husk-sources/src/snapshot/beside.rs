//! The folder that browsers save beside a page: `Page.html` and `Page_files`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use husk::dom::{Dom, NodeId, SerializeHooks, decode, serialize_with, write_attribute};
use husk::output::{Resource, Resources};
use husk::{Page, Url, base_url};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use super::listing::first_by_name;
use crate::folder::{extension, read_file};

/// The most files of a page.
const MAX_FILES: usize = 2_000;

/// The most bytes of all files.
const MAX_BYTES: u64 = 64 << 20;

/// A page writes the name of its folder in few ways, and refers to few folders that might be it.
const MAX_SPELLINGS: usize = 8;
const MAX_NAMES: usize = 64;

/// The folder beside a page, and how the page writes its name.
#[derive(Debug)]
pub(super) struct ResourceFolder {
    folder: PathBuf,
    written: BTreeSet<String>,
}

/// The name that every page gets for its folder: their own names differ, which would make equal parts of two pages look
/// different.
const COMMON_NAME: &str = "saved_files";

impl ResourceFolder {
    /// The folder beside a page's file that the page refers to.
    ///
    /// It must be named after the file, so that a page from someone else cannot include other files of the user.
    pub(super) fn of(file: &Path, dom: &Dom) -> Option<Self> {
        let (parent, stem) = (file.parent()?, file.file_stem()?.to_str()?);
        let mut steps: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for attribute in dom.nodes().flat_map(|node| dom.attributes(node)) {
            if URL_ATTRIBUTES.contains(&&**attribute.name)
                && let Some((name, written)) = first_step(attribute.value)
                && naming(&name, stem).is_some()
            {
                let spellings = steps.entry(name).or_default();
                if spellings.len() < MAX_SPELLINGS {
                    spellings.insert(written.to_owned());
                }
            }
        }
        let mut steps: Vec<_> = steps.into_iter().collect();
        steps.sort_by_cached_key(|(name, _)| naming(name, stem));
        steps.into_iter().take(MAX_NAMES).find_map(|(name, written)| {
            let folder = parent.join(name);
            let is_there = fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir());
            is_there.then_some(Self { folder, written })
        })
    }

    /// The page with the common name for its folder.
    pub(super) fn renamed(&self, dom: &Dom) -> Dom {
        let mut html = String::new();
        serialize_with(dom, dom.document(), &mut Renamed(self), &mut html);
        Dom::parse(&html)
    }

    fn with_common_name<'a>(&self, value: &'a str) -> Cow<'a, str> {
        let mut value = Cow::Borrowed(value);
        for written in &self.written {
            if value.contains(written) {
                value = Cow::Owned(value.replace(&format!("{written}/"), &format!("{COMMON_NAME}/")));
            }
        }
        value
    }

    /// The images, fonts and style sheets in the folder, by the URLs that the page has for them with the common name.
    pub(super) fn resources(&self, page: &Page) -> Resources {
        let base = base_url(page);
        let mut bytes_left = MAX_BYTES;
        let mut found = Vec::new();
        for file in files(&self.folder) {
            if let (Some(url), Some((resource, size))) = (address(&base, &file), resource(&file, bytes_left))
            {
                bytes_left = bytes_left.saturating_sub(size);
                found.push((url, resource));
            }
        }
        found.into_iter().collect()
    }
}

/// How a folder is named after a page, the likelier first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    /// As a browser or an office program does.
    Usual,
    /// Perhaps in yet another language.
    Possible,
}

/// The word for files in the languages of browsers and office programs, as appended to the name of the page.
const FILES: [&str; 22] = [
    "files",
    "file",
    "dateien",
    "fichiers",
    "archivos",
    "arquivos",
    "ficheiros",
    "bestanden",
    "filer",
    "tiedostot",
    "pliki",
    "soubory",
    "elemei",
    "dosyalar",
    "datoteke",
    "fitxers",
    "fitxategiak",
    "fajlovi",
    "failid",
    "fails",
    "bylos",
    "fisiere",
];

/// The most letters of another word for files.
const LONGEST_WORD: usize = 8;

/// How a folder is named after a page, if it is: the page's name, a separator, a word.
fn naming(folder: &str, stem: &str) -> Option<Naming> {
    let word = folder.strip_prefix(stem)?.strip_prefix(['_', '.', '-', ' '])?;
    if FILES.contains(&&*word.to_lowercase()) {
        return Some(Naming::Usual);
    }
    let is_short = (1..=LONGEST_WORD).contains(&word.chars().count());
    (is_short && word.chars().all(char::is_alphabetic)).then_some(Naming::Possible)
}

/// Attributes that contain URLs.
const URL_ATTRIBUTES: [&str; 5] = ["src", "href", "srcset", "poster", "background"];

/// Writes a page with the common name.
struct Renamed<'a>(&'a ResourceFolder);

impl SerializeHooks for Renamed<'_> {
    fn attributes(&mut self, dom: &Dom, node: NodeId, out: &mut String) {
        for attribute in dom.attributes(node) {
            let is_address = URL_ATTRIBUTES.contains(&&**attribute.name) || &**attribute.name == "style";
            let value = if is_address {
                self.0.with_common_name(attribute.value)
            } else {
                Cow::Borrowed(attribute.value)
            };
            write_attribute(attribute.name, &value, out);
        }
    }
}

/// The folder that a relative URL leads to, and how it is written.
fn first_step(address: &str) -> Option<(String, &str)> {
    let address = address.trim_start();
    let relative = address.strip_prefix("./").unwrap_or(address);
    let (written, _) = relative.split_once('/')?;
    let step = percent_decode_str(written).decode_utf8().ok()?;
    let is_name =
        !step.is_empty() && step.len() < 256 && !step.starts_with('.') && !step.contains(['/', '\\', ':']);
    is_name.then(|| (step.into_owned(), written))
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let is_regular = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let files = first_by_name(folder, MAX_FILES, |entry| is_regular(entry).then_some(()));
    files.into_iter().map(|(file, ())| file).collect()
}

fn address(base: &Url, file: &Path) -> Option<Url> {
    let name = percent_encode(file.file_name()?.to_str()?.as_bytes(), NON_ALPHANUMERIC);
    base.join(&format!("./{COMMON_NAME}/{name}")).ok()
}

/// A file as a resource of a page, and its size.
fn resource(file: &Path, limit: u64) -> Option<(Resource, u64)> {
    let kind = match extension(file)?.as_str() {
        "css" => {
            let bytes = read_file(file, limit).ok()?;
            let text = decode(&bytes, None).text.into_owned();
            return Some((Resource::StyleSheet(text), bytes.len() as u64));
        }
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "svg" => "image/svg+xml",
        "ico" => "image/x-icon",
        "bmp" => "image/bmp",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        _ => return None,
    };
    let bytes = read_file(file, limit).ok()?;
    let data = format!("data:{kind};base64,{}", STANDARD.encode(&bytes));
    Some((Resource::Data(data), bytes.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_after_pages() {
        let check = |folder: &str, stem: &str, expect| assert_eq!(naming(folder, stem), expect, "{folder}");
        for folder in ["D_files", "D.files", "D-Dateien", "D_FILES", "D_fitxategiak"] {
            check(folder, "D", Some(Naming::Usual));
        }
        check("D_ファイル", "D", Some(Naming::Possible));
        check("My page_files", "My page", Some(Naming::Usual));
        for folder in [
            "Documents",
            "D",
            "D_",
            "D files of mine",
            "D_2024",
            "D-photographs",
            "E_files",
            "d_files",
        ] {
            check(folder, "D", None);
        }
    }

    #[test]
    fn of_several_folders_the_one_named_as_usual_counts() {
        let parent = tempfile::tempdir().unwrap();
        for folder in ["D-other", "D_files", "Documents"] {
            fs::create_dir(parent.path().join(folder)).unwrap();
        }
        let file = parent.path().join("D.html");
        let found = |html| ResourceFolder::of(&file, &Dom::parse(html)).map(|beside| beside.folder);
        let html = "<img src=Documents/a.png><img src=D-other/a.png><img src=D_files/a.png>";
        assert_eq!(found(html), Some(parent.path().join("D_files")));
        assert_eq!(found("<img src=Documents/a.png>"), None);
    }

    #[test]
    fn steps_to_folders() {
        let check = |address: &str, expect: Option<&str>| {
            let found = first_step(address).map(|(name, _)| name);
            assert_eq!(found.as_deref(), expect, "{address}");
        };
        check("./My%20page_files/a.png", Some("My page_files"));
        check("page_files/a.png 1x, b.png 2x", Some("page_files"));
        check("/page_files/a.png", None);
        check("../page_files/a.png", None);
        check(".ssh/id", None);
        check("https://example.org/", None);
        check("a.png", None);
        check("%2e%2e/a", None);
        check("a%2fb/c", None);
    }
}
