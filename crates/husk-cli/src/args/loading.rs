//! How pages are loaded from the web, for all commands that load any.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ValueEnum, ValueHint};
use husk::Url;

/// Set on each flag: `next_help_heading` would also cover the flags after these.
const HEADING: &str = "Loading from the web";

// How pages are loaded from the web. What is not given comes from husk.toml, then from the defaults.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LoadingArgs {
    /// Load pages in headless Chromium and run their scripts
    #[arg(long, help_heading = HEADING)]
    pub(crate) render: bool,

    /// Inline shadow roots, or frames of the same origin
    #[arg(
        long,
        help_heading = HEADING,
        hide_short_help = true,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        requires = "render"
    )]
    pub(crate) flatten: Vec<Flatten>,

    /// Path of the browser [default: found by its usual names]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::ExecutablePath, requires = "render")]
    pub(crate) browser: Option<PathBuf>,

    /// Seconds between two requests to a host; 0 sends several at once [default: 1]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) delay: Option<Duration>,

    /// Seconds until a page is given up [default: 30]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) timeout: Option<Duration>,

    /// Ignore robots.txt
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) ignore_robots: bool,

    /// Follow links to private addresses: this machine, the local network. PAGE itself may always be private
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) allow_private: bool,

    /// User-Agent header [default: husk/VERSION and a link]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "TEXT", value_parser = parse_user_agent)]
    pub(crate) user_agent: Option<String>,

    /// Header to send to the host of PAGE; can be repeated. Turns the cache off
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "NAME:VALUE", value_parser = parse_header, conflicts_with = "render")]
    pub(crate) header: Vec<(String, String)>,

    /// Cookie to send to the host of PAGE; can be repeated. Turns the cache off
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "NAME=VALUE", value_parser = parse_cookie, conflicts_with = "render")]
    pub(crate) cookie: Vec<String>,

    /// Folder for cached responses [default: husk in your cache folder]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,

    /// Neither read nor write the cache
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) no_cache: bool,

    /// Seconds until a cached response is revalidated [default: 3600]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "SECONDS", value_parser = parse_age)]
    pub(crate) max_age: Option<Duration>,

    /// Proxy, or none [default: from http_proxy, https_proxy and no_proxy]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "URL", value_parser = parse_proxy)]
    pub(crate) proxy: Option<Proxy>,

    /// PEM file of another certificate authority to trust; can be repeated
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "render")]
    pub(crate) ca_file: Vec<PathBuf>,

    /// Also consider the pages of a sitemap: the one in robots.txt, or at a URL or in a file
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "URL|FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) sitemap: Option<Option<String>>,
}

/// What is inlined into a rendered page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Flatten {
    /// Shadow roots
    Shadow,
    /// Frames of the same origin
    Frames,
}

/// The proxy to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proxy {
    None,
    At(Url),
}

pub(crate) fn parse_proxy(text: &str) -> Result<Proxy, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Proxy::None);
    }
    let url = Url::parse(text)
        .map_err(|cause| format!("{cause}; expected a whole URL such as http://localhost:3128/"))?;
    match url.scheme() {
        "http" | "https" => Ok(Proxy::At(url)),
        other => Err(format!(
            "unsupported proxy scheme `{other}`: expected http or https"
        )),
    }
}

const MOST_SECONDS: f64 = 86_400.0;

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("expected a number of seconds, not {text:?}"))?;
    if (0.0..=MOST_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("expected 0 to {MOST_SECONDS} seconds"))
    }
}

/// An age in seconds, at most ten years.
fn parse_age(text: &str) -> Result<Duration, String> {
    const MOST_SECONDS: u64 = 10 * 365 * 86_400;
    match text.parse() {
        Ok(seconds) if seconds <= MOST_SECONDS => Ok(Duration::from_secs(seconds)),
        _ => Err(format!("expected a number of seconds from 0 to {MOST_SECONDS}")),
    }
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    match parse_seconds(text)? {
        Duration::ZERO => Err("expected more than 0 seconds".to_owned()),
        time => Ok(time),
    }
}

fn parse_header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected NAME:VALUE")?;
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(format!("invalid header name {name:?}"));
    }
    Ok((name.to_owned(), parse_field_value(value)?))
}

fn parse_cookie(text: &str) -> Result<String, String> {
    let cookie = parse_field_value(text)?;
    match cookie.split_once('=') {
        Some((name, _)) if !name.is_empty() && !cookie.contains(';') => Ok(cookie),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn parse_field_value(text: &str) -> Result<String, String> {
    let value = text.trim();
    match value.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        true => Ok(value.to_owned()),
        false => Err("expected printable ASCII".to_owned()),
    }
}

pub(crate) fn parse_user_agent(text: &str) -> Result<String, String> {
    let is_sendable = !text.trim().is_empty() && text.bytes().all(|byte| (0x20..0x7F).contains(&byte));
    if is_sendable {
        Ok(text.trim().to_owned())
    } else {
        Err("expected printable ASCII".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_be_parts_of_one() {
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_seconds("0"), Ok(Duration::ZERO));
        for wrong in ["-1", "1e9", "NaN", "soon", ""] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
        assert!(parse_timeout("0").is_err());
    }

    #[test]
    fn headers_and_cookies_can_be_sent() {
        let field = ("X-Key".to_owned(), "a: b".to_owned());
        assert_eq!(parse_header("X-Key: a: b"), Ok(field));
        assert_eq!(parse_cookie("id=1"), Ok("id=1".to_owned()));
        for wrong in ["X-Key", ": a", "X Key: a", "X-Key: a\r\nb: c"] {
            assert!(parse_header(wrong).is_err(), "{wrong}");
        }
        for wrong in ["id", "=1", "id=1; other=2"] {
            assert!(parse_cookie(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_proxy_has_an_address_or_is_none() {
        assert_eq!(parse_proxy("none"), Ok(Proxy::None));
        assert!(matches!(parse_proxy("http://localhost:3128"), Ok(Proxy::At(_))));
        assert!(parse_proxy("socks5://localhost").is_err());
        assert!(parse_proxy("localhost").is_err());
    }

    #[test]
    fn a_user_agent_can_be_sent() {
        assert_eq!(parse_user_agent(" mine/1.0 "), Ok("mine/1.0".to_owned()));
        assert!(parse_user_agent("a\r\nCookie: b").is_err());
        assert!(parse_user_agent("").is_err());
    }
}
