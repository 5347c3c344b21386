//! Ranks candidate pages: those that most likely have the key page's layout first.
//!
//! Before a page is loaded, only its URL and the links to it are known. Candidates are, best first: pages in one list of
//! links with the key page, as in a menu; pages with a URL like the key page's; such pages linked from loaded pages;
//! and such pages that the source lists, linked or not.

use husk_dom::{Dom, NodeId};
use indexmap::IndexMap;
use url::Url;

use super::reason::SelectionReason;
use super::shape::{Shape, is_above};
use crate::language::PageLanguage;
use crate::links::is_view;
use crate::links::{Address, LinkPlaces, SameSite};
use crate::page::Page;
use crate::thresholds::Thresholds;

/// The candidate pages and their ranks.
#[derive(Debug, Clone)]
pub(crate) struct Ranking {
    key_url: Url,
    key_address: Address,
    shape: Shape,
    /// How many folders all links of the key page share: they say nothing.
    root: usize,
    language: PageLanguage,
    same_site: SameSite,
    candidates: IndexMap<Address, Candidate>,
    has_asked_above: bool,
}

/// A candidate page.
#[derive(Debug, Clone)]
struct Candidate {
    url: Url,
    /// How likely it has the key page's layout; only the order matters.
    rank: f64,
    why: SelectionReason,
    is_asked: bool,
}

/// Penalty of a page in another language: more than all similarities of URLs together.
const OTHER_LANGUAGE: f64 = 8.0;

/// Minimum number of links in a list.
const SHORTEST_LIST: usize = 4;

/// Minimum number of links to pages below its own folder that make a page their index.
const SMALLEST_INDEX: usize = 3;

impl Ranking {
    /// The links of a key page, ranked.
    pub(crate) fn of(key_page: &Page, same_site: SameSite, thresholds: &Thresholds) -> Self {
        let found = LinkPlaces::of(key_page, same_site);
        let is_beside = are_beside_own_link(&key_page.dom, &found);
        let urls: Vec<Option<Url>> = found
            .links
            .iter()
            .map(|&(_, node)| found.url(&key_page.dom, node))
            .collect();
        let whole = Shape::as_folder(&key_page.url, 0);
        let same_folders = |url| whole.same_folders(&Shape::as_folder(url, 0));
        let root = urls.iter().flatten().map(same_folders).min().unwrap_or(0);
        let shape = Shape::of(&key_page.url, root);
        // The index page of a folder counts as a page beside the folder, or as one in it.
        let below = urls.iter().flatten().filter(|url| is_above(&key_page.url, url));
        let seen_as = if below.count() >= SMALLEST_INDEX {
            Shape::as_folder(&key_page.url, root)
        } else {
            shape.clone()
        };
        let language = PageLanguage::of(&key_page.url, &key_page.dom);
        let mut candidates: IndexMap<Address, Candidate> = IndexMap::new();
        for (((address, node), url), is_beside) in found.links.into_iter().zip(urls).zip(is_beside) {
            let Some(url) = url else { continue };
            let is_other_language = language.differs_from(&url, &key_page.dom, node);
            let bonus = bonus(is_beside, is_other_language, thresholds);
            let similarity = seen_as.similarity(&Shape::of(&url, root));
            let why = match is_beside {
                true => SelectionReason::BesideKeyPage,
                false if similarity >= thresholds.like_address * seen_as.similarity(&seen_as) => {
                    SelectionReason::LikeAddress
                }
                false => SelectionReason::Linked,
            };
            let candidate = Candidate {
                rank: rank(&key_page.url, &url, similarity + bonus),
                why,
                url,
                is_asked: false,
            };
            candidates.insert(address, candidate);
        }
        Self {
            key_url: key_page.url.clone(),
            key_address: Address::of(&key_page.url),
            shape,
            root,
            language,
            same_site,
            candidates,
            has_asked_above: false,
        }
    }

    /// The index of the page to ask for next, if any is left.
    pub(crate) fn next(&mut self, thresholds: &Thresholds) -> Option<usize> {
        let best = self.best()?;
        let chosen = match self.page_above(best, thresholds) {
            Some(above) => {
                self.has_asked_above = true;
                self.candidates[above].why = SelectionReason::PageAbove;
                above
            }
            None => best,
        };
        self.candidates[chosen].is_asked = true;
        Some(chosen)
    }

    /// The best page not asked for yet; the first of equals.
    fn best(&self) -> Option<usize> {
        let open = self.open();
        open.reduce(|best, next| if next.1.rank > best.1.rank { next } else { best })
            .map(|(number, _)| number)
    }

    fn open(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let numbered = self.candidates.values().enumerate();
        numbered.filter(|(_, candidate)| !candidate.is_asked)
    }

    /// The page of the nearest folder above, which likely links to pages like the key page, if the best candidate is
    /// not like it.
    fn page_above(&self, best: usize, thresholds: &Thresholds) -> Option<usize> {
        let best = &self.candidates[best];
        let most = self.shape.similarity(&self.shape);
        let similarity = self.shape.similarity(&Shape::of(&best.url, self.root));
        if self.has_asked_above || similarity >= thresholds.like_address * most || best.rank >= most {
            return None;
        }
        self.open()
            .filter(|(_, candidate)| is_above(&candidate.url, &self.key_url))
            .reduce(|best, next| {
                if next.1.url.path().len() > best.1.url.path().len() {
                    next
                } else {
                    best
                }
            })
            .map(|(number, _)| number)
    }

    /// The URL of a candidate.
    pub(crate) fn url(&self, number: usize) -> &Url {
        &self.candidates[number].url
    }

    /// Why it is a candidate.
    pub(crate) fn why(&self, number: usize) -> SelectionReason {
        self.candidates[number].why
    }

    /// Marks a page as loaded, so that it is not asked for.
    pub(crate) fn is_loaded(&mut self, address: &Address) {
        if let Some(candidate) = self.candidates.get_mut(address) {
            candidate.is_asked = true;
        }
    }

    /// Whether links of loaded pages could rank above the next `wanted` candidates.
    pub(crate) fn needs_links(&self, wanted: usize, thresholds: &Thresholds) -> bool {
        let most = self.best_of_links(thresholds);
        self.open()
            .filter(|(_, candidate)| candidate.rank >= most)
            .count()
            < wanted
    }

    /// Whether no link of a loaded page could rank above a candidate.
    pub(crate) fn comes_first(&self, number: usize, thresholds: &Thresholds) -> bool {
        self.candidates[number].rank >= self.best_of_links(thresholds)
    }

    /// The best rank that a link of a loaded page may have.
    fn best_of_links(&self, thresholds: &Thresholds) -> f64 {
        self.shape.similarity(&self.shape) - thresholds.one_page_away + thresholds.beside_key_page
    }

    /// Adds the links of a loaded page.
    pub(crate) fn add_links_of(&mut self, page: &Page, thresholds: &Thresholds) {
        let found = LinkPlaces::of(page, self.same_site);
        let is_beside = are_beside_own_link(&page.dom, &found);
        for ((address, node), is_beside) in found.links.iter().zip(is_beside) {
            if self.candidates.contains_key(address) || *address == self.key_address {
                continue;
            }
            if let Some(url) = found.url(&page.dom, *node) {
                let is_other_language = self.language.differs_from(&url, &page.dom, *node);
                let bonus = bonus(is_beside, is_other_language, thresholds);
                self.add(
                    address.clone(),
                    url,
                    SelectionReason::LinkedFromLoaded,
                    thresholds.one_page_away - bonus,
                );
            }
        }
    }

    /// Adds the target of a page that redirects by a refresh, with the same rank.
    pub(crate) fn add_instead(&mut self, url: Url, of: usize) {
        let rank = self.candidates[of].rank;
        let address = Address::of(&url);
        if self.same_site.holds(&self.key_url, &url) && address != self.key_address {
            let candidate = self.candidates.entry(address).or_insert(Candidate {
                url,
                rank,
                why: SelectionReason::LedTo,
                is_asked: false,
            });
            candidate.rank = candidate.rank.max(rank);
        }
    }

    /// Adds pages that the source lists, linked or not.
    pub(crate) fn add_listed(&mut self, urls: impl IntoIterator<Item = Url>) {
        for url in urls {
            let malus = if self.language.differs_from_url(&url) {
                OTHER_LANGUAGE
            } else {
                0.0
            };
            self.add(Address::of(&url), url, SelectionReason::Listed, malus);
        }
    }

    fn add(&mut self, address: Address, url: Url, why: SelectionReason, malus: f64) {
        if address == self.key_address || !self.same_site.holds(&self.key_url, &url) {
            return;
        }
        let rank = rank(
            &self.key_url,
            &url,
            self.shape.similarity(&Shape::of(&url, self.root)) - malus,
        );
        self.candidates.entry(address).or_insert(Candidate {
            url,
            rank,
            why,
            is_asked: false,
        });
    }
}

fn bonus(is_beside: bool, is_other_language: bool, thresholds: &Thresholds) -> f64 {
    let beside = if is_beside {
        thresholds.beside_key_page
    } else {
        0.0
    };
    if is_other_language {
        beside - OTHER_LANGUAGE
    } else {
        beside
    }
}

/// A view of the key page, such as a print version, comes last: it has the same content.
fn rank(key_url: &Url, url: &Url, rank: f64) -> f64 {
    if is_view(key_url, url) {
        f64::NEG_INFINITY
    } else {
        rank
    }
}

/// Which links of a page are in a list that also links to the page itself.
///
/// Such a list is the smallest element around a link with enough links in it.
fn are_beside_own_link(dom: &Dom, found: &LinkPlaces) -> Vec<bool> {
    let mut is_beside = vec![false; found.links.len()];
    for &(place, link) in &found.places {
        if !is_beside[link] {
            let list = dom
                .ancestors(place)
                .find(|&node| count_within(dom, node, &found.places) >= SHORTEST_LIST);
            is_beside[link] = list.is_some_and(|list| has_within(dom, list, &found.own));
        }
    }
    is_beside
}

fn count_within(dom: &Dom, node: NodeId, places: &[(NodeId, usize)]) -> usize {
    let range = dom.range(node);
    let start = places.partition_point(|(place, _)| place.index() < range.start);
    places[start..].partition_point(|(place, _)| place.index() < range.end)
}

fn has_within(dom: &Dom, node: NodeId, places: &[NodeId]) -> bool {
    let range = dom.range(node);
    let start = places.partition_point(|place| place.index() < range.start);
    places.get(start).is_some_and(|place| place.index() < range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, html: &str) -> Page {
        let url = Url::parse("https://example.org/").unwrap().join(path).unwrap();
        Page::parse(url, html)
    }

    fn links(paths: &[&str]) -> String {
        let links: String = paths
            .iter()
            .map(|path| format!("<li><a href={path}>x</a>"))
            .collect();
        format!("<ul>{links}</ul>")
    }

    fn order(ranking: &mut Ranking, most: usize) -> Vec<String> {
        let thresholds = Thresholds::default();
        let next = || {
            ranking
                .next(&thresholds)
                .map(|number| ranking.url(number).path().to_owned())
        };
        std::iter::from_fn(next).take(most).collect()
    }

    fn ranking(path: &str, html: &str) -> Ranking {
        Ranking::of(&page(path, html), SameSite::Host, &Thresholds::default())
    }

    #[test]
    fn a_site_in_a_folder_is_ranked_as_at_the_root() {
        let html = links(&[
            "../index.html",
            "../topic/158.html",
            "../topic/9.html",
            "../a/b/c.html",
        ]) + &links(&[
            "index.html",
            "../law/index.html",
            "../contact.html",
            "../law/77.html",
        ]);
        let order = |root: &str| {
            let order = order(&mut ranking(&format!("{root}/news/8120.html"), &html), 8);
            order
                .iter()
                .map(|path| path.replace(root, ""))
                .collect::<Vec<_>>()
        };
        assert_eq!(order("/home/ann/saved/site"), order(""));
        assert_eq!(order("")[0], "/news/index.html");
    }

    #[test]
    fn pages_beside_the_key_page_come_first() {
        let html = links(&["/a.html", "/b.html", "/c.html", "/d.html"])
            + &links(&["/e.html", "/key.html", "/f.html", "/g.html", "/h.html"]);
        let order = order(&mut ranking("/key.html", &html), 5);
        assert_eq!(order, ["/e.html", "/f.html", "/g.html", "/h.html", "/a.html"]);
    }

    #[test]
    fn addresses_like_the_key_pages_come_before_others() {
        let html = links(&["/", "/about/", "/posts/one/", "/posts/two/", "/tags/"]);
        let order = order(&mut ranking("/posts/key/", &html), 3);
        assert_eq!(order[..2], ["/posts/one/", "/posts/two/"]);
    }

    #[test]
    fn a_page_that_lists_others_is_asked_when_none_is_like_the_key_page() {
        let html = links(&["/about.html", "/contact.html", "/imprint.html", "/"]);
        let mut ranking = ranking("/2020/05/17/post.html", &html);
        assert_eq!(order(&mut ranking, 1), ["/"]);
        assert!(
            ranking
                .candidates
                .values()
                .any(|candidate| candidate.why == SelectionReason::PageAbove)
        );
        let thresholds = Thresholds::default();
        assert!(ranking.needs_links(3, &thresholds));
        let home = page("/", &links(&["/2020/05/16/other.html", "/2020/04/12/third.html"]));
        ranking.add_links_of(&home, &thresholds);
        assert_eq!(
            order(&mut ranking, 3),
            ["/2020/05/16/other.html", "/2020/04/12/third.html", "/about.html"]
        );
    }

    #[test]
    fn listed_pages_are_ranked_by_their_address() {
        let mut ranking = ranking("/articles/art107.html", "no links");
        assert!(ranking.next(&Thresholds::default()).is_none());
        let urls = ["/", "/articles/art107.html", "/articles/art9.html", "/img/x.html"];
        ranking.add_listed(urls.map(|path| page(path, "").url));
        assert_eq!(
            order(&mut ranking, 9),
            ["/articles/art9.html", "/", "/img/x.html"]
        );
    }

    #[test]
    fn each_page_has_its_reason() {
        let html = links(&["/", "/about/", "/2020/05/one.html", "/x/y/z/"])
            + &links(&["/e.html", "/2020/05/key.html", "/f.html", "/g.html"]);
        let mut ranking = ranking("/2020/05/key.html", &html);
        let loaded = page("/e.html", &links(&["/elsewhere.html"]));
        ranking.add_links_of(&loaded, &Thresholds::default());
        ranking.add_listed([page("/unlinked.html", "").url]);
        let why = |path: &str| {
            let number = ranking.candidates.get_index_of(&Address::of(&page(path, "").url));
            ranking.why(number.unwrap())
        };
        assert_eq!(why("/e.html"), SelectionReason::BesideKeyPage);
        assert_eq!(why("/2020/05/one.html"), SelectionReason::LikeAddress);
        assert_eq!(why("/x/y/z/"), SelectionReason::Linked);
        assert_eq!(why("/elsewhere.html"), SelectionReason::LinkedFromLoaded);
        assert_eq!(why("/unlinked.html"), SelectionReason::Listed);
    }

    #[test]
    fn the_index_of_a_folder_is_like_what_is_in_it() {
        let html = links(&["/news/", "/about/", "/ru/docs/", "/ru/api/", "/ru/help/"]);
        let order = order(&mut ranking("/ru/", &html), 3);
        assert_eq!(order, ["/ru/docs/", "/ru/api/", "/ru/help/"]);
    }

    #[test]
    fn pages_in_other_languages_come_after_all_others() {
        let html = links(&[
            "/fr/docs/key.html",
            "/en/docs/one.html",
            "/about.html",
            "/de/docs/two.html",
        ]);
        let order = order(&mut ranking("/en/docs/key.html", &html), 4);
        assert_eq!(
            order,
            [
                "/en/docs/one.html",
                "/about.html",
                "/fr/docs/key.html",
                "/de/docs/two.html"
            ]
        );
    }

    #[test]
    fn views_of_the_key_page_come_last() {
        let html = links(&[
            "/a/key/?answer=1",
            "/a/key/?print",
            "/a/one/",
            "/x.html",
            "/a/key/",
        ]);
        let order = order(&mut ranking("/a/key/", &html), 9);
        assert_eq!(order, ["/a/one/", "/x.html", "/a/key/", "/a/key/"]);
    }

    #[test]
    fn what_is_loaded_is_not_asked_for() {
        let mut ranking = ranking("/key.html", &links(&["/a.html", "/b.html"]));
        ranking.is_loaded(&Address::of(&page("/a.html", "").url));
        assert_eq!(order(&mut ranking, 9), ["/b.html"]);
    }

    #[test]
    fn where_a_page_leads_takes_its_place() {
        let mut ranking = ranking("/docs/key.html", &links(&["/docs/old.html", "/x/y/z"]));
        let thresholds = Thresholds::default();
        let old = ranking.next(&thresholds).unwrap();
        ranking.add_instead(page("/new/place.html", "").url, old);
        ranking.add_instead(page("/docs/key.html", "").url, old);
        assert_eq!(order(&mut ranking, 9), ["/new/place.html", "/x/y/z"]);
    }
}
