//! What browsers save in a folder beside a page: `Page.html` and `Page_files`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use husk::dom::decode;
use husk::output::{Resource, Resources};
use husk::{Page, Url, base_url};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use crate::folder::{extension, read_file};

/// So many files belong to a page at most.
const MOST_FILES: usize = 2_000;

/// So many bytes are read of them.
const MOST_BYTES: u64 = 64 << 20;

/// The pictures, fonts and style sheets in folders beside a page that it refers to, by the addresses it has for them.
///
/// Only folders count that have the beginning of their name from the page's file, so that a page which somebody was
/// sent cannot have the receiver's other files put into what is written.
pub(super) fn resources(file: &Path, page: &Page) -> Resources {
    let base = base_url(page);
    let mut found = Vec::new();
    let mut bytes_left = MOST_BYTES;
    for (folder, name) in folders(file, page) {
        for path in files(&folder) {
            if found.len() >= MOST_FILES {
                break;
            }
            let Some(url) = address(&base, &name, &path) else {
                continue;
            };
            if let Some((resource, size)) = resource(&path, bytes_left) {
                bytes_left = bytes_left.saturating_sub(size);
                found.push((url, resource));
            }
        }
    }
    found.into_iter().collect()
}

/// The folders beside a page that it refers to, with their names.
fn folders(file: &Path, page: &Page) -> Vec<(PathBuf, String)> {
    let (Some(parent), Some(stem)) = (file.parent(), file.file_stem().and_then(|stem| stem.to_str())) else {
        return Vec::new();
    };
    let dom = &page.dom;
    let values = dom
        .nodes()
        .flat_map(|node| dom.attributes(node))
        .filter(|attribute| {
            matches!(
                &**attribute.name,
                "src" | "href" | "srcset" | "poster" | "background"
            )
        });
    let names: BTreeSet<String> = values
        .filter_map(|attribute| first_step(attribute.value))
        .collect();
    let own = names.into_iter().filter(|name| name.starts_with(stem));
    own.map(|name| (parent.join(&name), name))
        .filter(|(folder, _)| fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()))
        .collect()
}

/// The folder that a relative address leads to.
fn first_step(address: &str) -> Option<String> {
    let address = address.trim_start();
    let relative = address.strip_prefix("./").unwrap_or(address);
    let (step, _) = relative.split_once('/')?;
    let step = percent_decode_str(step).decode_utf8().ok()?;
    let is_name =
        !step.is_empty() && step.len() < 256 && !step.starts_with('.') && !step.contains(['/', '\\', ':']);
    is_name.then(|| step.into_owned())
}

/// The files of a folder in their order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = regular.take(MOST_FILES).map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn address(base: &Url, folder: &str, file: &Path) -> Option<Url> {
    let encoded = |name: &str| percent_encode(name.as_bytes(), NON_ALPHANUMERIC).to_string();
    let name = file.file_name()?.to_str()?;
    base.join(&format!("./{}/{}", encoded(folder), encoded(name)))
        .ok()
}

/// A file as what a page may show, and its size.
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
    fn steps_to_folders() {
        let check = |address: &str, expect: Option<&str>| {
            assert_eq!(first_step(address).as_deref(), expect, "{address}");
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
