//! docs/crawls.md: its commands are run on two small crawls, and print what it says.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use husk::Url;
use husk_sources::{ArchiveWriter, Capture, Compression};

use crate::run::{command_in, repository};

/// 16 and 17 November 2026, 8:00.
const DAYS: [(&str, u64); 2] = [("monday", 1_794_816_000), ("tuesday", 1_794_902_400)];

const WORDS: [&str; 12] = [
    "moss", "slate", "heron", "lantern", "quay", "thyme", "ledger", "anchor", "kettle", "orchard", "gable",
    "tide",
];

/// Sentences that no other page has.
fn text(site: &str, number: usize) -> Vec<String> {
    let word = |place: usize| WORDS[(number * 5 + place * 7 + number * place) % WORDS.len()];
    (0..5)
        .map(|line| {
            format!(
                "Note {number}.{line} of {site} is about the {} and the {}, which were seen beside a {} that day.",
                word(line),
                word(line + 3),
                word(line + 5)
            )
        })
        .collect()
}

pub(crate) fn page(site: &str, number: usize) -> String {
    let lines: String = text(site, number)
        .iter()
        .map(|line| format!("<p>{line}</p>"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Note {number}</title></head><body>\
         <header class=top><a href=/>{site}</a><nav><ul><li><a href=/notes>Notes</a></li><li><a href=/people>People</a></li>\
         <li><a href=/visit>Visit</a></li></ul></nav></header><main><h1>Note {number}</h1>{lines}</main>\
         <footer class=end><p>Written by the people of {site}</p></footer></body></html>"
    )
}

/// The same site after a redesign.
fn redesigned(site: &str, number: usize) -> String {
    let lines: String = text(site, number)
        .iter()
        .map(|line| format!("<div class=line><span>{line}</span></div>"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Note {number}</title></head><body class=new>\
         <div class=bar><div class=brand>{site}</div><div class=tiles><a class=tile href=/shop>Shop</a><a class=tile href=/map>Map</a>\
         <a class=tile href=/help>Help</a></div></div><section class=card><h2 class=name>Note {number}</h2>{lines}</section>\
         <table class=legal><tr><td>Imprint</td><td>Run by the new owners of {site}</td></tr></table></body></html>"
    )
}

pub(crate) fn write_archive(file: &Path, time: u64, pages: &[(&str, usize, String)]) {
    let responses: Vec<_> = pages
        .iter()
        .map(|(site, number, html)| (*site, *number, 200, &**html))
        .collect();
    write_responses(file, time, &responses);
}

/// Writes an archive of responses, each with its site, number, status and body.
pub(crate) fn write_responses(file: &Path, time: u64, responses: &[(&str, usize, u16, &str)]) {
    let mut writer = ArchiveWriter::new(Vec::new(), Compression::Gzip);
    for &(site, number, status, html) in responses {
        let capture = Capture {
            url: Url::parse(&format!("https://{site}/notes/{number}")).unwrap(),
            status,
            headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
            body: html.as_bytes().to_vec(),
            is_whole: true,
            date: SystemTime::UNIX_EPOCH + Duration::from_secs(time),
            ip: None,
            is_rendered: false,
        };
        writer.write_capture(&capture).unwrap();
    }
    fs::write(file, writer.finish().unwrap()).unwrap();
}

pub(crate) fn write_crawls(folder: &Path) {
    let pages = |site: &'static str, numbers: std::ops::Range<usize>| {
        numbers.map(move |number| (site, number, page(site, number)))
    };
    let monday: Vec<_> = pages("garden.example", 1..9)
        .chain(pages("harbour.example", 1..9))
        .chain(pages("library.example", 1..3))
        .collect();
    let tuesday: Vec<_> = pages("garden.example", 9..11)
        .chain((1..9).map(|number| ("harbour.example", number, redesigned("harbour.example", number))))
        .chain(pages("kitchen.example", 1..7))
        .collect();
    for ((day, time), pages) in DAYS.iter().zip([monday, tuesday]) {
        write_archive(&folder.join(format!("{day}.warc.gz")), *time, &pages);
    }
}

/// Runs a command line as the document shows it, and returns what it prints.
fn run(line: &str, folder: &Path) -> String {
    let husk = env!("CARGO_BIN_EXE_husk");
    let line = line.replace("husk ", &format!("{husk} "));
    let (_, time) = DAYS
        .iter()
        .find(|(day, _)| line.contains(day))
        .unwrap_or(&DAYS[1]);
    let mut shell = std::process::Command::new("sh");
    let output = shell
        .args(["-c", &format!("{line} 2>&1")])
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", time.to_string())
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{line}: {printed}");
    printed
}

/// Set it to write what the commands print into the document.
const WRITE: &str = "HUSK_WRITE_DOCS";

#[test]
fn the_commands_of_the_document_print_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    write_crawls(folder.path());
    let file = repository().join("docs/crawls.md");
    let document = fs::read_to_string(&file).unwrap();
    let mut parts = document.split("```console\n");
    let mut written = parts.next().unwrap().to_owned();
    let mut commands = 0;
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        written += "```console\n";
        for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            commands += 1;
            written += &format!("$ {line}\n{}", run(line, folder.path()));
        }
        written += &format!("```{rest}");
    }
    assert!(commands >= 8, "{commands} commands");
    if std::env::var_os(WRITE).is_some() {
        fs::write(&file, &written).unwrap();
    }
    assert_eq!(written, document, "{WRITE}=1 writes the document");
}

/// What the document claims about rows.
#[test]
fn redesigned_pages_lose_their_new_template() {
    let folder = tempfile::tempdir().unwrap();
    write_crawls(folder.path());
    for day in ["monday", "tuesday"] {
        let archive = format!("{day}.warc.gz");
        let arguments = [
            "bulk",
            &archive,
            "--templates",
            "templates",
            "--append",
            "--compress",
            "none",
            "-o",
            "out",
        ];
        assert!(
            command_in(folder.path())
                .args(arguments)
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    let text = fs::read_to_string(folder.path().join("out/part-00001.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 16);
    for row in &rows {
        let content = row["content"].as_str().unwrap();
        assert!(content.contains("is about the"), "{row}");
        for template in ["Written by", "Run by", "Shop", "People"] {
            assert!(!content.contains(template), "{row}");
        }
        let expect = match row["site"].as_str().unwrap() {
            "garden.example" => "stored",
            "harbour.example" => "relearned",
            _ => "learned",
        };
        assert_eq!(row["template_source"], expect, "{row}");
    }
}
