use std::fs;

use crate::run::{husk_in, small_site};

#[test]
fn is_found_upward_and_flags_win() {
    let site = small_site();
    let below = site.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    fs::write(
        site.path().join("husk.toml"),
        "pages-to-compare = 2\nlinks = 'as-written'\nmethod = 'paper'\n",
    )
    .unwrap();
    let done = husk_in(&below, ["template", "../../one.html", "--site", "../.."]).ok();
    assert!(done.stderr.contains("compared with 2 pages"), "{}", done.stderr);
    assert!(done.stdout.contains("href=\"style.css\""));
    let done = husk_in(
        &below,
        [
            "template",
            "../../one.html",
            "--site",
            "../..",
            "-n",
            "3",
            "--links",
            "absolute",
            "--base-url",
            "https://example.org/",
        ],
    )
    .ok();
    assert!(done.stderr.contains("compared with 3 pages"), "{}", done.stderr);
    assert!(
        done.stdout.contains("href=\"https://example.org/style.css\""),
        "{}",
        done.stdout
    );
}

#[test]
fn may_be_named() {
    let site = small_site();
    fs::write(site.path().join("other.toml"), "max-pages = 1").unwrap();
    let done = husk_in(site.path(), ["template", "one.html", "--config", "other.toml"]).ok();
    assert!(
        done.stderr.contains("compared with 1 page, 2 loaded"),
        "{}",
        done.stderr
    );
    let done = husk_in(
        site.path(),
        ["template", "one.html", "--config", "other.toml", "-v"],
    )
    .ok();
    assert!(done.stderr.contains("options from other.toml"), "{}", done.stderr);
}

#[test]
fn mistakes_are_named_with_file_and_place() {
    let site = small_site();
    let check = |toml: &str, said: &[&str]| {
        fs::write(site.path().join("husk.toml"), toml).unwrap();
        let mut all = vec!["husk.toml"];
        all.extend(said);
        husk_in(site.path(), ["template", "one.html"]).fails(2, &all);
    };
    check(
        "page-to-compare = 3",
        &["unknown field `page-to-compare`", "line 1"],
    );
    check("same-site = 'planet'", &["planet", "host"]);
    check("[weighted]\nthreshold = 2.0", &["threshold", "between 0 and 1"]);
    check("[weighted.weights]\nclass = -1.0", &["0 or more"]);
    check("pages-to-compare = 0", &["at least 1"]);
    check("what?", &["line 1"]);
    husk_in(site.path(), ["template", "one.html", "--config", "gone.toml"])
        .fails(1, &["cannot read gone.toml"]);
}

#[test]
fn a_file_found_by_chance_starts_no_programs() {
    let site = small_site();
    let text = "[loading]\nbrowser = \"./evil\"\nproxy = \"http://127.0.0.1:1\"\ndelay = 0\n";
    fs::write(site.path().join("husk.toml"), text).unwrap();
    let web = crate::web::Web::of_folder(site.path());
    let page = format!("{}one.html", web.url);
    let done = husk_in(site.path(), ["template", &page, "--no-cache"]).ok();
    assert!(done.stderr.contains("--config"), "{}", done.stderr);
    husk_in(
        site.path(),
        ["template", &page, "--no-cache", "--config", "husk.toml"],
    )
    .fails(1, &["proxy"]);
}

#[test]
fn a_file_found_by_chance_sets_harmless_options_only() {
    let site = small_site();
    let script = "<script>go()</script></body>";
    for name in ["one.html", "two.html", "three.html", "four.html"] {
        let page = site.path().join(name);
        if let Ok(html) = fs::read_to_string(&page) {
            fs::write(&page, html.replace("</body>", "") + script).unwrap();
        }
    }
    let text = "pages-to-compare = 2\nscripts = 'keep'\n[loading]\ncache = 'poisoned'\nignore-robots = true\n\
                [serve]\nmax-memory = 1\n";
    fs::write(site.path().join("husk.toml"), text).unwrap();
    let done = husk_in(site.path(), ["template", "one.html"]).ok();
    for words in [
        "husk.toml",
        "--config",
        "ignoring scripts, loading.ignore-robots, loading.cache, serve.max-memory",
        "compared with 2 pages",
    ] {
        assert!(done.stderr.contains(words), "{words}: {}", done.stderr);
    }
    assert!(!done.stdout.contains("go()"), "{}", done.stdout);
    let done = husk_in(site.path(), ["template", "one.html", "--config", "husk.toml"]).ok();
    assert!(
        done.stdout.contains("go()") && !done.stderr.contains("ignoring"),
        "{}",
        done.stderr
    );
}
