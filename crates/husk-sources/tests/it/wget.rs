//! Mirrors made with wget.

use husk_sources::{Evidence, Folder};
use tempfile::TempDir;

use crate::mirror::{
    check_by_address, check_by_links, check_key_pages, check_listing, host_folder, is_installed, run,
};
use crate::server::Server;

/// Mirrors the site; none if wget is missing.
fn mirror(options: &[&str]) -> Option<(TempDir, Server)> {
    if !is_installed("wget") {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start();
    let url = server.url().to_string();
    let always = ["--no-config", "--no-verbose", "--tries=1", "--timeout=20"];
    run("wget", &[&always, options, &[&url]].concat(), folder.path());
    Some((folder, server))
}

/// The mirror opened at its root and at the host's folder, with its original URL.
fn with_address(folder: &TempDir, server: &Server) -> [Folder; 2] {
    [folder.path(), &host_folder(folder.path())].map(|root| Folder::open(root, Some(server.url())).unwrap())
}

/// The same, with `file:` URLs.
fn on_disk(folder: &TempDir) -> [Folder; 2] {
    [folder.path(), &host_folder(folder.path())].map(|root| Folder::open(root, None).unwrap())
}

fn check_rewritten(options: &[&str]) {
    let Some((folder, server)) = mirror(options) else {
        return;
    };
    let index = host_folder(folder.path()).join("index.html");
    for mut site in with_address(&folder, &server) {
        check_by_address(site.clone(), &server.url());
        check_by_links(site.clone(), &index);
        check_key_pages(&mut site);
        check_listing(site);
    }
    for site in on_disk(&folder) {
        check_by_links(site, &index);
    }
    let [_, mut site] = on_disk(&folder);
    check_key_pages(&mut site);
    let around = Folder::around(&index, None, None).unwrap();
    assert_eq!(around.folder.root(), host_folder(folder.path()));
    assert_eq!(around.guess, None, "rewritten links need no address");
}

fn check_original(options: &[&str]) {
    let Some((folder, server)) = mirror(options) else {
        return;
    };
    let host = host_folder(folder.path());
    for mut site in with_address(&folder, &server) {
        check_by_address(site.clone(), &server.url());
        check_by_links(site.clone(), &host.join("index.html"));
        check_key_pages(&mut site);
        check_listing(site);
    }
    let around = Folder::around(&host.join("docs/setup.html"), None, None).unwrap();
    assert_eq!(around.folder.root(), host);
    let guess = around.guess.unwrap();
    assert_eq!((guess.url, guess.evidence), (server.url(), Evidence::FolderName));
}

#[test]
fn mirror_with_rewritten_links() {
    check_rewritten(&[
        "--mirror",
        "--page-requisites",
        "--convert-links",
        "--adjust-extension",
    ]);
}

#[test]
fn mirror_with_rewritten_links_for_windows() {
    check_rewritten(&[
        "-r",
        "--convert-links",
        "--adjust-extension",
        "--restrict-file-names=windows",
    ]);
}

#[test]
fn mirror_with_rewritten_links_and_original_names() {
    check_rewritten(&["-r", "--convert-links"]);
}

#[test]
fn mirror_with_original_links() {
    check_original(&["-r"]);
}

#[test]
fn mirror_with_original_links_for_windows() {
    check_original(&["-r", "--restrict-file-names=windows"]);
}

#[test]
fn mirror_with_original_links_and_other_extensions() {
    check_original(&["-r", "--adjust-extension"]);
    check_original(&["-r", "--adjust-extension", "--restrict-file-names=windows"]);
}

#[test]
fn mirror_in_ascii() {
    check_original(&["-r", "--restrict-file-names=ascii"]);
}

#[test]
fn mirror_in_lower_case() {
    check_original(&["-r", "--restrict-file-names=lowercase"]);
}
