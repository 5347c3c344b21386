use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Done, example_site, husk_in};
use crate::web::{Answer, Web};

pub(crate) const BASE: &str = "https://lighthouse.example/";

pub(crate) fn husk(folder: &Path, arguments: &[&str]) -> Done {
    husk_in(folder, arguments)
}

/// A folder with `site.husk`, which was learned from the example site.
pub(crate) fn learned() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let site = example_site();
    let site = site.to_str().unwrap();
    let arguments = ["learn", site, "--base-url", BASE, "-o", "site.husk", "-q"];
    assert_eq!(husk(folder.path(), &arguments).ok().stderr, "");
    folder
}

/// Pages of one layout, which no page of the example site has.
fn write_forms(folder: &Path) {
    for number in 0..4 {
        let fields: String = (0..4 + number)
            .map(|field| format!("<tr><td class=label>Question {number} {field}<td><input name=f{field}>"))
            .collect();
        let html = format!(
            "<title>Form {number}</title><div id=top class=band><b>Forms of the harbour office</b></div>\
             <form class=sheet><table class=fields>{fields}</table><p>Form {number} is about matter {number} only.</form>\
             <div id=end class=band><i>Hand it in at the second window</i></div>"
        );
        fs::write(folder.join(format!("form-{number}.html")), html).unwrap();
    }
}

fn shown(folder: &Path) -> Value {
    let done = husk(folder, &["show", "site.husk", "--format", "json"]).ok();
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn a_folder_and_its_archive_teach_the_same() {
    let folder = learned();
    let site = example_site();
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
    let done = husk(folder.path(), &["learn", "site.warc.gz", "-o", "packed.husk"]).ok();
    assert!(done.stdout.is_empty());
    for words in [
        "pages of lighthouse.example",
        "layout 1 (",
        "support ",
        "% of the bytes",
    ] {
        assert!(done.stderr.contains(words), "{words:?} in {}", done.stderr);
    }
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("packed.husk"), read("site.husk"));
}

#[test]
fn what_was_learned_is_shown() {
    let folder = learned();
    let json = shown(folder.path());
    assert_eq!(json["site"], "lighthouse.example");
    let layouts = json["layouts"].as_array().unwrap();
    assert!(layouts.len() > 1, "{json}");
    let show = |arguments: &[&str]| husk(folder.path(), &[&["show", "site.husk"], arguments].concat());
    let table = show(&[]).ok().stdout;
    let id = layouts[1]["id"].as_str().unwrap();
    assert!(
        table.contains(id) && table.contains("lighthouse.example"),
        "{table}"
    );
    let by_id = show(&["--layout", id, "--format", "html"]).ok().stdout;
    let by_number = show(&["--layout", "2", "--format", "html"]).ok().stdout;
    assert_eq!(by_id, by_number);
    assert!(by_id.contains("<nav") && by_id.contains("slot"), "{by_id}");
    assert!(
        show(&["--layout", "1", "--format", "outline"])
            .ok()
            .stdout
            .contains("html")
    );
    assert!(show(&["--layout", "1"]).ok().stdout.contains("support: "));
    show(&["--format", "html"]).fails(2, &["--layout", id]);
    show(&["--layout", "77"]).fails(2, &["no layout 77", id]);
}

#[test]
fn learning_goes_on_from_file_to_file() {
    let folder = learned();
    let file = folder.path().join("site.husk");
    let before = fs::read(&file).unwrap();
    let layouts = shown(folder.path())["layouts"].as_array().unwrap().len();
    let site = example_site();
    let site = site.to_str().unwrap();
    let update = |site: &str| {
        let arguments = ["learn", site, "--base-url", BASE, "-o", "site.husk", "--update"];
        husk(folder.path(), &arguments).ok().stderr
    };
    let said = update(site);
    assert!(said.contains("all pages were already known"), "{said}");
    assert_eq!(fs::read(&file).unwrap(), before);
    fs::create_dir(folder.path().join("forms")).unwrap();
    write_forms(&folder.path().join("forms"));
    let said = update("forms");
    assert!(said.contains("(1 new)"), "{said}");
    let after = shown(folder.path());
    assert_eq!(after["layouts"].as_array().unwrap().len(), layouts + 1);
    assert_eq!(after["layouts"][layouts]["pages"], 4);
}

#[test]
fn a_file_is_not_overwritten_by_accident() {
    let folder = learned();
    fs::create_dir(folder.path().join("forms")).unwrap();
    write_forms(&folder.path().join("forms"));
    let learn =
        |out: &str, base: &str| husk(folder.path(), &["learn", "forms", "--base-url", base, "-o", out]);
    let before = fs::read(folder.path().join("site.husk")).unwrap();
    learn("site.husk", "https://forms.example/").fails(
        1,
        &[
            "site.husk holds templates of lighthouse.example",
            "forms.example",
            "choose another file",
        ],
    );
    assert_eq!(fs::read(folder.path().join("site.husk")).unwrap(), before);
    learn("site.husk", BASE).ok();
    assert_eq!(shown(folder.path())["layouts"].as_array().unwrap().len(), 1);
    fs::write(folder.path().join("notes.txt"), "Buy tea").unwrap();
    learn("notes.txt", BASE).fails(1, &["notes.txt", "not overwriting"]);
    assert_eq!(
        fs::read_to_string(folder.path().join("notes.txt")).unwrap(),
        "Buy tea"
    );
    learn("-", BASE).fails(2, &["-o"]);
    learn("forms", BASE).fails(1, &["forms is a folder"]);
}

#[test]
fn damaged_files_are_told() {
    let folder = learned();
    let whole = fs::read(folder.path().join("site.husk")).unwrap();
    let check = |bytes: &[u8], said: &[&str]| {
        fs::write(folder.path().join("x.husk"), bytes).unwrap();
        husk(folder.path(), &["show", "x.husk"]).fails(1, said);
    };
    check(&whole[..whole.len() / 2], &["x.husk is damaged", "husk learn"]);
    check(b"", &["x.husk holds no templates"]);
    check(b"\x13husk site templates\x63", &["version 99", "learn them anew"]);
    check(
        b"{\"format\":\"husk site templates\",\"version\":1,\"site\":\"\"",
        &["version 1", "learn them anew"],
    );
    check(&[0x80, 0xFF, 0x00], &["x.husk holds no templates"]);
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    check(&flipped, &["x.husk"]);
    husk(folder.path(), &["show", "nowhere.husk"]).fails(1, &["cannot read nowhere.husk"]);
    husk(folder.path(), &["show", "."]).fails(1, &["no template store in ./templates.redb"]);
}

#[test]
fn one_site_of_an_archive_is_picked() {
    let folder = learned();
    fs::create_dir(folder.path().join("forms")).unwrap();
    write_forms(&folder.path().join("forms"));
    let site = example_site();
    let pack = |site: &str, base: &str, out: &str| {
        husk(
            folder.path(),
            &["pack", site, "--base-url", base, "-o", out, "-q"],
        )
        .ok();
    };
    pack(site.to_str().unwrap(), BASE, "a.warc");
    pack("forms", "https://forms.example/", "b.warc");
    let learn = |arguments: &[&str]| {
        husk(
            folder.path(),
            &[&["learn", "a.warc", "b.warc", "-o", "x.husk"], arguments].concat(),
        )
    };
    learn(&[]).fails(
        2,
        &[
            "several sites",
            "lighthouse.example (",
            "forms.example (4 pages)",
            "--base-url",
        ],
    );
    learn(&["--base-url", "https://tea.example/"]).fails(1, &["no pages of tea.example", "forms.example"]);
    assert!(!folder.path().join("x.husk").exists());
    let said = learn(&["--base-url", "https://forms.example/"]).ok().stderr;
    assert!(said.contains("learned from 4 pages of forms.example"), "{said}");
}

#[test]
fn some_pages_from_all_over_are_enough() {
    let folder = tempfile::tempdir().unwrap();
    let site = example_site();
    let arguments = [
        "learn",
        site.to_str().unwrap(),
        "-o",
        "x.husk",
        "--max-pages",
        "6",
    ];
    let said = husk(folder.path(), &arguments).ok().stderr;
    assert!(said.contains("learning from 6 of 20 pages"), "{said}");
    assert!(said.contains("6 pages of "), "{said}");
    let few = [
        "learn",
        site.to_str().unwrap(),
        "-o",
        "x.husk",
        "--max-pages",
        "2",
    ];
    husk(folder.path(), &few).fails(2, &["at least 3 pages"]);
}

#[test]
fn too_few_pages_teach_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("site")).unwrap();
    fs::write(
        folder.path().join("site/index.html"),
        "<h1>Alone</h1><p>There is no other page",
    )
    .unwrap();
    husk(folder.path(), &["learn", "site", "-o", "x.husk"]).fails(3, &["cannot learn", "1 page"]);
    assert!(!folder.path().join("x.husk").exists());
    fs::create_dir(folder.path().join("empty")).unwrap();
    husk(folder.path(), &["learn", "empty", "-o", "x.husk"]).fails(1, &["empty"]);
    husk(folder.path(), &["learn", "site/index.html", "-o", "x.husk"])
        .fails(2, &["is a single file", "folder"]);
    husk(folder.path(), &["learn", "nowhere", "-o", "x.husk"]).fails(1, &["cannot read nowhere"]);
}

#[test]
fn pages_of_the_web_are_found_by_their_links() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::of_folder(&example_site());
    let learn = |url: &str, more: &[&str]| {
        let arguments = ["learn", url, "-o", "x.husk", "--delay", "0", "--no-cache"];
        husk(folder.path(), &[&arguments, more].concat())
    };
    let done = learn(&web.url, &["--max-pages", "8"]).ok();
    assert!(done.stderr.contains("8 pages of 127.0.0.1"), "{}", done.stderr);
    assert!(done.stderr.contains("layout 1 ("), "{}", done.stderr);
    fs::remove_file(folder.path().join("x.husk")).unwrap();
    let lonely = Web::new(|path| match path {
        "/" => Answer::html("<p>Hello <a href=/gone>nowhere</a>"),
        _ => Answer::status(404),
    });
    learn(&lonely.url, &[]).fails(3, &["404", "cannot learn"]);
}
