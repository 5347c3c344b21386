use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use axum::http::header;
use husk::Options;
use husk::output::{MarkedPage, OUTPUTS, OutputOptions, to_json};
use husk_server::Settings;
use serde_json::{Value, json};

use crate::app::{Answer, App, EVENTS, JSON, local};
use crate::listener::{Listener, answer, missing, page};
use crate::site::{FOOTER, KEY_WORDS, NAMES, address, extraction, given, given_with, html};

async fn kept(app: &App) -> Answer {
    let answer = app.post("/v1/results", JSON, &given()).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    answer
}

fn outputs(summary: &Value) -> Vec<String> {
    serde_json::from_value(summary["outputs"].clone()).unwrap()
}

#[tokio::test]
async fn a_result_is_kept_shown_and_forgotten() {
    let app = App::new(Settings::default());
    let answer = kept(&app).await;
    let summary = answer.json();
    let path = answer.header(header::LOCATION).to_owned();
    assert_eq!(path, format!("/v1/results/{}", summary["id"].as_str().unwrap()));
    let found = extraction(Options::default());
    assert_eq!(summary["page"], address("anna"));
    assert_eq!(summary["title"], "anna");
    assert_eq!(summary["method"], "husk");
    assert_eq!(summary["nodes"], found.key_page.dom.len());
    assert_eq!(summary["template_nodes"], found.template.nodes().count());
    let compared: Vec<String> = found.compared.iter().map(ToString::to_string).collect();
    assert_eq!(summary["compared"], json!(compared));
    assert_eq!(summary["loaded"][0], address("anna"));
    let loaded = summary["loaded"].as_array().unwrap().len();
    let links: Vec<(usize, usize)> = serde_json::from_value(summary["links"].clone()).unwrap();
    let all = (0..loaded).flat_map(|from| (0..loaded).map(move |to| (from, to)));
    let others: Vec<(usize, usize)> = all.filter(|(from, to)| from != to).collect();
    assert_eq!(links, others, "by the menu each page links to each other");
    assert_eq!(summary["visits"], json!(to_json(&found))["visits"]);
    assert_eq!(summary["learned"], Value::Null);
    assert!(summary["created"].as_str() < summary["expires"].as_str());
    let shown = app.get(&path).await;
    assert_eq!((shown.status.as_u16(), shown.json()), (200, summary));
    assert_eq!(app.delete(&path).await.status.as_u16(), 204);
    app.get(&path)
        .await
        .is_problem(404, "not-found", &["extract the page again"]);
    app.get(&format!("{path}/inspect-page"))
        .await
        .is_problem(404, "not-found", &[]);
    app.get(&format!("{path}/husk.zip"))
        .await
        .is_problem(404, "not-found", &[]);
    app.delete(&path).await.is_problem(404, "not-found", &[]);
}

#[tokio::test]
async fn every_form_has_its_type_and_does_no_harm() {
    let app = App::new(Settings::default());
    let answer = kept(&app).await;
    let path = answer.header(header::LOCATION);
    let names = outputs(&answer.json());
    // Those of the engine but outlines and XPaths, and the template with its style sheets.
    let is_large = |name: &str| name.ends_with("-outline") || name.ends_with("-xpath");
    let all = OUTPUTS.iter().map(|output| output.id());
    let mut expect: Vec<String> = all.filter(|name| !is_large(name)).collect();
    expect.extend(["template-page".to_owned(), "template-xpath".to_owned()]);
    expect.sort();
    assert_eq!(BTreeSet::from_iter(&names), BTreeSet::from_iter(&expect));
    for name in names {
        let form = app.get(&format!("{path}/{name}")).await;
        assert_eq!(form.status.as_u16(), 200, "{name}");
        let output = OUTPUTS.iter().find(|output| output.id() == name);
        let expect = output.map_or("text/html; charset=utf-8", |output| output.media_type);
        assert_eq!(form.header(header::CONTENT_TYPE), expect, "{name}");
        assert!(!form.body.is_empty(), "{name}");
        if expect == JSON {
            form.json();
        }
        let policy = form.header(header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.contains("sandbox") && policy.contains("default-src 'none'"),
            "{name}: {policy}"
        );
        if name.starts_with("template-") && expect.starts_with("text/html") {
            assert!(!form.text().contains("alert(1)"), "{name}");
        }
        let is_download = form.header(header::CONTENT_DISPOSITION).starts_with("attachment");
        assert_eq!(is_download, name == "inspect-html", "{name}");
    }
    let answer = app.get(&format!("{path}/template-pdf")).await;
    answer.is_problem(404, "not-found", &["template-pdf", path]);
}

#[tokio::test]
async fn forms_are_those_of_the_engine() {
    let app = App::new(Settings::default());
    let answer = kept(&app).await;
    let path = answer.header(header::LOCATION);
    let found = extraction(Options::default());
    let form = async |name: &str| app.get(&format!("{path}/{name}")).await;
    assert_eq!(form("template-json").await.json(), json!(to_json(&found)));
    let offline = OutputOptions {
        offline: true,
        ..OutputOptions::default()
    };
    let marked = MarkedPage::of(&found.into(), &offline);
    assert_eq!(form("inspect-page").await.json(), json!(marked));
    for name in ["content-html", "content-markdown", "content-json"] {
        let text = form(name).await.text();
        assert!(
            text.contains(KEY_WORDS) && !text.contains(FOOTER),
            "{name}: {text}"
        );
    }
    for name in [
        "template-html",
        "template-jinja",
        "template-liquid",
        "template-handlebars",
        "template-html-slots",
    ] {
        let text = form(name).await.text();
        assert!(
            text.contains(FOOTER) && !text.contains(KEY_WORDS),
            "{name}: {text}"
        );
    }
    for name in ["menu-json", "menu-markdown"] {
        let text = form(name).await.text();
        assert!(
            NAMES.iter().all(|page| text.contains(&format!("Page of {page}"))),
            "{name}: {text}"
        );
    }
}

#[tokio::test]
async fn everything_in_one_archive() {
    let app = App::new(Settings::default());
    let answer = kept(&app).await;
    let path = answer.header(header::LOCATION);
    let packed = app.get(&format!("{path}/husk.zip")).await;
    assert_eq!(packed.header(header::CONTENT_TYPE), "application/zip");
    assert_eq!(
        packed.header(header::CONTENT_DISPOSITION),
        "attachment; filename=\"husk.zip\""
    );
    let mut archive = zip::ZipArchive::new(Cursor::new(packed.body)).unwrap();
    let names: BTreeSet<String> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    assert_eq!(names.len(), outputs(&answer.json()).len());
    assert!(names.iter().all(|name| name.starts_with("husk/")), "{names:?}");
    let mut markdown = String::new();
    let mut file = archive.by_name("husk/content.md").unwrap();
    file.read_to_string(&mut markdown).unwrap();
    assert_eq!(
        markdown,
        app.get(&format!("{path}/content-markdown")).await.text()
    );
}

#[tokio::test]
async fn the_last_event_is_the_summary() {
    let app = App::new(Settings::default());
    let events = app.post("/v1/results", EVENTS, &given()).await.events();
    let (name, summary) = events.last().unwrap();
    assert_eq!(name, "result");
    let path = format!("/v1/results/{}", summary["id"].as_str().unwrap());
    assert_eq!(&app.get(&path).await.json(), summary);
}

#[tokio::test]
async fn a_page_without_siblings_has_a_result_too() {
    let app = App::new(Settings::default());
    let answer = app
        .post("/v1/results", JSON, &given_with("siblings", json!([])))
        .await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text());
    assert_eq!(answer.json()["compared"], json!([]));
}

#[tokio::test]
async fn the_oldest_makes_room() {
    let mut settings = Settings::default();
    settings.limits.results = 2;
    let app = App::new(settings);
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(kept(&app).await.header(header::LOCATION).to_owned());
        // They are told apart by the millisecond.
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let mut statuses = Vec::new();
    for path in &paths {
        statuses.push(app.get(path).await.status.as_u16());
    }
    assert_eq!(statuses, [404, 200, 200]);
}

#[tokio::test]
async fn what_is_too_old_is_gone() {
    let mut settings = Settings::default();
    settings.limits.result_age = std::time::Duration::ZERO;
    let app = App::new(settings);
    let path = kept(&app).await.header(header::LOCATION).to_owned();
    std::thread::sleep(std::time::Duration::from_millis(3));
    app.get(&path).await.is_problem(404, "not-found", &[]);
}

#[tokio::test]
async fn results_outlive_the_server_in_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::default();
    settings.store = Some(folder.path().join("husk.redb"));
    let app = App::new(settings.clone());
    let answer = kept(&app).await;
    let in_use = husk_server::router(settings.clone()).unwrap_err().to_string();
    assert!(
        in_use.contains("husk.redb") && in_use.contains("--store"),
        "{in_use}"
    );
    drop(app);
    let app = App::new(settings);
    let path = answer.header(header::LOCATION);
    assert_eq!(app.get(path).await.json(), answer.json());
}

/// The small site with two style sheets, one of them somewhere else.
fn styled(other: &'static str) -> Listener {
    Listener::new(move |path| match path {
        "/s.css" => answer("200 OK", "Content-Type: text/css", "nav{color:rebeccapurple}"),
        "/robots.txt" | "/gone.css" => missing(),
        _ => {
            let links =
                format!("<link rel=stylesheet href=/s.css><link rel=stylesheet href=\"{other}\"></head>");
            page(&html(path.trim_start_matches('/')).replace("</head>", &links))
        }
    })
}

#[tokio::test]
async fn what_is_looked_at_has_its_style_in_it() {
    let site = styled("/gone.css");
    let app = App::new(local());
    let events = app
        .post("/v1/results", EVENTS, &json!({"url": site.url("/anna")}))
        .await
        .events();
    let names: Vec<&str> = events.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names[names.len() - 3..], ["stylesheets", "writing", "result"]);
    let id = events.last().unwrap().1["id"].as_str().unwrap().to_owned();
    for (form, is_styled) in [
        ("inspect-page", true),
        ("template-page", true),
        ("inspect-html", true),
        ("template-html", false),
        ("template-jinja", false),
    ] {
        let text = app.get(&format!("/v1/results/{id}/{form}")).await.text();
        assert_eq!(
            text.contains("nav{color:rebeccapurple}"),
            is_styled,
            "{form}: {text}"
        );
    }
    assert_eq!(site.log().iter().filter(|path| *path == "/s.css").count(), 1);
}

#[tokio::test]
async fn who_wants_no_picture_of_the_page_does_not_wait_for_its_style() {
    let (site, app) = (styled("/s.css"), App::new(local()));
    let answer = app
        .post("/v1/template", JSON, &json!({"url": site.url("/anna")}))
        .await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    assert!(
        !site.log().iter().any(|path| path == "/s.css"),
        "{:?}",
        site.log()
    );
}
