//! The pages of the benchmarks.

use std::fs;
use std::path::{Path, PathBuf};

/// A named set of pages.
pub(crate) struct PageSet {
    pub(crate) name: &'static str,
    pub(crate) pages: Vec<String>,
}

/// The example site, a long page, and the corpus if it is wanted and there.
pub(crate) fn page_sets(with_corpus: bool) -> Vec<PageSet> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sets = vec![
        PageSet {
            name: "the example site",
            pages: pages_below(&root.join("examples/site")),
        },
        PageSet {
            name: "a long page",
            pages: vec![long_page()],
        },
    ];
    if !with_corpus {
        return sets;
    }
    let corpus = std::env::var_os("HUSK_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    if corpus.is_dir() {
        sets.push(PageSet {
            name: "the corpus",
            pages: pages_below(&corpus),
        });
    } else {
        eprintln!("SKIPPED: no corpus: set HUSK_CORPUS, or put it at ../shared/corpus");
    }
    sets
}

/// A megabyte of headings, paragraphs with links, and tables.
fn long_page() -> String {
    let section = "<h2 id=s>A heading</h2>\n<p class=\"lead wide\">Some words, <a href=\"/a/b.html\">a link</a>, more \
        words &amp; <em>emphasis</em> in between.</p>\n<table><tr><td>1<td>2<tr><td>3<td>4</table>\n";
    section.repeat((1 << 20) / section.len())
}

fn pages_below(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .iter()
        .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned())
        .collect()
}
