use std::fs;

use husk_bulk::output::Format;
use husk_bulk::{RowFields, Settings};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, everything, files, pages, rows, small_pieces};

/// A run that failed between parts, beside one that did not.
fn interrupted(out: &str) -> Crawl {
    let crawl = Crawl::of(&pages(60));
    crawl.run("whole", &everything()).unwrap();
    // A folder at the path of a part makes writing fail.
    fs::create_dir_all(crawl.path(out).join(".work/part-00004.jsonl.zst")).unwrap();
    let error = crawl.run(out, &everything()).unwrap_err().to_string();
    assert!(
        error.contains("cannot write") && error.contains("part-00004"),
        "{error}"
    );
    crawl
}

#[test]
fn a_failed_run_resumes() {
    let crawl = interrupted("out");
    let left = files_of(&crawl, "out");
    assert!(
        left.contains(&"part-00003.jsonl.zst".to_owned()) && !left.contains(&"_manifest.json".to_owned())
    );
    fs::remove_dir(crawl.path("out/.work/part-00004.jsonl.zst")).unwrap();
    // Files that are not in the journal are replaced.
    fs::write(crawl.path("out/part-00004.jsonl.zst"), "half a part").unwrap();
    fs::write(crawl.path("out/.work/run-99999.pages"), "half a run").unwrap();
    crawl.run("out", &everything()).unwrap();
    assert!(files(&crawl.path("out")) == files(&crawl.path("whole")));
}

fn files_of(crawl: &Crawl, out: &str) -> Vec<String> {
    let entries = fs::read_dir(crawl.path(out)).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Cuts the journal behind each of its lines, as a kill would, and leaves files that it doesn't know.
#[test]
fn a_run_resumes_from_every_step() {
    let crawl = interrupted("failed");
    fs::remove_dir(crawl.path("failed/.work/part-00004.jsonl.zst")).unwrap();
    let journal = fs::read_to_string(crawl.path("failed/.work/journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    assert!(lines.len() >= 8, "{journal}");
    let whole = files(&crawl.path("whole"));
    for steps in 0..=lines.len() {
        let out = format!("out-{steps}");
        copy(&crawl, "failed", &out);
        let torn = lines.get(steps).map_or("", |line| &line[..line.len() / 2]);
        let kept = lines[..steps].concat() + torn;
        fs::write(crawl.path(&format!("{out}/.work/journal.jsonl")), kept).unwrap();
        crawl.run(&out, &everything()).unwrap();
        assert!(files(&crawl.path(&out)) == whole, "after {steps} steps");
        assert!(!crawl.path(&out).join(".work").exists());
    }
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(crawl: &Crawl, from: &str, to: &str) {
    for (name, bytes) in files(&crawl.path(from)) {
        let file = crawl.path(to).join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}

/// Archives compressed as a whole have no offset to resume at; damaged ones have errors to count.
#[test]
fn archives_without_offsets_are_read_again() {
    let captures = pages(50);
    let plain = archive(&captures, Compression::None);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, &plain).unwrap();
    let mut broken = archive(&captures, Compression::Gzip);
    for at in [broken.len() / 3, broken.len() / 2] {
        broken[at..at + 20].fill(0x55);
    }
    for (name, bytes) in [
        ("whole.warc.gz", packed.finish().unwrap()),
        ("broken.warc.gz", broken),
        ("plain.warc", plain),
    ] {
        let crawl = Crawl::new(&[(name, bytes)]);
        crawl.run("whole", &small_pieces()).unwrap();
        fs::create_dir_all(crawl.path("failed/.work/part-00003.jsonl.zst")).unwrap();
        crawl.run("failed", &small_pieces()).unwrap_err();
        fs::remove_dir(crawl.path("failed/.work/part-00003.jsonl.zst")).unwrap();
        let journal = fs::read_to_string(crawl.path("failed/.work/journal.jsonl")).unwrap();
        let runs = journal
            .lines()
            .filter(|line| line.starts_with("{\"run\""))
            .count();
        assert!(runs > 2, "{journal}");
        for steps in 0..=runs {
            let out = format!("out-{steps}");
            copy(&crawl, "failed", &out);
            let kept: String = journal.split_inclusive('\n').take(steps).collect();
            fs::write(crawl.path(&format!("{out}/.work/journal.jsonl")), kept).unwrap();
            crawl.run(&out, &small_pieces()).unwrap();
            assert!(
                files(&crawl.path(&out)) == files(&crawl.path("whole")),
                "{name} after {steps} runs"
            );
        }
    }
}

#[test]
fn other_settings_and_inputs_are_errors() {
    let crawl = interrupted("out");
    let refused = |settings: Settings, difference: &str| {
        let error = crawl.run("out", &settings).unwrap_err().to_string();
        assert!(error.contains("was started differently"), "{error}");
        assert!(
            error.contains(difference) && error.contains("--restart"),
            "{difference} in {error}"
        );
    };
    refused(
        Settings {
            min_pages: 9,
            ..everything()
        },
        "--min-pages was 3 and is 9",
    );
    refused(
        Settings {
            fields: RowFields {
                content: true,
                menu: true,
                template_id: false,
            },
            ..everything()
        },
        "--fields was content and is content,menu",
    );
    fs::write(&crawl.inputs[0], archive(&pages(61), Compression::Gzip)).unwrap();
    refused(everything(), "crawl.warc.gz has changed");
    let restarted = Settings {
        restart: true,
        ..everything()
    };
    crawl.run("out", &restarted).unwrap();
    assert_eq!(rows(&crawl.path("out")).len(), 61);
}

#[test]
fn a_finished_run_is_not_repeated() {
    let crawl = Crawl::of(&pages(20));
    assert!(!crawl.run("out", &small_pieces()).unwrap().was_finished);
    let before = files(&crawl.path("out"));
    // Left by a kill at the very end.
    fs::create_dir(crawl.path("out/.work")).unwrap();
    assert!(crawl.run("out", &small_pieces()).unwrap().was_finished);
    assert!(files(&crawl.path("out")) == before);
    let other = Settings {
        part_rows: 8,
        ..small_pieces()
    };
    let error = crawl.run("out", &other).unwrap_err().to_string();
    assert!(error.contains("--part-rows was 7 and is 8"), "{error}");
    assert!(files(&crawl.path("out")) == before);
}

#[test]
fn a_second_process_is_rejected() {
    let crawl = Crawl::of(&pages(5));
    fs::create_dir_all(crawl.path("out/.work")).unwrap();
    let lock = fs::File::create(crawl.path("out/.work/lock")).unwrap();
    lock.lock().unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(error.contains("another husk bulk is running in"), "{error}");
    drop(lock);
    crawl.run("out", &small_pieces()).unwrap();
}

#[test]
fn foreign_folders_are_rejected() {
    let crawl = Crawl::of(&pages(5));
    fs::create_dir(crawl.path("out")).unwrap();
    fs::write(crawl.path("out/letter.txt"), "Dear").unwrap();
    for restart in [false, true] {
        let settings = Settings {
            restart,
            ..small_pieces()
        };
        let error = crawl.run("out", &settings).unwrap_err().to_string();
        assert!(error.contains("did not write, such as letter.txt"), "{error}");
        assert_eq!(fs::read_dir(crawl.path("out")).unwrap().count(), 1);
    }
}

#[test]
fn a_file_as_output_folder_is_an_error() {
    let crawl = Crawl::of(&pages(5));
    fs::write(crawl.path("out"), "").unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(
        error.contains("cannot create the folder") && error.contains("out"),
        "{error}"
    );
    let unfit = Settings {
        part_rows: 0,
        format: Format::Jsonl,
        ..small_pieces()
    };
    crawl.run("other", &unfit).unwrap_err();
    assert!(!crawl.path("other").exists());
}

/// The pages, their indexes and what was learned have checksums, as the journal does. What is not needed any more is not read.
#[test]
fn damaged_work_is_an_error_that_names_the_file() {
    let crawl = Crawl::of(&pages(60));
    let settings = Settings {
        templates: Some(crawl.path("store")),
        ..everything()
    };
    fs::create_dir_all(crawl.path("failed/.work/part-00004.jsonl.zst")).unwrap();
    crawl.run("failed", &settings).unwrap_err();
    fs::remove_dir(crawl.path("failed/.work/part-00004.jsonl.zst")).unwrap();
    copy(&crawl, "store", "before");
    copy(&crawl, "failed", "whole");
    crawl.run("whole", &settings).unwrap();
    let whole = files(&crawl.path("whole"));
    for (name, named) in [
        ("run-00001.index", "run-00001.index"),
        // The message names one of the files with pages of the site.
        ("run-00001.pages", ".pages"),
        ("sites.jsonl", "sites.jsonl"),
        ("templates", "templates"),
    ] {
        let bytes = fs::read(crawl.path("failed/.work").join(name)).unwrap();
        let flipped = (0..bytes.len()).step_by(bytes.len() / 8).map(|at| {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            Some(damaged)
        });
        let mut errors = 0;
        for damaged in flipped.chain([None]) {
            copy(&crawl, "before", "store");
            copy(&crawl, "failed", "out");
            let file = crawl.path("out/.work").join(name);
            match damaged {
                Some(damaged) => fs::write(file, damaged).unwrap(),
                None => fs::remove_file(file).unwrap(),
            }
            match crawl.run("out", &settings) {
                Ok(_) => assert!(files(&crawl.path("out")) == whole, "{name}"),
                Err(error) => {
                    let error = error.to_string();
                    for said in [named, "is damaged", "repeat the command with --restart"] {
                        assert!(error.contains(said), "{said} in {error}");
                    }
                    errors += 1;
                }
            }
            fs::remove_dir_all(crawl.path("out")).unwrap();
        }
        assert!(errors > 4, "{name}: {errors}");
    }
}
