//! A random sample of a site's pages, the same in every run.

use std::collections::{BTreeMap, HashSet};

use husk::{Address, Page, Url, links};
use husk_sources::Source;

use super::loader::PageLoader;

/// Loads up to `most` random pages of the site.
///
/// All pages are equally likely if the source can list them. Otherwise this is a random walk over links, from the key
/// page on.
pub(super) fn sample(
    key_page: &Page,
    source: &mut dyn Source,
    loader: &mut PageLoader,
    most: usize,
) -> Vec<Page> {
    let mut pool = UrlPool::new(source.page_urls(), loader);
    pool.add_links(key_page, loader);
    let mut pages = Vec::new();
    while pages.len() < most {
        let Some(url) = pool.take_random() else { break };
        // A redirect may have led to it before.
        if loader.knows(&Address::of(&url)) {
            continue;
        }
        if let Some(page) = loader.load(source, &url) {
            pool.add_links(&page, loader);
            pages.push(page);
        }
    }
    pages
}

/// The URLs to choose from.
struct UrlPool {
    urls: Vec<Url>,
    /// The URLs seen on a walk; none if the source listed all.
    seen: Option<HashSet<Address>>,
    state: u64,
}

/// Arbitrary but fixed.
const SEED: u64 = 2004;

impl UrlPool {
    fn new(listed: Option<Vec<Url>>, loader: &PageLoader) -> Self {
        Self {
            seen: listed.is_none().then(HashSet::new),
            urls: listed.map_or_else(Vec::new, |urls| on_site(urls, loader)),
            state: SEED,
        }
    }

    /// Adds the links of a page, on a walk.
    fn add_links(&mut self, page: &Page, loader: &PageLoader) {
        if let Some(seen) = &mut self.seen {
            let links = links(page, loader.same_site()).into_iter();
            let new = links.filter(|link| seen.insert(link.address.clone()));
            self.urls.extend(new.map(|link| link.url));
        }
    }

    fn take_random(&mut self) -> Option<Url> {
        let left = self.urls.len();
        (left > 0).then(|| {
            let index = self.random() % left as u64;
            self.urls.swap_remove(index as usize)
        })
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// The pages of the site, each once, sorted since sources may list them in any order.
fn on_site(urls: Vec<Url>, loader: &PageLoader) -> Vec<Url> {
    let by_address: BTreeMap<Address, Url> = urls
        .into_iter()
        .filter(|url| loader.is_on_site(url))
        .map(|url| (Address::of(&url), url))
        .collect();
    by_address.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::test_source::{TestSource, url};
    use husk::SameSite;

    /// A chain of ten pages, each linking to the next.
    fn site() -> TestSource {
        let paths = ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"];
        let next = paths.iter().cycle().skip(1);
        TestSource::new(
            paths
                .iter()
                .zip(next)
                .map(|(&path, next)| (path, format!("<a href={next}>"))),
        )
    }

    fn sampled(mut site: TestSource, most: usize) -> Vec<String> {
        let key_page = site.load(&url("/0")).unwrap();
        let mut loader = PageLoader::new(&key_page, SameSite::Host);
        let pages = sample(&key_page, &mut site, &mut loader, most);
        pages.iter().map(|page| page.url.path().to_owned()).collect()
    }

    #[test]
    fn samples_the_same_pages_every_time() {
        let first = sampled(site(), 4);
        assert_eq!(first.len(), 4);
        assert_eq!(first, sampled(site(), 4));
        assert!(!first.contains(&"/0".to_owned()));
        assert_ne!(first, ["/1", "/2", "/3", "/4"]);
    }

    #[test]
    fn each_page_once_and_no_more_than_there_are() {
        let mut all = sampled(site(), 100);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 9);
    }

    #[test]
    fn walks_where_pages_are_not_listed() {
        assert_eq!(sampled(site().without_list(), 4), ["/1", "/2", "/3", "/4"]);
        assert_eq!(sampled(site().without_list(), 100).len(), 9);
    }
}
