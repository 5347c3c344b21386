use std::fs;

use husk_bulk::output::Format;
use husk_bulk::{Settings, What};
use husk_sources::Compression;

use crate::crawl::{Crawl, archive, everything, files, pages, rows, small_pieces};

/// A run that stopped in the middle of its parts, beside one that did not.
fn interrupted(out: &str) -> Crawl {
    let crawl = Crawl::of(&pages(60));
    crawl.run("whole", &everything()).unwrap();
    // A folder where a part is to be written stands in for a disk that is full.
    fs::create_dir_all(crawl.path(out).join(".work/part-00004.jsonl.zst")).unwrap();
    let error = crawl.run(out, &everything()).unwrap_err().to_string();
    assert!(
        error.contains("cannot write") && error.contains("part-00004"),
        "{error}"
    );
    crawl
}

#[test]
fn a_run_that_failed_goes_on() {
    let crawl = interrupted("out");
    let left = files_of(&crawl, "out");
    assert!(left.contains(&"part-00003.jsonl.zst".to_owned()) && !left.contains(&"manifest.json".to_owned()));
    fs::remove_dir(crawl.path("out/.work/part-00004.jsonl.zst")).unwrap();
    // What was not noted is not believed.
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

/// Cuts the journal behind each of its lines: as if a kill had come right there, with files left that it does not know.
#[test]
fn a_run_goes_on_from_every_step() {
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

fn copy(crawl: &Crawl, from: &str, to: &str) {
    for folder in ["", ".work"] {
        let (from, to) = (crawl.path(from).join(folder), crawl.path(to).join(folder));
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
}

/// Archives that are packed as a whole have no place to go on from, and those that are broken have things to tell.
#[test]
fn archives_without_places_are_read_again() {
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
fn other_settings_and_inputs_are_refused() {
    let crawl = interrupted("out");
    let refused = |settings: Settings, said: &str| {
        let error = crawl.run("out", &settings).unwrap_err().to_string();
        assert!(error.contains("was begun in another way"), "{error}");
        assert!(
            error.contains(said) && error.contains("--restart"),
            "{said} in {error}"
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
            what: What {
                content: true,
                menu: true,
                template_id: false,
            },
            ..everything()
        },
        "--what was content and is content,menu",
    );
    fs::write(&crawl.inputs[0], archive(&pages(61), Compression::Gzip)).unwrap();
    refused(everything(), "crawl.warc.gz was changed since");
    let restarted = Settings {
        restart: true,
        ..everything()
    };
    crawl.run("out", &restarted).unwrap();
    assert_eq!(rows(&crawl.path("out")).len(), 61);
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let crawl = Crawl::of(&pages(20));
    assert!(!crawl.run("out", &small_pieces()).unwrap().was_finished);
    let before = files(&crawl.path("out"));
    // As after a kill at the very end.
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
fn two_at_once_are_one_too_many() {
    let crawl = Crawl::of(&pages(5));
    fs::create_dir_all(crawl.path("out/.work")).unwrap();
    let lock = fs::File::create(crawl.path("out/.work/lock")).unwrap();
    lock.lock().unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(error.contains("another husk bulk is at work in"), "{error}");
    drop(lock);
    crawl.run("out", &small_pieces()).unwrap();
}

#[test]
fn folders_of_others_are_left_alone() {
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
fn a_file_is_no_folder() {
    let crawl = Crawl::of(&pages(5));
    fs::write(crawl.path("out"), "").unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(
        error.contains("cannot make the folder") && error.contains("out"),
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
