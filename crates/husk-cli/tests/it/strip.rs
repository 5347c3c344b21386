use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::bulk::archive_without_pages;
use crate::learn::{BASE, husk, learned};
use crate::run::{Done, command_in, example_site};

/// Strips with the templates of the example site.
fn strip(folder: &Path, arguments: &[&str]) -> Done {
    husk(
        folder,
        &[&["strip", "--template", "site.husk"], arguments].concat(),
    )
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A page that is built like no other.
const ODD: &str = "<form><table><tr><td>Name<td><input><tr><td>Your words to us go here, dear reader, we read all of \
                   them<td><textarea></textarea></table></form>";

#[test]
fn a_page_is_left_with_its_content() {
    let folder = learned();
    let file = example_site().join("visit/tickets/index.html");
    let file = file.to_str().unwrap();
    let page = |more: &[&str]| {
        strip(
            folder.path(),
            &[&[file, "--base-url", BASE, "--site"], more].concat(),
        )
    };
    let site = example_site();
    let site = site.to_str().unwrap();
    let done = page(&[site]).ok();
    assert_eq!(done.stderr, "");
    assert!(
        done.stdout.contains("# Tickets") && done.stdout.contains("| Adult |"),
        "{}",
        done.stdout
    );
    assert!(!done.stdout.contains("Before you cross"), "{}", done.stdout);
    let text = page(&[site, "--format", "text"]).ok().stdout;
    assert!(text.contains("Tickets") && !text.contains('#'), "{text}");
    let html = page(&[site, "--format", "html"]).ok().stdout;
    assert!(html.starts_with("<article>") && !html.contains("<nav"), "{html}");
    let json: Value = serde_json::from_str(&page(&[site, "--format", "json"]).ok().stdout).unwrap();
    assert_eq!(json["url"], "https://lighthouse.example/visit/tickets/");
    assert_eq!(
        (&json["method"], &json["site"]),
        (&"template".into(), &"lighthouse.example".into())
    );
    page(&[site, "--fields", "menu"]).fails(2, &["--fields"]);
}

#[test]
fn a_folder_becomes_rows_like_those_of_bulk() {
    let folder = learned();
    let site = example_site();
    let site = site.to_str().unwrap();
    let arguments = [site, "--base-url", BASE, "--fields", "content,menu,template-id"];
    let done = strip(folder.path(), &arguments).ok();
    let stripped = rows(&done.stdout);
    assert_eq!(stripped.len(), 20);
    assert!(done.stderr.contains("20 pages stripped"), "{}", done.stderr);
    assert!(!done.stderr.contains("not a page of"), "{}", done.stderr);
    let bulk = [&["bulk", "-o", "out", "--compress", "none", "-q"], &arguments[..]].concat();
    husk(folder.path(), &bulk).ok();
    let told = fs::read_to_string(folder.path().join("out/part-00000.jsonl")).unwrap();
    assert_eq!(stripped, rows(&told));
    // An archive gives the same but for the dates, which it knows to the second, and the place in it.
    husk(
        folder.path(),
        &["pack", site, "--base-url", BASE, "-o", "site.warc.gz", "-q"],
    )
    .ok();
    let arguments = [
        "site.warc.gz",
        "--fields",
        "content,menu,template-id",
        "-o",
        "rows.jsonl",
    ];
    assert_eq!(strip(folder.path(), &arguments).ok().stdout, "");
    let mut packed = rows(&fs::read_to_string(folder.path().join("rows.jsonl")).unwrap());
    let mut stripped = stripped;
    for row in packed.iter_mut().chain(&mut stripped) {
        for field in [
            "date",
            "warc_file",
            "warc_offset",
            "warc_record_id",
            "warc_digest",
        ] {
            row[field] = Value::Null;
        }
    }
    assert_eq!(packed, stripped);
}

#[test]
fn each_page_gets_a_file() {
    let folder = learned();
    let site = example_site();
    let site = site.to_str().unwrap();
    let arguments = [site, "--base-url", BASE, "--format", "markdown", "-o", "contents"];
    strip(folder.path(), &arguments).ok();
    let names: BTreeSet<String> = fs::read_dir(folder.path().join("contents"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 20);
    assert!(
        names.contains("index.md") && names.contains("visit-tickets.md"),
        "{names:?}"
    );
    let ticket = fs::read_to_string(folder.path().join("contents/visit-tickets.md")).unwrap();
    assert!(ticket.contains("# Tickets"), "{ticket}");
    strip(folder.path(), &arguments).fails(1, &["contents is not empty"]);
    strip(folder.path(), &[site, "--format", "text"]).fails(2, &["-o names a folder"]);
    strip(folder.path(), &[site, "--format", "json"]).fails(2, &["--format jsonl"]);
}

#[test]
fn hostile_names_stay_in_the_folder() {
    let folder = learned();
    let body = "<title>x</title><p>Some words that nobody else has said before, or will ever say again.";
    let mut warc = Vec::new();
    let hostile = [
        "..%2F..%2Fescaped",
        "%2e%2e/%2fescaped",
        "a/../../escaped",
        "C:%5Cescaped",
        "A",
        "a",
        "a/",
    ];
    for path in hostile {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        write!(
            warc,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {BASE}{path}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
            answer.len()
        )
        .unwrap();
    }
    fs::create_dir(folder.path().join("deep")).unwrap();
    fs::write(folder.path().join("deep/x.warc"), warc).unwrap();
    let before = fs::read_dir(folder.path()).unwrap().count();
    strip(
        folder.path(),
        &["deep/x.warc", "--format", "text", "-o", "deep/out"],
    )
    .ok();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 2);
    let written = fs::read_dir(folder.path().join("deep/out")).unwrap().count();
    assert_eq!(written, hostile.len());
}

#[test]
fn an_unknown_layout_is_told() {
    let folder = learned();
    fs::write(folder.path().join("odd.html"), ODD).unwrap();
    let odd = |more: &[&str]| {
        strip(
            folder.path(),
            &[&["odd.html", "--base-url", BASE, "--format", "jsonl"], more].concat(),
        )
    };
    let done = odd(&[]).ok();
    assert!(done.stderr.contains("unknown layout on"), "{}", done.stderr);
    let row = &rows(&done.stdout)[0];
    assert_eq!(
        (&row["layout"], &row["method"]),
        (&Value::Null, &"single-page".into())
    );
    assert_eq!(row["warnings"][0], "unknown-layout");
    assert!(row["content"].as_str().unwrap().contains("dear reader"));
    let strict = odd(&["--strict"]);
    assert_eq!(strict.status, 1);
    assert!(strict.stderr.contains("unknown layout"), "{}", strict.stderr);
    assert_eq!(
        rows(&strict.stdout).len(),
        1,
        "all pages are written nevertheless"
    );
    let elsewhere = ["odd.html", "--base-url", "https://tea.example/"];
    let done = strip(folder.path(), &elsewhere).ok();
    assert!(
        done.stderr.contains("not a page of lighthouse.example"),
        "{}",
        done.stderr
    );
}

#[test]
fn the_template_does_not_come_back_on_a_thin_page() {
    let folder = learned();
    // All but three words of it are template.
    let html = fs::read_to_string(example_site().join("visit/tickets/index.html")).unwrap();
    let (head, rest) = html.split_once("<main").unwrap();
    let (_, tail) = rest.split_once("</main>").unwrap();
    let html = format!("{head}<main><p>Sold out today.</p></main>{tail}");
    fs::write(folder.path().join("few.html"), html).unwrap();
    let base = "https://lighthouse.example/few.html";
    let page = |more: &[&str]| strip(folder.path(), &[&["few.html", "--base-url", base], more].concat()).ok();
    let row = &rows(&page(&["--format", "jsonl"]).stdout)[0];
    assert_eq!(
        (&row["warnings"][0], &row["method"]),
        (&"low-coverage".into(), &"template".into())
    );
    assert_eq!(row["content"].as_str().unwrap().trim(), "Sold out today.");
    let done = page(&["--strict"]);
    assert!(
        done.stderr.contains("almost nothing is left beside the template"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_page_may_come_from_standard_input() {
    let folder = learned();
    let html = fs::read(example_site().join("shop/index.html")).unwrap();
    let from_stdin = |arguments: &[&str]| {
        let mut command = command_in(folder.path());
        command
            .args(["strip", "--template", "site.husk", "-"])
            .args(arguments);
        let piped = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        // Whoever refuses the arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(&html);
        Done::of(child.wait_with_output().unwrap())
    };
    let done = from_stdin(&["--base-url", "https://lighthouse.example/shop/"]).ok();
    assert!(done.stdout.contains("Shop"), "{}", done.stdout);
    assert_eq!(done.stderr, "");
}

#[test]
fn mistakes_are_told() {
    let folder = learned();
    strip(folder.path(), &["nowhere.html"]).fails(1, &["nowhere.html"]);
    strip(folder.path(), &["nowhere.warc.gz"]).fails(1, &["nowhere.warc.gz"]);
    fs::write(folder.path().join("a.html"), ODD).unwrap();
    strip(folder.path(), &["a.html", "-o", "a.html"]).fails(1, &["a.html"]);
    strip(folder.path(), &["a.html", "-o", "site.husk"]).fails(1, &["site.husk"]);
    husk(folder.path(), &["strip", "a.html"]).fails(2, &["--template"]);
    husk(folder.path(), &["strip", "-t", "a.html", "a.html"]).fails(1, &["a.html holds no templates"]);
}

#[test]
fn inputs_without_pages_fail() {
    let folder = learned();
    let empty = folder.path().join("styles");
    fs::create_dir(&empty).unwrap();
    fs::write(empty.join("a.css"), "p {}").unwrap();
    strip(folder.path(), &["styles"]).fails(1, &["styles contains no WARC files and no pages"]);
    fs::write(folder.path().join("images.warc"), archive_without_pages()).unwrap();
    strip(folder.path(), &["images.warc"]).fails(1, &["no pages in images.warc"]);
    let learn = husk(folder.path(), &["learn", "images.warc", "-o", "new.husk"]);
    learn.fails(1, &["no pages found"]);
}
