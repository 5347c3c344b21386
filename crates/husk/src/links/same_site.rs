//! When two pages belong to one site.

use serde::{Deserialize, Serialize};
use url::Url;

use super::address::site_key;

/// When two pages belong to one site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SameSite {
    /// The same host and port; `www.` makes no difference.
    #[default]
    Host,
    /// The same registrable domain: `news.example.org` and `shop.example.org` are one site, but two users of
    /// `github.io` are two.
    Domain,
}

impl SameSite {
    /// Whether two URLs belong to one site.
    pub fn holds(self, one: &Url, other: &Url) -> bool {
        if (one.scheme() == "file") != (other.scheme() == "file") {
            return false;
        }
        match self {
            Self::Host => site_key(one) == site_key(other),
            Self::Domain => {
                site_key(one) == site_key(other)
                    || domain(one).is_some_and(|found| domain(other) == Some(found))
            }
        }
    }

    /// The name of a URL's site, such as `example.org`: the same for two web URLs of one site. Empty without a host.
    pub fn name_of(self, url: &Url) -> String {
        match self {
            Self::Host => site_key(url),
            Self::Domain => domain(url).unwrap_or_else(|| site_key(url)),
        }
    }
}

#[cfg(feature = "registrable-domain")]
fn domain(url: &Url) -> Option<String> {
    Some(psl::domain_str(url.domain()?)?.to_ascii_lowercase())
}

/// Without the list of public suffixes, only equal hosts are one site.
#[cfg(not(feature = "registrable-domain"))]
fn domain(_url: &Url) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, by_host: bool, by_domain: bool) {
        let (one, other) = (Url::parse(one).unwrap(), Url::parse(other).unwrap());
        assert_eq!(
            SameSite::Host.holds(&one, &other),
            by_host,
            "{one} and {other} by host"
        );
        assert_eq!(
            SameSite::Domain.holds(&one, &other),
            by_domain,
            "{one} and {other} by domain"
        );
        if one.scheme() == other.scheme() || one.has_host() == other.has_host() {
            for same_site in [SameSite::Host, SameSite::Domain] {
                assert_eq!(
                    same_site.name_of(&one) == same_site.name_of(&other),
                    same_site.holds(&one, &other),
                    "{one} and {other} by name"
                );
            }
        }
    }

    #[test]
    #[cfg(feature = "registrable-domain")]
    fn sites_have_names() {
        let name = |same_site: SameSite, url: &str| same_site.name_of(&Url::parse(url).unwrap());
        assert_eq!(
            name(SameSite::Host, "https://www.news.example.co.uk:81/a"),
            "news.example.co.uk:81"
        );
        assert_eq!(
            name(SameSite::Domain, "https://www.news.example.co.uk:81/a"),
            "example.co.uk"
        );
        assert_eq!(name(SameSite::Domain, "http://127.0.0.1:8000/"), "127.0.0.1:8000");
        assert_eq!(name(SameSite::Domain, "file:///a/b"), "");
    }

    #[test]
    #[cfg(feature = "registrable-domain")]
    fn by_host_or_by_domain() {
        check("http://example.org/", "https://www.example.org/a", true, true);
        check("http://a.example.co.uk/", "http://b.example.co.uk/", false, true);
        check("http://example.co.uk/", "http://other.co.uk/", false, false);
        check("http://one.github.io/", "http://two.github.io/", false, false);
        check("http://127.0.0.1/", "http://10.0.0.1/", false, false);
        check("http://127.0.0.1:8000/", "http://127.0.0.1:8000/a", true, true);
        check("http://localhost:1/", "http://localhost:2/", false, false);
        check("file:///a/b", "file:///c", true, true);
        check("file:///a/b", "http://example.org/", false, false);
    }
}
