use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::run::{Done, command_in, example_site, husk_in};

fn husk(folder: &Path, arguments: &[&str]) -> Done {
    husk_in(folder, arguments)
}

/// A folder with an archive of the example site.
fn packed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let site = example_site();
    let base = "https://lighthouse.example/";
    let arguments = [
        "pack",
        site.to_str().unwrap(),
        "--base-url",
        base,
        "-o",
        "site.warc.gz",
    ];
    husk(folder.path(), &arguments).ok();
    folder
}

/// All files of a folder by name, those of folders in it too.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let below = files(&entry.path()).into_iter();
            found.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// The rows of a file, without the place in an archive, which a folder does not have.
fn rows(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let mut rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for row in &mut rows {
        for field in ["warc_file", "warc_offset", "warc_record_id", "warc_digest"] {
            assert!(row.as_object_mut().unwrap().remove(field).is_some());
        }
    }
    rows
}

#[test]
fn an_archive_and_its_folder_give_the_same_rows() {
    let folder = packed();
    let site = example_site();
    let bulk = |arguments: &[&str]| {
        let arguments = [
            &["bulk", "--compress", "none", "--fields", "content,menu"],
            arguments,
        ]
        .concat();
        husk(folder.path(), &arguments).ok()
    };
    let done = bulk(&["site.warc.gz", "-o", "packed"]);
    assert!(done.stdout.is_empty());
    let rows_of = |out: &str| rows(&folder.path().join(out).join("part-00000.jsonl"));
    let packed = rows_of("packed");
    assert!(packed.len() > 5);
    let summary = format!("{} pages of 1 site ", packed.len());
    assert!(done.stderr.contains(&summary), "{summary:?} in {}", done.stderr);
    assert!(done.stderr.contains("redirect"), "{}", done.stderr);
    bulk(&[
        site.to_str().unwrap(),
        "--base-url",
        "https://lighthouse.example/",
        "-o",
        "saved",
    ]);
    assert_eq!(packed, rows_of("saved"));
    let ticket = packed
        .iter()
        .find(|row| row["url"] == "https://lighthouse.example/visit/tickets/")
        .unwrap();
    assert_eq!(ticket["site"], "lighthouse.example");
    assert!(ticket["content"].as_str().unwrap().len() > 100);
    assert!(ticket["title"].is_string());
}

#[test]
fn mistakes_have_exit_statuses() {
    let folder = packed();
    let bulk = |arguments: &[&str]| husk(folder.path(), &[&["bulk"], arguments].concat());
    bulk(&["-o", "out"]).fails(2, &["<INPUT>"]);
    bulk(&["site.warc.gz"]).fails(2, &["--output <FOLDER>"]);
    bulk(&["site.warc.gz", "-o", "out", "--jobs", "0"]).fails(2, &["--jobs"]);
    bulk(&["nowhere.warc.gz", "-o", "out"]).fails(1, &["cannot read nowhere.warc.gz"]);
    bulk(&["@nowhere.txt", "-o", "out"]).fails(1, &["cannot read the list nowhere.txt"]);
    bulk(&["site.warc.gz", "-o", "site.warc.gz"]).fails(1, &["cannot create the folder site.warc.gz"]);
    assert!(!folder.path().join("out").exists());
    bulk(&["site.warc.gz", "-o", "out", "-q"]).ok();
    bulk(&["site.warc.gz", "-o", "out", "--min-pages", "5"])
        .fails(1, &["--min-pages was 3 and is 5", "--restart"]);
    let again = bulk(&["site.warc.gz", "-o", "out"]).ok();
    assert!(again.stderr.contains("already finished"), "{}", again.stderr);
    assert_eq!(
        bulk(&["site.warc.gz", "-o", "out", "--restart", "-q"])
            .ok()
            .stderr,
        ""
    );
}

#[test]
fn report_lists_the_sites() {
    let folder = packed();
    let arguments = ["bulk", "site.warc.gz", "-o", "out", "--report"];
    let done = husk(folder.path(), &arguments).ok();
    assert!(done.stderr.contains("report.html"), "{}", done.stderr);
    let report = fs::read_to_string(folder.path().join("out/_report/report.html")).unwrap();
    assert!(report.contains("lighthouse.example"));
}

/// A store with the templates of the example site, left by a crawl of it.
fn stored() -> tempfile::TempDir {
    let folder = packed();
    let arguments = ["bulk", "site.warc.gz", "-o", "monday", "--templates", "templates"];
    let done = husk(folder.path(), &arguments).ok();
    assert!(
        done.stderr.contains("templates of sites: 1 learned"),
        "{}",
        done.stderr
    );
    folder
}

#[test]
fn known_sites_are_not_learned_again() {
    let folder = stored();
    let site = example_site();
    let arguments = [
        "bulk",
        site.to_str().unwrap(),
        "--base-url",
        "https://lighthouse.example/",
        "--templates",
        "templates",
        "--compress",
        "none",
        "-o",
        "tuesday",
    ];
    let done = husk(folder.path(), &arguments).ok();
    assert!(
        done.stderr.contains("templates of sites: 1 stored"),
        "{}",
        done.stderr
    );
    let tuesday = rows(&folder.path().join("tuesday/part-00000.jsonl"));
    let stored = |row: &Value| row["template_source"] == "stored" && row["method"] == "template";
    assert!(
        tuesday.iter().filter(|row| stored(row)).count() > 5,
        "{tuesday:?}"
    );
}

#[test]
fn other_commands_read_the_template_store() {
    let folder = stored();
    let show = |arguments: &[&str]| husk(folder.path(), &[&["show", "templates"], arguments].concat());
    let table = show(&[]).ok().stdout;
    assert!(
        table.starts_with("site ") && table.contains("\nlighthouse.example "),
        "{table}"
    );
    let sites: Value = serde_json::from_str(&show(&["--format", "json"]).ok().stdout).unwrap();
    assert_eq!(sites[0]["site"], "lighthouse.example");
    assert!(sites[0]["pages"].as_u64() > Some(5) && sites[0]["learned"].is_string());
    let layouts = show(&["--site", "lighthouse.example"]).ok().stdout;
    assert!(
        layouts.starts_with("lighthouse.example: ") && layouts.contains("learned on 20"),
        "{layouts}"
    );
    show(&["--site", "nowhere.example"]).fails(2, &["no templates of nowhere.example", "lighthouse.example"]);
    show(&["--layout", "1"]).fails(2, &["--site"]);

    let strip = |arguments: &[&str]| husk(folder.path(), &[&["strip", "site.warc.gz"], arguments].concat());
    let stripped = strip(&["-t", "templates"]).ok().stdout;
    let by_file = strip(&["-t", "templates/templates.redb"]).ok().stdout;
    assert_eq!(stripped, by_file);
    let stripped: Vec<Value> = stripped
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        stripped.len() > 5 && stripped[0]["template_source"] == "stored",
        "{stripped:?}"
    );
    strip(&["-t", "nowhere"]).fails(1, &["nowhere"]);
    fs::write(folder.path().join("odd.redb"), "no store").unwrap();
    strip(&["-t", "odd.redb"]).fails(1, &["odd.redb"]);
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("lost.redb"), "").unwrap();
    for (store, message) in [
        (
            "empty",
            "no template store in empty/templates.redb: husk bulk --templates creates one",
        ),
        ("lost.redb", "lost.redb is damaged (it is empty)"),
    ] {
        strip(&["-t", store]).fails(1, &[message]);
        husk(folder.path(), &["show", store]).fails(1, &[message]);
        husk(folder.path(), &["check", store, "site.warc.gz"]).fails(1, &[message]);
    }
}

#[test]
fn a_finished_run_is_checked_and_reported() {
    let folder = packed();
    let bulk = [
        "bulk",
        "site.warc.gz",
        "-o",
        "out",
        "--report",
        "--part-rows",
        "9",
    ];
    husk(folder.path(), &bulk).ok();
    let report = |arguments: &[&str]| husk(folder.path(), &[&["report", "out"], arguments].concat());
    let text = report(&[]).ok().stdout;
    for words in [
        "20 pages of 1 site",
        "20 redirect",
        "method: 20 template",
        "all files are intact",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let json: Value = serde_json::from_str(&report(&["-f", "json"]).ok().stdout).unwrap();
    assert_eq!(json["totals"]["rows"], 20);
    let page = report(&["-f", "html"]).ok().stdout;
    assert_eq!(
        page,
        fs::read_to_string(folder.path().join("out/_report/report.html")).unwrap()
    );
    assert!(
        page.contains("Skipped records") && page.contains("redirect"),
        "{page}"
    );

    let part = folder.path().join("out/part-00001.jsonl.zst");
    let mut bytes = fs::read(&part).unwrap();
    bytes[20] ^= 1;
    fs::write(&part, bytes).unwrap();
    let damaged = report(&[]);
    assert_eq!(damaged.status, 1);
    assert!(
        damaged.stdout.contains("1 file missing, damaged or of no run"),
        "{}",
        damaged.stdout
    );
    assert!(
        damaged.stderr.contains("part-00001.jsonl.zst is damaged"),
        "{}",
        damaged.stderr
    );
    let again = husk(folder.path(), &bulk).ok();
    assert!(
        again
            .stderr
            .contains("part-00001.jsonl.zst is damaged: its digest differs: writing it again"),
        "{}",
        again.stderr
    );
    report(&["-q"]).ok();
    fs::remove_dir_all(folder.path().join("out/_report")).unwrap();
    report(&["-f", "html"]).fails(2, &["no data for a report", "--report"]);
    husk(folder.path(), &["report", "nowhere"]).fails(1, &["cannot read nowhere"]);
    fs::create_dir(folder.path().join("empty")).unwrap();
    husk(folder.path(), &["report", "empty"]).fails(1, &["empty is no finished output of husk bulk"]);
    husk(folder.path(), &["report", "site.warc.gz"])
        .fails(1, &["site.warc.gz is a file: name the output folder"]);
}

#[test]
fn inputs_are_appended_to_a_finished_run() {
    let folder = packed();
    let site = example_site();
    let pack = [
        "pack",
        site.to_str().unwrap(),
        "--base-url",
        "https://other.example/",
        "-o",
        "other.warc.gz",
    ];
    husk(folder.path(), &pack).ok();
    let bulk = |arguments: &[&str]| husk(folder.path(), &[&["bulk", "-o", "out"], arguments].concat());
    bulk(&["site.warc.gz"]).ok();
    let first = fs::read(folder.path().join("out/part-00000.jsonl.zst")).unwrap();
    bulk(&["other.warc.gz"]).fails(1, &["--append"]);
    let done = bulk(&["other.warc.gz", "--append"]).ok();
    assert!(
        done.stderr.contains("of 2 runs in 2 files in out")
            && done.stderr.contains("last run: 20 pages of 1 site"),
        "{}",
        done.stderr
    );
    assert!(fs::read(folder.path().join("out/part-00000.jsonl.zst")).unwrap() == first);
    assert!(folder.path().join("out/part-00001.jsonl.zst").is_file());
    let again = bulk(&["other.warc.gz", "--append"]).ok();
    assert!(again.stderr.contains("already finished"), "{}", again.stderr);
}

#[test]
fn pages_are_selected() {
    let folder = packed();
    fs::write(
        folder.path().join("sites.txt"),
        "# ours\nhttps://www.lighthouse.example/\n",
    )
    .unwrap();
    fs::write(folder.path().join("others.txt"), "other.example\n").unwrap();
    let bulk = |out: &str, arguments: &[&str]| {
        let arguments = [&["bulk", "site.warc.gz", "-o", out], arguments].concat();
        husk(folder.path(), &arguments)
    };
    let done = bulk(
        "visit",
        &["--include", "lighthouse.example/visit/**", "--limit", "2"],
    )
    .ok();
    assert!(done.stderr.contains("2 pages of 1 site"), "{}", done.stderr);
    let done = bulk(
        "ours",
        &[
            "--sites",
            "sites.txt",
            "--language",
            "en",
            "--since",
            "2000-01-01",
        ],
    )
    .ok();
    assert!(done.stderr.contains("20 pages of 1 site"), "{}", done.stderr);
    for _ in 0..2 {
        bulk("others", &["--sites", "others.txt"]).fails(
            1,
            &[
                "--sites: there are no pages of other.example",
                "40 excluded site",
                "no pages in site.warc.gz are selected",
            ],
        );
        // Neither is one that is appended.
        bulk("ours", &["--sites", "others.txt", "--append"])
            .fails(1, &["40 excluded site", "no pages in site.warc.gz are selected"]);
    }
    assert!(
        husk(folder.path(), &["report", "ours"])
            .ok()
            .stdout
            .starts_with("20 pages of 1 site")
    );
    bulk("old", &["--until", "2000-01-01"]).fails(1, &["40 excluded date"]);
    bulk("found", &["--status", "404"]).fails(1, &["40 excluded status"]);
    for (arguments, message) in [
        (["--since", "yesterday"], "expected a date such as 2026-11-16"),
        (["--status", "2000"], "expected a status such as 200"),
        (["--limit", "0"], "--limit"),
        (["--include", "a["], "--include: "),
        (["--language", "en_GB"], "--language: \"en_GB\" is not a language"),
    ] {
        bulk("wrong", &arguments).fails(2, &[message]);
    }
    bulk("wrong", &["--sites", "nowhere.txt"]).fails(1, &["cannot read the list nowhere.txt"]);
    assert!(!folder.path().join("wrong").exists());
}

/// Runs `husk bulk` with bytes on standard input.
fn bulk_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Done {
    let mut child = command_in(folder)
        .args([&["bulk", "--compress", "none"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command may end before it reads everything.
    let _ = std::io::Write::write_all(&mut stdin, input);
    drop(stdin);
    Done::of(child.wait_with_output().unwrap())
}

#[test]
fn standard_input_is_a_list_or_an_archive() {
    let folder = packed();
    let archive = fs::read(folder.path().join("site.warc.gz")).unwrap();
    let list = b"# one site\nsite.warc.gz\n";
    for (out, arguments, input) in [
        ("from-list", &["--list", "-"][..], &list[..]),
        ("from-names", &["-"], &list[..]),
        ("from-archive", &["-"], &archive),
    ] {
        bulk_with_input(folder.path(), &[arguments, &["-o", out]].concat(), input).ok();
    }
    let rows_of = |out: &str| rows(&folder.path().join(out).join("part-00000.jsonl"));
    assert!(rows_of("from-list").len() > 5);
    assert_eq!(rows_of("from-list"), rows_of("from-names"));
    assert_eq!(rows_of("from-list"), rows_of("from-archive"));
    bulk_with_input(folder.path(), &["-", "-o", "empty"], b"").fails(1, &["standard input is empty"]);
    bulk_with_input(folder.path(), &["-", "-o", "missing"], b"nowhere.warc\n")
        .fails(1, &["cannot read nowhere.warc"]);
}

#[test]
fn a_truncated_archive_is_processed_and_fails() {
    let folder = packed();
    let archive = fs::read(folder.path().join("site.warc.gz")).unwrap();
    fs::write(folder.path().join("cut.warc.gz"), &archive[..archive.len() / 2]).unwrap();
    let arguments = ["bulk", "cut.warc.gz", "-o", "out", "--compress", "none"];
    for _ in 0..2 {
        // A finished run is not repeated, but fails again.
        husk(folder.path(), &arguments).fails(1, &["cut.warc.gz is truncated or corrupt in "]);
    }
    assert!(!rows(&folder.path().join("out/part-00000.jsonl")).is_empty());
    assert!(folder.path().join("out/_manifest.json").is_file());
}

#[test]
fn mistakes_in_the_configuration_are_wrong_usage() {
    let folder = packed();
    for text in [
        "same-site = 'galaxy'\n",
        "no-such-option = 1\n",
        "same-site = [\n",
    ] {
        fs::write(folder.path().join("husk.toml"), text).unwrap();
        husk(folder.path(), &["bulk", "site.warc.gz", "-o", "out"]).fails(2, &["husk.toml"]);
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn the_configuration_says_what_a_site_is() {
    let folder = packed();
    fs::write(folder.path().join("husk.toml"), "same-site = 'domain'\n").unwrap();
    husk(folder.path(), &["bulk", "site.warc.gz", "-o", "out", "-q"]).ok();
    let manifest = fs::read_to_string(folder.path().join("out/_manifest.json")).unwrap();
    assert!(manifest.contains("\"same_site\": \"domain\""), "{manifest}");
}

/// Kills a run again and again, each time soon after it has made a step, and lets the last one end.
#[test]
fn killed_runs_resume_without_loss() {
    let folder = packed();
    // Several times the same pages, so that there is enough to do.
    for copy in 0..6 {
        fs::copy(
            folder.path().join("site.warc.gz"),
            folder.path().join(format!("copy-{copy}.warc.gz")),
        )
        .unwrap();
    }
    let bulk = |out: &str| {
        let mut command = command_in(folder.path());
        command.args([
            "bulk",
            "--report",
            "--part-rows",
            "4",
            "--run-bytes",
            "20000",
            "--jobs",
            "2",
            "-o",
            out,
        ]);
        command.args((0..6).map(|copy| format!("copy-{copy}.warc.gz")));
        command.stderr(Stdio::piped());
        command
    };
    assert!(bulk("whole").output().unwrap().status.success());
    let journal = folder.path().join("out/.work/journal.jsonl");
    let steps = || fs::read(&journal).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    let mut kills = 0;
    for round in 0_u64..12 {
        let before = steps();
        let mut child = bulk("out").spawn().unwrap();
        let has_ended = wait_for(&mut child, || steps() > before);
        if has_ended {
            break;
        }
        std::thread::sleep(Duration::from_micros(round * 7919 % 20 * 1000));
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
    }
    // On a machine with much else to do it may be done before the next kill comes.
    assert!(kills >= 1, "no kill came in time");
    let done = Done::of(bulk("out").output().unwrap()).ok();
    let says = |words: &str| done.stderr.contains(words);
    assert!(
        says("resuming an earlier run") || says("already finished"),
        "{}",
        done.stderr
    );
    assert!(files(&folder.path().join("out")) == files(&folder.path().join("whole")));
}

/// Waits until something has happened; says whether the command ended before.
fn wait_for(child: &mut Child, has_happened: impl Fn() -> bool) -> bool {
    while !has_happened() {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

#[test]
fn a_site_with_a_folder_named_like_a_host_is_one_site() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    for file in ["index.html", "a.html", "rss.news/b.html"] {
        let file = site.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "<p>Some words of a page</p>").unwrap();
    }
    let done = husk(folder.path(), &["bulk", "site", "-o", "out"]).ok();
    assert!(done.stderr.contains("3 pages of 1 site"), "{}", done.stderr);
}

#[test]
fn how_folders_are_read_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["hosts/a.example", "hosts/b.example", "sites/one", "sites/two"] {
        let file = folder.path().join(file).join("index.html");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "<p>Some words of a page</p>").unwrap();
    }
    let hosts = husk(folder.path(), &["bulk", "hosts", "-o", "of-hosts"]).ok();
    let expect = "reading hosts as 2 sites, one in each folder named like a host: a.example, b.example";
    assert!(hosts.stderr.contains(expect), "{}", hosts.stderr);
    let sites = husk(folder.path(), &["bulk", "sites", "-o", "of-sites"]).ok();
    assert!(
        sites.stderr.contains("reading sites as one site"),
        "{}",
        sites.stderr
    );
    assert!(sites.stderr.contains("sites/one, sites/two"), "{}", sites.stderr);
}

/// A WARC file with one image.
pub(crate) fn archive_without_pages() -> String {
    let response = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG";
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0b2f1c9e-5a4d-4c57-9d3a-0f6f7f3c2a11>\r\n\
         WARC-Date: 2024-05-01T00:00:00Z\r\nWARC-Target-URI: https://a.example/x.png\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{response}\r\n\r\n",
        response.len()
    )
}

#[test]
fn runs_without_pages_fail() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("images.warc"), archive_without_pages()).unwrap();
    husk(folder.path(), &["bulk", "images.warc", "-o", "out"]).fails(
        1,
        &[
            "skipped: 1 not html",
            "no pages in images.warc: expected HTML pages",
        ],
    );
}
