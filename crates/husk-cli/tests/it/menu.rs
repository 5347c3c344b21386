use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Done, example_site, husk, husk_in, small_site};

/// `husk menu` on a page of the example site, with its address on the web.
fn menu(page: &str, more: &[&str]) -> Done {
    let site = example_site();
    let file = site.join(page);
    let site = site.to_str().unwrap().to_owned();
    let fixed = [
        "menu",
        file.to_str().unwrap(),
        "--site",
        &site,
        "--base-url",
        "https://lighthouse.example/",
    ];
    husk(fixed.iter().chain(more))
}

#[test]
fn markdown_is_a_nested_list_with_the_active_entry_in_bold() {
    let done = menu("visit/tickets/index.html", &[]).ok();
    let lines: Vec<_> = done.stdout.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "- [Visit](https://lighthouse.example/visit/index.html)",
            "  - [Opening hours](https://lighthouse.example/visit/opening-hours/index.html)",
            "  - **[Tickets](https://lighthouse.example/visit/tickets/index.html)**",
            "  - [Getting here](https://lighthouse.example/visit/getting-here/index.html)",
        ],
        "{}",
        done.stdout
    );
    assert!(done.stderr.contains("compared with"), "{}", done.stderr);
}

#[test]
fn json_has_the_tree() {
    let page = "stories/force-eleven-and-other-remarks/index.html";
    let json: Value = serde_json::from_str(&menu(page, &["-f", "json"]).ok().stdout).unwrap();
    assert_eq!(
        json["key_page"],
        "https://lighthouse.example/stories/force-eleven-and-other-remarks/"
    );
    assert_eq!(json["method"], "husk");
    assert!(json["loaded"].as_array().unwrap().len() > json["compared"].as_array().unwrap().len());
    assert!(json.get("navigation").is_none());
    let menu = &json["menu"];
    assert_eq!(menu["kind"], "main");
    assert_eq!(
        menu["xpaths"],
        serde_json::json!(["/html[1]/body[1]/header[1]/div[1]/nav[1]/ul[1]"])
    );
    let entries = menu["entries"].as_array().unwrap();
    let labels: Vec<_> = entries
        .iter()
        .map(|entry| entry["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["Visit", "History", "Stories", "Shop", "Contact"]);
    assert_eq!(entries[1]["children"][1]["label"], "The lens");
    assert_eq!(
        entries[1]["children"][1]["url"],
        "https://lighthouse.example/history/the-lens/index.html"
    );
    let active: Vec<_> = entries
        .iter()
        .map(|entry| entry["active"].as_bool().unwrap())
        .collect();
    assert_eq!(active, [false, false, true, false, false]);
}

#[test]
fn every_page_of_the_example_site_has_the_same_menu() {
    for page in [
        "index.html",
        "shop/index.html",
        "history/the-lens/index.html",
        "stories/index.html",
    ] {
        let text = menu(page, &["-f", "text"]).ok().stdout;
        let expect = "Visit\n  Opening hours\n  Tickets\n  Getting here\nHistory\n  The tower\n  The lens\n  The keepers\n\
            Stories\nShop\nContact\n";
        assert_eq!(text, expect, "{page}");
    }
}

#[test]
fn html_is_lists_in_a_nav() {
    let html = menu("shop/index.html", &["-f", "html"]).ok().stdout;
    assert!(html.starts_with(
        "<nav aria-label=\"Main menu\">\n  <ul>\n    <li><a href=\"https://lighthouse.example/"
    ));
    assert!(
        html.contains(
            "<a href=\"https://lighthouse.example/shop/index.html\" aria-current=\"page\">Shop</a>"
        ),
        "{html}"
    );
    assert_eq!(html.matches("<ul>").count(), 3, "{html}");
    assert_eq!(html.matches("</li>").count(), 11, "{html}");
    assert!(html.ends_with("  </ul>\n</nav>\n"), "{html}");
}

#[test]
fn xpath_lists_every_node() {
    let paths = menu("shop/index.html", &["-f", "xpath"]).ok().stdout;
    assert!(
        paths.starts_with("/html[1]/body[1]/header[1]/div[1]/nav[1]/ul[1]\n"),
        "{paths}"
    );
    // Three lists, eleven entries with a link and its text each.
    assert_eq!(paths.lines().count(), 3 + 11 * 3, "{paths}");
}

#[test]
fn all_blocks_are_told_in_every_format() {
    let page = "stories/force-eleven-and-other-remarks/index.html";
    let json: Value = serde_json::from_str(&menu(page, &["--all", "-f", "json"]).ok().stdout).unwrap();
    let blocks = json["navigation"].as_array().unwrap();
    let kinds: Vec<_> = blocks
        .iter()
        .map(|block| block["kind"].as_str().unwrap())
        .collect();
    for kind in ["main", "breadcrumb", "footer"] {
        assert_eq!(
            kinds.iter().filter(|&&found| found == kind).count(),
            1,
            "{kind} in {kinds:?}"
        );
    }
    let crumbs = blocks.iter().find(|block| block["kind"] == "breadcrumb").unwrap();
    assert_eq!(crumbs["entries"][0]["label"], "Home");
    let markdown = menu(page, &["--all"]).ok().stdout;
    assert!(markdown.starts_with("## Main menu\n\n- [Visit]"), "{markdown}");
    assert!(markdown.contains("\n\n## Breadcrumb\n\n- [Home]"), "{markdown}");
    let text = menu(page, &["--all", "-f", "text"]).ok().stdout;
    assert!(
        text.starts_with("Main menu:\n  Visit\n    Opening hours\n"),
        "{text}"
    );
    let html = menu(page, &["--all", "-f", "html"]).ok().stdout;
    assert_eq!(html.matches("<nav aria-label=").count(), blocks.len(), "{html}");
    assert!(html.contains("<h2>Footer</h2>"), "{html}");
    let paths = menu(page, &["--all", "-f", "xpath"]).ok().stdout;
    assert!(paths.starts_with("# main\n/html[1]"), "{paths}");
    assert_eq!(
        paths.lines().filter(|line| line.starts_with('#')).count(),
        blocks.len()
    );
}

#[test]
fn links_lead_to_the_files_when_the_address_is_unknown() {
    let site = small_site();
    let done = husk_in(site.path(), ["menu", "one.html"]).ok();
    assert!(done.stdout.contains("- [two](two.html)"), "{}", done.stdout);
    assert!(done.stdout.contains("- **[one]("), "{}", done.stdout);
    let html = husk_in(site.path(), ["menu", "one.html", "-f", "html"])
        .ok()
        .stdout;
    assert!(html.contains("href=\"two.html\""), "{html}");
}

#[test]
fn links_have_the_assumed_address() {
    let site = small_site();
    for name in ["index", "one", "two", "three", "four"] {
        let file = site.path().join(format!("{name}.html"));
        let html = fs::read_to_string(&file).unwrap().replace("href=\"", "href=\"/");
        let declared = format!("<link rel=canonical href=https://example.org/{name}.html>");
        fs::write(&file, html + &declared).unwrap();
    }
    let done = husk_in(site.path(), ["menu", "one.html"]).ok();
    assert!(
        done.stdout.contains("- [two](https://example.org/two.html)"),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr
            .contains("assuming that the site was saved from https://example.org/, because"),
        "{}",
        done.stderr
    );
}

/// Writes pages that each have this in front of a text of their own.
fn write_site(folder: &Path, before: &str) {
    for name in ["one", "two", "three", "four", "five"] {
        let text =
            format!("<p>What is only on page {name}, and at such a length that it is one.</p>").repeat(5);
        fs::write(
            folder.join(format!("{name}.html")),
            format!("{before}<h1>{name}</h1>{text}"),
        )
        .unwrap();
    }
}

#[test]
fn what_markdown_and_html_would_take_for_their_own_is_escaped() {
    let site = tempfile::tempdir().unwrap();
    write_site(
        site.path(),
        "<nav><ul><li><a href=two.html>[*a*] &lt;b&gt;</a><li><a href='three.html?(x)'>1. _c_</a>\
        <li><a href='javascript:alert(1)'>run</a><li><a href='four.html?&quot;><script>'>q</a><li><a href=five.html>d</a>\
        </ul></nav>",
    );
    let markdown = husk_in(site.path(), ["menu", "one.html"]).ok().stdout;
    assert!(
        markdown.contains("- [\\[\\*a\\*\\] \\<b\\>](two.html)"),
        "{markdown}"
    );
    assert!(
        markdown.contains("- [1\\. \\_c\\_](") && markdown.contains("three.html?%28x%29)"),
        "{markdown}"
    );
    assert!(markdown.contains("- run\n"), "{markdown}");
    let html = husk_in(site.path(), ["menu", "one.html", "-f", "html"])
        .ok()
        .stdout;
    assert!(
        !html.contains("<script") && !html.contains("javascript"),
        "{html}"
    );
    assert!(
        html.contains("[*a*] &lt;b&gt;</a>") && html.contains("<span>run</span>"),
        "{html}"
    );
}

#[test]
fn a_site_without_menu_has_none() {
    let site = tempfile::tempdir().unwrap();
    for (name, next) in [
        ("one", "two"),
        ("two", "three"),
        ("three", "four"),
        ("four", "one"),
    ] {
        let text =
            format!("<p>What is only on page {name}, and at such a length that it is one.</p>").repeat(6);
        let html = format!(
            "<div class=top>The Daily, founded 1894</div><h1>{name}</h1>{text}<p>What {name} has to say goes on at some \
            length <a href={next}.html>in what we wrote of {next}</a>, as everything does.</p><div>The Daily Press</div>"
        );
        fs::write(site.path().join(format!("{name}.html")), html).unwrap();
    }
    for format in ["markdown", "html", "text", "xpath"] {
        husk_in(site.path(), ["menu", "one.html", "-f", format])
            .fails(1, &["no main menu found", "one.html", "--all"]);
    }
    husk_in(site.path(), ["menu", "one.html", "--all"]).fails(1, &["no navigation found"]);
    let json = husk_in(site.path(), ["menu", "one.html", "-f", "json", "--all"])
        .ok()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(
        json["menu"].is_null() && json["navigation"].as_array().unwrap().is_empty(),
        "{json}"
    );
}

#[test]
fn a_page_that_is_all_menu_has_one() {
    let site = tempfile::tempdir().unwrap();
    let names = ["index", "one", "two", "three", "four"];
    let items: String = names
        .iter()
        .map(|name| format!("<li><a href={name}.html>{name}</a></li>"))
        .collect();
    for name in names {
        fs::write(
            site.path().join(format!("{name}.html")),
            format!("<title>{name}</title><ul>{items}</ul>"),
        )
        .unwrap();
    }
    // Pages that are all alike may be taken for copies of each other; whatever is said, it is said clearly.
    let done = husk_in(site.path(), ["menu", "one.html", "-f", "text"]);
    match done.status {
        0 => assert_eq!(done.stdout, "index\none\ntwo\nthree\nfour\n"),
        _ => drop(done.fails(3, &["no sibling page", "one.html"])),
    }
}

#[test]
fn broken_input_is_told_as_for_the_template() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("alone.html"), "<p>Nobody else here").unwrap();
    fs::write(folder.path().join("empty.html"), "").unwrap();
    husk_in(folder.path(), ["menu", "alone.html"]).fails(3, &["no sibling page", "alone.html"]);
    husk_in(folder.path(), ["menu", "empty.html"]).fails(1, &["empty.html is empty"]);
    husk_in(folder.path(), ["menu", "gone.html"]).fails(1, &["gone.html"]);
    husk_in(folder.path(), ["menu", "alone.html", "-f", "yaml"]).fails(2, &["yaml", "markdown"]);
}

#[test]
fn selectors_are_of_the_main_menu_only() {
    menu("visit/tickets/index.html", &["--all", "-f", "selectors"])
        .fails(2, &["--all", "selectors", "markdown"]);
}
