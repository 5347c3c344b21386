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
fn a_folder_without_sites_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    husk(["eval", path]).fails(1, &[path]);
    husk(["eval", "nowhere"]).fails(1, &["nowhere"]);
    husk(["eval"]).fails(2, &["<CORPUS>"]);
}
