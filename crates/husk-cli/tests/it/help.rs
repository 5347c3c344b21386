use crate::run::husk;

#[test]
fn help_shows_examples() {
    let help = husk(["help", "template"]).ok().stdout;
    for words in [
        "Examples:",
        "--base-url",
        "--format",
        "husk template site/about.html",
    ] {
        assert!(help.contains(words), "{words:?} in {help}");
    }
    assert!(husk(["--help"]).ok().stdout.contains("Exit status: 0 on success"));
    assert!(husk(["--version"]).ok().stdout.starts_with("husk 0."));
}

#[test]
fn short_help_fits_a_screen() {
    let commands = [
        "template", "menu", "content", "pagelets", "inspect", "pack", "learn", "show", "strip", "check",
        "diff", "bulk", "serve",
    ];
    for command in commands {
        let help = husk([command, "-h"]).ok().stdout;
        let lines = help.lines().count();
        assert!(lines <= 40, "husk {command} -h has {lines} lines:\n{help}");
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = husk(["completions", shell]).ok().stdout;
        assert!(
            script.contains("--base-url") || script.contains("base-url"),
            "{shell}"
        );
    }
}

#[test]
fn bash_takes_the_completions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("husk.bash");
    std::fs::write(&file, husk(["completions", "bash"]).ok().stdout).unwrap();
    let script = format!(
        "source {} && COMP_WORDS=(husk temp) COMP_CWORD=1 && _husk husk temp husk && echo \"${{COMPREPLY[@]}}\"",
        file.display()
    );
    let done = std::process::Command::new("bash")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&done.stdout).trim(),
        "template",
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn manual_pages() {
    let page = husk(["man"]).ok().stdout;
    assert!(page.contains(".TH husk") && page.contains("template"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    husk(["man", "--folder", folder.path().join("man1").to_str().unwrap()]).ok();
    assert!(folder.path().join("man1/husk-template.1").is_file());
}
