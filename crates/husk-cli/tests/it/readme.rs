use std::fs;
use std::process::Command;

use crate::run::{Done, example_site, has_chromium, repository};
use crate::web::Web;

/// The commands in the shell blocks of a document, continued lines joined.
fn commands(document: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in document.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap().replace("\\\n", " ");
        commands.extend(
            block
                .lines()
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(str::to_owned),
        );
    }
    commands
}

#[test]
fn every_command_works() {
    let read = |file: &str| fs::read_to_string(repository().join(file)).unwrap();
    let commands = commands(&(read("README.md") + &read("docs/guide.md")));
    assert!(commands.len() >= 30, "{commands:?}");
    assert!(
        commands[0].starts_with("cargo run --release -- template"),
        "{}",
        commands[0]
    );
    // The example site has no place on the web: here it has one.
    let web = Web::of_folder(&example_site());
    let scratch = tempfile::tempdir().unwrap();
    let steps = fs::read_to_string(repository().join("test")).unwrap();
    for command in &commands {
        // All tests are what is running now, and building for browsers is a step of them.
        let is_step = steps.contains(&format!(" {command}\n"));
        if command == "./test" || is_step || (command.contains("--render") && !has_chromium()) {
            continue;
        }
        let husk = env!("CARGO_BIN_EXE_husk");
        // What an earlier run of the tests left behind must not be met again.
        let line = command.replace("/tmp/", &format!("{}/", scratch.path().display()));
        let line = line.replacen("cargo run --release --", husk, 1);
        let line = if line.starts_with("husk ") {
            line.replacen("husk", husk, 1)
        } else {
            line
        };
        let line = line.replace("| husk ", &format!("| {husk} "));
        assert!(
            line.contains(husk),
            "a command that this test does not know: {command}"
        );
        let is_offline = line.contains("--site ") || line.contains("/lighthouse.warc");
        let line = if is_offline {
            line
        } else {
            line.replace("https://lighthouse.example/", &web.url)
        };
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(repository())
            .env("XDG_CACHE_HOME", scratch.path())
            .output()
            .unwrap();
        let done = Done::of(output).ok();
        assert!(
            !done.stdout.is_empty() || line.contains(" -o "),
            "{command} prints nothing"
        );
    }
}

#[test]
fn the_configuration_file_of_the_guide_is_valid() {
    let guide = fs::read_to_string(repository().join("docs/guide.md")).unwrap();
    let toml = guide
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let site = crate::run::small_site();
    fs::write(site.path().join("husk.toml"), toml).unwrap();
    crate::run::husk_in(site.path(), ["template", "one.html"]).ok();
}

#[test]
fn links_between_documents_lead_somewhere() {
    let root = repository();
    let docs = fs::read_dir(root.join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name));
    for file in top.into_iter().chain(docs) {
        let text = fs::read_to_string(&file).unwrap();
        for target in text
            .split("](")
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
        {
            let target = target.split('#').next().unwrap();
            assert!(
                target.starts_with("http") || file.with_file_name(target).exists(),
                "{} links to {target}",
                file.display()
            );
        }
    }
}

#[test]
fn the_architecture_lists_every_crate() {
    let root = repository();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(text.contains(&format!("`crates/{name}`")), "{name}");
    }
}
