//! How pages are loaded from the web, for all commands that load any.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ValueEnum, ValueHint};
use husk::Url;

/// Each option has the heading of its own, since one for all would go on behind the last.
const HEADING: &str = "Loading from the web";

/// How pages are loaded from the web. What is not given comes from husk.toml, then from the defaults.
#[derive(Debug, clap::Args)]
pub(crate) struct LoadingArgs {
    /// Load pages through a browser, a headless Chromium, and take them as its scripts have made them
    #[arg(long, help_heading = HEADING)]
    pub(crate) render: bool,

    /// Put what a browser shows in place of it: the insides of shadow roots, the pages in frames of the same origin
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

    /// The browser, if it is not found by itself
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::ExecutablePath, requires = "render")]
    pub(crate) browser: Option<PathBuf>,

    /// How long to wait between two pages of a host, at least; 0 loads a few at once [default: 1]
    #[arg(long, help_heading = HEADING, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) delay: Option<Duration>,

    /// How long a page may take, all in all [default: 30]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) timeout: Option<Duration>,

    /// Load what robots.txt asks not to, and do not wait as long as it asks for
    #[arg(long, help_heading = HEADING)]
    pub(crate) ignore_robots: bool,

    /// Let pages lead to private addresses: this machine, the local network; your own PAGE may always be there
    #[arg(long, help_heading = HEADING)]
    pub(crate) allow_private: bool,

    /// User-Agent header [default: husk/VERSION and a link]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "TEXT", value_parser = parse_user_agent)]
    pub(crate) user_agent: Option<String>,

    /// Where answers are kept, so that a second run loads nothing [default: husk in your cache folder]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,

    /// Keep no answers and use none that were kept
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub(crate) no_cache: bool,

    /// How old a kept answer may be before the server is asked whether it has changed [default: 3600]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "SECONDS", value_parser = parse_age)]
    pub(crate) max_age: Option<Duration>,

    /// The proxy to go through, or none [default: what http_proxy, https_proxy and no_proxy say]
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "URL", value_parser = parse_proxy)]
    pub(crate) proxy: Option<Proxy>,

    /// A further certificate authority to trust, in PEM; may be given several times
    #[arg(long, help_heading = HEADING, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "render")]
    pub(crate) ca_file: Vec<PathBuf>,

    /// Take a list of the site's pages into account: that of robots.txt, or one at an address or in a file
    #[arg(long, help_heading = HEADING, value_name = "URL|FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) sitemap: Option<Option<String>>,
}

/// What is put in place of what a browser shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Flatten {
    /// The insides of shadow roots
    Shadow,
    /// The pages in frames of the same origin
    Frames,
}

/// The proxy to go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proxy {
    None,
    At(Url),
}

pub(crate) fn parse_proxy(text: &str) -> Result<Proxy, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Proxy::None);
    }
    let url =
        Url::parse(text).map_err(|cause| format!("{cause}; write it in full, as http://localhost:3128/"))?;
    match url.scheme() {
        "http" | "https" => Ok(Proxy::At(url)),
        other => Err(format!("{other}: is not http: or https:")),
    }
}

/// Nobody waits for longer than a day.
const MOST_SECONDS: f64 = 86_400.0;

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("{text:?} is no number of seconds"))?;
    if (0.0..=MOST_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("must lie between 0 and {MOST_SECONDS} seconds"))
    }
}

/// An age in seconds; ten years are as good as for ever.
fn parse_age(text: &str) -> Result<Duration, String> {
    const MOST_SECONDS: u64 = 10 * 365 * 86_400;
    match text.parse() {
        Ok(seconds) if seconds <= MOST_SECONDS => Ok(Duration::from_secs(seconds)),
        _ => Err(format!(
            "must be a number of seconds between 0 and {MOST_SECONDS}"
        )),
    }
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    match parse_seconds(text)? {
        Duration::ZERO => Err("no page comes in 0 seconds".to_owned()),
        time => Ok(time),
    }
}

pub(crate) fn parse_user_agent(text: &str) -> Result<String, String> {
    let is_sendable = !text.trim().is_empty() && text.bytes().all(|byte| (0x20..0x7F).contains(&byte));
    if is_sendable {
        Ok(text.trim().to_owned())
    } else {
        Err("must be plain ASCII without line breaks, and not empty".to_owned())
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
