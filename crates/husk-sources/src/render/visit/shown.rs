//! Reads what a tab shows: whether it still changes, and its document as HTML.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::documents::rendered;
use super::{Fault, GRACE, Visit};
use crate::capture::Capture;
use crate::render::browser::{ISOLATED_SCRIPT, WORLD};
use crate::render::flat_tree::{self, Frames, Snapshot, TooLarge};
use crate::source::LoadError;

impl Visit<'_> {
    /// For how long the document has not changed.
    pub(super) async fn unchanged_for(&mut self, until: Instant) -> Result<Duration, Fault> {
        self.answer_by = until;
        let found = match self.evaluate("husk.quietFor()").await {
            Err(Fault::Late) => return Ok(Duration::ZERO),
            found => found?,
        };
        // A document that is being replaced does not answer: not finished.
        let time = found.and_then(|found| found.as_f64()).unwrap_or_default();
        Ok(Duration::from_secs_f64((time / 1000.0).clamp(0.0, 1e6)))
    }

    /// The page as it is now.
    pub(super) async fn capture(&mut self) -> Result<Capture, Fault> {
        let Some(document) = self.document.clone() else {
            return Err(self.too_slow("the page").into());
        };
        self.is_taken = true;
        self.answer_by = Instant::now() + GRACE[0];
        let mut html = self.html().await;
        if let Err(Fault::Late) = html {
            // A script does not end: stop it.
            self.send("Runtime.terminateExecution", json!({})).await?;
            self.answer_by = Instant::now() + GRACE[1];
            html = self.html().await;
        }
        let html = html.map_err(|fault| match fault {
            Fault::Late => Fault::Browser("a script of the page does not end".to_owned()),
            other => other,
        })?;
        let headers = vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())];
        Ok(rendered(
            &document.url,
            document.status,
            headers,
            html.into_bytes(),
        ))
    }

    async fn html(&mut self) -> Result<String, Fault> {
        let url = self
            .document
            .as_ref()
            .map_or(&self.asked, |document| &document.url)
            .to_string();
        let broken = |what: &str| LoadError::Browser {
            object: url.clone(),
            cause: format!("the browser did not return {what}"),
        };
        let kind = self
            .evaluate("husk.kind()")
            .await?
            .ok_or_else(|| broken("the document type"))?;
        if let Some(kind) = other_than_html(kind["contentType"].as_str().unwrap_or_default()) {
            return Err(LoadError::NotAPage { object: url, kind }.into());
        }
        let too_large = LoadError::TooLarge {
            object: url.clone(),
            limit: self.options.max_bytes,
        };
        let doctype = kind["doctype"].as_str().unwrap_or_default();
        let html = if self.options.flatten_shadow {
            let frames = if self.options.flatten_frames {
                Frames::Unfolded
            } else {
                Frames::Folded
            };
            let snapshot = self
                .ask_for::<Snapshot>("DOMSnapshot.captureSnapshot", json!({ "computedStyles": [] }))
                .await?;
            let snapshot = snapshot.map_err(|cause| broken(&format!("the DOM snapshot ({cause})")))?;
            flat_tree::html(snapshot, frames, self.options.max_bytes).map_err(|TooLarge| too_large)?
        } else {
            let call = format!(
                "husk.html({}, {})",
                self.options.max_bytes, self.options.flatten_frames
            );
            match self
                .evaluate(&call)
                .await?
                .ok_or_else(|| broken("the document"))?
            {
                Value::String(html) => html,
                _ => return Err(too_large.into()),
            }
        };
        Ok(format!("{doctype}{html}"))
    }

    /// Evaluates an expression in the isolated world beside the scripts of the page; none if there is no page.
    async fn evaluate(&mut self, expression: &str) -> Result<Option<Value>, Fault> {
        let world = json!({ "frameId": self.tab.target, "worldName": WORLD });
        let Ok(world) = self.ask("Page.createIsolatedWorld", world).await? else {
            return Ok(None);
        };
        let expression = format!("{ISOLATED_SCRIPT}\n{expression}");
        let params = json!({
            "contextId": world["executionContextId"], "expression": expression, "returnByValue": true,
        });
        let answer = self.ask("Runtime.evaluate", params).await?;
        Ok(answer.ok().map(|mut answer| answer["result"]["value"].take()))
    }
}

/// What a document is, if it is not HTML.
fn other_than_html(content_type: &str) -> Option<&'static str> {
    match content_type {
        "text/html" | "application/xhtml+xml" => None,
        "text/plain" => Some("plain text"),
        "application/pdf" => Some("a PDF document"),
        _ if content_type.ends_with("json") => Some("JSON data"),
        _ if content_type.ends_with("xml") => Some("XML data"),
        _ if content_type.starts_with("image/") => Some("an image"),
        _ => Some("something else"),
    }
}
