//! A browser that is ready to load pages.

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
const PATIENCE: Duration = Duration::from_secs(30);

/// What a page sees of its window: as wide as a usual one, and higher, for what loads only where it is seen.
const WINDOW: (u32, u32) = (1280, 1600);

/// Our own world beside the scripts of a page, and what runs in it.
pub(super) const WORLD: &str = "husk";
pub(super) const BESIDE_THE_PAGE: &str = include_str!("page.js");

/// A browser, its way out, and the place apart where pages are loaded: with cookies that last as long as it does, and
/// nothing of what the browser does for itself.
#[derive(Debug)]
pub(super) struct Browser {
    // Dropped first, so that the browser is gone before its proxy is.
    process: Process,
    pub(super) devtools: Devtools,
    pub(super) proxy: Proxy,
    context: String,
    user_agent: String,
}

/// A tab of a browser.
#[derive(Debug)]
pub(super) struct Tab {
    /// Its number, which is that of its main frame too.
    pub(super) target: String,
    /// The conversation about it.
    pub(super) session: String,
}

impl Browser {
    /// Starts a browser; if that fails, says why.
    pub(super) async fn start(file: &Path, http: &Http, options: &RenderOptions) -> Result<Self, String> {
        let failed = |cause: io::Error| format!("{} does not start: {cause}", file.display());
        let proxy = Proxy::start(http.clone()).await.map_err(failed)?;
        let (process, mut devtools) = Process::start(file, proxy.port).map_err(failed)?;
        devtools.allow(options.max_bytes);
        let made_ready = tokio::time::timeout(PATIENCE, make_ready(&mut devtools)).await;
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
                    .unwrap_or_else(|| "it ended at once".to_owned());
                Err(format!("{} does not start: {words}", file.display()))
            }
            Err(_) => Err(format!(
                "{} does not start: it says nothing for 30 s",
                file.display()
            )),
        }
    }

    /// Opens a tab in which nothing disturbs: no downloads, no service workers, no windows that close.
    pub(super) async fn open_tab(&mut self) -> io::Result<Tab> {
        let opened = tokio::time::timeout(PATIENCE / 2, self.open()).await;
        opened.unwrap_or_else(|_| Err(io::Error::other("the browser does not answer")))
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
                json!({ "source": BESIDE_THE_PAGE, "worldName": WORLD }),
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

    /// Lets the browser end by itself, which leaves less behind than being killed.
    pub(super) async fn close(mut self) {
        if self.devtools.send(None, "Browser.close", json!({})).await.is_ok() {
            self.process.wait().await;
        }
    }

    /// Whether the browser ended, for whatever reason.
    pub(super) fn is_gone(&mut self) -> bool {
        self.process.is_gone()
    }

    /// The number of its process and the folder of what it keeps.
    pub(super) fn process(&self) -> (u32, PathBuf) {
        (self.process.id(), self.process.folder().to_owned())
    }
}

/// Makes the place for pages; returns its number, and what the browser calls itself.
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

/// Who asks, as servers see it: the browser, so that they send what it can show, and we, so that they know. A name that
/// was chosen stands alone.
fn name(browser: &str, options: &HttpOptions) -> String {
    if options.user_agent == HttpOptions::default().user_agent {
        format!("{browser} {}", options.user_agent)
    } else {
        options.user_agent.clone()
    }
}

fn text(answer: &Value, field: &str) -> io::Result<String> {
    let text = answer[field].as_str().map(str::to_owned);
    text.ok_or_else(|| io::Error::other(format!("the browser does not say its {field}")))
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
