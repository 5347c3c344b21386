//! The order of crates and modules: nothing uses a later one.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads the sources"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The packages in layers. Each may use those of earlier layers only, so that the product never uses the lab.
const LAYERS: [&[&str]; 7] = [
    &["husk-dom", "husk-warc"],
    &["husk"],
    &["husk-sources", "husk-store", "husk-plot"],
    &["husk-bulk", "husk-server", "husk-wasm"],
    &["husk-python"],
    &["husk-cli"],
    &["husk-lab"],
];

/// The crates whose modules are listed in order in `lib.rs`.
const ORDERED: [&str; 4] = ["husk-dom", "husk-warc", "husk", "husk-server"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn layer_of(package: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&package));
    found.unwrap_or_else(|| panic!("{package} is in no layer: add it to LAYERS"))
}

/// The folders of all packages of the workspace.
fn packages() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let folders = crates
        .map(|entry| entry.unwrap().path())
        .chain([root().join("lab")]);
    folders
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .collect()
}

/// The name of a package, and the packages of the workspace that it uses outside of tests.
fn uses(manifest: &str) -> (String, Vec<String>) {
    let mut section = "";
    let (mut name, mut used) = (String::new(), Vec::new());
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
        }
        let Some((key, value)) = line.split_once(['=', '.']) else {
            continue;
        };
        let key = key.trim();
        let is_used = section.ends_with("dependencies") && !section.ends_with("dev-dependencies");
        if section == "package" && key == "name" {
            name = value.trim().trim_matches('"').to_owned();
        } else if is_used && (key == "husk" || key.starts_with("husk-")) {
            used.push(key.to_owned());
        }
    }
    (name, used)
}

#[test]
fn no_crate_uses_a_later_one() {
    let packages = packages();
    assert!(packages.len() > 5, "{packages:?}");
    for folder in packages {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let (name, used) = uses(&manifest);
        for used in used {
            assert!(
                layer_of(&used) < layer_of(&name),
                "{name} uses {used}, which is not in an earlier layer"
            );
        }
    }
}

#[test]
fn dependencies_are_read() {
    let manifest = "[package]\nname = \"husk-a\"\n[dependencies]\nhusk = { workspace = true }\nhusk-b.workspace = true\n\
                    serde = \"1\"\n[dev-dependencies]\nhusk-lab = \"1\"\n[target.x.dependencies]\nhusk-c = \"1\"\n";
    let (name, used) = uses(manifest);
    assert_eq!(
        (name.as_str(), used),
        ("husk-a", ["husk", "husk-b", "husk-c"].map(str::to_owned).to_vec())
    );
}

/// The modules in the order of `lib.rs`.
fn modules(lib: &str) -> Vec<&str> {
    let lines = lib.lines().map(|line| line.strip_prefix("pub ").unwrap_or(line));
    lines
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect()
}

fn files_of(module: &str, source: &Path) -> Vec<PathBuf> {
    let mut files = vec![source.join(format!("{module}.rs"))];
    files.retain(|file| file.is_file());
    let mut folders = vec![source.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The code of a file without comments and without its tests, which may use everything.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// How many modules a file is below the crate: 1 for `page.rs` and `links/mod.rs`, 2 for `links/url.rs`.
fn depth(file: &Path, source: &Path) -> usize {
    let parts = file.strip_prefix(source).unwrap().components().count();
    parts - usize::from(file.ends_with("mod.rs"))
}

fn first_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// What follows every path to the root of the crate: `crate::`, or `super::` as often as the file is deep.
fn used_from_root(code: &str, depth: usize) -> Vec<&str> {
    let by_crate = code.split("crate::").skip(1).map(first_word);
    let chain = "super::".repeat(depth);
    let by_super = code.match_indices(&chain).filter_map(|(at, chain)| {
        let rest = &code[at + chain.len()..];
        (!rest.starts_with("super::")).then(|| first_word(rest))
    });
    by_crate.chain(by_super).collect()
}

#[test]
fn no_module_uses_a_later_one() {
    for name in ORDERED {
        let source = root().join("crates").join(name).join("src");
        let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
        let modules = modules(&lib);
        assert!(modules.len() > 5, "{name} lists its modules: {modules:?}");
        for (index, module) in modules.iter().enumerate() {
            for file in files_of(module, &source) {
                let text = fs::read_to_string(&file).unwrap();
                for used in used_from_root(&code(&text), depth(&file, &source)) {
                    assert!(
                        modules[..=index].contains(&used),
                        "{} uses {used:?} of the crate: name a module up to {module}, and the item in it",
                        file.display()
                    );
                }
            }
        }
    }
}

#[test]
fn paths_to_the_root_are_found() {
    let code =
        "use crate::page::Page;\nuse super::super::vote::Vote;\nuse super::sibling;\nuse crate::{a, b};";
    assert_eq!(used_from_root(code, 2), ["page", "", "vote"]);
    assert_eq!(used_from_root("use super::vote::Vote;", 1), ["vote"]);
    assert_eq!(used_from_root("use super::vote::Vote;", 2), [""; 0]);
    let source = Path::new("src");
    assert_eq!(depth(Path::new("src/page.rs"), source), 1);
    assert_eq!(depth(Path::new("src/links/mod.rs"), source), 1);
    assert_eq!(depth(Path::new("src/links/url.rs"), source), 2);
}
