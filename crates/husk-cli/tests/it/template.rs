use std::fs;

use serde_json::Value;

use crate::run::{command_in, example_site, husk, husk_in, small_site};

#[test]
fn prints_html_with_slots_and_without_content() {
    let site = small_site();
    let done = husk_in(site.path(), ["template", "one.html"]).ok();
    assert!(
        done.stdout.starts_with("<!DOCTYPE html><html>"),
        "{}",
        done.stdout
    );
    assert!(done.stdout.contains("All rights") && done.stdout.contains("<!--husk:slot 1-->"));
    assert!(!done.stdout.contains("Only on one"), "{}", done.stdout);
    assert!(done.stdout.contains("href=\"style.css\""), "{}", done.stdout);
    assert!(
        done.stderr.contains("compared with 3 pages, 4 loaded"),
        "{}",
        done.stderr
    );
}

#[test]
fn base_url_makes_links_those_of_the_web() {
    let site = small_site();
    let by_file = [
        "template",
        "one.html",
        "--site",
        ".",
        "--base-url",
        "https://example.org/dir",
    ];
    let html = husk_in(site.path(), by_file).ok().stdout;
    assert!(
        html.contains("href=\"https://example.org/dir/style.css\""),
        "{html}"
    );
    let by_address = [
        "template",
        "https://example.org/dir/one.html",
        "--site",
        ".",
        "--base-url",
        "https://example.org/dir/",
    ];
    assert_eq!(husk_in(site.path(), by_address).ok().stdout, html);
}

#[test]
fn links_from_the_root_lead_to_the_files_when_the_address_is_unknown() {
    let site = small_site();
    for name in ["index", "one", "two", "three", "four"] {
        let file = site.path().join(format!("{name}.html"));
        fs::write(
            &file,
            fs::read_to_string(&file)
                .unwrap()
                .replace("href=\"", "href=\"/")
                .replace("=style", "=/style"),
        )
        .unwrap();
    }
    let done = husk_in(site.path(), ["template", "one.html"]).ok();
    assert!(done.stdout.contains("href=\"style.css\""), "{}", done.stdout);
    assert!(
        done.stderr
            .contains("links begin with a slash; set it with --base-url"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("compared with 3 pages"), "{}", done.stderr);
}

#[test]
fn the_template_in_a_file_finds_what_it_shows() {
    let site = small_site();
    fs::create_dir(site.path().join("out")).unwrap();
    for (format, file) in [("html", "out/template.html"), ("jinja", "out/template.jinja")] {
        husk_in(site.path(), ["template", "one.html", "-f", format, "-o", file]).ok();
        let template = fs::read_to_string(site.path().join(file)).unwrap();
        assert!(template.contains("href=\"../style.css\""), "{template}");
        assert!(!template.contains("file:"), "{template}");
    }
}

#[test]
fn json_names_pages_nodes_and_slots() {
    let site = small_site();
    let arguments = [
        "template",
        "one.html",
        "--site",
        ".",
        "--base-url",
        "https://example.org/",
        "--format",
        "json",
    ];
    let json: Value = serde_json::from_str(&husk_in(site.path(), arguments).ok().stdout).unwrap();
    assert_eq!(json["key_page"], "https://example.org/one.html");
    assert_eq!(json["method"], "husk");
    assert_eq!(json["loaded"][0], "https://example.org/one.html");
    assert_eq!(json["loaded"].as_array().unwrap().len(), 4);
    assert_eq!(json["compared"].as_array().unwrap().len(), 3);
    assert_eq!(json["visits"].as_array().unwrap().len(), 3);
    assert_eq!(json["visits"][0]["why"], "beside-key-page");
    assert_eq!(json["visits"][0]["outcome"], "compared");
    assert_eq!(json["nodes"][0]["xpath"], "/html[1]");
    assert_eq!(json["nodes"][0]["support"], 3);
    assert!(json["nodes"].as_array().unwrap().iter().any(|node| {
        node["xpath"] == "/html[1]/body[1]/footer[1]/text()[1]" && node["verbatim_support"] == 3
    }));
    assert_eq!(json["slots"][0]["slot"], 1);
    assert!(
        json["slots"][0]["nodes"][0]
            .as_str()
            .unwrap()
            .starts_with("/html[1]/")
    );
}

#[test]
fn xpath_and_outline_agree_with_each_other() {
    let site = small_site();
    let xpath = husk_in(site.path(), ["template", "two.html", "--format", "xpath"])
        .ok()
        .stdout;
    let outline = husk_in(site.path(), ["template", "two.html", "--format", "outline"])
        .ok()
        .stdout;
    assert!(
        xpath
            .lines()
            .all(|line| line.starts_with("/html[1]") && line.ends_with(']')),
        "{xpath}"
    );
    assert_eq!(
        xpath.lines().count(),
        outline.lines().filter(|line| line.starts_with('T')).count()
    );
}

#[test]
fn scripts_go_unless_they_are_kept() {
    let site = small_site();
    for name in ["index", "one", "two", "three", "four"] {
        let file = site.path().join(format!("{name}.html"));
        fs::write(
            &file,
            fs::read_to_string(&file).unwrap() + "<script>track()</script>",
        )
        .unwrap();
    }
    assert!(
        !husk_in(site.path(), ["template", "one.html"])
            .ok()
            .stdout
            .contains("track()")
    );
    assert!(
        husk_in(site.path(), ["template", "one.html", "--scripts", "keep"])
            .ok()
            .stdout
            .contains("track()")
    );
    assert!(
        husk_in(site.path(), ["template", "one.html", "--links", "as-written"])
            .ok()
            .stdout
            .contains("href=\"style.css\"")
    );
}

#[test]
fn writes_to_a_file_whole_or_not_at_all() {
    let site = small_site();
    let done = husk_in(site.path(), ["template", "one.html", "-o", "out.html", "--quiet"]).ok();
    assert!(done.stdout.is_empty() && done.stderr.is_empty());
    assert!(
        fs::read_to_string(site.path().join("out.html"))
            .unwrap()
            .ends_with("</html>")
    );
    husk_in(site.path(), ["template", "one.html", "-o", "no/such/folder.html"])
        .fails(1, &["cannot write no/such/folder.html", "No such file"]);
}

#[test]
#[cfg(unix)]
fn writes_through_links_and_spares_the_page() {
    let site = small_site();
    let real = site.path().join("real.html");
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink("real.html", site.path().join("link.html")).unwrap();
    husk_in(site.path(), ["template", "one.html", "-o", "link.html"]).ok();
    assert!(fs::read_to_string(&real).unwrap().ends_with("</html>"));
    assert!(site.path().join("link.html").is_symlink());
    husk_in(site.path(), ["template", "one.html", "-o", "one.html"])
        .fails(1, &["one.html is the page itself"]);
    assert!(
        husk_in(site.path(), ["template", "one.html", "-o", "-"])
            .ok()
            .stdout
            .ends_with("</html>")
    );
    assert!(!site.path().join("-").exists());
}

#[test]
#[cfg(unix)]
fn takes_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let site = small_site();
    let name = std::ffi::OsStr::from_bytes(b"bad\xFF.html");
    fs::copy(site.path().join("one.html"), site.path().join(name)).unwrap();
    husk_in(site.path(), [std::ffi::OsStr::new("template"), name]).ok();
}

#[test]
fn verbose_tells_every_step() {
    let site = small_site();
    fs::remove_file(site.path().join("three.html")).unwrap();
    let done = husk_in(
        site.path(),
        ["template", "one.html", "--verbose", "--format", "xpath"],
    )
    .ok();
    assert!(
        done.stderr.contains("loading") && done.stderr.contains("two.html"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("three.html"), "{}", done.stderr);
    assert!(
        done.stderr.contains("in a list of links with the key page"),
        "{}",
        done.stderr
    );
}

#[test]
fn bad_input_is_named() {
    let site = small_site();
    let husk = |arguments: &[&str]| husk_in(site.path(), arguments);
    husk(&["template", "missing.html"]).fails(1, &["missing.html"]);
    husk(&["template", "one.html", "--site", "nowhere"]).fails(1, &["nowhere"]);
    husk(&["template", "."]).ok();
    husk(&["template", "https://nowhere.invalid/"]).fails(1, &["https://nowhere.invalid/", "no such host"]);
    husk(&["template", "https://example.org/nope", "--site", "."]).fails(1, &["https://example.org/nope"]);
    husk(&["template", "one.html", "--base-url", "example.org"])
        .fails(2, &["--base-url", "https://example.org/"]);
    husk(&["template", "one.html", "--base-url", "ftp://example.org/"]).fails(2, &["ftp:"]);
    husk(&["template", "one.html", "--threshold", "7"]).fails(2, &["from 0 to 1"]);
    husk(&["template", "one.html", "--weights", "colour=1"]).fails(2, &["colour", "class, children"]);
    husk(&["template", "one.html", "--weights", "class=-1"]).fails(2, &["0 or more"]);
    husk(&["template", "one.html", "-n", "0"]).fails(2, &["at least 1"]);
    husk(&["template", "one.html", "--method", "magic"]).fails(2, &["magic", "paper"]);
    husk(&["template"]).fails(2, &["<PAGE>"]);
    husk(&["template", "ftp://example.org/a"]).fails(2, &["unsupported URL scheme `ftp`", "https://"]);
    husk(&["content", "example.org"]).fails(1, &["no file example.org", "https://example.org"]);
}

#[test]
fn no_sibling_is_status_three() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("alone.html"), "<p>Nobody else here").unwrap();
    husk_in(folder.path(), ["template", "alone.html"])
        .fails(3, &["no sibling page", "alone.html", "links to no other page"]);
    fs::write(
        folder.path().join("broken.html"),
        "<a href=gone.html>x</a><a href=lost.html>y</a>",
    )
    .unwrap();
    husk_in(folder.path(), ["template", "broken.html"]).fails(3, &["none of the 3 pages", "gone.html"]);
}

#[test]
fn equality_and_number_of_pages_are_settable() {
    let site = example_site();
    let page = site.join("visit/tickets/index.html");
    let count = |more: &[&str]| {
        let page = page.to_str().unwrap();
        husk(
            ["template", page, "--format", "xpath", "--method", "paper"]
                .iter()
                .chain(more),
        )
        .ok()
        .stdout
        .lines()
        .count()
    };
    let default = count(&[]);
    let strict = count(&["--threshold", "0.9"]);
    assert_ne!(strict, default);
    assert_ne!(count(&["--equality", "label"]), strict);
    assert_ne!(count(&["--equality", "label-attributes"]), strict);
    assert_ne!(
        count(&["--weights", "class=0,children=1,position=0", "--threshold", "1"]),
        default
    );
    assert!(count(&["-n", "1"]) >= count(&["-n", "6"]));
    assert!(count(&["--max-pages", "1"]) >= default);
}

#[test]
#[cfg(unix)]
fn open_starts_the_users_browser() {
    use std::os::unix::fs::PermissionsExt;
    let site = small_site();
    let programs = tempfile::tempdir().unwrap();
    let seen = programs.path().join("seen");
    let browser = programs.path().join("xdg-open");
    fs::write(&browser, format!("#!/bin/sh\ncp \"$1\" {}\n", seen.display())).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    let done = command_in(site.path())
        .env("PATH", path)
        .args(["template", "one.html", "--open"])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    // The browser is started and left alone: give it a moment.
    let waited = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(25));
        fs::read_to_string(&seen).is_ok_and(|html| html.ends_with("</html>"))
    });
    assert!(waited, "the template was not shown");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let page = example_site().join("index.html");
    let script = format!(
        "{} template {} --format json -q | head -c 10",
        env!("CARGO_BIN_EXE_husk"),
        page.display()
    );
    let done = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(done.stdout.len(), 10);
    assert!(
        done.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn pages_that_do_not_link_to_each_other_still_have_a_template() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "harbour", "market", "council", "weather", "theatre", "football", "schools",
    ];
    for (number, name) in names.into_iter().enumerate() {
        let html = format!(
            "<title>{name}</title><div class=top><img src=logo.png alt='The Daily'><p>The Daily, founded 1894</p></div>\
            <div class=text><h1>News of the {name}</h1>{}</div><p class=foot>Printed by The Daily Press</p>",
            format!("<p>What happened at the {name} today.</p>").repeat(number + 1)
        );
        fs::write(folder.path().join(format!("{name}.html")), html).unwrap();
    }
    let done = husk_in(folder.path(), ["template", "market.html", "-v"]).ok();
    assert!(done.stderr.contains("looking among all pages"), "{}", done.stderr);
    assert!(done.stdout.contains("founded 1894") && done.stdout.contains("Daily Press"));
    assert!(!done.stdout.contains("market today"), "{}", done.stdout);
}

#[test]
fn every_method_prints_a_template() {
    let site = example_site();
    let page = site.join("visit/tickets/index.html");
    for method in ["husk", "paper"] {
        let done = husk([
            "template",
            page.to_str().unwrap(),
            "--method",
            method,
            "-f",
            "json",
        ])
        .ok();
        let json: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(json["method"], method);
        assert!(json["nodes"].as_array().unwrap().len() > 20, "{method}");
    }
}
