//! The links of a page as written.

use std::collections::{BTreeMap, HashSet};

use husk::Url;
use husk::dom::{Dom, name};

use super::Folder;
use super::lookup::Listings;

/// How many links are looked up for one guess at the URL of a site. A lookup tries dozens of file names.
const MAX_LOOKUPS: usize = 50;

/// Links to fewer pages of a host may lead to files by chance: many sites have an `/about/` page.
pub(super) const MIN_HOST_LINKS: usize = 2;

pub(crate) fn hrefs(dom: &Dom) -> impl Iterator<Item = &str> {
    let links = dom
        .nodes()
        .filter(|&node| dom.is_element(node, &name!("a")) || dom.is_element(node, &name!("area")));
    links
        .filter_map(|node| dom.attribute(node, &name!("href")))
        .map(str::trim)
}

/// Whether a link contains a host, or a scheme without one.
pub(super) fn names_a_host(href: &str) -> bool {
    href.starts_with("//") || (href.contains(':') && Url::parse(href).is_ok())
}

/// The links of a page that do not work with `file:` URLs, each once.
#[derive(Debug, Default)]
pub(super) struct BoundLinks {
    /// Those that begin with a slash.
    from_root: Vec<String>,
    /// Those that name a host of the web, by host.
    by_host: BTreeMap<String, Vec<Url>>,
}

impl BoundLinks {
    pub(super) fn of(dom: &Dom) -> Self {
        let mut links = Self::default();
        let mut seen = HashSet::new();
        for href in hrefs(dom) {
            let href = href.split_once('#').map_or(href, |(front, _)| front);
            if !seen.insert(href) {
                continue;
            }
            if href.starts_with('/') && !href.starts_with("//") {
                links.from_root.push(href.to_owned());
            } else if names_a_host(href) {
                links.add_with_host(href);
            }
        }
        links
    }

    fn add_with_host(&mut self, href: &str) {
        // Without a scheme, a link has that of its page, which is unknown.
        let url = match href.strip_prefix("//") {
            Some(rest) => Url::parse(&format!("https://{rest}")),
            None => Url::parse(href),
        };
        let Ok(url) = url else { return };
        if let ("http" | "https", Some(host)) = (url.scheme(), url.host_str()) {
            self.by_host.entry(host.to_owned()).or_default().push(url);
        }
    }

    /// The root URLs of the hosts, those with the most links first.
    pub(super) fn hosts(&self) -> Vec<Url> {
        let mut hosts: Vec<&Vec<Url>> = self.by_host.values().collect();
        hosts.sort_by_key(|urls| std::cmp::Reverse(urls.len()));
        hosts.iter().filter_map(|urls| urls[0].join("/").ok()).collect()
    }

    /// The links without a host that lead to pages of a site, its index page excepted.
    pub(super) fn root_links_to<'a>(
        &'a self,
        site: &'a Folder,
        listings: &'a mut Listings,
    ) -> impl Iterator<Item = Url> + 'a {
        let urls = self
            .from_root
            .iter()
            .filter_map(|href| site.base_url().join(href).ok());
        leading_to_pages(urls, site, listings)
    }

    /// The links with a host that lead to pages of a site, its index page excepted.
    pub(super) fn by_host_to<'a>(
        &'a self,
        site: &'a Folder,
        listings: &'a mut Listings,
    ) -> impl Iterator<Item = Url> + 'a {
        leading_to_pages(self.by_host.values().flatten().cloned(), site, listings)
    }
}

/// Every folder with an index page has a page at its own URL, so a link to that proves nothing.
fn leading_to_pages<'a>(
    urls: impl Iterator<Item = Url> + 'a,
    site: &'a Folder,
    listings: &'a mut Listings,
) -> impl Iterator<Item = Url> + 'a {
    urls.filter(|url| site.is_deeper(url))
        .take(MAX_LOOKUPS)
        .filter(|url| site.leads_to_file(listings, url))
}
