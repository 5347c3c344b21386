use std::fs;
use std::path::Path;

use husk_bulk::{FinishedOutput, InputNames, Progress, Settings, bulk};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, everything, files, page, pages, redesigned, rows};
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
            let problems = FinishedOutput::open(&crawl.path("out"))
                .unwrap()
                .check_files()
                .unwrap();
            assert_eq!((problems.len(), &problems[0].name), (1, &part(number)), "{way}");
            assert!(!crawl.run("out", &everything()).unwrap().was_finished);
            assert!(files(&crawl.path("out")) == whole, "part {number}, damage {way}");
        }
    }
    assert!(crawl.run("out", &everything()).unwrap().was_finished);
}

/// The store has other templates by now, but the output has those that its run found.
#[test]
fn lost_parts_of_a_run_with_a_store_are_written_again() {
    let mut crawl = Crawl::of(&pages(60));
    let settings = Settings {
        templates: Some(crawl.path("store")),
        ..everything()
    };
    crawl.run("first", &settings).unwrap();
    let mut captures: Vec<_> = (0..9)
        .map(|number| redesigned("a.example", 500 + number))
        .collect();
    captures.extend((0..9).map(|number| page("b.example", 900 + number)));
    crawl.next("next.warc.gz", &captures);
    crawl.run("out", &settings).unwrap();
    let (first, whole) = (files(&crawl.path("first")), files(&crawl.path("out")));
    for number in 0..3 {
        damage(&crawl.path("out").join(part(number)), number);
        crawl.run("out", &settings).unwrap();
        assert!(files(&crawl.path("out")) == whole, "part {number}");
    }
    crawl.inputs = vec![crawl.path("crawl.warc.gz")];
    damage(&crawl.path("first").join(part(2)), 0);
    crawl.run("first", &settings).unwrap();
    assert!(files(&crawl.path("first")) == first);
    // Outputs of earlier versions lack the templates.
    fs::remove_dir_all(crawl.path("first/_templates")).unwrap();
    damage(&crawl.path("first").join(part(2)), 0);
    let error = crawl.run("first", &settings).unwrap_err().to_string();
    assert!(
        error.contains("part-00002.jsonl.zst is missing") && error.contains("--restart"),
        "{error}"
    );
}

/// A kill between the update of the store and the manifest, and a part that was lost then.
#[test]
fn lost_parts_are_written_again_after_the_store_was_updated() {
    let mut crawl = Crawl::of(&pages(60));
    let settings = Settings {
        templates: Some(crawl.path("store")),
        report: false,
        ..everything()
    };
    crawl.run("first", &settings).unwrap();
    let captures: Vec<_> = (0..20)
        .map(|number| redesigned("a.example", 500 + number))
        .collect();
    crawl.next("next.warc.gz", &captures);
    let before = fs::read(crawl.path("store/templates.redb")).unwrap();
    crawl.run("whole", &settings).unwrap();
    let whole = files(&crawl.path("whole"));
    fs::write(crawl.path("store/templates.redb"), before).unwrap();
    // Folders where files are to be written make the run fail: at a part, then behind the update of the store.
    let blocked = crawl.path("out/.work/part-00003.jsonl.zst");
    fs::create_dir_all(&blocked).unwrap();
    crawl.run("out", &settings).unwrap_err();
    let temporary = crawl.path("out/.work/temporary");
    fs::rename(&blocked, &temporary).unwrap();
    crawl.run("out", &settings).unwrap_err();
    fs::remove_dir(&temporary).unwrap();
    damage(&crawl.path("out").join(part(1)), 0);
    crawl.run("out", &settings).unwrap();
    assert!(files(&crawl.path("out")) == whole);
}

#[test]
fn a_lost_part_of_another_run_is_an_error_that_names_its_command() {
    let crawl = finished();
    crawl.run("out", &appending()).unwrap();
    let whole = files(&crawl.path("out"));
    damage(&crawl.path("out").join(part(1)), 0);
    let error = crawl.run("out", &appending()).unwrap_err().to_string();
    for said in [
        "part-00001.jsonl.zst is missing",
        "husk bulk ",
        "crawl.warc.gz -o ",
        "--part-rows 6 --report",
    ] {
        assert!(error.contains(said), "{said} in {error}");
    }
    // This run's own parts are written all the same.
    damage(&crawl.path("out").join("part-00007.jsonl.zst"), 0);
    let error = crawl.run("out", &appending()).unwrap_err().to_string();
    assert!(error.contains("part-00001.jsonl.zst is missing"), "{error}");
    assert!(crawl.path("out/part-00007.jsonl.zst").exists());
    let finished = FinishedOutput::open(&crawl.path("out")).unwrap();
    let problems = finished.check_files().unwrap();
    assert!(finished.remedy(&problems[0]).contains("crawl.warc.gz -o "));
    let first = Crawl {
        inputs: vec![crawl.path("crawl.warc.gz")],
        ..crawl
    };
    first.run("out", &everything()).unwrap();
    assert!(files(&first.path("out")) == whole);
}

#[test]
fn files_of_no_run_are_named() {
    let crawl = finished();
    for name in ["part-00099.jsonl.zst", "notes.parquet", "_helper", ".hidden"] {
        fs::write(crawl.path("out").join(name), "x").unwrap();
    }
    let finished = FinishedOutput::open(&crawl.path("out")).unwrap();
    let problems = finished.check_files().unwrap();
    let names: Vec<&str> = problems.iter().map(|problem| &*problem.name).collect();
    assert_eq!(names, ["notes.parquet", "part-00099.jsonl.zst"]);
    assert_eq!(finished.remedy(&problems[0]), "remove it");
}

#[test]
fn a_damaged_manifest_is_named_and_leaves_no_work() {
    let crawl = finished();
    let manifest = fs::read_to_string(crawl.path("out/_manifest.json")).unwrap();
    let changed = manifest.replacen("\"rows\": 40", "\"rows\": 41", 1);
    assert!(changed != manifest);
    for damaged in ["{", &changed, &manifest[..manifest.len() / 2]] {
        fs::write(crawl.path("out/_manifest.json"), damaged).unwrap();
        let error = crawl.run("out", &appending()).unwrap_err().to_string();
        assert!(
            error.contains("_manifest.json is damaged") && error.contains("put a copy of it back"),
            "{error}"
        );
        assert!(!crawl.path("out/.work").exists());
        let error = FinishedOutput::open(&crawl.path("out")).unwrap_err().to_string();
        assert!(error.contains("_manifest.json is damaged"), "{error}");
    }
}

#[test]
fn a_selection_without_pages_does_not_block_the_next() {
    let mut crawl = finished();
    let select = |sites: &str| Settings {
        selection: husk_bulk::Selection {
            sites: [sites.to_owned()].into(),
            ..Default::default()
        },
        ..everything()
    };
    let run = crawl.run("new", &select("z.example")).unwrap();
    assert_eq!((run.manifest.totals.rows, run.manifest.runs.len()), (0, 1));
    let run = crawl.run("new", &select("b.example")).unwrap();
    assert_eq!((run.manifest.totals.rows, run.manifest.runs.len()), (20, 1));
    crawl.inputs = vec![crawl.path("crawl.warc.gz")];
    crawl.run("direct", &everything()).unwrap();
    crawl.run("tried", &select("z.example")).unwrap();
    crawl.run("tried", &everything()).unwrap();
    assert!(files(&crawl.path("tried")) == files(&crawl.path("direct")));
}

#[test]
fn an_input_is_not_appended_twice() {
    let mut crawl = finished();
    crawl.inputs = vec![crawl.path("crawl.warc.gz")];
    let bytes = fs::read(&crawl.inputs[0]).unwrap();
    let refused = |crawl: &Crawl, settings: &Settings, message: &str| {
        let error = crawl.run("out", settings).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    // Copying changes its time, and other settings give the same pages.
    fs::write(&crawl.inputs[0], &bytes).unwrap();
    refused(&crawl, &appending(), "crawl.warc.gz is in ");
    let other = Settings {
        min_pages: 9,
        ..appending()
    };
    refused(&crawl, &other, "crawl.warc.gz is in ");
    fs::write(&crawl.inputs[0], archive(&pages(50), Compression::Gzip)).unwrap();
    refused(&crawl, &appending(), "already, with other content than now");
    fs::write(&crawl.inputs[0], &bytes).unwrap();
    let selected = Settings {
        selection: husk_bulk::Selection {
            sites: ["b.example".to_owned()].into(),
            ..Default::default()
        },
        ..appending()
    };
    let notes = std::sync::Mutex::new(Vec::new());
    let inputs = InputNames {
        names: vec![(&crawl.inputs[0]).into()],
        ..InputNames::default()
    };
    let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
    bulk(
        &inputs,
        &crawl.path("out"),
        &selected,
        &Progress::default(),
        &note,
    )
    .unwrap();
    let notes = notes.into_inner().unwrap();
    assert!(
        notes[0].contains("was read before with another selection"),
        "{notes:?}"
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
    refused(
        &crawl,
        &other,
        "--part-rows was 6 and is 9; all runs of an output share these settings",
    );
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

/// Without its manifest nothing says which run wrote a part, and a file of the same name may be anybody's.
#[test]
fn parts_that_no_run_claims_are_not_overwritten() {
    let crawl = finished();
    let refused = |out: &str, settings: &Settings, message: &str| {
        let before = files(&crawl.path(out));
        let error = crawl.run(out, settings).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(files(&crawl.path(out)) == before);
    };
    let unnamed = "has part-00000.jsonl.zst, but no _manifest.json";
    copy(&crawl, "out", "lost");
    fs::remove_file(crawl.path("lost/_manifest.json")).unwrap();
    refused("lost", &everything(), unnamed);
    refused("lost", &appending(), unnamed);
    let dropping = Settings {
        restart: true,
        ..appending()
    };
    refused("lost", &dropping, unnamed);
    // An interrupted run claims its own parts only.
    copy(&crawl, "out", "base");
    let blocked = crawl.path("base/.work").join(part(9));
    fs::create_dir_all(&blocked).unwrap();
    crawl.run("base", &appending()).unwrap_err();
    fs::remove_dir(&blocked).unwrap();
    let manifest = crawl.path("base/_manifest.json");
    let bytes = fs::read(&manifest).unwrap();
    fs::remove_file(&manifest).unwrap();
    refused("base", &appending(), unnamed);
    fs::write(&manifest, bytes).unwrap();
    fs::write(crawl.path("base/part-00008.jsonl.gz"), "of somebody else").unwrap();
    refused("base", &appending(), "has part-00008.jsonl.gz, which no run");
    fs::remove_file(crawl.path("base/part-00008.jsonl.gz")).unwrap();
    crawl.run("base", &dropping).unwrap();
    crawl.run("out", &appending()).unwrap();
    assert!(files(&crawl.path("base")) == files(&crawl.path("out")));
    fs::create_dir(crawl.path("new")).unwrap();
    fs::write(crawl.path("new/part-00000.jsonl.zst"), "of somebody else").unwrap();
    refused("new", &everything(), unnamed);
    let restarted = Settings {
        restart: true,
        ..everything()
    };
    crawl.run("new", &restarted).unwrap();
}

/// Stops a run at a part by a folder in its place.
fn interrupt(crawl: &Crawl, out: &str, number: usize, settings: &Settings) {
    let blocked = crawl.path(out).join(".work").join(part(number));
    fs::create_dir_all(&blocked).unwrap();
    crawl.run(out, settings).unwrap_err();
    fs::remove_dir(&blocked).unwrap();
}

#[test]
fn an_interrupted_run_is_named_with_its_command() {
    let crawl = finished();
    interrupt(&crawl, "new", 2, &everything());
    let error = FinishedOutput::open(&crawl.path("new")).unwrap_err().to_string();
    assert!(
        error.contains("holds an interrupted run: repeat the command to finish it: husk bulk "),
        "{error}"
    );
    interrupt(&crawl, "out", 9, &appending());
    assert!(crawl.path("out").join(part(8)).exists());
    let output = FinishedOutput::open(&crawl.path("out")).unwrap();
    assert_eq!(output.check_files().unwrap(), []);
    let error = output.require_no_unfinished().unwrap_err().to_string();
    assert!(
        error.contains("more.warc.gz -o ") && error.ends_with(" --append"),
        "{error}"
    );
    crawl.run("out", &appending()).unwrap();
    let output = FinishedOutput::open(&crawl.path("out")).unwrap();
    output.require_no_unfinished().unwrap();
}

#[test]
fn files_of_the_report_are_checked_and_written_again() {
    let crawl = finished();
    crawl.run("out", &appending()).unwrap();
    let whole = files(&crawl.path("out"));
    let problems = || {
        let output = FinishedOutput::open(&crawl.path("out")).unwrap();
        let problems = output.check_files().unwrap();
        let text = |problem: &husk_bulk::FileProblem| format!("{problem}: {}", output.remedy(problem));
        problems.iter().map(text).collect::<Vec<String>>()
    };
    assert_eq!(problems(), [""; 0]);
    for name in ["_report/report.html", "_report/sites-00001.jsonl"] {
        for way in 0..DAMAGES {
            damage(&crawl.path("out").join(name), way);
            let found = problems();
            assert!(
                found.len() == 1 && found[0].starts_with(name) && found[0].contains("husk bulk "),
                "{way}: {found:?}"
            );
            crawl.run("out", &appending()).unwrap();
            assert!(files(&crawl.path("out")) == whole, "{name}, damage {way}");
        }
    }
    // What runs lost is written by each of them.
    fs::remove_dir_all(crawl.path("out/_report")).unwrap();
    let error = crawl.run("out", &appending()).unwrap_err().to_string();
    assert!(error.contains("_report/sites.jsonl is missing"), "{error}");
    let first = Crawl {
        inputs: vec![crawl.path("crawl.warc.gz")],
        ..crawl
    };
    first.run("out", &everything()).unwrap();
    assert!(files(&first.path("out")) == whole);
}

#[test]
fn templates_that_a_run_found_are_checked() {
    let crawl = Crawl::of(&pages(60));
    let settings = Settings {
        templates: Some(crawl.path("store")),
        ..everything()
    };
    crawl.run("first", &settings).unwrap();
    crawl.run("out", &settings).unwrap();
    let found = crawl.path("out/_templates/run-00000");
    damage(&found, 4);
    let output = FinishedOutput::open(&crawl.path("out")).unwrap();
    let problems = output.check_files().unwrap();
    assert_eq!(
        problems[0].to_string(),
        "_templates/run-00000 is damaged: its digest differs"
    );
    assert!(output.remedy(&problems[0]).contains("put a copy of it back"));
    let error = crawl.run("out", &settings).unwrap_err().to_string();
    assert!(
        error.contains("_templates/run-00000 is damaged") && error.contains("put a copy of it back"),
        "{error}"
    );
    damage(&crawl.path("out").join(part(2)), 0);
    let error = crawl.run("out", &settings).unwrap_err().to_string();
    assert!(
        error.contains("part-00002.jsonl.zst is missing")
            && error.contains("_templates/run-00000 is damaged"),
        "{error}"
    );
}

#[test]
fn copies_of_an_input_are_not_appended() {
    let mut crawl = finished();
    fs::copy(crawl.path("crawl.warc.gz"), crawl.path("copy.warc.gz")).unwrap();
    crawl.inputs = vec![crawl.path("copy.warc.gz")];
    let error = crawl.run("out", &appending()).unwrap_err().to_string();
    assert!(
        error.contains("copy.warc.gz is in ")
            && error.contains("already, as ")
            && error.contains("crawl.warc.gz"),
        "{error}"
    );
}

#[test]
fn an_appended_run_without_pages_is_forgotten() {
    let crawl = finished();
    let before = files(&crawl.path("out"));
    let settings = Settings {
        selection: husk_bulk::Selection {
            sites: ["z.example".to_owned()].into(),
            ..Default::default()
        },
        ..appending()
    };
    let notes = std::sync::Mutex::new(Vec::new());
    let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
    let inputs = InputNames {
        names: crawl.inputs.iter().map(Into::into).collect(),
        ..InputNames::default()
    };
    let run = bulk(
        &inputs,
        &crawl.path("out"),
        &settings,
        &Progress::default(),
        &note,
    )
    .unwrap();
    assert_eq!((run.manifest.runs.len(), run.run.unwrap().totals.rows), (1, 0));
    assert!(files(&crawl.path("out")) == before);
    assert_eq!(
        *notes.lock().unwrap(),
        ["--sites: there are no pages of z.example"]
    );
}

/// However many runs have read it.
#[test]
fn another_selection_of_an_input_is_noted_once() {
    let mut crawl = finished();
    crawl.inputs = vec![crawl.path("crawl.warc.gz")];
    let select = |site: &str| Settings {
        selection: husk_bulk::Selection {
            sites: [site.to_owned()].into(),
            ..Default::default()
        },
        ..appending()
    };
    crawl.run("out", &select("b.example")).unwrap();
    let notes = std::sync::Mutex::new(Vec::new());
    let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
    let inputs = InputNames {
        names: vec![(&crawl.inputs[0]).into()],
        ..InputNames::default()
    };
    bulk(
        &inputs,
        &crawl.path("out"),
        &select("a.example"),
        &Progress::default(),
        &note,
    )
    .unwrap();
    let notes = notes.into_inner().unwrap();
    assert!(
        notes.len() == 1 && notes[0].contains("with another selection"),
        "{notes:?}"
    );
}
