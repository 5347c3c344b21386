use std::fs;

use husk_bulk::report::SiteSummary;
use husk_bulk::{Manifest, Settings};

use crate::crawl::{Crawl, files, page, pages, small_pieces};

fn with_report() -> Settings {
    Settings {
        report: true,
        ..small_pieces()
    }
}

fn sites(crawl: &Crawl, out: &str) -> Vec<SiteSummary> {
    let text = fs::read_to_string(crawl.path(out).join("_report/sites.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn sums_of_sites_equal_sums_of_rows() {
    let mut captures = pages(60);
    captures.push(page("few.example", 1));
    let crawl = Crawl::of(&captures);
    let Manifest { totals, .. } = crawl.run("out", &with_report()).unwrap().manifest;
    let sites = sites(&crawl, "out");
    let names: Vec<&str> = sites.iter().map(|site| site.site.as_str()).collect();
    assert_eq!(names, ["a.example", "b.example", "few.example", "large.example"]);
    assert_eq!(sites.len() as u64, totals.sites);
    let sum = |of: fn(&SiteSummary) -> u64| sites.iter().map(of).sum::<u64>();
    assert_eq!(sum(|site| site.pages), totals.rows);
    assert_eq!(sum(|site| site.captured_bytes), totals.bytes);
    let single_page = totals.methods.get("single-page").copied();
    assert_eq!(sum(|site| site.single_page), single_page.unwrap_or(0));
    assert_eq!(
        sum(|site| site.warnings.values().sum()),
        totals.warnings.values().sum::<u64>()
    );
}

#[test]
fn a_site_has_shares_layouts_and_menu() {
    let crawl = Crawl::of(&pages(60));
    crawl.run("out", &with_report()).unwrap();
    let sites = sites(&crawl, "out");
    let large = sites.iter().find(|site| site.site == "large.example").unwrap();
    assert_eq!((large.pages, large.measured), (36, 36));
    assert!(
        large.share.words.is_some_and(|share| share > 0.1 && share < 0.9),
        "{large:?}"
    );
    let layout = &large.layouts[0];
    assert_eq!(layout.pages, 36);
    assert!(
        layout
            .model
            .as_ref()
            .unwrap()
            .starts_with("https://large.example/")
    );
    let labels: Vec<&str> = large.menu.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels.len(), 5);
    assert_eq!(labels[0], "Part 0 of large.example");
    let page = fs::read_to_string(crawl.path("out/_report/report.html")).unwrap();
    for site in &sites {
        assert!(page.contains(&site.site), "{}", site.site);
    }
}

#[test]
fn rows_are_the_same_with_and_without_report() {
    let crawl = Crawl::of(&pages(30));
    crawl.run("with", &with_report()).unwrap();
    crawl.run("without", &small_pieces()).unwrap();
    let mut with = files(&crawl.path("with"));
    let mut without = files(&crawl.path("without"));
    assert!(!without.contains_key("_report/report.html"));
    for name in ["_report/report.html", "_report/sites.jsonl", "_manifest.json"] {
        assert!(with.remove(name).is_some(), "{name}");
        without.remove(name);
    }
    assert!(with == without);
}

#[test]
fn an_empty_crawl_has_a_report() {
    let crawl = Crawl::of(&[]);
    crawl.run("out", &with_report()).unwrap();
    assert!(sites(&crawl, "out").is_empty());
    assert!(crawl.path("out/_report/report.html").is_file());
}

#[test]
fn a_run_with_a_report_resumes_with_one() {
    let crawl = Crawl::of(&pages(20));
    crawl.run("out", &with_report()).unwrap();
    let error = crawl.run("out", &small_pieces()).unwrap_err().to_string();
    assert!(error.contains("--report was given and is not given"), "{error}");
    let again = Settings {
        restart: true,
        ..small_pieces()
    };
    crawl.run("out", &again).unwrap();
    assert!(!crawl.path("out/_report/report.html").exists() && !crawl.path("out/_report").exists());
}

/// Lost summaries can't be rebuilt, so they must not pass for a complete report.
#[test]
fn lost_summaries_are_an_error() {
    let crawl = Crawl::of(&pages(60));
    fs::create_dir_all(crawl.path("out/.work/part-00005.jsonl.zst")).unwrap();
    crawl.run("out", &with_report()).unwrap_err();
    fs::remove_dir(crawl.path("out/.work/part-00005.jsonl.zst")).unwrap();
    let summaries = crawl.path("out/.work/sites.jsonl");
    let mut bytes = fs::read(&summaries).unwrap();
    bytes[10] ^= 1;
    for damaged in [&bytes[..], b""] {
        fs::write(&summaries, damaged).unwrap();
        let error = crawl.run("out", &with_report()).unwrap_err().to_string();
        assert!(
            error.contains("sites.jsonl is damaged") && error.contains("--restart"),
            "{error}"
        );
    }
}
