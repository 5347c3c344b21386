use std::fs;

use crate::run::{example_site, husk, husk_in, repository};

#[test]
fn writes_one_file_with_all_there_is_to_see() {
    let page = example_site().join("history/the-lens/index.html");
    let report = husk(["inspect", page.to_str().unwrap()]).ok().stdout;
    for part in [
        "id=\"show-template\"",
        "id=\"show-menu\"",
        "id=\"show-content\"",
        "id=\"show-pagelets\"",
        "sandbox=\"allow-same-origin\"",
        "in a list of links with the key page",
        "class=\"edge clique\"",
        "data-pagelet=\"0\"",
    ] {
        assert!(report.contains(part), "{part}");
    }
    assert!(!report.contains("allow-scripts"));
}

#[test]
fn without_siblings_the_report_says_why() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("page.html"),
        "<p>Alone</p><a href=gone.html>Gone</a>",
    )
    .unwrap();
    let done = husk_in(folder.path(), ["inspect", "page.html", "-o", "report.html"]).ok();
    assert!(done.stderr.contains("no sibling page"), "{}", done.stderr);
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(
        report.contains("nothing is known of its template") && report.contains("unavailable: "),
        "{report}"
    );
}

#[test]
fn offline_reports_may_load_nothing() {
    let page = repository().join("fixtures/hostile/key.html");
    let page = page.to_str().unwrap();
    let addresses = |report: &str| report.matches("img-src data: https:").count();
    assert!(addresses(&husk(["inspect", page]).ok().stdout) > 0);
    let offline = husk(["inspect", page, "--offline"]).ok().stdout;
    assert_eq!(addresses(&offline), 0);
    assert!(!offline.contains("/hit?img"));
}
