//! The pages that were loaded and the links between them, as an image.

use std::f64::consts::TAU;
use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use url::Url;

use crate::extraction::Extraction;
use crate::links::{Address, SameSite, links};
use crate::output::escape::Escaped;
use crate::page::Page;
use crate::select::CliqueSearch;

/// More pages than these are not drawn: they would overlap.
const MOST_PAGES: usize = 40;

/// The image's width and height, the radius of the circle that the pages stand on, and that of a page.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const RADIUS: f64 = 160.0;
const DOT: f64 = 9.0;

/// Pages are named by so many letters.
const LONGEST_NAME: usize = 26;

/// Pages and the links between them; the key page is the first.
pub(super) struct Graph<'a> {
    pages: Vec<&'a Page>,
    /// Which pages each page links to.
    links: Vec<IndexSet<usize>>,
    /// Pages that all link to each other, as many as there are.
    clique: Vec<usize>,
    compared: Vec<bool>,
    left_out: usize,
    /// How the URLs of all of them begin.
    start: String,
}

impl<'a> Graph<'a> {
    pub(super) fn of(extraction: &'a Extraction) -> Self {
        let all = std::iter::once(&extraction.key_page).chain(&extraction.pages);
        let pages: Vec<&Page> = all.take(MOST_PAGES).collect();
        let numbers: IndexMap<Address, usize> = pages
            .iter()
            .enumerate()
            .map(|(number, page)| (Address::of(&page.url), number))
            .collect();
        let links: Vec<IndexSet<usize>> = pages
            .iter()
            .map(|page| {
                // Pages that were loaded are of one site, whatever made them so.
                let links = links(page, SameSite::Domain);
                let numbers = links.iter().filter_map(|link| numbers.get(&link.address));
                numbers.copied().collect()
            })
            .collect();
        let mut search = CliqueSearch::new(pages.len(), pages.len());
        for (number, links) in links.iter().enumerate() {
            search.add(number, links.iter().copied());
        }
        Self {
            clique: search.best().collect(),
            compared: pages
                .iter()
                .map(|page| extraction.compared.contains(&page.url))
                .collect(),
            left_out: (extraction.pages.len() + 1).saturating_sub(pages.len()),
            start: common_start(pages.iter().map(|page| &page.url)),
            pages,
            links,
        }
    }

    /// How many pages all link to each other.
    pub(super) fn clique(&self) -> usize {
        self.clique.len()
    }

    /// How many pages there are, but not in the image.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    fn are_mutual(&self, one: usize, other: usize) -> bool {
        self.links[one].contains(&other) && self.links[other].contains(&one)
    }

    /// Where a page stands: on a circle, the key page at the top.
    fn place(&self, page: usize) -> (f64, f64) {
        let angle = TAU * page as f64 / self.pages.len() as f64 - TAU / 4.0;
        (
            WIDTH / 2.0 + RADIUS * angle.cos(),
            HEIGHT / 2.0 + RADIUS * angle.sin(),
        )
    }

    pub(super) fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(
            out,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} pages and the links between them; {} all \
             link to each other\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
            self.pages.len(),
            self.clique()
        )?;
        for one in 0..self.pages.len() {
            for &other in &self.links[one] {
                self.write_edge(one, other, out)?;
            }
        }
        for page in 0..self.pages.len() {
            self.write_page(page, out)?;
        }
        out.push_str("</svg>");
        Ok(())
    }

    fn write_edge(&self, one: usize, other: usize, out: &mut String) -> std::fmt::Result {
        let is_mutual = self.are_mutual(one, other);
        if one == other || (is_mutual && one > other) {
            return Ok(());
        }
        let is_in_clique = is_mutual && self.clique.contains(&one) && self.clique.contains(&other);
        let (class, tip) = match (is_in_clique, is_mutual) {
            (true, _) => ("edge clique", ""),
            (_, true) => ("edge mutual", ""),
            _ => ("edge", " marker-end=\"url(#tip)\""),
        };
        let ((x1, y1), (x2, y2)) = (self.place(one), self.place(other));
        // The line ends at the rim of the page's dot.
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let back = (DOT + 3.0) / length;
        writeln!(
            out,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"{tip}/>",
            x2 - (x2 - x1) * back,
            y2 - (y2 - y1) * back,
        )
    }

    fn write_page(&self, page: usize, out: &mut String) -> std::fmt::Result {
        let (x, y) = self.place(page);
        let class = match page {
            0 => "key",
            _ if self.compared[page] => "compared",
            _ => "loaded",
        };
        let ring = if self.clique.len() > 1 && self.clique.contains(&page) {
            format!(
                "<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\"/>",
                DOT + 4.0
            )
        } else {
            String::new()
        };
        let (anchor, dx) = match x - WIDTH / 2.0 {
            distance if distance > 1.0 => ("start", DOT + 8.0),
            distance if distance < -1.0 => ("end", -DOT - 8.0),
            _ => ("mid", 0.0),
        };
        let dy = match (anchor, y < HEIGHT / 2.0) {
            ("mid", true) => -DOT - 9.0,
            ("mid", false) => DOT + 18.0,
            _ => 4.0,
        };
        let url = &self.pages[page].url;
        writeln!(
            out,
            "<g><title>{}</title>{ring}<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\"/>\
             <text class=\"{anchor}\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            Escaped(url.as_str()),
            x + dx,
            y + dy,
            Escaped(&shortened(&name(url, &self.start))),
        )
    }
}

/// How the URLs of pages begin that all are in one folder: what need not be said of each.
pub(super) fn common_start<'a>(mut urls: impl Iterator<Item = &'a Url>) -> String {
    let mut start = urls.next().map_or("", |url| url.as_str());
    for url in urls {
        let same = start
            .bytes()
            .zip(url.as_str().bytes())
            .take_while(|(one, other)| one == other);
        let same = same.count();
        start = start.get(..same).unwrap_or("");
    }
    let end = start.rfind('/').map_or(0, |slash| slash + 1);
    start[..end].to_owned()
}

/// The end of a page's URL, which is usually unique.
pub(super) fn name(url: &Url, start: &str) -> String {
    let name = url.as_str().strip_prefix(start).unwrap_or(url.as_str());
    let name = name.strip_suffix("index.html").unwrap_or(name);
    match percent_encoding::percent_decode_str(name).decode_utf8_lossy() {
        name if name.is_empty() => "/".to_owned(),
        name => name.into_owned(),
    }
}

/// A name that has room in the image.
fn shortened(name: &str) -> String {
    let letters = name.chars().count();
    if letters <= LONGEST_NAME {
        return name.to_owned();
    }
    format!(
        "…{}",
        name.chars().skip(letters - LONGEST_NAME + 1).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Session};

    #[test]
    fn pages_are_named_by_what_tells_them_apart() {
        let urls = ["a/one/index.html", "a/caf%C3%A9", "a/", "a/x?page=2"];
        let urls = urls.map(|url| Url::parse("https://example.org/").unwrap().join(url).unwrap());
        let start = common_start(urls.iter());
        assert_eq!(start, "https://example.org/a/");
        let names = urls.map(|url| name(&url, &start));
        assert_eq!(names, ["one/", "café", "/", "x?page=2"]);
        assert_eq!(
            shortened("one/two/three/four/five/six.html"),
            "…/three/four/five/six.html"
        );
        assert_eq!(common_start([].into_iter()), "");
    }

    #[test]
    fn pages_that_all_link_to_each_other_are_found() {
        let page = |path: &str, targets: &[&str]| {
            let links: String = targets
                .iter()
                .map(|target| format!("<a href={target}>x</a>"))
                .collect();
            Page::parse(
                Url::parse("https://example.org/").unwrap().join(path).unwrap(),
                &links,
            )
        };
        let mut session = Session::new(page("/", &["/a", "/b", "/c"]), Options::default());
        while let Some(url) = session.next_wanted().cloned() {
            session.give(match url.path() {
                "/c" => page("/c", &[]),
                path => page(path, &["/", "/a", "/b"]),
            });
        }
        let extraction = session.finish();
        let graph = Graph::of(&extraction);
        let clique: Vec<&str> = graph
            .clique
            .iter()
            .map(|&number| graph.pages[number].url.path())
            .collect();
        assert_eq!(clique.len(), 3);
        assert!(!clique.contains(&"/c"));
        let mut svg = String::new();
        graph.write(&mut svg).unwrap();
        assert_eq!(svg.matches("edge clique").count(), 3);
        assert_eq!(svg.matches("marker-end").count(), 1);
    }
}
