use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::crawls::{page, write_archive, write_crawls, write_responses};
use crate::learn::{BASE, husk, learned};
use crate::run::{Done, example_site};

/// A copy of the example site in which each page is changed in some way, given its path.
fn copy(folder: &Path, name: &str, change: &dyn Fn(&str, String) -> String) {
    copy_folder(&example_site(), &folder.join(name), "", change);
}

fn copy_folder(from: &Path, to: &Path, path: &str, change: &dyn Fn(&str, String) -> String) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (from, to, path) = (from.join(&name), to.join(&name), format!("{path}/{name}"));
        if from.is_dir() {
            copy_folder(&from, &to, &path, change);
        } else if name.ends_with(".html") {
            fs::write(to, change(&path, fs::read_to_string(from).unwrap())).unwrap();
        }
    }
}

fn check(folder: &Path, arguments: &[&str]) -> Done {
    husk(
        folder,
        &[&["check", "site.husk", "--base-url", BASE], arguments].concat(),
    )
}

fn diff(folder: &Path, arguments: &[&str]) -> Done {
    husk(folder, &[&["diff", "--base-url", BASE], arguments].concat())
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.stdout).unwrap()
}

fn as_it_is(_: &str, html: String) -> String {
    html
}

fn other_heading(_: &str, html: String) -> String {
    html.replace("Before you cross", "Mind the tide")
}

fn redesigned(path: &str, html: String) -> String {
    let words = html.len();
    format!("<title>New</title><div id=app><section><h1>{path}</h1><p>All {words} is new.</section></div>")
}

#[test]
fn pages_that_fit_exit_with_0() {
    let folder = learned();
    let site = example_site();
    let done = check(folder.path(), &[site.to_str().unwrap()]).ok();
    assert!(
        done.stdout
            .starts_with("lighthouse.example: fits, 20 pages, fit 1.00\n"),
        "{}",
        done.stdout
    );
    // Archives are read, too, and give the same.
    let pack = [
        "pack",
        site.to_str().unwrap(),
        "--base-url",
        BASE,
        "-o",
        "site.warc.gz",
        "-q",
    ];
    husk(folder.path(), &pack).ok();
    let found = json(&check(folder.path(), &["site.warc.gz", "-f", "json"]).ok());
    assert_eq!((&found["verdict"], &found["pages"]), (&"fits".into(), &20.into()));
    assert_eq!(found["layouts"][0]["verdict"], "fits");
}

#[test]
fn a_change_of_the_template_is_named_and_dated() {
    let folder = learned();
    copy(folder.path(), "new", &other_heading);
    let done = check(folder.path(), &["new"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    assert!(
        done.stderr.contains("do not fit its pages any more: changed"),
        "{}",
        done.stderr
    );
    assert!(
        done.stdout
            .contains("text      #crossing-title \"Before you cross\", 14 pages"),
        "{}",
        done.stdout
    );
    let found = json(&check(folder.path(), &["new", "-f", "json"]));
    let block = &found["layouts"][0]["blocks"][0];
    assert_eq!(
        (&block["change"], &block["selector"]),
        (&"text".into(), &"#crossing-title".into())
    );
    assert!(found["layouts"][0]["since"].is_string(), "{found}");
}

#[test]
fn a_redesign_is_told_from_errors() {
    let folder = learned();
    copy(folder.path(), "new", &redesigned);
    let found = check(folder.path(), &["new", "-f", "json"]);
    assert_eq!(
        (found.status, &json(&found)["verdict"]),
        (4, &"redesigned".into())
    );
    copy(folder.path(), "gone", &|_, _| {
        "<title>Not found</title><h1>Not found</h1>".to_owned()
    });
    let found = check(folder.path(), &["gone", "-f", "json"]);
    assert_eq!((found.status, &json(&found)["verdict"]), (4, &"errors".into()));
}

#[test]
fn too_few_pages_and_wrong_files_are_told() {
    let folder = learned();
    let page = example_site().join("visit/tickets/index.html");
    let done = check(folder.path(), &[page.to_str().unwrap(), "-q"]);
    assert_eq!(done.status, 3, "{}", done.stderr);
    assert!(done.stdout.contains("too-few-pages, 1 page"), "{}", done.stdout);
    fs::create_dir(folder.path().join("empty")).unwrap();
    check(folder.path(), &["empty"]).fails(1, &["empty"]);
    fs::write(folder.path().join("site.husk"), "tea").unwrap();
    check(folder.path(), &[page.to_str().unwrap()]).fails(1, &["site.husk"]);
}

#[test]
fn the_same_captures_do_not_differ() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "old", &as_it_is);
    copy(folder.path(), "new", &as_it_is);
    let done = diff(folder.path(), &["old", "new"]).ok();
    assert_eq!(
        done.stdout,
        "20 pages: content 0, template 0, both 0, neither 20, added 0, removed 0\n"
    );
}

#[test]
fn a_change_of_the_template_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "old", &as_it_is);
    copy(folder.path(), "new", &|path, html| {
        let html = other_heading(path, html);
        match path {
            "/visit/tickets/index.html" => html.replace("Adult", "Grown-up visitor"),
            _ => html,
        }
    });
    let done = diff(folder.path(), &["old", "new"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    let line = "text      #crossing-title \"Before you cross\" → \"Mind the tide\", 14 pages";
    assert!(done.stdout.contains(line), "{}", done.stdout);
    let found = json(&diff(folder.path(), &["old", "new", "-f", "json"]));
    assert_eq!(found["template_changes"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["template_changes"][0]["urls"].as_array().unwrap().len(), 14);
    let counts = &found["counts"];
    assert_eq!(
        (&counts["template"], &counts["both"], &counts["neither"]),
        (&13.into(), &1.into(), &6.into())
    );
    let both = found["pages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|page| page["change"] == "both")
        .unwrap();
    assert_eq!(both["url"], "https://lighthouse.example/visit/tickets/");
}

#[test]
fn content_and_new_pages_are_no_change_of_the_template() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "old", &as_it_is);
    copy(folder.path(), "new", &|path, html| match path {
        "/visit/tickets/index.html" => html.replace("Adult", "Grown-up visitor"),
        _ => html,
    });
    let new = folder.path().join("new");
    fs::create_dir(new.join("visit/parking")).unwrap();
    let html = fs::read_to_string(new.join("visit/tickets/index.html")).unwrap();
    fs::write(
        new.join("visit/parking/index.html"),
        html.replace("Grown-up", "Parking"),
    )
    .unwrap();
    let done = diff(folder.path(), &["old", "new"]).ok();
    assert_eq!(
        done.stdout,
        "21 pages: content 1, template 0, both 0, neither 19, added 1, removed 0\n\
         \ncontent:\n  https://lighthouse.example/visit/tickets/\n\
         \nadded:\n  https://lighthouse.example/visit/parking/\n"
    );
}

#[test]
fn captures_that_cannot_be_compared_are_told() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path(), "old", &as_it_is);
    for name in ["a", "b"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(
            folder.path().join(name).join(format!("{name}.html")),
            "<p>One page",
        )
        .unwrap();
    }
    diff(folder.path(), &["a", "b"]).fails(1, &["no page in common", "--base-url"]);
    diff(folder.path(), &["old", "nowhere"]).fails(1, &["nowhere"]);
}

#[test]
fn folders_of_unknown_url_are_read_as_one_site() {
    let folder = learned();
    // Nothing on these pages says where they were saved from.
    let bare = |_: &str, html: String| html.replace("rel=\"canonical\"", "rel=\"none\"");
    copy(folder.path(), "old", &bare);
    copy(folder.path(), "new", &|path, html| {
        other_heading(path, bare(path, html))
    });
    husk(folder.path(), &["learn", "old", "-o", "old.husk", "-q"]).ok();
    husk(folder.path(), &["check", "old.husk", "old"]).ok();
    let done = husk(folder.path(), &["check", "old.husk", "new"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    assert!(done.stdout.contains("Before you cross"), "{}", done.stdout);
    assert!(!done.stdout.contains("target"), "{}", done.stdout);
    husk(folder.path(), &["diff", "old", "old"]).ok();
    let done = husk(folder.path(), &["diff", "old", "new"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    assert!(done.stdout.contains("template: 1 change\n"), "{}", done.stdout);
}

/// Two crawls of several sites.
fn crawls() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_crawls(folder.path());
    folder
}

#[test]
fn only_pages_of_the_site_are_checked() {
    let folder = crawls();
    let base = ["--base-url", "https://garden.example/"];
    husk(
        folder.path(),
        &[&["learn", "monday.warc.gz", "-o", "garden.husk"][..], &base].concat(),
    )
    .ok();
    let done = husk(folder.path(), &["check", "garden.husk", "tuesday.warc.gz"]);
    assert_eq!(done.status, 3, "{}", done.stderr);
    assert!(
        done.stdout.starts_with("garden.example: too-few-pages, 2 pages"),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr
            .contains("not checked: harbour.example (8 pages), kitchen.example (6 pages)"),
        "{}",
        done.stderr
    );
    write_archive(
        &folder.path().join("other.warc.gz"),
        0,
        &[("other.example", 1, page("other.example", 1))],
    );
    husk(folder.path(), &["check", "garden.husk", "other.warc.gz"]).fails(
        1,
        &["no pages of garden.example to check, but of other.example (1 page)"],
    );
}

#[test]
fn each_site_of_a_store_is_checked() {
    let folder = crawls();
    let bulk = ["bulk", "monday.warc.gz", "--templates", "templates", "-o", "out"];
    husk(folder.path(), &bulk).ok();
    let done = husk(folder.path(), &["check", "templates", "tuesday.warc.gz"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    for said in [
        "garden.example: too-few-pages, 2 pages",
        "\nharbour.example: redesigned, 8 pages",
    ] {
        assert!(done.stdout.contains(said), "{}", done.stdout);
    }
    for said in [
        "the store has no templates of them: kitchen.example (6 pages)",
        "the templates of 1 of 2 sites do not fit their pages any more: harbour.example (redesigned)",
    ] {
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
    let store = "templates/templates.redb";
    let found = json(&husk(
        folder.path(),
        &["check", store, "tuesday.warc.gz", "-f", "json"],
    ));
    let verdicts: Vec<&Value> = found["sites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|site| &site["verdict"])
        .collect();
    assert_eq!(verdicts, ["too-few-pages", "redesigned"]);
    husk(folder.path(), &["check", "templates", "monday.warc.gz"]).ok();
}

#[test]
fn sites_are_compared_one_by_one() {
    let folder = crawls();
    let done = husk(folder.path(), &["diff", "monday.warc.gz", "tuesday.warc.gz"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    for said in [
        "garden.example\n10 pages: content 0, template 0, both 0, neither 0, added 2, removed 8",
        "\nharbour.example\n8 pages: ",
    ] {
        assert!(done.stdout.contains(said), "{}", done.stdout);
    }
    for said in [
        "in one capture only: kitchen.example, library.example",
        "the templates of 1 of 2 sites changed: harbour.example",
    ] {
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
    let found = json(&husk(
        folder.path(),
        &["diff", "monday.warc.gz", "tuesday.warc.gz", "-f", "json"],
    ));
    let sites = found["sites"].as_array().unwrap();
    let verdicts: Vec<[&Value; 2]> = sites
        .iter()
        .map(|site| [&site["site"], &site["verdict"]])
        .collect();
    assert_eq!(
        verdicts,
        [
            ["garden.example", "too-few-pages"],
            ["harbour.example", "changed"]
        ]
    );
}

#[test]
fn too_few_common_pages_say_nothing_of_the_template() {
    let folder = tempfile::tempdir().unwrap();
    let pages = |numbers: std::ops::Range<usize>| -> Vec<_> {
        numbers
            .map(|number| ("garden.example", number, page("garden.example", number)))
            .collect()
    };
    write_archive(&folder.path().join("old.warc.gz"), 0, &pages(1..9));
    write_archive(&folder.path().join("new.warc.gz"), 0, &pages(8..16));
    let done = husk(folder.path(), &["diff", "old.warc.gz", "new.warc.gz"]);
    assert_eq!(done.status, 3, "{}", done.stderr);
    assert!(
        done.stderr.contains("too few pages are in both captures"),
        "{}",
        done.stderr
    );
    assert!(done.stdout.contains("added 7, removed 7"), "{}", done.stdout);
    write_archive(&folder.path().join("new.warc.gz"), 0, &pages(6..14));
    husk(folder.path(), &["diff", "old.warc.gz", "new.warc.gz"]).ok();
}

#[test]
fn sites_that_a_store_lacks_are_named() {
    let folder = crawls();
    let bulk = ["bulk", "monday.warc.gz", "--templates", "templates", "-o", "out"];
    husk(folder.path(), &bulk).ok();
    let strip = [
        "strip",
        "--template",
        "templates",
        "tuesday.warc.gz",
        "-o",
        "rows.jsonl",
    ];
    let done = husk(folder.path(), &strip).ok();
    assert!(
        done.stderr
            .contains("the store has no templates of kitchen.example (6 pages)"),
        "{}",
        done.stderr
    );
}

/// An archive with 24 pages of a site, for some of which the server answered with an error.
fn write_with_errors(file: &Path, is_error: impl Fn(usize) -> bool) {
    let pages: Vec<String> = (0..24).map(|number| page("garden.example", number)).collect();
    let responses: Vec<_> = pages
        .iter()
        .enumerate()
        .map(|(number, html)| {
            let status = if is_error(number) { 500 } else { 200 };
            ("garden.example", number, status, &**html)
        })
        .collect();
    write_responses(file, 86_400, &responses);
}

#[test]
fn a_share_of_errors_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let base = ["--base-url", "https://garden.example/"];
    write_with_errors(&folder.path().join("old.warc.gz"), |_| false);
    let learn = ["learn", "old.warc.gz", "-o", "site.husk", "-q"];
    husk(folder.path(), &[&learn[..], &base].concat()).ok();
    type Case = (fn(usize) -> bool, usize, &'static str);
    let cases: [Case; 4] = [
        (|_| true, 24, "errors"),
        (|number| number % 2 == 0, 12, "errors"),
        // Each error has the date of its own record, so those before all pages are no older than these.
        (|number| number < 12, 12, "errors"),
        (|number| number % 12 == 0, 2, "same"),
    ];
    for (is_error, errors, verdict) in cases {
        write_with_errors(&folder.path().join("new.warc.gz"), is_error);
        let done = husk(folder.path(), &["diff", "old.warc.gz", "new.warc.gz"]);
        let status = if verdict == "errors" { 4 } else { 0 };
        assert_eq!(done.status, status, "{}", done.stderr);
        assert!(
            done.stdout.contains(&format!("removed 0, error {errors}\n")),
            "{}",
            done.stdout
        );
        let found = json(&husk(
            folder.path(),
            &["diff", "old.warc.gz", "new.warc.gz", "-f", "json"],
        ));
        assert_eq!(
            (&found["verdict"], &found["counts"]["error"]),
            (&verdict.into(), &errors.into())
        );
        let done = husk(folder.path(), &["check", "site.husk", "new.warc.gz"]);
        assert_eq!(done.status, status, "{}", done.stderr);
        let expected = match errors {
            2 => "garden.example: fits, 24 pages, 2 do not fit, fit 1.00\n".to_owned(),
            24 => "garden.example: errors, 24 pages, 24 do not fit\n".to_owned(),
            errors => format!("garden.example: errors, 24 pages, {errors} do not fit, fit 1.00\n"),
        };
        assert!(done.stdout.starts_with(&expected), "{}", done.stdout);
    }
    // A page that came back is as new.
    husk(folder.path(), &["diff", "new.warc.gz", "old.warc.gz"]).ok();
}

#[test]
fn half_a_redesign_is_one() {
    let folder = learned();
    let count = std::cell::Cell::new(0);
    copy(folder.path(), "new", &|path, html| {
        count.set(count.get() + 1);
        if count.get() % 2 == 0 {
            redesigned(path, html)
        } else {
            html
        }
    });
    let done = check(folder.path(), &["new"]);
    assert_eq!(done.status, 4, "{}", done.stderr);
    let told = "lighthouse.example: redesigned, 20 pages, 10 do not fit, fit 0.";
    assert!(done.stdout.starts_with(told), "{}", done.stdout);
    let found = json(&check(folder.path(), &["new", "-f", "json"]));
    assert_eq!(found["misfits"], 10);
}
