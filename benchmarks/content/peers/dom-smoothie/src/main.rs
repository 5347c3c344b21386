//! dom_smoothie as a peer. It takes text; bytes are decoded for it by what the page declares.

#[path = "../../protocol.rs"]
mod protocol;

use std::borrow::Cow;
use std::error::Error;

use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use protocol::{Extracted, Html, Page};

/// The lock file knows which version was built.
const LOCK: &str = include_str!("../Cargo.lock");

fn main() -> Result<(), Box<dyn Error>> {
    protocol::serve(version(), extract)
}

fn version() -> &'static str {
    let entry = LOCK.split("name = \"dom_smoothie\"\nversion = \"").nth(1);
    entry
        .and_then(|entry| entry.split('"').next())
        .unwrap_or("unknown")
}

/// Its default text mode makes one word of the texts of two blocks; the formatted one does not.
fn extract(page: &Page) -> Extracted {
    let config = Config {
        text_mode: TextMode::Formatted,
        ..Config::default()
    };
    let text = match page.html {
        Html::Text(text) => Cow::Borrowed(text),
        Html::Bytes(bytes) => decode(bytes),
    };
    let article = Readability::new(&*text, Some(page.url), Some(config))?.parse()?;
    Ok(article.text_content.to_string())
}

/// The text of a page: as UTF-8 if it is that, or else by what it declares.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match UTF_8.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => text,
        None => declared(bytes).unwrap_or(WINDOWS_1252).decode(bytes).0,
    }
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    let at = head
        .windows(8)
        .position(|part| part.eq_ignore_ascii_case(b"charset="))?;
    let value = head[at + 8..].trim_ascii_start();
    let value = value
        .strip_prefix(b"\"")
        .or(value.strip_prefix(b"'"))
        .unwrap_or(value);
    let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:".contains(byte);
    let end = value
        .iter()
        .position(|byte| !is_of_label(byte))
        .unwrap_or(value.len());
    Encoding::for_label(&value[..end])
}
