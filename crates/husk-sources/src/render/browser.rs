//! A running browser.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::RenderOptions;
use super::devtools::Devtools;
use super::process::Process;
use super::proxy::Proxy;
use crate::http::{Http, HttpOptions};

/// How long a browser may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// The size of the window: as wide as usual, and higher, for what is loaded only when visible.
const WINDOW: (u32, u32) = (1280, 1600);

/// The name of the isolated world beside the scripts of a page, and the script that runs in it.
pub(super) const WORLD: &str = "husk";
pub(super) const ISOLATED_SCRIPT: &str = include_str!("page.js");

/// A browser, its proxy, and the context in which pages are loaded: with cookies of its own, and without the browser's own
/// requests.
#[derive(Debug)]
pub(super) struct Browser {
    // Dropped first, so that the browser ends before its proxy.
    process: Process,
    pub(super) devtools: Devtools,
    pub(super) proxy: Proxy,
    context: String,
    user_agent: String,
}

/// A tab of a browser.
#[derive(Debug)]
pub(super) struct Tab {
    /// Its ID, which is also that of its main frame.
    pub(super) target: String,
    /// The DevTools session of the tab.
    pub(super) session: String,
}

impl Browser {
    pub(super) async fn start(file: &Path, http: &Http, options: &RenderOptions) -> Result<Self, String> {
        let failed = |cause: io::Error| format!("{} did not start: {cause}", file.display());
        let proxy = Proxy::start(http.clone()).await.map_err(failed)?;
        let (process, mut devtools) = Process::start(file, proxy.port).map_err(failed)?;
        devtools.allow(options.max_bytes);
        let made_ready = tokio::time::timeout(START_TIMEOUT, make_ready(&mut devtools)).await;
        match made_ready {
            Ok(Ok((context, user_agent))) => Ok(Self {
                process,
                devtools,
                proxy,
                context,
                user_agent: name(&user_agent, &options.http),
            }),
            Ok(Err(_)) => {
                let words = process
                    .last_words()
                    .unwrap_or_else(|| "it exited at once".to_owned());
                Err(format!("{} did not start: {words}", file.display()))
            }
            Err(_) => Err(format!("{} did not start within 30 s", file.display())),
        }
    }

    /// Opens a tab without downloads, service workers and windows that close.
    pub(super) async fn open_tab(&mut self) -> io::Result<Tab> {
        let opened = tokio::time::timeout(START_TIMEOUT / 2, self.open()).await;
        opened.unwrap_or_else(|_| Err(io::Error::other("the browser does not respond")))
    }

    async fn open(&mut self) -> io::Result<Tab> {
        let (width, height) = WINDOW;
        let place = json!({
            "url": "about:blank", "browserContextId": self.context, "newWindow": true, "width": width, "height": height,
        });
        let made = self.devtools.call(None, "Target.createTarget", place).await?;
        let target = text(&made, "targetId")?;
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = self.devtools.call(None, "Target.attachToTarget", attach).await?;
        let tab = Tab {
            target,
            session: text(&attached, "sessionId")?,
        };
        let stages = ["Request", "Response"]
            .map(|stage| json!({ "urlPattern": "*", "resourceType": "Document", "requestStage": stage }));
        let stay_open = "window.close = function close() {}; window.print = function print() {};";
        let settings = [
            ("Page.enable", json!({})),
            ("Network.enable", json!({})),
            ("Inspector.enable", json!({})),
            (
                "Network.setUserAgentOverride",
                json!({ "userAgent": self.user_agent }),
            ),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": stay_open }),
            ),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": ISOLATED_SCRIPT, "worldName": WORLD }),
            ),
            (
                "Fetch.enable",
                json!({ "handleAuthRequests": true, "patterns": stages }),
            ),
        ];
        for (method, params) in settings {
            self.devtools.call(Some(&tab.session), method, params).await?;
        }
        Ok(tab)
    }

    pub(super) async fn close_tab(&mut self, tab: &Tab) -> io::Result<()> {
        let params = json!({ "targetId": tab.target });
        self.devtools
            .send(None, "Target.closeTarget", params)
            .await
            .map(|_| ())
    }

    /// Lets the browser end by itself, which leaves less behind than killing it.
    pub(super) async fn close(mut self) {
        if self.devtools.send(None, "Browser.close", json!({})).await.is_ok() {
            self.process.wait().await;
        }
    }

    pub(super) fn is_gone(&mut self) -> bool {
        self.process.is_gone()
    }

    /// The process ID and the data folder.
    pub(super) fn process(&self) -> (u32, PathBuf) {
        (self.process.id(), self.process.folder().to_owned())
    }
}

/// Creates the context for pages; returns its ID, and the browser's `User-Agent`.
async fn make_ready(devtools: &mut Devtools) -> io::Result<(String, String)> {
    let version = devtools.call(None, "Browser.getVersion", json!({})).await?;
    let made = devtools
        .call(
            None,
            "Target.createBrowserContext",
            json!({ "disposeOnDetach": true }),
        )
        .await?;
    let context = text(&made, "browserContextId")?;
    let downloads = json!({ "behavior": "deny", "browserContextId": context });
    devtools
        .call(None, "Browser.setDownloadBehavior", downloads)
        .await?;
    devtools
        .call(None, "Target.setDiscoverTargets", json!({ "discover": true }))
        .await?;
    Ok((context, text(&version, "userAgent")?))
}

/// The `User-Agent` to send: that of the browser, so that servers send what it can show, then that of Husk. A custom one
/// replaces both.
fn name(browser: &str, options: &HttpOptions) -> String {
    if options.user_agent == HttpOptions::default().user_agent {
        format!("{browser} {}", options.user_agent)
    } else {
        options.user_agent.clone()
    }
}

fn text(answer: &Value, field: &str) -> io::Result<String> {
    let text = answer[field].as_str().map(str::to_owned);
    text.ok_or_else(|| io::Error::other(format!("the browser's answer lacks {field}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_see_browser_and_husk_unless_told_otherwise() {
        let mut options = HttpOptions::default();
        let both = name("Mozilla/5.0 Chrome/1", &options);
        assert!(both.starts_with("Mozilla/5.0 Chrome/1 husk/"), "{both}");
        options.user_agent = "MyBot/1".to_owned();
        assert_eq!(name("Mozilla/5.0 Chrome/1", &options), "MyBot/1");
    }
}
