//! The modules stand in the order of the data: none uses a later one.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads the sources"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The stages in the order of `lib.rs`.
fn stages(lib: &str) -> Vec<&str> {
    let modules = lib.lines().map(|line| line.strip_prefix("pub ").unwrap_or(line));
    modules
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect()
}

fn files_of(stage: &str, source: &Path) -> Vec<PathBuf> {
    let file = source.join(format!("{stage}.rs"));
    if file.is_file() {
        return vec![file];
    }
    let mut files = Vec::new();
    let mut folders = vec![source.join(stage)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let list = if path.is_dir() { &mut folders } else { &mut files };
            list.push(path);
        }
    }
    files.sort();
    files
}

/// The code of a file without its tests, which may use everything, and without comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn check(source: &Path) {
    let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
    let stages = stages(&lib);
    assert!(
        stages.len() > 5,
        "{} lists its stages: {stages:?}",
        source.display()
    );
    for (index, stage) in stages.iter().enumerate() {
        for file in files_of(stage, source) {
            for used in code(&file).split("crate::").skip(1) {
                let used = used
                    .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .next()
                    .unwrap();
                assert!(
                    stages[..=index].contains(&used),
                    "{} uses crate::{used}: name a stage up to {stage} and what is wanted of it",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn no_stage_of_the_engine_uses_a_later_stage() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
}

#[test]
fn no_stage_of_the_dom_uses_a_later_stage() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../husk-dom/src"));
}
