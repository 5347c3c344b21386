//! The process of the browser, and its temporary folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::devtools::Devtools;

/// The flags of every browser.
const FLAGS: [&str; 31] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    // Load nothing but the page.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--metrics-recording-only",
    "--no-pings",
    // Send everything through the proxy: no other protocol, no name resolution.
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // The same for older browsers.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=Translate,MediaRouter,OptimizationHints,HttpsUpgrades,HttpsFirstModeIncognito,Prerender2",
    // No sound, dialogs or second windows.
    "--mute-audio",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    "--password-store=basic",
    "--use-mock-keychain",
    // Run background pages like visible ones.
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    // A page that uses too much memory crashes its tab, not the machine.
    "--js-flags=--max-old-space-size=1024",
    // Containers have little shared memory, without which a browser crashes.
    "--disable-dev-shm-usage",
];

/// A running browser. It ends when this value is dropped, and by itself if Husk is killed: its pipe closes.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its data; removed after it ends.
    folder: Folder,
}

impl Process {
    /// Starts a browser that sends all connections to a proxy on this port.
    pub(super) fn start(browser: &Path, proxy_port: u16) -> io::Result<(Self, Devtools)> {
        remove_abandoned(&std::env::temp_dir());
        let folder = Folder::new()?;
        let mut command = command(browser);
        command.args(FLAGS);
        command.arg(format!("--proxy-server=http://127.0.0.1:{proxy_port}"));
        let mut profile = std::ffi::OsString::from("--user-data-dir=");
        profile.push(folder.profile());
        command.arg(profile);
        if is_root()? {
            command.arg("--no-sandbox");
        }
        // Files that the browser would leave elsewhere: crash reports, caches, folders of its own.
        for variable in ["TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, folder.path());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(File::create(folder.complaints())?);
        let mut child = command.spawn()?;
        let devtools = Devtools::over(child.stdin.take(), child.stdout.take())?;
        Ok((Self { child, folder }, devtools))
    }

    /// The last error output of the browser.
    pub(super) fn last_words(&self) -> Option<String> {
        let said = fs::read(self.folder.complaints()).ok()?;
        let said = String::from_utf8_lossy(&said);
        let is_telling = |line: &str| ["ERROR", "FATAL", "error"].iter().any(|word| line.contains(word));
        // Without a desktop session there is no bus, which does not matter.
        let mut lines = said.lines().rev().filter(|line| !line.contains("dbus"));
        let last = lines.find(|line| is_telling(line))?.trim();
        Some(last.chars().take(300).collect())
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn is_gone(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits a little for a browser that was asked to close.
    pub(super) async fn wait(&mut self) {
        for _ in 0..100 {
            if self.is_gone() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.folder.remove();
    }
}

/// A shell makes the pipes file descriptors 3 and 4, as the browser expects, and becomes the browser.
#[cfg(unix)]
fn command(browser: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#]);
    command.arg(browser);
    command
}

#[cfg(not(unix))]
fn command(browser: &Path) -> Command {
    Command::new(browser)
}

/// Whether this process runs as root, found out by creating a file. Then the browser cannot use its sandbox, and refuses to
/// start with it.
#[cfg(unix)]
pub(super) fn is_root() -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(tempfile::tempfile()?.metadata()?.uid() == 0)
}

#[cfg(not(unix))]
pub(super) fn is_root() -> io::Result<bool> {
    Ok(false)
}

/// The prefix of the folders of browsers.
const PREFIX: &str = "husk-browser-";

/// The folder of one browser, with a lock while it is in use.
#[derive(Debug)]
struct Folder {
    folder: Option<TempDir>,
    _lock: File,
}

impl Folder {
    fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = File::create(folder.path().join("lock"))?;
        lock.lock()?;
        Ok(Self {
            folder: Some(folder),
            _lock: lock,
        })
    }

    fn path(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), TempDir::path)
    }

    fn profile(&self) -> PathBuf {
        self.path().join("profile")
    }

    fn complaints(&self) -> PathBuf {
        self.path().join("complaints")
    }

    /// Removes the folder; child processes of the browser may need a moment to release it.
    fn remove(&mut self) {
        let Some(folder) = self.folder.take() else { return };
        let path = folder.keep();
        for _ in 0..50 {
            match fs::remove_dir_all(&path) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    thread::sleep(Duration::from_millis(20))
                }
                _ => return,
            }
        }
    }
}

/// A younger folder may not be locked yet.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Removes the folders of browsers whose parents were killed.
fn remove_abandoned(temporary: &Path) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_ours = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && is_abandoned(&entry.path()) {
            // Someone else's, or still in use by child processes: tried again next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    let lock = folder.join("lock");
    // Anyone may create files there: opening a pipe, for example, could block forever.
    if !lock.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok(lock) = File::open(lock) else {
        return false;
    };
    let changed = lock.metadata().and_then(|found| found.modified());
    let age = changed.map(|changed| SystemTime::now().duration_since(changed).unwrap_or_default());
    age.is_ok_and(|age| age > MIN_AGE) && lock.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_folders_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64| {
            let folder = temporary.path().join(name);
            fs::create_dir_all(folder.join("profile")).unwrap();
            let lock = File::create(folder.join("lock")).unwrap();
            lock.set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
            (folder, lock)
        };
        let (abandoned, _) = make("husk-browser-a", 3600);
        let (young, _) = make("husk-browser-b", 1);
        let (in_use, lock) = make("husk-browser-c", 3600);
        lock.lock().unwrap();
        let (foreign, _) = make("other-d", 3600);
        remove_abandoned(temporary.path());
        assert!(!abandoned.exists());
        assert!(young.exists() && in_use.exists() && foreign.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_trap_instead_of_a_lock_is_not_touched() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("husk-browser-a");
        fs::create_dir(&folder).unwrap();
        let made = Command::new("mkfifo").arg(folder.join("lock")).status().unwrap();
        assert!(made.success());
        let (done, is_done) = std::sync::mpsc::channel();
        let path = temporary.path().to_owned();
        thread::spawn(move || {
            remove_abandoned(&path);
            done.send(()).unwrap();
        });
        assert!(is_done.recv_timeout(Duration::from_secs(20)).is_ok(), "it waits");
        assert!(folder.exists());
    }
}
