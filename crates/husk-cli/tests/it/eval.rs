use serde_json::Value;

use crate::run::{husk, repository};

fn fixtures() -> String {
    repository().join("fixtures/sites").to_str().unwrap().to_owned()
}

#[test]
fn prints_a_table() {
    let done = husk(["eval", &fixtures()]).ok();
    let lines: Vec<_> = done.stdout.lines().collect();
    assert!(lines[0].starts_with("site"), "{}", done.stdout);
    assert!(lines.iter().any(|line| line.starts_with("mean")));
    assert!(lines.iter().filter(|line| line.starts_with("lighthouse")).count() >= 6);
}

#[test]
fn json_and_csv_say_the_same() {
    let json: Value =
        serde_json::from_str(&husk(["eval", &fixtures(), "--format", "json"]).ok().stdout).unwrap();
    let csv = husk(["eval", &fixtures(), "--format", "csv"]).ok().stdout;
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(json["mean"]["nodes"]["f1"].as_f64().unwrap() > 0.85, "{json:#}");
    assert!(
        rows.iter()
            .all(|row| row["method"] == "paper" && row["loaded"].as_u64() == Some(5))
    );
}

#[test]
fn runs_rivals_too() {
    let done = husk(["eval", &fixtures(), "--method", "hybex", "--format", "json"]).ok();
    let json: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["rows"][0]["method"], "hybex");
    assert!(json["mean"]["nodes"]["f1"].as_f64().unwrap() > 0.85, "{json:#}");
    assert!(json["mean"]["parse_ms"].as_f64().unwrap() > 0.0);
    assert!(json["mean"]["mapping_ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_folder_without_sites_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    husk(["eval", path]).fails(1, &[path]);
    let done = husk(["eval", "nowhere"]).fails(1, &["nowhere: "]);
    assert_eq!(done.stderr.matches("(os error").count(), 1, "{}", done.stderr);
    husk(["eval"]).fails(2, &["<CORPUS>"]);
}

#[test]
fn odd_labels_and_folders_are_told() {
    let corpus = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let file = corpus.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("a/site.json", r#"{"name": "a", "base_url": "https://a.example"}"#);
    write("a/gold.json", r#"{"key": "index.html", "not_tempalte": ["p"]}"#);
    write("a/pages/index.html", "<p>");
    write("notes/todo.txt", "no site");
    let done = husk(["eval", corpus.path().to_str().unwrap()]).ok();
    let notes: Vec<_> = done.stderr.lines().collect();
    assert_eq!(notes.len(), 2, "{}", done.stderr);
    assert!(notes[0].ends_with("notes: holds no site"), "{}", done.stderr);
    assert_eq!(
        notes[1],
        "husk: a index.html: unknown key `not_tempalte` in gold.json"
    );
}
