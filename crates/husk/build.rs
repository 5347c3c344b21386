//! Compiles the word lists in `lexicon/` into one table, as `lexicon/README.md` describes, and the fitted model in
//! `model.txt` into another.

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
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    fs::write(out.join("lexicon.rs"), table).expect("OUT_DIR is writable");
    println!("cargo::rerun-if-changed=model.txt");
    let model = fs::read_to_string("model.txt").expect("model.txt is readable");
    fs::write(out.join("model.rs"), compiled(&model)).expect("OUT_DIR is writable");
}

/// The trees of a model as Rust arrays. A line `feature NAME` names the next feature, `tree` begins a tree, `NAME <= NUMBER`
/// is a step, and a number is a leaf.
fn compiled(model: &str) -> String {
    let mut names = Vec::new();
    let mut trees: Vec<Vec<Step>> = Vec::new();
    // The steps whose right branch has not begun.
    let mut open: Vec<usize> = Vec::new();
    for line in model
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("feature ") {
            names.push(name);
            continue;
        }
        if line == "tree" {
            trees.push(Vec::new());
            continue;
        }
        let steps = trees.last_mut().expect("model.txt: a step follows `tree`");
        if let Some((name, number)) = line.split_once(" <= ") {
            let feature = names.iter().position(|&known| known == name);
            let feature = feature.unwrap_or_else(|| panic!("model.txt: no feature is called {name:?}"));
            open.push(steps.len());
            steps.push(Step {
                feature: Some(feature),
                number,
                right: 0,
            });
        } else {
            steps.push(Step {
                feature: None,
                number: line,
                right: 0,
            });
            if let Some(step) = open.pop() {
                steps[step].right = steps.len();
            }
        }
    }
    let leaves = trees.iter().map(|steps| leaves_before(steps, steps.len())).max();
    // A power of two, as `blocks/model.rs` wants.
    let leaves = leaves.unwrap_or_default().next_power_of_two();
    assert!(leaves <= 32, "model.txt: a tree has more than 32 leaves");
    let count = names.len();
    let trees: String = trees.iter().map(|steps| tree(steps, leaves)).collect();
    format!(
        "/// The features that the model was fitted to.\n#[cfg(test)]\npub(crate) const NAMES: &[&str] = &{names:?};\n\
         const FEATURES: usize = {count};\nconst TESTS: usize = {};\nconst LEAVES: usize = {leaves};\n\
         static TREES: &[Tree] = &[{trees}];\n",
        leaves - 1
    )
}

/// A step of a tree: a leaf with its value, or a feature, a number, and the step where larger values go on.
struct Step<'a> {
    feature: Option<usize>,
    number: &'a str,
    right: usize,
}

fn leaves_before(steps: &[Step], step: usize) -> usize {
    steps[..step].iter().filter(|step| step.feature.is_none()).count()
}

/// A tree as `blocks/model.rs` has it. Tests that are left over rule out no leaf.
fn tree(steps: &[Step], leaves: usize) -> String {
    let test = |(at, step): (usize, &Step)| {
        let bits = |step: usize| (1_u64 << leaves_before(steps, step)) - 1;
        let right = !((bits(step.right) & !bits(at)) as u32);
        let (feature, number) = (step.feature?, step.number);
        Some(format!(
            "Test {{ feature: {feature}, number: {number}_f32, right: {right} }},\n"
        ))
    };
    let none = || "Test { feature: 0, number: 0.0, right: u32::MAX },\n".to_owned();
    let tests = steps.iter().enumerate().filter_map(test);
    let tests: String = tests
        .chain(std::iter::repeat_with(none))
        .take(leaves - 1)
        .collect();
    let values = steps
        .iter()
        .filter(|step| step.feature.is_none())
        .map(|step| step.number);
    let values: String = values
        .chain(std::iter::repeat("0"))
        .take(leaves)
        .map(|value| format!("{value}_f32, "))
        .collect();
    format!("Tree {{ tests: [{tests}], leaves: [{values}] }},\n")
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
