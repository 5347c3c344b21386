use serde_json::Value;

use crate::run::{husk_lab, husk_lab_in, repository};

fn fixtures() -> String {
    repository().join("fixtures/sites").to_str().unwrap().to_owned()
}

/// What the paper's method prints about the fixtures.
fn eval_paper(more: &[&str]) -> String {
    let arguments = ["eval", &fixtures(), "--method", "paper"];
    husk_lab(arguments.iter().chain(more)).ok().stdout
}

#[test]
fn prints_a_table() {
    let done = husk_lab(["eval", &fixtures(), "--method", "paper"]).ok();
    let lines: Vec<_> = done.stdout.lines().collect();
    assert!(lines[0].starts_with("site"), "{}", done.stdout);
    assert!(lines.iter().any(|line| line.starts_with("mean")));
    assert!(lines.iter().filter(|line| line.starts_with("lighthouse")).count() >= 6);
}

#[test]
fn json_and_csv_say_the_same() {
    let json: Value = serde_json::from_str(&eval_paper(&["--format", "json"])).unwrap();
    let csv = eval_paper(&["--format", "csv"]);
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(json["mean"]["nodes"]["f1"].as_f64().unwrap() > 0.85, "{json:#}");
    assert!(
        rows.iter()
            .all(|row| row["method"] == "paper" && row["loaded"].as_u64() == Some(5))
    );
}

#[test]
fn runs_baselines() {
    let done = husk_lab(["eval", &fixtures(), "--method", "hybex", "--format", "json"]).ok();
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
    husk_lab(["eval", path]).fails(1, &[path]);
    let done = husk_lab(["eval", "nowhere"]).fails(1, &["nowhere: "]);
    assert_eq!(done.stderr.matches("(os error").count(), 1, "{}", done.stderr);
    husk_lab(["eval"]).fails(2, &["<CORPUS>"]);
}

#[test]
fn odd_labels_and_folders_are_reported() {
    let corpus = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let file = corpus.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("a/site.json", r#"{"name": "a", "base_url": "https://a.example"}"#);
    write("a/gold.json", r#"{"key": "index.html", "not_tempalte": ["p"]}"#);
    write("a/pages/index.html", "<p>");
    write("notes/list.txt", "no site");
    let done = husk_lab(["eval", corpus.path().to_str().unwrap()]).ok();
    let notes: Vec<_> = done.stderr.lines().collect();
    assert_eq!(notes.len(), 2, "{}", done.stderr);
    assert!(notes[0].ends_with("notes: contains no site"), "{}", done.stderr);
    assert_eq!(
        notes[1],
        "husk-lab: a index.html: unknown key `not_tempalte` in gold.json"
    );
}

#[test]
fn methods_stand_side_by_side() {
    let done = husk_lab([
        "eval",
        &fixtures(),
        "--method",
        "hybex,paper",
        "--method",
        "paper",
    ])
    .ok();
    let starts: Vec<_> = done
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(starts[0], "method");
    // In the order they were named, each once.
    let methods: Vec<_> = starts
        .iter()
        .filter(|start| ["paper", "hybex"].contains(start))
        .collect();
    assert_eq!(methods[..2], [&"hybex", &"paper"], "{}", done.stdout);
    assert!(done.stdout.contains("sites: 1 site, 6 key pages, digest "));

    let csv = husk_lab(["eval", &fixtures(), "--format", "csv"]).ok().stdout;
    let json: Value =
        serde_json::from_str(&husk_lab(["eval", &fixtures(), "--format", "json"]).ok().stdout).unwrap();
    let methods = json["methods"].as_array().unwrap();
    assert!(methods.len() > 1, "all methods without --method");
    assert_eq!(csv.lines().count(), 6 * methods.len() + 1);
    husk_lab(["eval", &fixtures(), "--method", "guess"]).fails(2, &["guess", "paper", "hybex"]);
}

#[test]
fn halves_are_named_and_stay() {
    let halves = ["a", "b"].map(|half| husk_lab(["eval", &fixtures(), "--split", half, "--format", "json"]));
    let [a, b] = halves;
    // The one site of the fixtures is in one of them.
    a.fails(1, &["sites: no site belongs to half a"]);
    let json: Value = serde_json::from_str(&b.ok().stdout).unwrap();
    assert_eq!(json["corpus"]["split"], "b");
    assert_eq!(json["corpus"]["key_pages"], 6);
    husk_lab(["eval", &fixtures(), "--split", "test"]).fails(2, &["test", "possible values: a, b"]);
}

#[test]
fn writes_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let done = husk_lab(["eval", &fixtures(), "--report", file.to_str().unwrap()]).ok();
    assert!(done.stdout.starts_with("method"), "the table is printed as well");
    let html = std::fs::read_to_string(&file).unwrap();
    assert_eq!(html.matches("<details class=\"page\">").count(), 6);
    assert!(html.contains("precision") && html.contains("<svg") && !html.contains("<script"));
    let nowhere = folder.path().join("nowhere/report.html");
    husk_lab(["eval", &fixtures(), "--report", nowhere.to_str().unwrap()])
        .fails(1, &["cannot write", "nowhere"]);
}

#[test]
fn nothing_became_worse_on_the_fixtures() {
    let floors = repository().join("floors.toml");
    let floors = floors.to_str().unwrap();
    for what in ["template", "menu", "content", "content-alone"] {
        husk_lab(["eval", &fixtures(), "--what", what, "--floors", floors]).ok();
    }
}

#[test]
fn other_parts_are_scored_in_the_same_way() {
    for what in ["menu", "content", "content-alone"] {
        let arguments = ["eval", &fixtures(), "--what", what, "--format"];
        let json: Value =
            serde_json::from_str(&husk_lab(arguments.iter().chain(&["json"])).ok().stdout).unwrap();
        assert_eq!(json["what"], what);
        let rows = json["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 6, "of one method");
        assert!(
            rows.iter()
                .all(|row| row["what"] == what && row["method"] == "husk"),
            "{json:#}"
        );
        let table = husk_lab(arguments.iter().chain(&["table"])).ok().stdout;
        assert!(
            table.contains(&format!("{what} on sites: 1 site, 6 key pages")),
            "{table}"
        );
        let csv = husk_lab(arguments.iter().chain(&["csv"])).ok().stdout;
        assert!(
            csv.lines()
                .skip(1)
                .all(|line| line.contains(&format!(",{what},husk,"))),
            "{csv}"
        );
    }
    // Whoever tells the content by the page alone loads no other page.
    let alone = husk_lab(["eval", &fixtures(), "--what", "content-alone", "--format", "json"]).ok();
    let json: Value = serde_json::from_str(&alone.stdout).unwrap();
    assert_eq!(json["mean"]["loaded"], 1.0);
    husk_lab(["eval", &fixtures(), "--what", "footer"]).fails(2, &["footer", "content-alone"]);
}

#[test]
fn a_report_names_what_was_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let report = file.to_str().unwrap();
    husk_lab(["eval", &fixtures(), "--what", "content", "--report", report]).ok();
    let html = std::fs::read_to_string(&file).unwrap();
    assert!(
        html.contains("<h1>Main content on sites</h1>") && html.contains("missed: content, and not found")
    );
}

#[test]
fn floors_hold_what_was_reached() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("floors.toml");
    let run = |more: &[&str]| {
        let arguments = [
            "eval",
            &fixtures(),
            "--method",
            "paper",
            "--floors",
            "floors.toml",
        ];
        husk_lab_in(folder.path(), arguments.iter().chain(more))
    };
    run(&[]).fails(1, &["cannot read floors.toml"]);
    run(&["--raise"]).ok();
    run(&[]).ok();
    let reached = std::fs::read_to_string(&file).unwrap();
    assert!(reached.contains("[corpus.methods.paper]"), "{reached}");

    // A higher floor is not reached, is named, and stays where it is.
    let line = reached.lines().find(|line| line.starts_with("nodes-f1")).unwrap();
    let higher = reached.replace(line, "nodes-f1 = 0.9999");
    std::fs::write(&file, &higher).unwrap();
    for more in [&[][..], &["--raise"]] {
        let done = run(more);
        assert_eq!(done.status, 1);
        assert!(
            done.stdout.starts_with("site"),
            "the table is printed all the same"
        );
        for words in [
            "paper: mean F1 over nodes is 0.",
            "floor of 0.9999",
            "--raise --lower",
        ] {
            assert!(done.stderr.contains(words), "{words:?} in {:?}", done.stderr);
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), higher);
    }
    run(&["--raise", "--lower"]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), reached);

    // Another corpus, another method and other options are no reason to pass.
    let digest = reached.lines().find(|line| line.starts_with("digest")).unwrap();
    std::fs::write(&file, reached.replace(digest, "digest = 'other'")).unwrap();
    run(&[]).fails(1, &["floors.toml: no floors for sites with digest ", "--raise"]);
    let done = run(&["--raise"]).ok();
    assert!(
        done.stderr.contains("with digest other: delete them"),
        "{}",
        done.stderr
    );
    let done = run(&["--method", "hybex"]);
    assert!(done.status == 1 && done.stderr.contains("no floors for hybex on this corpus"));
    run(&["--threshold", "0.5"]).fails(2, &["default options"]);
    husk_lab(["eval", &fixtures(), "--raise"]).fails(2, &["--floors"]);
}
