//! Pages in a real browser.

/// A server for tests.
mod server;

/// Rendering: menus, shadow trees, frames.
mod pages;

/// Pages that misbehave.
mod faults;

/// What pages cannot reach.
mod reach;

/// What is left behind.
mod process;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use husk::{Page, Url};
use husk_sources::{AsyncSource, HttpOptions, LoadError, Reach, RenderOptions, Rendered, Source};
use tokio::runtime::Runtime;

use crate::mirror::is_installed;

/// One browser at a time: they are large.
static TURN: Mutex<()> = Mutex::new(());

/// A browser for one test.
pub(crate) struct TestBrowser {
    pub(crate) rendered: Rendered,
    pub(crate) runtime: Runtime,
    _turn: MutexGuard<'static, ()>,
}

/// The options of most tests: no delay, and the loopback interface was typed.
pub(crate) fn options() -> RenderOptions {
    RenderOptions {
        http: HttpOptions {
            delay: Duration::ZERO,
            reach: Reach {
                typed_hosts: vec!["127.0.0.1".to_owned(), "site.test".to_owned()],
                ..Reach::default()
            },
            ..HttpOptions::default()
        },
        ..RenderOptions::default()
    }
}

/// A browser with these options; none if none is installed.
pub(crate) fn browser(options: RenderOptions) -> Option<TestBrowser> {
    is_installed("chromium").then(|| TestBrowser::new(Rendered::new(options).unwrap()))
}

impl TestBrowser {
    pub(crate) fn new(rendered: Rendered) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Self {
            rendered,
            runtime: runtime.unwrap(),
            _turn: turn,
        }
    }

    /// The page as the browser has it.
    pub(crate) fn html(&mut self, url: &Url) -> String {
        let capture = self.runtime.block_on(self.rendered.capture(url)).unwrap();
        assert!(capture.is_rendered);
        assert_eq!(capture.header("content-type"), Some("text/html; charset=utf-8"));
        String::from_utf8(capture.body).unwrap()
    }

    /// Why a page cannot be loaded.
    pub(crate) fn error(&mut self, url: &Url) -> String {
        match self.load(url) {
            Ok(page) => panic!("{url} was loaded as {}", page.url),
            Err(cause) => cause.to_string(),
        }
    }
}

impl Source for TestBrowser {
    fn load(&mut self, url: &Url) -> Result<Page, LoadError> {
        self.runtime.block_on(AsyncSource::load(&mut self.rendered, url))
    }
}
