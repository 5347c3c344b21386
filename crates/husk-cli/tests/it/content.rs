use serde_json::Value;

use crate::run::{Done, command_in, example_site, husk, small_site};

/// What `husk content` says of a page of the example site.
fn content(page: &str, arguments: &[&str]) -> Done {
    let site = example_site();
    let page = site.join(page);
    let base = ["--base-url", "https://lighthouse.example/", "--quiet", "--site"];
    husk(
        ["content", page.to_str().unwrap()]
            .into_iter()
            .chain(base)
            .chain([site.to_str().unwrap()])
            .chain(arguments.iter().copied()),
    )
}

const STORY: &str = "stories/the-night-the-foghorn-stuck/index.html";

#[test]
fn markdown_is_what_is_printed_if_nothing_is_said() {
    let markdown = content(STORY, &[]).ok().stdout;
    assert!(markdown.contains("# The night the foghorn stuck\n"), "{markdown}");
    assert!(
        !markdown.contains("<script") && !markdown.contains("<div"),
        "{markdown}"
    );
    assert_eq!(markdown, content(STORY, &["--format", "markdown"]).ok().stdout);
}

#[test]
fn tables_become_tables() {
    let markdown = content("visit/opening-hours/index.html", &[]).ok().stdout;
    assert!(markdown.contains("\n| --- |"), "{markdown}");
    let text = content("visit/opening-hours/index.html", &["--format", "text"])
        .ok()
        .stdout;
    assert!(text.contains(" | ") && !text.contains("---"), "{text}");
}

#[test]
fn text_is_paragraphs() {
    let text = content(STORY, &["--format", "text"]).ok().stdout;
    assert!(text.contains("The night the foghorn stuck\n\n"), "{text}");
    assert!(!text.contains('#') && !text.contains("]("), "{text}");
}

#[test]
fn html_is_clean() {
    let html = content(STORY, &["--format", "html"]).ok().stdout;
    assert!(
        html.starts_with("<article>") && html.ends_with("</article>\n"),
        "{html}"
    );
    assert!(html.contains("<h1>The night the foghorn stuck</h1>"), "{html}");
    for unwanted in ["class=", "style=", "<script", "<form", "src=\"../", "href=\"../"] {
        assert!(!html.contains(unwanted), "{unwanted} in {html}");
    }
}

#[test]
fn json_has_metadata_and_content() {
    let json = content(STORY, &["--format", "json"]).ok().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["key_page"],
        "https://lighthouse.example/stories/the-night-the-foghorn-stuck/"
    );
    assert_eq!(json["method"], "template");
    assert_eq!(json["title"], "The night the foghorn stuck");
    assert_eq!(json["language"], "en");
    assert_eq!(json["published"], "2025-02-14");
    assert_eq!(json["format"], "markdown");
    assert_eq!(json["content"], content(STORY, &[]).ok().stdout);
    assert!(json.get("comments").is_none(), "comments were not asked for");
    assert!(json["words"].as_u64().unwrap() > 100);
    let is_in_body = |node: &Value| node.as_str().unwrap().starts_with("/html[1]/body[1]/");
    assert!(json["xpaths"].as_array().unwrap().iter().any(is_in_body));
    assert!(
        json["compared"]
            .as_array()
            .is_some_and(|compared| !compared.is_empty())
    );
    let text = content(
        STORY,
        &["--format", "json", "--content-format", "text", "--comments"],
    )
    .ok()
    .stdout;
    let text: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(text["format"], "text");
    assert_eq!(text["content"], content(STORY, &["--format", "text"]).ok().stdout);
    assert_eq!(text["comments"], "");
}

#[test]
fn a_page_without_siblings_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("a.html");
    std::fs::write(&page, "<title>A</title><h1>A</h1><p>Some words that stand alone.").unwrap();
    let done = husk(["content", page.to_str().unwrap(), "--format", "json"]).ok();
    assert!(done.stderr.contains("single page"), "{}", done.stderr);
    let json: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["method"], "single-page");
    assert_eq!(json["title"], "A");
}

#[test]
fn several_pages_are_printed_one_after_the_other() {
    let site = small_site();
    let [one, two] = ["one.html", "two.html"].map(|name| site.path().join(name));
    let [one, two] = [one.to_str().unwrap(), two.to_str().unwrap()];
    let text = |pages: &[&str]| husk([&["content", "-f", "text"], pages].concat());
    let done = text(&[one, two]).ok().stdout;
    let expect = format!(
        "==> {one} <==\n{}\n==> {two} <==\n{}",
        text(&[one]).ok().stdout,
        text(&[two]).ok().stdout
    );
    assert_eq!(done, expect);
    let json = husk(["content", one, two, "-f", "json"]).ok().stdout;
    let objects = serde_json::Deserializer::from_str(&json).into_iter::<Value>();
    assert_eq!(objects.map(Result::unwrap).count(), 2);
    let gone = site.path().join("gone.html");
    let failed = text(&[gone.to_str().unwrap(), two]);
    assert!(
        failed.stdout.contains(&format!("==> {two} <==")),
        "{}",
        failed.stdout
    );
    assert_eq!(failed.status, 1);
    assert!(failed.stderr.contains("gone.html"), "{}", failed.stderr);
}

#[test]
fn an_unknown_form_is_refused() {
    let site = small_site();
    let page = site.path().join("one.html");
    husk([
        "content",
        page.to_str().unwrap(),
        "--format",
        "json",
        "--content-format",
        "xpath",
    ])
    .fails(2, &["xpath"]);
}

#[test]
fn flags_that_would_change_nothing_are_refused() {
    content(STORY, &["--content-format", "html"]).fails(2, &["--format json"]);
    for format in ["xpath", "selectors"] {
        content(STORY, &["--comments", "--format", format]).fails(2, &["--comments"]);
    }
}

#[test]
fn only_the_parts_that_are_listed_are_written() {
    let title = "# The night the foghorn stuck\n";
    assert!(
        content(STORY, &["--include", "title"])
            .ok()
            .stdout
            .contains(title)
    );
    let without = content(STORY, &["--include", ""]).ok().stdout;
    assert!(!without.contains(title), "{without}");
    let byline = content(STORY, &["--include", "byline", "--format", "text"])
        .ok()
        .stdout;
    assert!(byline.contains("February 2025"), "{byline}");
    content(STORY, &["--include", "title,tags"]).fails(2, &["\"tags\"", "title, byline, captions, comments"]);
    content(STORY, &["--include", "title", "--format", "xpath"]).fails(2, &["--include"]);
}

/// Runs the command on a page from standard input.
fn content_of(html: &str, arguments: &[&str]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, html).unwrap();
    let mut command = command_in(folder.path());
    command.args(["content", "-"]).args(arguments);
    command.stdin(std::fs::File::open(&page).unwrap());
    Done::of(command.output().unwrap())
}

#[test]
fn a_page_alone_needs_no_url() {
    let html = "<title>Mill</title><h1>Mill</h1><p>We went to the <a href='../mill.html'>mill</a> by the river, and \
                nobody was there, so that we went home <a href=/>again</a>.";
    let unknown = content_of(html, &["--alone"]).ok().stdout;
    assert!(
        unknown.contains("[mill](../mill.html)") && unknown.contains("[again](/)"),
        "{unknown}"
    );
    content_of(html, &[]).fails(
        2,
        &["standard input does not contain its URL: set it with --base-url"],
    );
    let declared = format!("<link rel=canonical href=https://example.org/a/b>{html}");
    let declared = content_of(&declared, &["--alone"]).ok().stdout;
    assert!(
        declared.contains("[mill](https://example.org/mill.html)"),
        "{declared}"
    );
}

#[test]
fn json_has_the_posts_of_a_thread() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("thread.html");
    let post = |name: &str, day: usize| {
        format!(
            "<div class=post><a href='/users/{name}'>{name}</a> <time datetime=2024-05-0{day}>{day} May</time>\
             <p>On day {day} I went to the mill, and <b>nobody</b> was there, so I went home again.</p></div>"
        )
    };
    let posts = post("ann", 1) + &post("ben", 2) + &post("cleo", 3);
    std::fs::write(&page, format!("<title>The mill</title><h1>The mill</h1>{posts}")).unwrap();
    let json = husk(["content", page.to_str().unwrap(), "--alone", "--format", "json"])
        .ok()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let posts = json["posts"].as_array().unwrap();
    assert_eq!(posts.len(), 3, "{json}");
    assert_eq!(posts[1]["author"], "ben");
    assert_eq!(posts[1]["date"], "2024-05-02");
    assert!(
        posts[1]["text"].as_str().unwrap().contains("**nobody**"),
        "{json}"
    );
    assert!(
        posts[1].get("rating").is_none() && json.get("reviews").is_none(),
        "{json}"
    );
}
