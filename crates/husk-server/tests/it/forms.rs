use axum::http::header;
use husk::output::{
    ContentHtmlOptions, ContentJson, HtmlOptions, InspectOptions, MarkdownOptions, MenuOptions, Scripts,
    marks_json, menu_html, menu_json, menu_markdown, menu_text, nodes_html, nodes_markdown, nodes_text,
    pagelets_json, pagelets_text, to_html, to_inspection, to_json, to_outline,
};
use husk::{Content, Method, Navigation, Options, pagelets};
use husk_server::Settings;
use serde_json::{Value, json};

use crate::app::{App, JSON};
use crate::site::{FOOTER, KEY_WORDS, extraction, given, given_with};

const MAIN: MenuOptions = MenuOptions {
    all: false,
    relocation: None,
};

/// The answer for the small site.
#[track_caller]
fn ask(part: &str, accept: &str, asked: &Value) -> (String, String) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let app = App::new(Settings::default());
        let answer = app.post(&format!("/v1/{part}"), accept, asked).await;
        assert_eq!(answer.status.as_u16(), 200, "{part} {accept}: {}", answer.text());
        (answer.header(header::CONTENT_TYPE).to_owned(), answer.text())
    })
}

#[track_caller]
fn check(part: &str, accept: &str, media_type: &str, expect: &str) {
    let (said, text) = ask(part, accept, &given());
    assert_eq!(said, media_type);
    assert_eq!(text, expect, "{part} {accept}");
}

#[track_caller]
fn check_json(part: &str, asked: &Value, expect: &Value) {
    for accept in ["", "*/*", JSON] {
        let (said, text) = ask(part, accept, asked);
        assert_eq!(said, JSON);
        assert_eq!(
            &serde_json::from_str::<Value>(&text).unwrap(),
            expect,
            "{part} {accept}"
        );
    }
}

#[test]
fn templates() {
    let found = extraction(Options::default());
    assert!(found.compared.len() > 1, "a site to compare with");
    check_json("template", &given(), &json!(to_json(&found)));
    let html = to_html(&found, &HtmlOptions::default());
    assert!(html.contains(FOOTER) && !html.contains(KEY_WORDS) && !html.contains("alert(1)"));
    check("template", "text/html", "text/html; charset=utf-8", &html);
    check(
        "template",
        "text/plain",
        "text/plain; charset=utf-8",
        &to_outline(&found),
    );
}

#[test]
fn templates_as_they_are_wanted() {
    let found = extraction(Options::default());
    let with_scripts = HtmlOptions {
        scripts: Scripts::Keep,
        ..HtmlOptions::default()
    };
    let asked = given_with("write", json!({"scripts": "keep"}));
    let (_, text) = ask("template", "text/html", &asked);
    assert_eq!(text, to_html(&found, &with_scripts));
    assert!(text.contains("alert(1)"));
}

#[test]
fn the_method_is_that_of_the_request() {
    let paper = extraction(Options {
        method: Method::Paper,
        max_pages: Some(Settings::default().limits.pages),
        ..Options::default()
    });
    let asked = given_with("options", json!({"method": "paper"}));
    check_json("template", &asked, &json!(to_json(&paper)));
    let (_, text) = ask("template", JSON, &asked);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["method"], "paper");
}

#[test]
fn as_many_pages_are_compared_as_the_request_says() {
    let one = extraction(Options {
        pages_to_compare: 1,
        ..Options::default()
    });
    assert_eq!(one.compared.len(), 1);
    let asked = given_with("options", json!({"pages_to_compare": 1}));
    check_json("template", &asked, &json!(to_json(&one)));
}

#[test]
fn menus() {
    let found = extraction(Options::default());
    let navigation = Navigation::of(&found);
    assert!(navigation.main().is_some());
    check_json("menu", &given(), &json!(menu_json(&found, &navigation, &MAIN)));
    let all = MenuOptions {
        all: true,
        relocation: None,
    };
    let asked = given_with("write", json!({"all": true}));
    check_json("menu", &asked, &json!(menu_json(&found, &navigation, &all)));
    check(
        "menu",
        "text/html",
        "text/html; charset=utf-8",
        &menu_html(&navigation, &MAIN),
    );
    check(
        "menu",
        "text/markdown",
        "text/markdown; charset=utf-8",
        &menu_markdown(&navigation, &MAIN),
    );
    check(
        "menu",
        "text/plain",
        "text/plain; charset=utf-8",
        &menu_text(&navigation, &MAIN),
    );
}

#[test]
fn contents() {
    let found = extraction(Options::default());
    let (page, content) = (&found.key_page, Content::of(&found));
    let markdown = nodes_markdown(page, &content.nodes, &MarkdownOptions::default());
    assert!(markdown.contains(KEY_WORDS) && !markdown.contains(FOOTER));
    let html = nodes_html(page, &content.nodes, &ContentHtmlOptions::default());
    let text = nodes_text(page, &content.nodes);
    let expect = ContentJson::new(&found, &content, "markdown", markdown.clone());
    check_json("content", &given(), &json!(expect));
    for (format, written) in [("html", &html), ("text", &text)] {
        let asked = given_with("write", json!({"content_format": format}));
        let expect = ContentJson::new(&found, &content, format, written.clone());
        check_json("content", &asked, &json!(expect));
    }
    check(
        "content",
        "text/markdown",
        "text/markdown; charset=utf-8",
        &markdown,
    );
    check("content", "text/plain", "text/plain; charset=utf-8", &text);
    let article = format!("<article>{html}</article>\n");
    check("content", "text/html", "text/html; charset=utf-8", &article);
}

#[test]
fn all_pagelets() {
    let found = extraction(Options::default());
    let pagelets = pagelets(&found, &Navigation::of(&found), &Content::of(&found));
    check_json("pagelets", &given(), &json!(pagelets_json(&found, &pagelets)));
    check(
        "pagelets",
        "text/plain",
        "text/plain; charset=utf-8",
        &pagelets_text(&found, &pagelets),
    );
}

#[test]
fn inspections() {
    let found = extraction(Options::default());
    check_json("inspect", &given(), &json!(marks_json(&found)));
    let html = to_inspection(&found, &InspectOptions::default());
    check("inspect", "text/html", "text/html; charset=utf-8", &html);
    check(
        "inspect",
        "text/plain",
        "text/plain; charset=utf-8",
        &to_outline(&found),
    );
}

#[test]
fn the_form_that_is_wanted_most() {
    let accept = "text/markdown;q=0.5, text/html;q=0.9, image/png";
    assert_eq!(ask("menu", accept, &given()).0, "text/html; charset=utf-8");
    assert_eq!(ask("pagelets", "text/*", &given()).0, "text/plain; charset=utf-8");
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let app = App::new(Settings::default());
    let alone = json!({"page": {"url": "https://alone.example/", "html": "<p>Nobody else"}});
    for part in ["template", "menu"] {
        let answer = app.post(&format!("/v1/{part}"), JSON, &alone).await;
        answer.is_problem(422, "no-sibling", &["https://alone.example/", "siblings"]);
    }
    let empty = json!({"page": {"url": "https://empty.example/", "html": ""}});
    let answer = app.post("/v1/content", "text/markdown", &empty).await;
    answer.is_problem(422, "no-content", &["https://empty.example/"]);
    let flat = |name: &str| {
        let words: String = (0..9)
            .map(|number| format!("<p>Word {number} of {name}{number}</p>"))
            .collect();
        json!({"url": format!("https://flat.example/{name}"), "html": format!("<h1>Us</h1>{words}<p>The end")})
    };
    let flat = json!({"page": flat("a"), "siblings": [flat("b"), flat("c")]});
    let answer = app.post("/v1/menu", "text/plain", &flat).await;
    answer.is_problem(422, "no-menu", &["https://flat.example/a"]);
}
