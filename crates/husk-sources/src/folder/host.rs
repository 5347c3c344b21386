//! Hosts, and the folders that mirroring tools name after them.

use std::net::Ipv4Addr;
use std::path::Path;

use husk::Url;

/// Whether two URLs have the same host: `www.`, http or https, and their default ports make no difference.
pub(super) fn share_host(one: &Url, other: &Url) -> bool {
    is_web(one) == is_web(other) && bare_host(one) == bare_host(other) && own_port(one) == own_port(other)
}

/// Whether a URL is that of a computer or network of its own, so that nobody else finds a site there.
pub(super) fn is_private(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback() || address.is_private() || address.is_unspecified();
    }
    let is_own_ipv6 = matches!(host, "[::1]" | "[::]");
    let endings = [".localhost", ".local", ".internal", ".test"];
    let is_name = !host.starts_with('[');
    is_own_ipv6 || is_name && (!host.contains('.') || endings.iter().any(|ending| host.ends_with(ending)))
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    without_www(host.trim_end_matches('.'))
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.")
        .filter(|rest| rest.contains('.'))
        .unwrap_or(host)
}

/// The port, unless it is the default one.
fn own_port(url: &Url) -> Option<u16> {
    url.port().filter(|port| !matches!(port, 80 | 443))
}

/// The names that a mirroring tool may give to the folder of a site, likeliest first.
///
/// wget writes `127.0.0.1:8000`, wget for Windows `127.0.0.1+8000`, HTTrack `127.0.0.1_8000`.
pub(super) fn folder_names(base: &Url) -> Vec<String> {
    let Some(host) = base.host_str() else {
        return Vec::new();
    };
    let bare = without_www(host);
    let other = if bare == host {
        format!("www.{host}")
    } else {
        bare.to_owned()
    };
    let with_port = |host: &str| match base.port() {
        Some(port) => [":", "+", "_"].map(|mark| format!("{host}{mark}{port}")).to_vec(),
        None => vec![host.to_owned()],
    };
    [with_port(host), with_port(&other)].concat()
}

/// The URL that a folder's name stands for, if it looks like a host.
///
/// That is: at least two labels, the last one of letters, or an IPv4 address, or any host with a port. `example.org`,
/// `127.0.0.1_8000` and `localhost:8000` do; `site.v2` and `index.html` do not.
pub(super) fn url_of_folder(folder: &Path) -> Option<Url> {
    url_of_name(folder.file_name()?.to_str()?)
}

pub(super) fn is_host_folder(folder: &Path) -> bool {
    url_of_folder(folder).is_some()
}

fn url_of_name(name: &str) -> Option<Url> {
    let (host, port) = split_port(name);
    let is_host = looks_like_host(host) || host == "localhost" && port.is_some();
    if !is_host {
        return None;
    }
    let is_local = port.is_some() || host.parse::<Ipv4Addr>().is_ok();
    let scheme = if is_local { "http" } else { "https" };
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Url::parse(&format!("{scheme}://{host}{port}/")).ok()
}

fn split_port(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once([':', '+', '_']) {
        Some((host, port)) if port.parse::<u16>().is_ok() => (host, Some(port)),
        _ => (name, None),
    }
}

fn looks_like_host(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let Some((front, last)) = host.rsplit_once('.') else {
        return false;
    };
    let is_domain =
        last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic()) || last.starts_with("xn--");
    let is_domain = is_domain && front.split('.').all(is_label) && !FILE_ENDINGS.contains(&last);
    is_domain || host.parse::<Ipv4Addr>().is_ok()
}

/// Endings of folder names that are file extensions rather than top-level domains.
const FILE_ENDINGS: [&str; 20] = [
    "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi", "git", "js", "old", "xml", "json",
    "txt", "css", "pdf", "jpg", "png", "svg",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn hosts_are_compared_as_people_do() {
        let base = url("https://example.org/");
        for same in [
            "http://EXAMPLE.org/a",
            "http://www.example.org:80/",
            "https://example.org.:443/",
        ] {
            assert!(share_host(&base, &url(same)), "{same}");
        }
        for other in [
            "https://example.org:8080/",
            "https://a.example.org/",
            "https://example.com/",
            "file:///a",
        ] {
            assert!(!share_host(&base, &url(other)), "{other}");
        }
        assert!(share_host(
            &url("http://127.0.0.1:8000/"),
            &url("http://127.0.0.1:8000/a")
        ));
        assert!(share_host(&url("file:///a/"), &url("file:///b")));
        assert!(!share_host(&url("file:///a/"), &url("file://server/b")));
    }

    #[test]
    fn hosts_that_nobody_else_reaches() {
        for private in [
            "http://localhost:4000/",
            "http://127.0.0.1/",
            "http://192.168.1.7/",
            "http://[::1]/",
            "http://nas/",
            "http://site.test/",
            "file:///a",
        ] {
            assert!(is_private(&url(private)), "{private}");
        }
        for public in ["https://example.org/", "http://8.8.8.8/", "http://[2001:db8::1]/"] {
            assert!(!is_private(&url(public)), "{public}");
        }
    }

    #[test]
    fn folders_of_hosts() {
        assert_eq!(
            folder_names(&url("http://example.org/a")),
            ["example.org", "www.example.org"]
        );
        assert_eq!(
            folder_names(&url("http://www.example.org/")),
            ["www.example.org", "example.org"]
        );
        let with_port = folder_names(&url("http://127.0.0.1:8000/"));
        assert_eq!(
            with_port[..3],
            ["127.0.0.1:8000", "127.0.0.1+8000", "127.0.0.1_8000"]
        );
        assert!(folder_names(&url("file:///a/")).is_empty());
    }

    #[test]
    fn names_that_look_like_hosts() {
        let address = |name| url_of_name(name).map(|url| url.to_string());
        assert_eq!(
            address("www.example.org").as_deref(),
            Some("https://www.example.org/")
        );
        assert_eq!(
            address("xn--bcher-kva.example").as_deref(),
            Some("https://xn--bcher-kva.example/")
        );
        for name in ["127.0.0.1:8000", "127.0.0.1+8000", "127.0.0.1_8000"] {
            assert_eq!(address(name).as_deref(), Some("http://127.0.0.1:8000/"), "{name}");
        }
        assert_eq!(address("localhost:80").as_deref(), Some("http://localhost/"));
        for name in [
            "site",
            "site.v2",
            "v1.2",
            "my site.org",
            ".org",
            "a..org",
            "index.html",
            "husk.git",
            "rss.xml",
            "x_1",
        ] {
            assert_eq!(address(name), None, "{name}");
        }
    }
}
