use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Done, command_in, has_chromium, husk_in, small_site};
use crate::web::{Answer, Web};

/// Runs the command with a cache of its own, and without waiting between pages.
fn husk(folder: &Path, arguments: &[&str]) -> Done {
    let cache = folder.join("cache");
    let cache = ["--cache", cache.to_str().unwrap(), "--delay", "0"];
    husk_in(folder, arguments.iter().chain(&cache))
}

fn loaded(json: &str) -> Vec<String> {
    let json: Value = serde_json::from_str(json).unwrap();
    let urls = json["loaded"].as_array().unwrap().iter();
    urls.map(|url| url.as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_web_gives_the_same_as_the_folder() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let page = format!("{}one.html", web.url);
    for format in ["html", "json", "xpath"] {
        let live = husk(
            site.path(),
            &["template", &page, "--format", format, "--no-cache"],
        );
        let arguments = [
            "template",
            &page,
            "--site",
            ".",
            "--base-url",
            &web.url,
            "--format",
            format,
        ];
        let saved = husk_in(site.path(), arguments).ok().stdout;
        assert_eq!(live.status, 2, "a cache and none are not both meant");
        let live = husk_in(
            site.path(),
            [
                "template",
                &page,
                "--format",
                format,
                "--no-cache",
                "--delay",
                "0",
            ],
        );
        assert_eq!(live.ok().stdout, saved);
    }
}

#[test]
fn no_page_is_loaded_twice_nor_more_than_said() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let page = format!("{}one.html", web.url);
    let done = husk(site.path(), &["template", &page, "--format", "json"]).ok();
    let mut asked = web.asked();
    asked.sort();
    let mut expect: Vec<String> = loaded(&done.stdout)
        .iter()
        .map(|url| url.replace(web.url.trim_end_matches('/'), ""))
        .collect();
    expect.push("/robots.txt".to_owned());
    expect.sort();
    assert_eq!(asked, expect);
    let again = husk(site.path(), &["template", &page, "--format", "json"]).ok();
    assert_eq!(again.stdout, done.stdout);
    assert_eq!(web.asked(), [""; 0], "a second run loads nothing");
}

#[test]
fn tells_what_is_loaded_and_why() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let page = format!("{}one.html", web.url);
    let done = husk(site.path(), &["menu", &page]).ok();
    let first = format!("husk: loading {page}\n");
    assert!(done.stderr.starts_with(&first), "{}", done.stderr);
    let second = format!(
        "husk: loading {}two.html, in a list of links with the key page (at most 6 more)",
        web.url
    );
    assert!(done.stderr.contains(&second), "{}", done.stderr);
    let quiet = husk(site.path(), &["menu", &page, "--quiet"]).ok();
    assert_eq!(quiet.stderr, "");
}

#[test]
fn robots_are_obeyed_unless_told_otherwise() {
    let site = small_site();
    let root = site.path().to_owned();
    let web = Web::new(move |path| match path {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /one\n"),
        _ => fs::read(root.join(&path[1..])).map_or(Answer::status(404), Answer::html),
    });
    let page = format!("{}one.html", web.url);
    let robots = format!("{}robots.txt", web.url);
    husk(site.path(), &["template", &page]).fails(1, &[&page, &robots, "--ignore-robots"]);
    assert_eq!(web.asked(), ["/robots.txt"]);
    husk(site.path(), &["template", &page, "--ignore-robots"]).ok();
    let other = format!("{}two.html", web.url);
    let json = husk(
        site.path(),
        &["template", &other, "--format", "json", "--no-cache"],
    );
    assert_eq!(json.status, 2);
    let json = husk(site.path(), &["template", &other, "--format", "json"]).ok();
    assert!(!loaded(&json.stdout).contains(&page), "{}", json.stdout);
}

#[test]
fn a_page_does_not_lead_into_the_private_network() {
    let site = small_site();
    let root = site.path().to_owned();
    let inside = Web::of_folder(site.path());
    let target = inside.url.replace("127.0.0.1", "127.0.0.2");
    let web = Web::new(move |path| match path {
        "/away.html" => Answer::redirect(format!("{target}one.html")),
        _ => fs::read(root.join(&path[1..])).map_or(Answer::status(404), Answer::html),
    });
    let page = format!("{}away.html", web.url);
    husk(site.path(), &["template", &page]).fails(1, &["127.0.0.2", "--allow-private"]);
    assert_eq!(inside.asked(), [""; 0]);
}

#[test]
fn unreachable_pages_are_named() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let gone = format!("{}gone.html", web.url);
    husk(site.path(), &["template", &gone]).fails(1, &[&gone, "404 Not Found"]);
    // Nothing listens at the port of a server that is gone.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    husk(site.path(), &["content", &closed]).fails(1, &[&closed, "refused"]);
}

#[test]
fn a_page_on_standard_input_has_its_siblings_on_the_web() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let base = format!("{}one.html", web.url);
    let from_input = |extra: &[&str]| {
        let mut command = command_in(site.path());
        command.args(["template", "-"]).args(extra);
        command.stdin(fs::File::open(site.path().join("one.html")).unwrap());
        Done::of(command.output().unwrap())
    };
    let live = from_input(&["--base-url", &base, "--delay", "0", "--no-cache"]).ok();
    assert!(
        !web.asked().contains(&"/one.html".to_owned()),
        "it is there already"
    );
    let offline = from_input(&["--base-url", &base, "--site", "."]).ok();
    assert_eq!(live.stdout, offline.stdout);
    from_input(&[]).fails(2, &["--base-url"]);
}

#[test]
fn a_sitemap_finds_pages_that_nothing_links_to() {
    let page = |name: &str| {
        format!(
            "<title>{name}</title><header><p>The Herald of the Valley</p></header><main><h1>On {name}</h1>\
            <p>Words about {name}</p></main><footer>All rights reserved</footer>"
        )
    };
    let sitemap = |host: &str| {
        let urls: String = ["a", "b", "c", "d"]
            .iter()
            .map(|name| format!("<url><loc>http://{host}/news/{name}</loc></url>"))
            .collect();
        format!("<?xml version='1.0'?><urlset>{urls}</urlset>")
    };
    let web = Web::with_host(move |host, path| match path {
        "/robots.txt" => Answer::status(404),
        "/sitemap.xml" => Answer::text(&sitemap(host)),
        _ => Answer::html(page(path)),
    });
    let folder = tempfile::tempdir().unwrap();
    let key = format!("{}news/a", web.url);
    husk(folder.path(), &["template", &key]).fails(3, &["no sibling page", "--sitemap"]);
    web.asked();
    let done = husk(folder.path(), &["template", &key, "--sitemap"]).ok();
    assert!(
        done.stdout.contains("All rights") && !done.stdout.contains("Words about"),
        "{}",
        done.stdout
    );
    assert!(web.asked().contains(&"/sitemap.xml".to_owned()));
}

/// A site whose pages are made by a script, the menu included.
fn scripted_web() -> Web {
    const SCRIPT: &str = "\
        const names = ['one', 'two', 'three', 'four', 'five'];\
        const here = location.pathname.slice(1);\
        const menu = names.map(name => `<li><a href='/${name}'>Go to ${name}</a></li>`).join('');\
        document.getElementById('place').innerHTML = `<ul>${menu}</ul><main><h1>About ${here}</h1>` +\
            `<p>Words on ${here} that no other page has</p></main><footer>All rights reserved</footer>`;";
    Web::new(|path| match path {
        "/robots.txt" => Answer::status(404),
        _ => Answer::html(format!(
            "<!DOCTYPE html><title>Site</title><div id=place></div><script src=/bundle.js></script><script>{SCRIPT}</script>"
        )),
    })
}

#[test]
fn a_menu_made_by_scripts_is_missed_with_a_reason() {
    let web = scripted_web();
    let folder = tempfile::tempdir().unwrap();
    let page = format!("{}one", web.url);
    husk(folder.path(), &["menu", &page]).fails(3, &["hardly anything but scripts", "--render"]);
}

#[test]
fn a_menu_made_by_scripts_is_found_by_rendering() {
    if !has_chromium() {
        return;
    }
    let web = scripted_web();
    let folder = tempfile::tempdir().unwrap();
    let page = format!("{}one", web.url);
    let menu = husk(folder.path(), &["menu", &page, "--render", "--format", "text"]).ok();
    for name in ["one", "two", "three", "four", "five"] {
        assert!(menu.stdout.contains(&format!("Go to {name}")), "{}", menu.stdout);
    }
    let template = husk(folder.path(), &["template", &page, "--render"]).ok().stdout;
    assert!(
        template.contains("All rights reserved") && !template.contains("Words on one"),
        "{template}"
    );
    husk(
        folder.path(),
        &["pack", &page, "--render", "-o", "rendered.warc.gz"],
    )
    .ok();
    let packed = husk_in(folder.path(), ["template", &page, "--warc", "rendered.warc.gz"]).ok();
    assert_eq!(packed.stdout, template);
}

#[test]
fn a_missing_browser_is_named() {
    let web = scripted_web();
    let folder = tempfile::tempdir().unwrap();
    let page = format!("{}one", web.url);
    husk(
        folder.path(),
        &["menu", &page, "--render", "--browser", "no/such/chromium"],
    )
    .fails(1, &["no/such/chromium"]);
    let mut command = command_in(folder.path());
    command.env("PATH", folder.path()).env_remove("CHROME");
    command.args(["menu", &page, "--render", "--no-cache"]);
    Done::of(command.output().unwrap()).fails(1, &["no Chromium found: install it", "--browser"]);
}

#[test]
fn where_a_page_says_it_is_from_is_not_typed_by_the_user() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let page = fs::read_to_string(site.path().join("one.html")).unwrap();
    let claimed = format!("<!-- saved from url=(0030){}one.html -->\n{page}", web.url);
    let saved = site.path().join("claims.html");
    let absolute = claimed.replace("href=\"", &format!("href=\"{}", web.url));
    fs::write(&saved, absolute).unwrap();
    husk(site.path(), &["template", "claims.html", "--live"]).fails(3, &["--allow-private"]);
    assert_eq!(web.asked(), [""; 0]);
    husk(
        site.path(),
        &["template", "claims.html", "--live", "--allow-private"],
    )
    .ok();
    let base = format!("{}one.html", web.url);
    husk(
        site.path(),
        &["template", "claims.html", "--live", "--base-url", &base],
    )
    .ok();
}

#[test]
fn one_page_too_many_is_no_storm() {
    let site = small_site();
    let root = site.path().to_owned();
    let web = Web::new(move |path| match path {
        "/two.html" => Answer {
            headers: vec![("Retry-After", "0".to_owned())],
            ..Answer::status(429)
        },
        _ => fs::read(root.join(&path[1..])).map_or(Answer::status(404), Answer::html),
    });
    let page = format!("{}one.html", web.url);
    let done = husk(site.path(), &["template", &page, "--format", "json"]).ok();
    assert_eq!(loaded(&done.stdout).len(), 4, "{}", done.stdout);
    assert!(done.stdout.contains("429 Too Many Requests"), "{}", done.stdout);
}

#[test]
fn secrets_in_addresses_are_not_spread() {
    let site = small_site();
    let web = Web::of_folder(site.path());
    let page = format!("{}one.html", web.url.replace("http://", "http://user:hunter2@"));
    let done = husk(site.path(), &["template", &page, "--quiet"]).fails(1, &["user name or password"]);
    assert!(!done.stderr.contains("hunter2"), "{}", done.stderr);
    assert_eq!(web.asked(), [""; 0]);
}
