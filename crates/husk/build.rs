//! Compiles the word lists in `lexicon/` into one table: `docs` of the format are in `lexicon/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]
fn main() {
    println!("cargo::rerun-if-changed=lexicon");
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in fs::read_dir("lexicon").expect("lexicon/ is readable") {
        let path = file.expect("lexicon/ is readable").path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = fs::read_to_string(&path).expect("word lists are UTF-8");
            add_file(&path, &text, &mut sections);
        }
    }
    let table = format!("static SECTIONS: &[(&str, &[&str])] = &{:?};\n", Table(&sections));
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("lexicon.rs");
    fs::write(out, table).expect("OUT_DIR is writable");
}

fn add_file(path: &Path, text: &str, sections: &mut BTreeMap<String, BTreeSet<String>>) {
    let mut section = None;
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => section = Some(name),
            None => {
                let name =
                    section.unwrap_or_else(|| panic!("{}: {line:?} stands in no section", path.display()));
                sections
                    .entry(name.to_owned())
                    .or_default()
                    .insert(line.to_owned());
            }
        }
    }
}

/// Writes the sections as a Rust array of pairs.
struct Table<'a>(&'a BTreeMap<String, BTreeSet<String>>);

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("[")?;
        for (name, entries) in self.0 {
            let entries: Vec<&String> = entries.iter().collect();
            write!(out, "({name:?}, &{entries:?}),")?;
        }
        out.write_str("]")
    }
}
