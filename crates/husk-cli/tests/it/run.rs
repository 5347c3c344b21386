use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The pages of the example site.
pub(crate) fn example_site() -> PathBuf {
    repository().join("examples/site")
}

/// What a command left.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            status: output.status.code().expect("the command was not killed"),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Demands that the command did what it should.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self
    }

    /// Demands that it ended with a status and said all of these things, without a panic.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, said: &[&str]) -> Self {
        assert_eq!(self.status, status, "{}", self.stderr);
        assert!(
            self.stdout.is_empty(),
            "prints nothing when it fails: {}",
            self.stdout
        );
        for words in said {
            assert!(self.stderr.contains(words), "{words:?} in {:?}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

/// The command, to be run in a folder.
pub(crate) fn command_in(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_husk"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the command in a folder without configuration.
pub(crate) fn husk<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Done {
    let folder = tempfile::tempdir().unwrap();
    husk_in(folder.path(), arguments)
}

/// Runs the command in a folder.
pub(crate) fn husk_in<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Done {
    Done::of(command_in(folder).args(arguments).output().unwrap())
}

/// A site of pages that all link to each other, each with a text of its own.
pub(crate) fn small_site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let names = ["index", "one", "two", "three", "four"];
    let menu: String = names
        .iter()
        .map(|name| format!("<li><a href=\"{name}.html\">{name}</a></li>"))
        .collect();
    for name in names {
        let html = format!(
            "<!DOCTYPE html><title>{name}</title><link rel=stylesheet href=style.css>\
            <ul class=menu>{menu}</ul><main><h1>About {name}</h1>{}</main><footer>All rights</footer>",
            format!("<p>Only on {name}.</p>").repeat(name.len())
        );
        std::fs::write(folder.path().join(format!("{name}.html")), html).unwrap();
    }
    folder
}

/// Whether pages can be rendered here; where all tools are demanded, it is an error if not.
pub(crate) fn has_chromium() -> bool {
    if std::env::var_os("HUSK_WITHOUT_BROWSER").is_some() {
        eprintln!("SKIPPED: what needs a browser, as HUSK_WITHOUT_BROWSER says");
        return false;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join("chromium").is_file());
    assert!(
        found || std::env::var_os("HUSK_REQUIRE_TOOLS").is_none(),
        "there is no chromium: install it, or unset HUSK_REQUIRE_TOOLS"
    );
    if !found {
        eprintln!("SKIPPED: what needs a browser, since there is no chromium");
    }
    found
}
