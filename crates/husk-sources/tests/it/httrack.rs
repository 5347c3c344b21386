//! Mirrors made with HTTrack, which takes about a second for each page.

use husk_sources::Folder;

use crate::mirror::{
    check_by_address, check_by_links, check_key_pages, check_listing, host_folder, is_installed, run,
};
use crate::server::Server;

#[test]
fn mirror_with_rewritten_links() {
    if !is_installed("httrack") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start();
    let url = server.url().to_string();
    run(
        "httrack",
        &[
            "--quiet",
            "--path",
            "mirror",
            &url,
            "--robots=0",
            "--disable-security-limits",
        ],
        folder.path(),
    );

    let mirror = folder.path().join("mirror");
    let host = host_folder(&mirror);
    for root in [&mirror, &host] {
        let mut site = Folder::open(root, Some(server.url())).unwrap();
        check_by_address(site.clone(), &server.url());
        check_by_links(site.clone(), &host.join("index.html"));
        check_key_pages(&mut site);
        check_listing(site);
    }
    for root in [&mirror, &host] {
        check_by_links(Folder::open(root, None).unwrap(), &host.join("index.html"));
    }
    check_key_pages(&mut Folder::open(&host, None).unwrap());
    let around = Folder::around(&host.join("docs/setup.html"), None, None).unwrap();
    assert_eq!(around.folder.root(), host);
    assert_eq!(around.guess, None, "rewritten links need no address");
}
