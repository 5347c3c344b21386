use std::fs;
use std::path::PathBuf;

use husk::dom::{Dom, serialize};
use husk::output::{Links, OutputOptions, Scripts, fill, slots, to_html, to_json, to_outline, to_xpath};
use husk::{Options, Page, Session};
use husk_testing::{html_files, over_sites};

/// How many broken pages are tried.
const TRIED: usize = 400;

/// Pages longer than this are passed over: the test is about odd pages, not about large ones.
const LONGEST: usize = 100_000;

/// What breaks pages best.
const SHARDS: [&[u8]; 24] = [
    b"<table>",
    b"</table>",
    b"<svg>",
    b"<style>",
    b"url(",
    b"'",
    b"\"",
    b"<!--",
    b"-->",
    b"<template>",
    b"</p>",
    b"<a href='",
    b"\0",
    b"&",
    b"<select>",
    b"<b>",
    b"</a>",
    b"srcset=' ,",
    b"<title>",
    b"\xFF",
    b"<base href='//x'>",
    b"style=\"@import '",
    b"\\",
    b"<",
];

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Takes pieces out of a page, doubles others, and drives shards into it.
fn broken(mut page: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..1 + dice.below(30) {
        let start = dice.below(page.len() + 1);
        let end = (start + dice.below(200)).min(page.len());
        match dice.below(4) {
            0 => drop(page.drain(start..end)),
            1 => {
                let piece = page[start..end].to_vec();
                let at = dice.below(page.len() + 1);
                drop(page.splice(at..at, piece));
            }
            _ => drop(page.splice(start..start, SHARDS[dice.below(SHARDS.len())].iter().copied())),
        }
    }
    page
}

over_sites!(pages_are_taken_apart_and_put_together_again, check_broken_pages);

fn check_broken_pages(sites: &[PathBuf]) {
    let files: Vec<_> = sites
        .iter()
        .flat_map(|site| html_files(&site.join("pages")))
        .collect();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for _ in 0..TRIED {
        let file = &files[dice.below(files.len())];
        let whole = fs::read(file).unwrap();
        if whole.len() > LONGEST {
            continue;
        }
        let key = Dom::from_bytes(&broken(whole.clone(), &mut dice), None);
        let other = Dom::from_bytes(&whole, None);
        let mut session = Session::new(
            Page::new("https://example.org/a/b".parse().unwrap(), key),
            Options::default(),
        );
        for _ in 0..3 {
            let Some(url) = session.next_wanted().cloned() else {
                break;
            };
            session.give(Page::new(url, other.clone()));
        }
        let extraction = session.finish();
        let dom = &extraction.key_page.dom;
        let contents: Vec<_> = slots(&extraction).iter().map(|slot| slot.content(dom)).collect();
        let as_it_is = OutputOptions {
            scripts: Scripts::Keep,
            links: Links::AsWritten,
            ..OutputOptions::default()
        };
        let filled = fill(&to_html(&extraction, &as_it_is), &contents);
        assert!(filled == serialize(dom, dom.document()), "{}", file.display());
        let listed = to_json(&extraction).nodes.iter().count();
        assert_eq!(to_xpath(&extraction).lines().count(), listed);
        assert!(to_outline(&extraction).contains("html"));
        let shown = Dom::parse(&to_html(&extraction, &OutputOptions::default()));
        assert!(shown.len() > 3, "{}", file.display());
        assert!(
            shown.nodes().all(|node| &**shown.name(node) != "script"),
            "{}",
            file.display()
        );
    }
}
