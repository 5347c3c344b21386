//! Finds a browser on this machine.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::RenderError;

/// Commands of browsers of the Chromium family, in order of preference.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
];

/// Where they are on macOS, if there is no command.
const APPLICATIONS: [&str; 3] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/// Where they are on Windows, below each of the folders for programs.
const PROGRAMS: [&str; 3] = [
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
];

/// What of the environment matters.
#[derive(Debug, Default)]
struct Environment {
    /// `CHROME`.
    chrome: Option<OsString>,
    /// `PATH`.
    path: Option<OsString>,
    /// Files to look for if there is no command.
    usual_places: Vec<PathBuf>,
}

/// The named browser, or the first that is found.
pub(super) fn browser(named: Option<&Path>) -> Result<PathBuf, RenderError> {
    let program_folders = ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"];
    let programs = program_folders.iter().filter_map(env::var_os).flat_map(|folder| {
        let folder = PathBuf::from(folder);
        PROGRAMS.map(|program| folder.join(program))
    });
    let surroundings = Environment {
        chrome: env::var_os("CHROME"),
        path: env::var_os("PATH"),
        usual_places: APPLICATIONS
            .map(PathBuf::from)
            .into_iter()
            .chain(programs)
            .collect(),
    };
    surroundings.browser(named)
}

impl Environment {
    fn browser(&self, named: Option<&Path>) -> Result<PathBuf, RenderError> {
        let chrome = self.chrome.as_ref().filter(|name| !name.is_empty());
        if let Some(name) = named.or(chrome.map(Path::new)) {
            return self
                .named(name)
                .ok_or_else(|| RenderError::NoSuchBrowser(name.to_owned()));
        }
        let commands = NAMES.iter().find_map(|name| self.command(Path::new(name)));
        let usual = || self.usual_places.iter().find(|file| is_program(file)).cloned();
        commands.or_else(usual).ok_or(RenderError::NoBrowser)
    }

    /// A file, or the name of a command.
    fn named(&self, name: &Path) -> Option<PathBuf> {
        if is_program(name) {
            return Some(name.to_owned());
        }
        let is_command = name.components().count() == 1;
        if is_command { self.command(name) } else { None }
    }

    fn command(&self, name: &Path) -> Option<PathBuf> {
        let file = name
            .to_str()
            .map(|name| format!("{name}{}", env::consts::EXE_SUFFIX))?;
        let folders = env::split_paths(self.path.as_ref()?);
        folders
            .map(|folder| folder.join(&file))
            .find(|file| is_program(file))
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with programs of these names.
    fn programs(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let file = folder.path().join(name);
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn surroundings(folder: &Path) -> Environment {
        Environment {
            path: Some(env::join_paths([Path::new("/nowhere"), folder]).unwrap()),
            ..Environment::default()
        }
    }

    #[test]
    fn the_first_command_of_the_family_is_taken() {
        let folder = programs(&["google-chrome", "chromium-browser", "firefox"]);
        let found = surroundings(folder.path()).browser(None).unwrap();
        assert_eq!(found, folder.path().join("chromium-browser"));
    }

    #[test]
    fn what_is_named_comes_first_and_must_be_there() {
        let folder = programs(&["chromium", "my-browser"]);
        let mut around = surroundings(folder.path());
        let named = folder.path().join("my-browser");
        assert_eq!(around.browser(Some(&named)).unwrap(), named);
        assert_eq!(around.browser(Some(Path::new("my-browser"))).unwrap(), named);
        around.chrome = Some("my-browser".into());
        assert_eq!(around.browser(None).unwrap(), named);
        around.chrome = Some("".into());
        assert_eq!(around.browser(None).unwrap(), folder.path().join("chromium"));
        let error = around
            .browser(Some(Path::new("/no/browser")))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("no browser /no/browser:"), "{error}");
    }

    #[test]
    fn without_a_command_the_usual_places_are_looked_at() {
        let folder = programs(&["Chromium"]);
        let mut around = surroundings(Path::new("/nowhere"));
        let error = around.browser(None).unwrap_err().to_string();
        assert!(error.starts_with("no Chromium found: install it"), "{error}");
        around.usual_places = vec!["/nowhere/else".into(), folder.path().join("Chromium")];
        assert_eq!(around.browser(None).unwrap(), folder.path().join("Chromium"));
    }
}
