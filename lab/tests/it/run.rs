use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// The result of a command.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// Asserts success.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self
    }

    /// Asserts an exit status, an empty standard output and these words on standard error.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, messages: &[&str]) -> Self {
        assert_eq!(self.status, status, "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.stdout);
        for words in messages {
            assert!(self.stderr.contains(words), "{words:?} in {:?}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

/// Runs `husk-lab` in an empty folder.
pub(crate) fn husk_lab<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Done {
    let folder = tempfile::tempdir().unwrap();
    husk_lab_in(folder.path(), arguments)
}

/// Runs `husk-lab` in a folder.
pub(crate) fn husk_lab_in<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_husk-lab"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .args(arguments)
        .output()
        .unwrap();
    Done {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
