use std::fs;
use std::path::Path;

use crate::run::{Done, husk_in, small_site};

/// The commands that take a page.
const COMMANDS: [&str; 5] = ["template", "menu", "content", "pagelets", "inspect"];

fn run(site: &Path, command: &str, page: &str, flags: &[&str]) -> Done {
    husk_in(site, [&[command, page], flags].concat())
}

/// A site with one more page in it.
fn site_with(name: &str, bytes: &[u8]) -> tempfile::TempDir {
    let site = small_site();
    fs::write(site.path().join(name), bytes).unwrap();
    site
}

#[test]
fn an_empty_file_is_named() {
    for bytes in [&b""[..], b" \n\t ", b"<!-- nothing --><!DOCTYPE html>"] {
        let site = site_with("empty.html", bytes);
        for command in COMMANDS {
            run(site.path(), command, "empty.html", &[]).fails(1, &["empty.html", "is empty"]);
        }
    }
}

#[test]
fn a_pdf_named_html_is_called_one() {
    let site = site_with(
        "paper.html",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj << /Type /Catalog >> endobj\n",
    );
    for command in COMMANDS {
        run(site.path(), command, "paper.html", &[])
            .fails(1, &["paper.html", "is a PDF document, not a page"]);
    }
    run(site.path(), "content", "paper.html", &["--alone"]).fails(1, &["is a PDF document"]);
}

#[test]
fn a_set_of_frames_names_its_pages() {
    let site = site_with(
        "frames.html",
        b"<frameset cols='1,2'><frame src=one.html><frame src=two.html></frameset>",
    );
    for command in COMMANDS {
        let said = ["frames.html is a frameset", "one of one.html and two.html"];
        run(site.path(), command, "frames.html", &[]).fails(1, &said);
    }
}

#[test]
fn a_page_without_text_has_no_content() {
    let script = b"<body><div id=app></div><script>document.write('<p>Hello')</script></body>";
    let site = site_with("scripted.html", script);
    let said = ["no text in the body of", "scripted.html", "if scripts write it"];
    run(site.path(), "content", "scripted.html", &[]).fails(1, &said);
    run(
        site.path(),
        "content",
        "scripted.html",
        &["--alone", "--format", "text"],
    )
    .fails(1, &said);
    let json = run(site.path(), "content", "scripted.html", &["--format", "json"])
        .ok()
        .stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["content"], &json["words"]), (&"".into(), &0.into()));
}

/// A site whose page `all` has nothing that its siblings do not have.
fn site_of_template() -> tempfile::TempDir {
    let site = tempfile::tempdir().unwrap();
    let names = ["all", "one", "two", "three", "four"];
    let menu: String = names
        .iter()
        .map(|name| format!("<li><a href={name}.html>To {name}</a>"))
        .collect();
    for (number, name) in names.iter().enumerate() {
        let own = "<p>A word of its own, and another sentence.</p>".repeat(number);
        let html = format!(
            "<title>{name}</title><ul class=menu>{menu}</ul><main>{}</main><footer>All rights reserved here</footer>",
            own.replace("word", &format!("word of {name}"))
        );
        fs::write(site.path().join(format!("{name}.html")), html).unwrap();
    }
    site
}

#[test]
fn a_page_that_is_all_template_has_no_content() {
    let site = site_of_template();
    run(site.path(), "content", "all.html", &[]).fails(1, &["no content on", "all.html", "is template"]);
    let template = run(site.path(), "template", "all.html", &["--format", "outline"])
        .ok()
        .stdout;
    assert!(template.contains("T       li"), "{template}");
    let menu = run(site.path(), "menu", "all.html", &["--format", "text"])
        .ok()
        .stdout;
    assert_eq!(menu, "To all\nTo one\nTo two\nTo three\nTo four\n");
    run(site.path(), "pagelets", "all.html", &[]).ok();
    run(site.path(), "inspect", "all.html", &["-o", "report.html"]).ok();
}

#[test]
fn without_siblings_the_content_is_told_by_the_page_alone() {
    let site = tempfile::tempdir().unwrap();
    let text = "Sheep were seen on the beach, and nobody knew why. ".repeat(6);
    let html =
        format!("<title>Sheep</title><nav><a href=gone.html>Home</a></nav><h1>Sheep</h1><p>{text}</p>");
    fs::write(site.path().join("page.html"), html).unwrap();
    let done = run(site.path(), "content", "page.html", &["--format", "text"]).ok();
    assert!(
        done.stdout.starts_with("Sheep\n\nSheep were seen"),
        "{}",
        done.stdout
    );
    assert!(done.stderr.contains("no sibling page"), "{}", done.stderr);
    run(site.path(), "content", "page.html", &["--no-fallback"]).fails(3, &["no sibling page to compare"]);
    let alone = run(
        site.path(),
        "content",
        "page.html",
        &["--alone", "--format", "text"],
    )
    .ok();
    assert_eq!(alone.stdout, done.stdout);
    assert_eq!(alone.stderr, "");
}

#[test]
fn urls_that_were_made_up_are_not_printed() {
    let site = tempfile::tempdir().unwrap();
    let text = "Sheep were seen on the beach, and nobody knew why. ".repeat(6);
    let html = format!(
        "<title>Sheep</title><link rel=canonical href=/page><h1>Sheep</h1><p>{text}<a href=/goats.html>Goats</a> came \
         later.</p>"
    );
    fs::write(site.path().join("page.html"), &html).unwrap();
    let other = "<title>Goats</title><h1>Goats</h1><p>They ate the flowers.</p>";
    fs::write(site.path().join("goats.html"), other).unwrap();
    for flags in [&["--format", "json"][..], &["--format", "json", "--alone"]] {
        let json = run(site.path(), "content", "page.html", flags).ok().stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["canonical"], serde_json::Value::Null);
        let content = json["content"].as_str().unwrap();
        assert!(content.contains("[Goats](/goats.html)"), "{content}");
    }
}
