use std::fs;
use std::path::Path;
use std::sync::Mutex;

use husk::SiteTemplates;
use husk_bulk::{BulkError, InputNames, Progress, Row, Settings, bulk};
use husk_store::{LearnedBy, SiteInfo, StoreReader, TemplateStore};

use crate::crawl::{Crawl, everything, files, page, pages, redesigned, response, rows};

const TIME: i64 = 1_800_000_000;

fn with_store(crawl: &Crawl, store: &str, time: i64) -> Settings {
    let mut settings = Settings {
        templates: Some(crawl.path(store)),
        now: Some(jiff::Timestamp::from_second(TIME + time).unwrap()),
        ..everything()
    };
    settings.tuning.sample_pages = 16;
    settings
}

/// Infos and templates of all sites.
fn contents(store: &Path) -> Vec<(SiteInfo, Vec<u8>)> {
    let reader = StoreReader::open(store).unwrap();
    let infos = reader.sites().unwrap();
    infos
        .into_iter()
        .map(|info| {
            let templates: SiteTemplates = reader.site(&info.site).unwrap().unwrap().templates;
            (info, templates.to_bytes())
        })
        .collect()
}

fn copy_store(crawl: &Crawl, from: &str, to: &str) {
    fs::create_dir(crawl.path(to)).unwrap();
    fs::copy(
        crawl.path(from).join("templates.redb"),
        crawl.path(to).join("templates.redb"),
    )
    .unwrap();
}

fn of_site(rows: &[Row], site: &str) -> Vec<Row> {
    rows.iter().filter(|row| row.site == site).cloned().collect()
}

/// A crawl of three sites, and the store that it left.
fn monday() -> Crawl {
    let crawl = Crawl::of(&pages(60));
    crawl.run("monday", &with_store(&crawl, "store", 0)).unwrap();
    crawl
}

/// Two new pages of a known site, a redesigned site, a new site, a site with a new section, and too few pages.
fn tuesday(crawl: &mut Crawl) {
    let mut captures = vec![page("b.example", 900), page("b.example", 901)];
    captures.extend((0..9).map(|number| redesigned("a.example", 500 + number)));
    captures.extend((0..20).map(|number| page("large.example", 700 + number)));
    captures.extend((0..8).map(|number| redesigned("large.example", 800 + number)));
    captures.extend((0..6).map(|number| page("new.example", number)));
    captures.extend((0..2).map(|number| page("few.example", number)));
    crawl.next("tuesday.warc.gz", &captures);
}

#[test]
fn what_was_learned_is_stored() {
    let crawl = monday();
    let stored = contents(&crawl.path("store"));
    let names: Vec<&str> = stored.iter().map(|(info, _)| &*info.site).collect();
    assert_eq!(names, ["a.example", "b.example", "large.example"]);
    let (info, _) = &stored[1];
    assert_eq!((info.layouts, info.pages), (1, 12));
    assert_eq!(info.learned.as_second(), TIME);
    assert_eq!(
        (info.learned_by, info.checked, info.fit),
        (LearnedBy::Bulk, None, None)
    );
    let rows = rows(&crawl.path("monday"));
    assert!(
        rows.iter()
            .all(|row| row.template_source.as_deref() == Some("learned"))
    );
    // The rows are those of a run without a store.
    let mut without = files(&crawl.path("monday"));
    let plain = Settings {
        templates: None,
        ..with_store(&crawl, "store", 0)
    };
    crawl.run("plain", &plain).unwrap();
    let mut plain = files(&crawl.path("plain"));
    without.remove("_manifest.json");
    assert!(without.remove("_templates/run-00000").is_some());
    plain.remove("_manifest.json");
    assert!(without == plain);
}

#[test]
fn known_sites_use_stored_templates() {
    let mut crawl = monday();
    let before = contents(&crawl.path("store"));
    tuesday(&mut crawl);
    let run = crawl.run("tuesday", &with_store(&crawl, "store", 60)).unwrap();
    let rows = rows(&crawl.path("tuesday"));
    for (site, source, warning) in [
        ("a.example", Some("relearned"), None),
        ("b.example", Some("stored"), None),
        ("few.example", None, Some("too-few-pages")),
        ("large.example", Some("updated"), None),
        ("new.example", Some("learned"), None),
    ] {
        for row in of_site(&rows, site) {
            assert_eq!(row.template_source.as_deref(), source, "{row:?}");
            assert_eq!(row.warnings.first().map(String::as_str), warning, "{row:?}");
            let content = row.content.unwrap();
            let words = [
                &format!("Part 0 of {site}"),
                "Made by the people",
                "Our shop",
                "Run by",
            ];
            if warning.is_none() {
                assert!(words.iter().all(|words| !content.contains(*words)), "{content}");
            }
        }
    }
    let by_source: Vec<(&str, u64)> = run
        .manifest
        .totals
        .templates
        .iter()
        .map(|(name, &sites)| (&**name, sites))
        .collect();
    assert_eq!(
        by_source,
        [
            ("learned", 1),
            ("none", 1),
            ("relearned", 1),
            ("stored", 1),
            ("updated", 1)
        ]
    );
    let after = contents(&crawl.path("store"));
    let info = |site: &str| &after.iter().find(|(info, _)| info.site == site).unwrap().0;
    let seconds = |info: &SiteInfo| {
        (
            info.learned.as_second() - TIME,
            info.checked.map(|at| at.as_second() - TIME),
        )
    };
    assert_eq!(seconds(info("b.example")), (0, Some(60)));
    assert_eq!(
        (info("b.example").checked_pages, info("b.example").fit),
        (2, Some(1.0))
    );
    assert_eq!(before[1].1, after[1].1, "known templates stay");
    assert_eq!(seconds(info("a.example")), (60, None));
    assert_eq!(info("a.example").layouts, 1, "the old layout is gone");
    assert_eq!(seconds(info("large.example")), (60, Some(60)));
    assert_eq!(info("large.example").layouts, 2);
    assert!(
        info("large.example")
            .fit
            .is_some_and(|fit| (0.5..1.0).contains(&fit))
    );
    assert_eq!(seconds(info("new.example")), (60, None));
    assert!(after.iter().all(|(info, _)| info.site != "few.example"));
}

/// However many pages of a known site have a new design, they are no errors.
#[test]
fn a_share_of_redesigned_pages_is_learned() {
    for share in 3..=10 {
        let mut crawl = Crawl::of(
            &(0..12)
                .map(|number| page("a.example", number))
                .collect::<Vec<_>>(),
        );
        crawl.run("monday", &with_store(&crawl, "store", 0)).unwrap();
        let captures: Vec<_> = (0..12)
            .map(|number| match number < share {
                true => redesigned("a.example", number),
                false => page("a.example", number),
            })
            .collect();
        crawl.next("tuesday.warc.gz", &captures);
        crawl.run("tuesday", &with_store(&crawl, "store", 60)).unwrap();
        for row in rows(&crawl.path("tuesday")) {
            assert_eq!(row.method, "template", "{share}: {row:?}");
            let source = row.template_source.as_deref();
            assert_eq!(
                source,
                Some(if share <= 6 { "updated" } else { "relearned" }),
                "{share}"
            );
        }
    }
}

#[test]
fn errors_with_status_200_teach_nothing() {
    let mut crawl = monday();
    let before = contents(&crawl.path("store"));
    let body = b"<title>Sorry</title><div class=box><h1>Sorry</h1><p>We are back soon.</p><p><a href=/>Home</a></p></div>";
    let captures: Vec<_> = (0..9)
        .map(|number| {
            response(
                &format!("https://a.example/down/{number}"),
                200,
                "text/html",
                body,
            )
        })
        .collect();
    crawl.next("tuesday.warc.gz", &captures);
    let inputs = InputNames {
        names: vec![(&crawl.inputs[0]).into()],
        ..InputNames::default()
    };
    let notes = Mutex::new(Vec::new());
    let note = |note: &str| notes.lock().unwrap().push(note.to_owned());
    let settings = with_store(&crawl, "store", 60);
    bulk(
        &inputs,
        &crawl.path("tuesday"),
        &settings,
        &Progress::default(),
        &note,
    )
    .unwrap();
    let notes = notes.into_inner().unwrap();
    assert_eq!(
        notes,
        ["a.example: 0 of 9 pages fit the stored templates, which are kept: the others seem to be errors"]
    );
    let after = contents(&crawl.path("store"));
    assert_eq!(before[0].1, after[0].1);
    assert_eq!(after[0].0.fit, Some(0.0));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut crawl = monday();
    tuesday(&mut crawl);
    let results = [1, 4].map(|threads| {
        let (out, store) = (format!("out-{threads}"), format!("store-{threads}"));
        copy_store(&crawl, "store", &store);
        // The same path, so that the manifests are equal.
        fs::rename(crawl.path(&store), crawl.path("used")).unwrap();
        let settings = Settings {
            threads,
            ..with_store(&crawl, "used", 60)
        };
        crawl.run(&out, &settings).unwrap();
        let stored = contents(&crawl.path("used"));
        fs::rename(crawl.path("used"), crawl.path(&store)).unwrap();
        (files(&crawl.path(&out)), stored)
    });
    assert!(results[0] == results[1]);
}

/// Cuts the journal behind each of its lines, as a kill would.
#[test]
fn a_run_with_a_store_resumes_from_every_step() {
    let mut crawl = monday();
    tuesday(&mut crawl);
    let settings = with_store(&crawl, "used", 60);
    copy_store(&crawl, "store", "used");
    crawl.run("whole", &settings).unwrap();
    let (whole, stored) = (files(&crawl.path("whole")), contents(&crawl.path("used")));
    fs::remove_dir_all(crawl.path("used")).unwrap();
    copy_store(&crawl, "store", "used");
    fs::create_dir_all(crawl.path("failed/.work/part-00006.jsonl.zst")).unwrap();
    crawl.run("failed", &settings).unwrap_err();
    fs::remove_dir(crawl.path("failed/.work/part-00006.jsonl.zst")).unwrap();
    assert_eq!(
        contents(&crawl.path("used")),
        contents(&crawl.path("store")),
        "an unfinished run changes nothing"
    );
    let journal = fs::read_to_string(crawl.path("failed/.work/journal.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    assert!(lines.len() >= 8, "{journal}");
    for steps in 0..=lines.len() {
        let out = format!("out-{steps}");
        crate::resume::copy(&crawl, "failed", &out);
        fs::write(
            crawl.path(&out).join(".work/journal.jsonl"),
            lines[..steps].concat(),
        )
        .unwrap();
        fs::remove_dir_all(crawl.path("used")).unwrap();
        copy_store(&crawl, "store", "used");
        crawl.run(&out, &settings).unwrap();
        assert!(files(&crawl.path(&out)) == whole, "after {steps} steps");
        assert_eq!(contents(&crawl.path("used")), stored, "after {steps} steps");
    }
}

/// A kill between the update of the store and the manifest.
#[test]
fn a_store_is_updated_once() {
    let mut crawl = monday();
    tuesday(&mut crawl);
    let settings = Settings {
        report: false,
        ..with_store(&crawl, "store", 60)
    };
    // Folders where files are to be written make the run fail: at a part, then at the manifest.
    fs::create_dir_all(crawl.path("out/.work/part-00003.jsonl.zst")).unwrap();
    crawl.run("out", &settings).unwrap_err();
    assert_eq!(contents(&crawl.path("store")).len(), 3);
    fs::rename(
        crawl.path("out/.work/part-00003.jsonl.zst"),
        crawl.path("out/.work/temporary"),
    )
    .unwrap();
    crawl.run("out", &settings).unwrap_err();
    let stored = contents(&crawl.path("store"));
    assert_eq!(stored.len(), 4);
    fs::remove_dir(crawl.path("out/.work/temporary")).unwrap();
    crawl.run("out", &settings).unwrap();
    assert_eq!(contents(&crawl.path("store")), stored);
    let relearned = of_site(&rows(&crawl.path("out")), "a.example");
    assert_eq!(relearned[0].template_source.as_deref(), Some("relearned"));
}

#[test]
fn a_store_that_changed_meanwhile_is_an_error() {
    let mut crawl = monday();
    tuesday(&mut crawl);
    let settings = with_store(&crawl, "store", 60);
    fs::create_dir_all(crawl.path("out/.work/part-00003.jsonl.zst")).unwrap();
    crawl.run("out", &settings).unwrap_err();
    fs::remove_dir(crawl.path("out/.work/part-00003.jsonl.zst")).unwrap();
    let store = TemplateStore::open(&crawl.path("store")).unwrap();
    let in_use = crawl.run("out", &settings).unwrap_err().to_string();
    assert!(in_use.contains("is in use"), "{in_use}");
    store
        .update::<_, husk_store::StoreError>(None, |update| update.remove("a.example"))
        .unwrap();
    drop(store);
    let changed = crawl.run("out", &settings).unwrap_err();
    assert!(matches!(changed, BulkError::StoreChanged { .. }), "{changed}");
    let restarted = Settings {
        restart: true,
        ..settings
    };
    crawl.run("out", &restarted).unwrap();
}
