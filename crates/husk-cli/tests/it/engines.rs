use serde_json::Value;

use crate::run::{husk, small_site};

fn template(engine: &str) -> String {
    let site = small_site();
    let page = site.path().join("one.html");
    husk(["template", page.to_str().unwrap(), "--format", engine])
        .ok()
        .stdout
}

#[test]
fn every_engine_has_its_placeholders() {
    let check = |engine, expect: &[&str]| {
        let template = template(engine);
        for words in expect {
            assert!(template.contains(words), "{words:?} in {template}");
        }
        assert!(
            !template.contains("husk:slot") && !template.contains("Only on one"),
            "{template}"
        );
    };
    check(
        "jinja",
        &[
            "<title>{{ title | e }}</title>",
            "{{ main_content | safe }}",
            "All rights",
        ],
    );
    check(
        "liquid",
        &[
            "<title>{{ title | escape }}</title>",
            "{{ main_content }}",
            "All rights",
        ],
    );
    check(
        "handlebars",
        &["<title>{{ title }}</title>", "{{{ main_content }}}", "All rights"],
    );
    check(
        "html-slots",
        &[
            "<title data-slot=\"title\"></title>",
            "<slot name=\"main_content\"></slot>",
            "All rights",
        ],
    );
}

#[test]
fn json_names_the_slots() {
    let site = small_site();
    let page = site.path().join("one.html");
    let json = husk(["template", page.to_str().unwrap(), "--format", "json"])
        .ok()
        .stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let names: Vec<_> = json["slots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slot| slot["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"title") && names.contains(&"main_content"),
        "{names:?}"
    );
    let title = &json["placeholders"][0];
    assert_eq!(title["name"], "title");
    assert_eq!(title["is_text"], true);
    assert_eq!(title["value"], "one");
}

#[test]
fn an_unknown_engine_is_answered_with_the_known_ones() {
    husk(["template", "x.html", "--format", "mustache"]).fails(2, &["jinja", "html-slots"]);
}
