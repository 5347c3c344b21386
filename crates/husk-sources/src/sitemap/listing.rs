//! Collects the pages that a site lists in its sitemaps, without loading anything itself.

use std::collections::{BTreeSet, VecDeque};

use husk::{SameSite, Url};

use super::{MAX_URLS, Sitemap, is_web_url, parse};

/// The most files that are read.
const MAX_FILES: usize = 20;

/// The pages that a site lists in its sitemaps. It asks for one file after the other, and takes the bytes of each,
/// compressed or not.
///
/// ```
/// use husk::{SameSite, Url};
/// use husk_sources::Listing;
///
/// let site = Url::parse("https://example.org/")?;
/// let mut listing = Listing::new(&site, SameSite::Host, Some("Sitemap: https://example.org/map.xml"));
/// while let Some(file) = listing.next_wanted() {
///     match file.path() {
///         "/map.xml" => {
///             listing.give(b"<urlset><url><loc>https://example.org/tea</loc></url></urlset>");
///         }
///         _ => listing.give_up(),
///     }
/// }
/// assert_eq!(listing.finish(), [Url::parse("https://example.org/tea")?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Listing {
    /// The site that pages must belong to, if any.
    site: Option<(Url, SameSite)>,
    /// Files to read. The first is wanted next: it was not requested before, and there is room for what it lists.
    files: VecDeque<File>,
    /// Files that were requested, and the wanted one.
    asked: BTreeSet<Url>,
    pages: Vec<Url>,
    known: BTreeSet<Url>,
}

#[derive(Debug, Clone)]
struct File {
    url: Url,
    /// Whether the site or the user named it.
    is_named: bool,
}

impl Listing {
    /// Collects the pages from the sitemaps that `robots.txt` names, or else from `/sitemap.xml`.
    pub fn new(site: &Url, same_site: SameSite, robots_txt: Option<&str>) -> Self {
        let named = robots_txt.unwrap_or_default().lines().filter_map(named_sitemap);
        Self::by_robots(site, same_site, named.filter(is_web_url).collect())
    }

    /// As [`Self::new`], with `robots.txt` parsed already.
    pub(crate) fn by_robots(site: &Url, same_site: SameSite, named: Vec<Url>) -> Self {
        let own_site = Some((site.clone(), same_site));
        if !named.is_empty() {
            return Self::of_files(own_site, named, true);
        }
        let usual = site.join("/sitemap.xml").ok();
        Self::of_files(own_site, usual.into_iter().collect(), false)
    }

    /// Collects the pages from a sitemap that the user named.
    #[cfg(feature = "http")]
    pub(crate) fn by_user(site: Option<(Url, SameSite)>, sitemap: Url) -> Self {
        Self::of_files(site, vec![sitemap], true)
    }

    fn of_files(site: Option<(Url, SameSite)>, files: Vec<Url>, is_named: bool) -> Self {
        let mut listing = Self {
            site,
            files: files.into_iter().map(|url| File { url, is_named }).collect(),
            asked: BTreeSet::new(),
            pages: Vec::new(),
            known: BTreeSet::new(),
        };
        listing.go_on();
        listing
    }

    /// The URL of the file that is needed next, if any.
    ///
    /// It may have another host, as sitemaps often do.
    pub fn next_wanted(&self) -> Option<&Url> {
        self.files.front().map(|file| &file.url)
    }

    /// Whether the site or the user named that file, so that it may be read even if `robots.txt` disallows it.
    pub fn is_named(&self) -> bool {
        self.files.front().is_some_and(|file| file.is_named)
    }

    /// Takes the bytes of the wanted file; returns whether it lists anything.
    pub fn give(&mut self, bytes: &[u8]) -> bool {
        let Some(file) = self.files.pop_front() else {
            return false;
        };
        let Sitemap { pages, sitemaps } = parse(bytes, &file.url);
        let lists_any = !pages.is_empty() || !sitemaps.is_empty();
        for page in pages {
            if self.is_of_site(&page) && self.known.insert(page.clone()) {
                self.pages.push(page);
            }
        }
        let further = sitemaps.into_iter().map(|url| File { url, is_named: false });
        self.files.extend(further);
        self.go_on();
        lists_any
    }

    /// Skips the wanted file.
    pub fn give_up(&mut self) {
        self.files.pop_front();
        self.go_on();
    }

    /// The pages that were listed, each once, in order.
    pub fn finish(self) -> Vec<Url> {
        let mut pages = self.pages;
        pages.truncate(MAX_URLS);
        pages
    }

    /// Drops files that were requested before, and all files once there are enough pages.
    fn go_on(&mut self) {
        while let Some(file) = self.files.front() {
            let is_enough = self.asked.len() == MAX_FILES || self.pages.len() >= MAX_URLS;
            if is_enough {
                self.files.clear();
            } else if self.asked.insert(file.url.clone()) {
                return;
            } else {
                self.files.pop_front();
            }
        }
    }

    fn is_of_site(&self, page: &Url) -> bool {
        let site = self.site.as_ref();
        site.is_none_or(|(site, same_site)| same_site.holds(site, page))
    }
}

/// The sitemap that a line of `robots.txt` names. `Sitemap` lines apply to all user agents.
fn named_sitemap(line: &str) -> Option<Url> {
    let (field, value) = line
        .split_once('#')
        .map_or(line, |(front, _)| front)
        .split_once(':')?;
    let is_sitemap = field.trim().eq_ignore_ascii_case("sitemap");
    is_sitemap.then(|| Url::parse(value.trim()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.org/").unwrap().join(path).unwrap()
    }

    fn listing(robots_txt: Option<&str>) -> Listing {
        Listing::new(&url("/shop/tea.html"), SameSite::Host, robots_txt)
    }

    fn urlset(pages: &[&str]) -> Vec<u8> {
        let pages = pages.iter().map(|page| format!("<url><loc>{page}</loc></url>"));
        format!("<urlset>{}</urlset>", pages.collect::<String>()).into_bytes()
    }

    fn index(sitemaps: &[&str]) -> Vec<u8> {
        let sitemaps = sitemaps
            .iter()
            .map(|map| format!("<sitemap><loc>{map}</loc></sitemap>"));
        format!("<sitemapindex>{}</sitemapindex>", sitemaps.collect::<String>()).into_bytes()
    }

    /// Gives all that is wanted; the paths that were asked for, and the pages.
    fn run(mut listing: Listing, answer: impl Fn(&str) -> Option<Vec<u8>>) -> (Vec<String>, Vec<Url>) {
        let mut asked = Vec::new();
        while let Some(wanted) = listing.next_wanted().cloned() {
            asked.push(wanted.path().to_owned());
            assert!(asked.len() < 100, "{asked:?}");
            match answer(wanted.path()) {
                Some(bytes) => {
                    listing.give(&bytes);
                }
                None => listing.give_up(),
            }
        }
        (asked, listing.finish())
    }

    #[test]
    fn begins_with_what_robots_txt_names_or_with_the_usual_file() {
        let wanted = |robots_txt| listing(robots_txt).next_wanted().map(Url::to_string);
        let usual = Some(url("/sitemap.xml").to_string());
        assert_eq!(wanted(None), usual);
        assert_eq!(wanted(Some("User-agent: *\nDisallow: /")), usual);
        assert_eq!(wanted(Some("<!DOCTYPE html><p>Sitemap: nowhere")), usual);
        assert_eq!(wanted(Some("Sitemap: file:///etc/passwd")), usual);
        let named =
            "User-agent: other\r\nDisallow: /\r\n\r\nsitemap: https://cdn.example.net/a.xml # ours\r\n";
        assert_eq!(
            wanted(Some(named)).as_deref(),
            Some("https://cdn.example.net/a.xml")
        );
        let (asked, _) = run(
            listing(Some(
                "Sitemap: https://example.org/1.xml\nSitemap: https://example.org/2.xml\n",
            )),
            |_| None,
        );
        assert_eq!(asked, ["/1.xml", "/2.xml"]);
        let none = Url::parse("data:,x").unwrap();
        assert_eq!(Listing::new(&none, SameSite::Host, None).next_wanted(), None);
    }

    #[test]
    fn goes_from_sitemap_to_sitemap_and_takes_each_page_once() {
        let (asked, pages) = run(listing(None), |path| match path {
            "/sitemap.xml" => Some(index(&[
                "/1.xml",
                "/gone.xml",
                "/sitemap.xml",
                "/2.xml",
                "/1.xml",
            ])),
            "/1.xml" => Some(urlset(&[
                "/a",
                "/b",
                "https://www.example.org/c",
                "https://other.example/",
            ])),
            "/2.xml" => Some(urlset(&["/b", "/d", "http://news.example.org/"])),
            _ => None,
        });
        assert_eq!(asked, ["/sitemap.xml", "/1.xml", "/gone.xml", "/2.xml"]);
        assert_eq!(pages, ["/a", "/b", "https://www.example.org/c", "/d"].map(url));
    }

    #[test]
    fn tells_whether_a_file_lists_anything() {
        let mut listing = listing(None);
        assert!(listing.give(&index(&["/1.xml"])));
        assert!(listing.give(&urlset(&["https://other.example/"])));
        assert_eq!(listing.next_wanted(), None);
        assert!(!listing.give(&urlset(&["/a"])), "not wanted");
        listing.give_up();
        assert!(listing.finish().is_empty());
        assert!(!self::listing(None).give(b"<!DOCTYPE html><p>Not found"));
    }

    #[test]
    fn files_without_end_come_to_an_end() {
        let (asked, pages) = run(listing(None), |path| {
            let further: Vec<String> = (0..3).map(|number| format!("{path}{number}")).collect();
            Some(index(&further.iter().map(|map| &**map).collect::<Vec<_>>()))
        });
        assert_eq!((asked.len(), pages.len()), (MAX_FILES, 0));
    }

    #[test]
    fn addresses_without_end_come_to_an_end() {
        let (asked, pages) = run(listing(None), |path| {
            if path == "/sitemap.xml" {
                return Some(index(&["/1", "/2", "/3"]));
            }
            let pages: String = (0..MAX_URLS - 1)
                .map(|number| format!("https://example.org{path}/{number}\n"))
                .collect();
            Some(pages.into_bytes())
        });
        assert_eq!(asked, ["/sitemap.xml", "/1", "/2"]);
        assert_eq!(pages.len(), MAX_URLS);
    }

    #[test]
    fn only_what_was_named_is_leave_to_read() {
        assert!(!listing(None).is_named());
        let mut named = listing(Some("Sitemap: https://example.org/1.xml"));
        assert!(named.is_named());
        named.give(&index(&["/2.xml"]));
        assert!(named.next_wanted().is_some() && !named.is_named());
    }

    #[cfg(feature = "http")]
    #[test]
    fn without_a_site_all_pages_are_taken() {
        let (_, pages) = run(Listing::by_user(None, url("/any.xml")), |_| {
            Some(urlset(&["/a", "https://other.example/"]))
        });
        assert_eq!(pages.len(), 2);
        assert!(Listing::by_user(None, url("/any.xml")).is_named());
    }
}
