//! Options for loading pages from the web.

use std::path::PathBuf;
use std::time::Duration;

use etcetera::BaseStrategy;
use husk::Url;
use hyper_util::client::proxy::matcher::Matcher;

use super::reach::plain;

/// Options for loading pages from the web.
///
/// ```
/// use std::time::Duration;
/// use husk_sources::HttpOptions;
///
/// let options = HttpOptions { timeout: Duration::from_secs(5), ..HttpOptions::default() };
/// assert!(options.obey_robots);
/// ```
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// The `User-Agent` header. What precedes the first `/` is the name to look for in `robots.txt`.
    pub user_agent: String,
    /// Further header fields, sent to the hosts that the user named and to no other, as they may hold secrets.
    pub headers: Vec<(String, String)>,
    /// The time between the starts of two requests to a host, which are then sent one after the other. A longer
    /// `Crawl-delay` of the site takes precedence. Zero allows several requests at once.
    pub delay: Duration,
    /// The time limit for loading one page, not counting the delay and the waiting time that a server asks for. No more than
    /// 10 seconds of it, or a third of a limit longer than 30 seconds, may pass until the response begins, or in any pause of
    /// it.
    pub timeout: Duration,
    /// The size limit for a page, both as transferred and decompressed.
    pub max_bytes: u64,
    /// How often a request that was answered by 429 or 503 is repeated.
    pub retries: usize,
    /// Whether to obey `robots.txt`.
    pub obey_robots: bool,
    /// The folder in which responses are cached.
    pub cache: Option<PathBuf>,
    /// How old a cached response may be before the server is asked whether it changed.
    pub max_age: Duration,
    /// Which hosts may be connected to.
    pub reach: Reach,
    /// The proxy to send requests through.
    pub proxy: ProxyChoice,
    /// Files with certificates of further authorities to trust, in PEM format.
    pub extra_roots: Vec<PathBuf>,
    /// Where to look for a list of the site's pages, if one is wanted.
    pub use_sitemap: Option<SitemapChoice>,
}

impl HttpOptions {
    /// The usual cache folder: `husk` in the user's cache directory.
    pub fn default_cache() -> Option<PathBuf> {
        let folders = etcetera::choose_base_strategy().ok()?;
        Some(folders.cache_dir().join("husk"))
    }

    /// The time limit for one stage of loading.
    pub(super) fn stage_limit(&self) -> Duration {
        STAGE_LIMIT.max(self.timeout / 3).min(self.timeout)
    }

    /// The name to look for in `robots.txt`.
    pub(super) fn product_token(&self) -> &str {
        let first = self.user_agent.split_whitespace().next().unwrap_or_default();
        first.split('/').next().unwrap_or_default()
    }
}

const STAGE_LIMIT: Duration = Duration::from_secs(10);

const USER_AGENT: &str = concat!(
    "husk/",
    env!("CARGO_PKG_VERSION"),
    " (web template extraction; loads a few pages at its user's request)"
);

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            user_agent: USER_AGENT.to_owned(),
            headers: Vec::new(),
            delay: Duration::from_secs(1),
            timeout: Duration::from_secs(30),
            max_bytes: crate::Folder::MAX_BYTES,
            retries: 3,
            obey_robots: true,
            cache: None,
            max_age: Duration::from_secs(60 * 60),
            reach: Reach::default(),
            proxy: ProxyChoice::default(),
            extra_roots: Vec::new(),
            use_sitemap: None,
        }
    }
}

/// Which hosts may be connected to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Whether hosts with private IP addresses may be connected to.
    pub private: Private,
    /// The hosts that the user named, such as that of the key page.
    pub typed_hosts: Vec<String>,
}

/// Whether hosts with private IP addresses may be connected to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Private {
    /// Never: for services, whose users must not reach the internal network.
    Never,
    /// Only those that the user named.
    #[default]
    TypedHosts,
    /// Always.
    Everywhere,
}

/// The proxy to send requests through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// No proxy.
    #[default]
    None,
    /// The one in the environment: `HTTPS_PROXY`, `NO_PROXY` and so on.
    System,
    /// This proxy.
    Url(Url),
}

impl ProxyChoice {
    /// Whether requests for a URL go through a proxy.
    pub(super) fn applies_to(&self, url: &Url) -> bool {
        match self {
            Self::None => false,
            Self::System => url
                .as_str()
                .parse()
                .is_ok_and(|uri| Matcher::from_env().intercept(&uri).is_some()),
            Self::Url(_) => true,
        }
    }

    /// The hosts of the proxies.
    pub(crate) fn hosts(&self) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::System => PROXY_VARIABLES
                .iter()
                .filter_map(|name| host_of_proxy(&std::env::var(name).ok()?))
                .collect(),
            Self::Url(url) => host_of_proxy(url.as_str()).into_iter().collect(),
        }
    }
}

const PROXY_VARIABLES: [&str; 6] = [
    "ALL_PROXY",
    "all_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
];

/// The host of a proxy, which may be written without a scheme.
fn host_of_proxy(text: &str) -> Option<String> {
    let has_host = |url: &Url| url.has_host();
    let url = Url::parse(text).ok().filter(has_host);
    let url = url.or_else(|| Url::parse(&format!("http://{text}")).ok());
    Some(plain(url?.host_str()?))
}

/// Where to look for a list of a site's pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SitemapChoice {
    /// The sitemaps that `robots.txt` names, or else `/sitemap.xml`.
    FromRobots,
    /// This sitemap.
    At(Url),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_know_us_by_our_first_word() {
        let token = |user_agent: &str| {
            let options = HttpOptions {
                user_agent: user_agent.to_owned(),
                ..HttpOptions::default()
            };
            options.product_token().to_owned()
        };
        assert_eq!(HttpOptions::default().product_token(), "husk");
        assert_eq!(token("MyBot"), "MyBot");
        assert_eq!(token("My-Bot/2.0 (x/y)"), "My-Bot");
        assert_eq!(token(""), "");
    }

    #[test]
    fn proxies_are_known_by_their_hosts() {
        assert_eq!(ProxyChoice::None.hosts(), [""; 0]);
        let url = Url::parse("http://user:pass@Proxy.example.org.:3128/").unwrap();
        assert_eq!(ProxyChoice::Url(url).hosts(), ["proxy.example.org"]);
        assert_eq!(host_of_proxy("localhost:3128").as_deref(), Some("localhost"));
        assert_eq!(host_of_proxy("[::1]:3128").as_deref(), Some("::1"));
        assert_eq!(host_of_proxy(""), None);
    }

    #[test]
    fn no_stage_has_more_time_than_the_whole() {
        let mut options = HttpOptions::default();
        assert_eq!(options.stage_limit(), Duration::from_secs(10));
        options.timeout = Duration::from_secs(2);
        assert_eq!(options.stage_limit(), Duration::from_secs(2));
        options.timeout = Duration::from_secs(90);
        assert_eq!(
            options.stage_limit(),
            Duration::from_secs(30),
            "more time was asked for"
        );
    }
}
