//! The process of the browser: it ends when no longer needed, and is replaced if it ends too early.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use husk_sources::{AsyncSource, RenderOptions, Rendered, Source};

use super::server::{Web, page};
use super::{browser, options};

#[test]
fn a_missing_browser_says_what_to_install() {
    let missing = RenderOptions {
        browser: Some("/no/such/browser".into()),
        ..options()
    };
    let error = Rendered::new(missing).unwrap_err().to_string();
    assert_eq!(
        error,
        "no browser /no/such/browser: expected an executable of Chromium, Chrome or Edge (--browser FILE)"
    );
}

#[test]
fn what_is_no_browser_says_so() {
    let site = Web::start([("/", page("<p>Hello"))]);
    let other = RenderOptions {
        browser: Some("true".into()),
        ..options()
    };
    let mut source = super::TestBrowser::new(Rendered::new(other).unwrap());
    let error = source.error(&site.url("/"));
    assert!(
        error.starts_with("cannot render http://") && error.contains("did not start"),
        "{error}"
    );
}

/// The processes whose command line names a folder: their IDs and command lines.
fn processes_of(folder: &Path) -> Vec<(String, String)> {
    let folder = folder.to_str().unwrap();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = processes.filter_map(|process| {
        let command = fs::read(process.path().join("cmdline")).ok()?;
        let number = process.file_name().into_string().ok()?;
        Some((number, String::from_utf8_lossy(&command).into_owned()))
    });
    commands.filter(|(_, command)| command.contains(folder)).collect()
}

fn check_gone(folder: &Path) {
    assert!(!folder.exists(), "{} is left", folder.display());
    // Children notice a moment later that their parent has ended.
    for _ in 0..100 {
        if processes_of(folder).is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("still there: {:?}", processes_of(folder));
}

#[cfg(unix)]
#[test]
fn root_is_told_that_there_is_no_sandbox() {
    use std::os::unix::fs::MetadataExt;
    let Some(mut source) = browser(options()) else {
        return;
    };
    let is_root = tempfile::tempdir().unwrap().path().metadata().unwrap().uid() == 0;
    let warnings = source.rendered.take_warnings();
    assert_eq!(warnings.len(), usize::from(is_root));
    assert!(
        warnings
            .iter()
            .all(|warning| warning.contains("without its sandbox")),
        "{warnings:?}"
    );
    assert!(source.rendered.take_warnings().is_empty(), "once is enough");
}

#[test]
fn nothing_stays_behind() {
    let site = Web::start([("/", page("<p>Hello"))]);
    let Some(mut source) = browser(options()) else {
        return;
    };
    assert_eq!(source.rendered.process(), None, "not needed yet");
    source.html(&site.url("/"));
    let (_, folder) = source.rendered.process().unwrap();
    assert!(folder.exists());
    drop(source);
    check_gone(&folder);

    let Some(mut source) = browser(options()) else {
        return;
    };
    source.html(&site.url("/"));
    let (_, folder) = source.rendered.process().unwrap();
    source.runtime.block_on(source.rendered.close());
    check_gone(&folder);
    assert!(
        source.html(&site.url("/")).contains("Hello"),
        "and begins anew when asked"
    );
}

#[test]
fn a_page_that_is_given_up_takes_its_browser_along() {
    let site = Web::start([
        ("/", page("<p>Hello")),
        (
            "/restless",
            page("<script>setInterval(() => fetch('/x'), 10)</script>"),
        ),
    ]);
    let Some(mut source) = browser(options()) else {
        return;
    };
    source.html(&site.url("/"));
    let (_, folder) = source.rendered.process().unwrap();
    let restless = site.url("/restless");
    let given_up = source.runtime.block_on(async {
        let capture = source.rendered.capture(&restless);
        tokio::time::timeout(Duration::from_secs(1), capture)
            .await
            .is_err()
    });
    assert!(given_up);
    check_gone(&folder);
    assert!(source.html(&site.url("/")).contains("Hello"));
}

#[test]
fn a_killed_browser_costs_one_page() {
    let site = Web::start([
        ("/", page("<p>Hello")),
        (
            "/restless",
            page("<script>setInterval(() => fetch('/x'), 10)</script>"),
        ),
    ]);
    let Some(mut source) = browser(options()) else {
        return;
    };
    source.html(&site.url("/"));
    let (id, folder) = source.rendered.process().unwrap();
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_secs(2));
        Command::new("kill")
            .args(["-9", &id.to_string()])
            .status()
            .unwrap()
    });
    let error = source.error(&site.url("/restless"));
    assert!(
        error.contains("cannot render") && error.contains("the browser ended"),
        "{error}"
    );
    killer.join().unwrap();
    check_gone(&folder);
    assert!(source.html(&site.url("/")).contains("Hello"));
    // Between two pages it uses none.
    let (id, _) = source.rendered.process().unwrap();
    Command::new("kill")
        .args(["-9", &id.to_string()])
        .status()
        .unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(source.load(&site.url("/")).is_ok());
}

#[test]
fn a_crashed_tab_costs_one_page() {
    let restless = page("<script>setInterval(() => fetch('/x'), 10)</script>");
    let site = Web::start([("/", page("<p>Hello")), ("/restless", restless)]);
    let Some(mut source) = browser(options()) else {
        return;
    };
    source.html(&site.url("/"));
    let (_, folder) = source.rendered.process().unwrap();
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_secs(2));
        let processes = processes_of(&folder).into_iter();
        let tabs = processes.filter(|(_, command)| command.contains("--type=renderer"));
        let numbers: Vec<String> = tabs.map(|(number, _)| number).collect();
        Command::new("kill").arg("-9").args(&numbers).status().unwrap()
    });
    let error = source.error(&site.url("/restless"));
    assert!(
        error.contains("cannot render") && error.contains("crash"),
        "{error}"
    );
    assert!(killer.join().unwrap().success());
    assert!(source.html(&site.url("/")).contains("Hello"));
}
