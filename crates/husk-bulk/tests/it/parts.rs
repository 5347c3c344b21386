use std::fs;
use std::path::Path;

use husk_bulk::{FinishedOutput, Settings};

use crate::crawl::{Crawl, everything, files, page, pages, redesigned, rows};
use crate::resume::copy;

/// Damages a file in one of several ways.
fn damage(file: &Path, way: usize) {
    let mut bytes = fs::read(file).unwrap();
    match way {
        0 => return fs::remove_file(file).unwrap(),
        1 => bytes.truncate(bytes.len() / 2),
        2 => bytes.clear(),
        3 => bytes.push(0),
        _ => {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        }
    }
    fs::write(file, bytes).unwrap();
}

const DAMAGES: usize = 5;

fn part(number: usize) -> String {
    format!("part-{number:05}.jsonl.zst")
}

#[test]
fn damaged_parts_of_an_interrupted_run_are_written_again() {
    let crawl = Crawl::of(&pages(60));
    crawl.run("whole", &everything()).unwrap();
    let whole = files(&crawl.path("whole"));
    fs::create_dir_all(crawl.path("failed/.work/part-00005.jsonl.zst")).unwrap();
    crawl.run("failed", &everything()).unwrap_err();
    fs::remove_dir(crawl.path("failed/.work/part-00005.jsonl.zst")).unwrap();
    for number in 0..5 {
        for way in 0..DAMAGES {
            let out = format!("out-{number}-{way}");
            copy(&crawl, "failed", &out);
            damage(&crawl.path(&out).join(part(number)), way);
            crawl.run(&out, &everything()).unwrap();
            assert!(files(&crawl.path(&out)) == whole, "part {number}, damage {way}");
        }
    }
}

#[test]
fn damaged_parts_of_a_finished_run_are_written_again() {
    let crawl = Crawl::of(&pages(60));
    crawl.run("out", &everything()).unwrap();
    let whole = files(&crawl.path("out"));
    let count = FinishedOutput::open(&crawl.path("out"))
        .unwrap()
        .manifest()
        .parts
        .len();
    for number in [0, 3, count - 1] {
        for way in 0..DAMAGES {
            damage(&crawl.path("out").join(part(number)), way);
            let problems = FinishedOutput::open(&crawl.path("out")).unwrap().check_parts();
            assert_eq!((problems.len(), &problems[0].name), (1, &part(number)), "{way}");
            assert!(!crawl.run("out", &everything()).unwrap().was_finished);
            assert!(files(&crawl.path("out")) == whole, "part {number}, damage {way}");
        }
    }
    assert!(crawl.run("out", &everything()).unwrap().was_finished);
}

/// The store has other templates by now, so the rows would differ.
#[test]
fn a_lost_part_of_a_run_with_a_store_is_an_error() {
    let crawl = Crawl::of(&pages(60));
    let settings = Settings {
        templates: Some(crawl.path("store")),
        ..everything()
    };
    crawl.run("out", &settings).unwrap();
    damage(&crawl.path("out").join(part(2)), 0);
    let error = crawl.run("out", &settings).unwrap_err().to_string();
    assert!(
        error.contains("part-00002.jsonl.zst is missing") && error.contains("--restart"),
        "{error}"
    );
}

fn appending() -> Settings {
    Settings {
        append: true,
        ..everything()
    }
}

/// A finished run, and an archive to append.
fn finished() -> Crawl {
    let mut crawl = Crawl::of(&pages(40));
    crawl.run("out", &everything()).unwrap();
    let mut captures: Vec<_> = (0..20).map(|number| page("b.example", 100 + number)).collect();
    captures.extend((0..9).map(|number| redesigned("c.example", number)));
    crawl.next("more.warc.gz", &captures);
    crawl
}

#[test]
fn appending_writes_further_parts() {
    let crawl = finished();
    let before = files(&crawl.path("out"));
    let error = crawl.run("out", &everything()).unwrap_err().to_string();
    assert!(error.contains("--append"), "{error}");
    assert!(files(&crawl.path("out")) == before);
    let run = crawl.run("out", &appending()).unwrap();
    let after = files(&crawl.path("out"));
    for (name, bytes) in before.iter().filter(|(name, _)| name.starts_with("part-")) {
        assert!(after[name] == *bytes, "{name}");
    }
    assert_eq!(rows(&crawl.path("out")).len(), 69);
    let manifest = &run.manifest;
    assert_eq!(
        (manifest.runs.len(), manifest.totals.rows, manifest.counts.pages),
        (2, 69, 69)
    );
    assert_eq!(manifest.runs[1].totals.rows, 29);
    assert_eq!(manifest.parts.iter().map(|part| part.rows).sum::<u64>(), 69);
    let report = fs::read_to_string(crawl.path("out/_report/report.html")).unwrap();
    assert!(report.contains("c.example") && report.contains("large.example"));
    // The same command again appends nothing.
    assert!(crawl.run("out", &appending()).unwrap().was_finished);
    assert!(files(&crawl.path("out")) == after);
}

#[test]
fn an_interrupted_append_resumes() {
    let crawl = finished();
    copy(&crawl, "out", "base");
    crawl.run("out", &appending()).unwrap();
    let whole = files(&crawl.path("out"));
    let first = FinishedOutput::open(&crawl.path("base"))
        .unwrap()
        .manifest()
        .parts
        .len();
    let blocked = crawl.path("base/.work").join(part(first + 3));
    fs::create_dir_all(&blocked).unwrap();
    crawl.run("base", &appending()).unwrap_err();
    fs::remove_dir(&blocked).unwrap();
    let journal = fs::read_to_string(crawl.path("base/.work/journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    for steps in 0..=lines.len() {
        let out = format!("out-{steps}");
        copy(&crawl, "base", &out);
        fs::write(
            crawl.path(&out).join(".work/journal.jsonl"),
            lines[..steps].concat(),
        )
        .unwrap();
        crawl.run(&out, &appending()).unwrap();
        assert!(files(&crawl.path(&out)) == whole, "after {steps} steps");
    }
    // Starting over drops the interrupted run only.
    let restarted = Settings {
        restart: true,
        ..appending()
    };
    crawl.run("base", &restarted).unwrap();
    assert!(files(&crawl.path("base")) == whole);
}

#[test]
fn what_cannot_be_appended_is_an_error() {
    let mut crawl = finished();
    let refused = |crawl: &Crawl, settings: &Settings, message: &str| {
        let before = files(&crawl.path("out"));
        let error = crawl.run("out", settings).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(files(&crawl.path("out")) == before);
    };
    let other = Settings {
        part_rows: 9,
        ..appending()
    };
    refused(&crawl, &other, "--part-rows was 6 and is 9");
    crawl.run("out", &appending()).unwrap();
    crawl.inputs.push(crawl.path("crawl.warc.gz"));
    refused(&crawl, &appending(), "more.warc.gz is in ");
    crawl.next("third.warc.gz", &[page("d.example", 1)]);
    damage(&crawl.path("out").join(part(1)), 4);
    refused(&crawl, &appending(), "part-00001.jsonl.zst is damaged");
    // The command that wrote it writes it again, and nothing else.
    crawl.inputs = vec![crawl.path("crawl.warc.gz")];
    crawl.run("out", &everything()).unwrap();
    crawl.inputs = vec![crawl.path("third.warc.gz")];
    assert_eq!(crawl.run("out", &appending()).unwrap().manifest.totals.rows, 70);
}
