//! Metadata of a page: title, author, dates and so on.
//!
//! A [`Page`] in, with its template and the titles of other pages of its site if there are some; [`Metadata`] out.
//!
//! The first source that has a value counts:
//!
//! | field | sources |
//! |---|---|
//! | title | JSON-LD `headline`, OpenGraph, Twitter, Dublin Core and citations, `<title>`, first heading, first short text before the body; each without the site's name, and none that other pages of the site have |
//! | byline | JSON-LD `author`, `meta` author, citations, Dublin Core, `article:author`, `itemprop`, `rel=author`, a short byline |
//! | published | JSON-LD, `article:published_time`, other `meta`, `itemprop`, `<time>` in a byline, the only date named one |
//! | modified | JSON-LD, `article:modified_time`, other `meta`, `itemprop` |
//! | language | `<html lang>`, `content-language`, JSON-LD, `og:locale` |
//! | description | `meta` description, OpenGraph, Twitter, Dublin Core, JSON-LD |
//! | canonical | `rel=canonical`, OpenGraph, JSON-LD |
//! | image | OpenGraph, Twitter, JSON-LD, `rel=image_src`, `itemprop` |
//! | site name | OpenGraph, `application-name`, JSON-LD `WebSite`, what the titles of other pages share, JSON-LD `publisher` |

mod numbers;

mod dates;

mod json_ld;

mod title;

mod site_titles;

use std::cell::OnceCell;

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use self::dates::read as read_date;
pub(crate) use self::json_ld::{JsonLd, first_text};
pub use self::site_titles::SiteTitles;
pub(crate) use self::title::parts as title_parts;
use crate::blocks::{Block, Blocks};
use crate::hints::{Hint, Hints};
use crate::known::Known;
use crate::lexicon;
use crate::links::base_url;
use crate::page::Page;
use crate::template::Template;
use numbers::{LONGEST_BYLINE, LONGEST_TITLE, SHORTEST_BODY};

/// The metadata of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The title of the page, without the site's name.
    pub title: Option<String>,
    /// The authors.
    pub byline: Option<String>,
    /// The date of publication, as RFC 3339 or, if it is not understood, as written.
    pub published: Option<String>,
    /// The date of the last change.
    pub modified: Option<String>,
    /// The language, as a BCP 47 tag.
    pub language: Option<String>,
    /// A summary in a sentence or two.
    pub description: Option<String>,
    /// The canonical URL.
    pub canonical: Option<Url>,
    /// The URL of a representative image.
    pub image: Option<Url>,
    /// The name of the site.
    pub site_name: Option<String>,
}

impl Metadata {
    /// Reads the metadata of a page.
    pub fn of(page: &Page) -> Self {
        Self::read(page, &SiteTitles::default(), None)
    }

    /// Reads the metadata of a page. The titles of other pages tell the name of the site, and the template which headings
    /// are on all pages.
    pub fn with_template(page: &Page, titles: &SiteTitles, template: &Template) -> Self {
        Self::read(
            page,
            titles,
            Some(template).filter(|template| template.compared() > 0),
        )
    }

    fn read(page: &Page, titles: &SiteTitles, template: Option<&Template>) -> Self {
        let said = Said::of(page, template);
        let site_name = said.site_name(said.title.as_deref().and_then(|title| titles.cut(title).1));
        Self {
            title: said.own_title(titles, site_name.as_deref()),
            byline: said.byline(),
            published: said.date("datePublished", &PUBLISHED, true),
            modified: said.date("dateModified", &MODIFIED, false),
            language: said.language(),
            description: said.description(),
            canonical: said.canonical(),
            image: said.image(),
            site_name,
        }
    }
}

const PUBLISHED: [&str; 15] = [
    "article:published_time",
    "og:published_time",
    "og:article:published_time",
    "citation_publication_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date.created",
    "dcterms.created",
    "dc.date",
    "dcterms.date",
    "date",
    "pubdate",
    "publishdate",
    "publish-date",
];

const MODIFIED: [&str; 8] = [
    "article:modified_time",
    "og:modified_time",
    "og:updated_time",
    "dc.date.modified",
    "dcterms.modified",
    "last-modified",
    "lastmod",
    "revised",
];

/// `<meta>` with the title of the page.
const GIVEN_TITLES: [&str; 5] = [
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
];

/// The metadata of a page by source.
struct Said<'a> {
    page: &'a Page,
    base: Url,
    template: Option<&'a Template>,
    title: Option<String>,
    /// The first `h1` that is not in the template.
    heading: Option<String>,
    /// Number of such `h1`.
    headings: usize,
    /// The first two `h2` that are not in the template.
    subheadings: Vec<NodeId>,
    /// Values of `<meta>` by name, property or http-equiv, in lower case.
    meta: IndexMap<String, Vec<&'a str>>,
    /// Targets of `<link>` by relation.
    links: IndexMap<String, &'a str>,
    /// Elements by `itemprop` or RDFa `property`.
    properties: IndexMap<&'a str, NodeId>,
    json_ld: JsonLd,
    /// Elements named as byline or date; found on demand.
    named: OnceCell<Vec<Named>>,
}

/// Larger elements have more than an author, or more than a date.
const MOST_NODES_OF_BYLINE: usize = 11;
const MOST_NODES_OF_DATE: usize = 7;

/// A small element that is named as byline or date.
struct Named {
    node: NodeId,
    byline: bool,
    date: bool,
}

impl Named {
    /// Those of a page, in document order.
    fn all(dom: &Dom) -> Vec<Self> {
        let mut known = Known::new();
        let small = dom
            .nodes()
            .filter(|&node| dom.size(node) <= MOST_NODES_OF_BYLINE.max(MOST_NODES_OF_DATE));
        let named = small.filter_map(|node| {
            let class = dom.attribute(node, &name!("class"))?;
            let (byline, date) = known.get(xxh3_64(class.as_bytes()), || {
                let (mut byline, mut date) = (false, false);
                for name in plain_names(class) {
                    byline |= matches!(name, b"byline" | b"author");
                    date |= matches!(name, b"date" | b"published" | b"pubdate" | b"posted");
                }
                (byline, date)
            });
            (byline || date).then_some(Self { node, byline, date })
        });
        named.collect()
    }
}

impl<'a> Said<'a> {
    fn of(page: &'a Page, template: Option<&'a Template>) -> Self {
        let dom = &page.dom;
        let mut said = Self {
            page,
            template,
            base: base_url(page),
            title: page_title(dom),
            heading: None,
            headings: 0,
            subheadings: Vec::new(),
            meta: IndexMap::new(),
            links: IndexMap::new(),
            properties: IndexMap::new(),
            json_ld: JsonLd::of(dom),
            named: OnceCell::new(),
        };
        for node in dom.nodes().filter(|&node| dom.kind(node) == NodeKind::Element) {
            said.add(node);
        }
        said
    }

    fn add(&mut self, node: NodeId) {
        let dom = &self.page.dom;
        let value = |wanted: &Name| dom.attribute(node, wanted);
        match *dom.name(node) {
            name!("meta") => {
                let names = [
                    name!("name"),
                    name!("property"),
                    name!("http-equiv"),
                    name!("itemprop"),
                ];
                let names = names.iter().filter_map(value);
                if let Some(content) = value(&name!("content"))
                    .map(str::trim)
                    .filter(|content| !content.is_empty())
                {
                    for name in names.flat_map(str::split_ascii_whitespace) {
                        self.meta
                            .entry(name.to_ascii_lowercase())
                            .or_default()
                            .push(content);
                    }
                }
            }
            name!("link") => {
                if let (Some(relations), Some(href)) = (value(&name!("rel")), value(&name!("href"))) {
                    for relation in relations.split_ascii_whitespace() {
                        self.links.entry(relation.to_ascii_lowercase()).or_insert(href);
                    }
                }
            }
            name!("h1") if self.is_own(node) => {
                self.headings += 1;
                self.heading = self.heading.take().or_else(|| words_of(dom, node));
            }
            name!("h2") if self.subheadings.len() < 2 && self.is_own(node) => self.subheadings.push(node),
            _ => {}
        }
        let properties = [value(&name!("itemprop")), value(&name!("property"))];
        for property in properties.into_iter().flatten() {
            for property in property.split_ascii_whitespace() {
                let plain = property.rsplit(':').next().unwrap_or(property);
                self.properties.entry(plain).or_insert(node);
            }
        }
    }

    /// Whether an element has text that is not in the template.
    fn is_own(&self, node: NodeId) -> bool {
        let dom = &self.page.dom;
        self.template.is_none_or(|template| {
            let mut texts = dom
                .subtree(node)
                .filter(|&below| dom.kind(below) == NodeKind::Text);
            texts.any(|text| !template.contains(text) && !dom.is_blank_text(text))
        })
    }

    fn meta(&self, names: &[&str]) -> Option<String> {
        names
            .iter()
            .find_map(|name| self.meta.get(*name)?.first().and_then(|content| tidy(content)))
    }

    fn main(&self) -> Option<&Map<String, Value>> {
        self.json_ld.main()
    }

    fn json(&self, keys: &[&str]) -> Option<String> {
        let main = self.main()?;
        keys.iter()
            .find_map(|key| first_text(main.get(*key)?).and_then(tidy))
    }

    /// The value of an element with a property: an attribute for machines, or its text.
    fn property(&self, name: &str) -> Option<String> {
        let dom = &self.page.dom;
        let node = *self.properties.get(name)?;
        let value = |wanted: &str| {
            let mut attributes = dom.attributes(node);
            attributes.find_map(|attribute| (&**attribute.name == wanted).then_some(attribute.value))
        };
        let said = ["content", "datetime"].iter().find_map(|name| value(name));
        said.and_then(tidy).or_else(|| words_of(dom, node))
    }

    fn own_title(&self, titles: &SiteTitles, site: Option<&str>) -> Option<String> {
        let given = self.json(&["headline"]).or_else(|| self.meta(&GIVEN_TITLES));
        let given = given.filter(|title| !titles.is_given_to_all(title));
        let of_page = self.title.as_ref().filter(|title| !titles.is_title_of_all(title));
        let title = given.or_else(|| of_page.cloned());
        let own = title.as_ref().map(|title| {
            let (rest, _) = titles.cut(title);
            let rest = site
                .and_then(|site| title::without(rest, site))
                .unwrap_or_else(|| rest.to_owned());
            self.by_page(&rest).unwrap_or(rest)
        });
        // Home pages have the name of the site as title, and often several headings.
        let names_site = |text: &str| {
            titles.is_name_of_site(text) || self.headings == 1 && self.says_name_of_site(text, site)
        };
        let heading = || {
            let heading = self.heading.clone();
            heading.filter(|heading| !names_site(heading))
        };
        let names_page = title
            .as_ref()
            .is_some_and(|title| !titles.is_of_several(title) && !names_site(title));
        // Several are sections, or the entries of a list.
        let subheading = || match self.subheadings[..] {
            [only] => words_of(&self.page.dom, only),
            _ => None,
        };
        own.clone()
            .filter(|_| names_page)
            .or_else(heading)
            .or(own)
            .or_else(|| self.heading.clone())
            .or_else(|| subheading().filter(|_| self.title.is_some()))
            .or_else(|| self.leading_text())
            .or_else(|| self.title.as_deref().map(|title| titles.cut(title).0.to_owned()))
            .map(|title| title::trimmed(&title))
    }

    /// The first short text of the page itself that stands alone before its body: in an element that is called a title, or
    /// else all in bold or in a heading. Only other pages of the site show what is the page's own.
    fn leading_text(&self) -> Option<String> {
        let (dom, template) = (&self.page.dom, self.template?);
        let body = dom.part(&name!("body"))?;
        let blocks = Blocks::of(dom, body, |node| !template.contains(node));
        let before_body = blocks
            .list
            .iter()
            .take_while(|block| block.counts.words < SHORTEST_BODY);
        let short: Vec<&Block> = before_body
            .filter(|block| (1..=LONGEST_TITLE).contains(&block.counts.words) && !block.is_linked())
            .collect();
        let is_called_title = |block: &&&Block| Hints::of(dom, block.element).has(Hint::Title);
        let is_emphasised = |block: &&&Block| block.is_emphasised();
        let found = short
            .iter()
            .find(is_called_title)
            .or_else(|| short.iter().find(is_emphasised))?;
        tidy(&found.text(dom))
    }

    /// Whether a text is only the name of the site, as the page or its host says it.
    fn says_name_of_site(&self, text: &str, site: Option<&str>) -> bool {
        let by_page = site.is_some_and(|site| title::plain(site) == title::plain(text));
        by_page
            || self
                .page
                .url
                .host_str()
                .is_some_and(|host| title::names_host(text, host))
    }

    /// A title without a part that the heading or the host says is not the page's.
    fn by_page(&self, title: &str) -> Option<String> {
        let heading = self.heading.as_ref();
        let by_heading = heading.and_then(|heading| title::by_heading(title, heading));
        by_heading.or_else(|| title::by_host(title, self.page.url.host_str()?))
    }

    fn site_name(&self, shared: Option<&str>) -> Option<String> {
        let site = || {
            let site = self.json_ld.of_type("WebSite")?;
            first_text(site.get("name")?).and_then(tidy)
        };
        let publisher = || {
            let names = self.json_ld.names(self.main()?.get("publisher")?);
            names.first().and_then(|name| tidy(name))
        };
        self.meta(&["og:site_name", "application-name"])
            .or_else(site)
            .or_else(|| shared.map(str::to_owned))
            .or_else(publisher)
    }

    fn byline(&self) -> Option<String> {
        let is_name = |name: &String| !name.contains("://") && name.chars().count() <= LONGEST_BYLINE;
        let from_json = || {
            let main = self.main()?;
            let names = self
                .json_ld
                .names(main.get("author").or_else(|| main.get("creator"))?);
            joined(names.iter().filter_map(|name| tidy(name)).filter(is_name))
        };
        let from_meta = || {
            [
                "author",
                "citation_author",
                "dc.creator",
                "dcterms.creator",
                "article:author",
            ]
            .iter()
            .find_map(|name| {
                joined(
                    self.meta
                        .get(*name)?
                        .iter()
                        .filter_map(|name| tidy(name))
                        .filter(is_name),
                )
            })
        };
        from_json()
            .or_else(from_meta)
            .or_else(|| self.property("author").filter(is_name))
            .or_else(|| self.shown_byline().filter(is_name))
            .map(|byline| without_by(&byline))
    }

    /// A link to the author, or a short text that is a byline by its names.
    fn shown_byline(&self) -> Option<String> {
        let dom = &self.page.dom;
        let is_author = |&node: &NodeId| {
            dom.is_element(node, &name!("a"))
                && dom
                    .attribute(node, &name!("rel"))
                    .is_some_and(|rel| rel.split_ascii_whitespace().any(|rel| rel == "author"))
        };
        let words = |node| words_of(dom, node);
        let bylines = || self.named(|named| named.byline, MOST_NODES_OF_BYLINE);
        dom.nodes()
            .filter(is_author)
            .find_map(words)
            .or_else(|| bylines().find_map(words))
    }

    fn date(&self, property: &str, names: &[&str], may_be_shown: bool) -> Option<String> {
        let lower = property.to_ascii_lowercase();
        let date = self
            .json(&[property])
            .or_else(|| self.meta(names))
            .or_else(|| self.meta(&[&lower]))
            .or_else(|| self.property(property))
            .or_else(|| self.shown_date().filter(|_| may_be_shown))?;
        Some(dates::normalised(&date))
    }

    /// The first `<time>` in a byline.
    fn shown_date(&self) -> Option<String> {
        let dom = &self.page.dom;
        let times = dom.nodes().filter(|&node| dom.is_element(node, &name!("time")));
        let is_in_byline = |&time: &NodeId| {
            let near = std::iter::once(time).chain(dom.ancestors(time).take(3));
            let mut near =
                near.take_while(|&near| !matches!(&**dom.name(near), "li" | "td" | "body" | "main"));
            near.any(|near| Hints::of(dom, near).has(Hint::Byline) || dom.is_element(near, &name!("header")))
        };
        let time = times
            .filter(is_in_byline)
            .find(|&time| !dom.text_of(time).trim().is_empty());
        let Some(time) = time else {
            return self.named_date();
        };
        let machine = dom.attribute(time, &name!("datetime")).and_then(tidy);
        machine.or_else(|| words_of(dom, time))
    }

    /// The date of an element that is named so, if there is only one: a list of posts has many.
    fn named_date(&self) -> Option<String> {
        let dom = &self.page.dom;
        let dates = self.named(|named| named.date, MOST_NODES_OF_DATE);
        let mut dates = dates.filter_map(|node| dates::read(&words_of(dom, node)?));
        let first = dates.next()?;
        dates.all(|other| other == first).then_some(first)
    }

    /// The elements of a few nodes that are named so, if they belong to the page.
    fn named(&self, is_meant: impl Fn(&Named) -> bool, most_nodes: usize) -> impl Iterator<Item = NodeId> {
        let dom = &self.page.dom;
        let named = self.named.get_or_init(|| Named::all(dom));
        let named = named.iter().filter(move |named| is_meant(named));
        named
            .map(|named| named.node)
            .filter(move |&node| dom.size(node) <= most_nodes && !is_of_somebody_else(dom, node))
    }

    fn language(&self) -> Option<String> {
        let dom = &self.page.dom;
        let own = dom.attributes(dom.root()).find_map(|attribute| {
            matches!(&**attribute.name, "lang" | "xml:lang").then_some(attribute.value.to_owned())
        });
        let sources = [
            own,
            self.meta(&["content-language", "language", "dc.language"]),
            self.json(&["inLanguage"]),
            self.meta(&["og:locale"]),
        ];
        sources.into_iter().flatten().find_map(|tag| language_tag(&tag))
    }

    fn description(&self) -> Option<String> {
        self.meta(&[
            "description",
            "og:description",
            "twitter:description",
            "dc.description",
            "dcterms.description",
        ])
        .or_else(|| self.json(&["description"]))
    }

    fn canonical(&self) -> Option<Url> {
        let link = self.links.get("canonical").map(|href| (*href).to_owned());
        let sources = [link, self.meta(&["og:url"]), self.json(&["url"])];
        sources
            .into_iter()
            .flatten()
            .find_map(|address| self.address(&address))
    }

    fn image(&self) -> Option<Url> {
        let link = self.links.get("image_src").map(|href| (*href).to_owned());
        let shown = self.properties.get("image").and_then(|&node| {
            let names = [name!("content"), name!("src"), name!("href")];
            names
                .iter()
                .find_map(|name| self.page.dom.attribute(node, name))
                .map(str::to_owned)
        });
        let sources = [
            self.meta(&[
                "og:image:secure_url",
                "og:image",
                "og:image:url",
                "twitter:image",
                "twitter:image:src",
            ]),
            self.json(&["image", "thumbnailUrl"]),
            link,
            shown,
        ];
        sources
            .into_iter()
            .flatten()
            .find_map(|address| self.address(&address))
    }

    fn address(&self, address: &str) -> Option<Url> {
        let url = self.base.join(address.trim()).ok()?;
        // A file of this computer is not where others find the page.
        matches!(url.scheme(), "http" | "https").then_some(url)
    }
}

/// The title that a page gives to other programs in `<meta>`.
fn given_title(dom: &Dom) -> Option<String> {
    let metas = || dom.nodes().filter(|&node| dom.is_element(node, &name!("meta")));
    let is_named = |node: NodeId, wanted: &str| {
        let mut attributes = dom.attributes(node);
        attributes.any(|attribute| {
            matches!(&**attribute.name, "name" | "property") && attribute.value.eq_ignore_ascii_case(wanted)
        })
    };
    GIVEN_TITLES.iter().find_map(|wanted| {
        let node = metas().find(|&node| is_named(node, wanted))?;
        tidy(dom.attribute(node, &name!("content"))?)
    })
}

pub(crate) fn page_title(dom: &Dom) -> Option<String> {
    let title = dom.nodes().find(|&node| dom.is_element(node, &name!("title")))?;
    words_of(dom, title)
}

/// Whether a name or date belongs to a quote, a comment or another page.
fn is_of_somebody_else(dom: &Dom, node: NodeId) -> bool {
    let mut near = std::iter::once(node).chain(dom.ancestors(node).take(6));
    near.any(|near| {
        matches!(
            &**dom.name(near),
            "blockquote" | "figure" | "li" | "td" | "aside" | "footer"
        ) || plain_names(dom.attribute(near, &name!("class")).unwrap_or_default()).any(|name| {
            matches!(
                name,
                b"quote"
                    | b"quotes"
                    | b"testimonial"
                    | b"testimonials"
                    | b"comment"
                    | b"comments"
                    | b"review"
                    | b"reviews"
            )
        })
    })
}

/// The words of class names.
fn plain_names(class: &str) -> impl Iterator<Item = &[u8]> {
    class.as_bytes().split(|letter| !letter.is_ascii_alphanumeric())
}

/// The text of an element, with spaces between blocks.
pub(crate) fn words_of(dom: &Dom, node: NodeId) -> Option<String> {
    let mut words = String::new();
    for below in dom.subtree(node) {
        match dom.kind(below) {
            NodeKind::Text => words.push_str(dom.text_of(below)),
            NodeKind::Element if matches!(&**dom.name(below), "br" | "p" | "div" | "li") => words.push(' '),
            _ => {}
        }
    }
    tidy(&words)
}

/// A text with single spaces; none if it is blank.
fn tidy(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn joined(names: impl Iterator<Item = String>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// A byline without words such as "by".
fn without_by(byline: &str) -> String {
    let lower = byline.to_lowercase();
    let is_prefix = |prefix: &&&str| {
        lower
            .strip_prefix(**prefix)
            .is_some_and(|rest| rest.starts_with(' '))
            && byline.is_char_boundary(prefix.len())
    };
    let prefix = lexicon::entries("byline-prefix").iter().find(is_prefix);
    prefix
        .map_or(byline, |prefix| &byline[prefix.len()..])
        .trim_start()
        .trim_start_matches(['-', '–', '—', '―', '~'])
        .trim()
        .to_owned()
}

/// A language as a BCP 47 tag: `en_US` becomes en-US.
fn language_tag(text: &str) -> Option<String> {
    let first = text.split([',', ';', ' ']).find(|part| !part.is_empty())?;
    let tag = first.replace('_', "-");
    let is_tag = tag.len() <= 35
        && tag.split('-').enumerate().all(|(at, part)| {
            let is_first = at == 0;
            let is_plain = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_plain && (1..=8).contains(&part.len()) && (!is_first || (2..=8).contains(&part.len()))
        });
    is_tag.then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::NodeSet;
    use crate::template::Support;

    fn page(html: &str) -> Page {
        Page::parse(Url::parse("https://www.example.org/dir/page.html").unwrap(), html)
    }

    fn check(html: &str, field: impl Fn(&Metadata) -> Option<String>, expect: &str) {
        let metadata = Metadata::of(&page(html));
        assert_eq!(field(&metadata).as_deref().unwrap_or("nothing"), expect, "{html}");
    }

    fn title(html: &str, expect: &str) {
        check(html, |metadata| metadata.title.clone(), expect);
    }

    fn byline(html: &str, expect: &str) {
        check(html, |metadata| metadata.byline.clone(), expect);
    }

    fn published(html: &str, expect: &str) {
        check(html, |metadata| metadata.published.clone(), expect);
    }

    #[test]
    fn titles() {
        title("<title>A | Example</title>", "A");
        title("<title>A – Some site</title><h1>A</h1>", "A");
        title("<title>A – b</title><h1>C</h1>", "A – b");
        title("<title>A | S</title><meta property=og:site_name content=S>", "A");
        title("<title>x</title><meta property=og:title content=' A  b '>", "A b");
        title(
            "<meta name=twitter:title content=T><meta name=DC.Title content=D>",
            "T",
        );
        title("<h1>H</h1>", "H");
        title("<h1>H<br>I</h1>", "H I");
        title("", "nothing");
        title(
            "<title>x</title><script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":\"J\"}</script>",
            "J",
        );
    }

    #[test]
    fn siblings_tell_the_site() {
        let siblings = [
            page("<title>B – The Site</title>"),
            page("<title>C – The Site</title>"),
        ];
        let own = page("<title>A – The Site</title>");
        let template = Template::of_nothing(&own.dom);
        let metadata = Metadata::with_template(&own, &SiteTitles::of(&siblings), &template);
        assert_eq!(metadata.title.as_deref(), Some("A"));
        assert_eq!(metadata.site_name.as_deref(), Some("The Site"));
    }

    /// The title of a page among siblings, whose own texts are those that these lack.
    #[track_caller]
    fn check_among(siblings: &[&str], html: &str, expect: &str) {
        let siblings: Vec<Page> = siblings.iter().map(|html| page(html)).collect();
        let own = page(html);
        let is_said = |text: &str| {
            siblings.iter().any(|other| {
                let mut nodes = other.dom.nodes();
                nodes.any(|node| other.dom.kind(node) == NodeKind::Text && other.dom.text_of(node) == text)
            })
        };
        let mut nodes = NodeSet::none(&own.dom);
        for node in own.dom.nodes() {
            if own.dom.kind(node) != NodeKind::Text || is_said(own.dom.text_of(node)) {
                nodes.insert(node);
            }
        }
        let support = vec![Support::default(); own.dom.len()];
        let template = Template::new(&own.dom, nodes, support, siblings.len());
        let metadata = Metadata::with_template(&own, &SiteTitles::of(&siblings), &template);
        assert_eq!(metadata.title.as_deref(), Some(expect));
    }

    #[test]
    fn a_title_of_other_pages_gives_way_to_the_heading() {
        let section = "<title>Site - Words</title><h1>Mercy</h1>";
        let others = [section, section, section, "<title>Site - Home</title>"];
        check_among(&others, "<title>Site - Words</title><h1>Light</h1>", "Light");
        check_among(&others, "<title>Site</title><h1>Light</h1>", "Light");
        check_among(&others, "<title>Site - Words</title><p>Light", "Words");
        check_among(&others, "<title>Site - News</title><h1>Light</h1>", "News");
    }

    #[test]
    fn the_name_of_the_site_gives_way_to_the_heading() {
        // The pages that were learned from do not have it in their titles.
        let others = [
            "<title>Mercy</title><h1>Mercy</h1>",
            "<title>Hope</title><h1>Hope</h1>",
        ];
        check_among(&others, "<title>Example</title><h1>Light</h1>", "Light");
        let named = "<meta property=og:site_name content='The library'>";
        check_among(
            &others,
            &format!("{named}<title>The Library</title><h1>Light</h1>"),
            "Light",
        );
        check_among(
            &others,
            &format!("{named}<title>The Library</title><h1>The library</h1>"),
            "The Library",
        );
        check_among(
            &others,
            &format!("{named}<title>The Library</title><p>Light"),
            "The Library",
        );
        check_among(
            &others,
            &format!("{named}<title>News</title><h1>Light</h1>"),
            "News",
        );
    }

    #[test]
    fn a_title_of_all_pages_gives_way_to_a_text_before_the_body() {
        let prose = "It is said of this class that it draws what others only store, that it does so fast, and that nobody \
            has ever seen it fail on any machine of the world.";
        let others = ["<title>The library</title><p>Menu"; 3];
        let links = "<div><a href=/a>Functions</a> | <a href=/b>Members</a></div>";
        check_among(
            &others,
            &format!(
                "<title>The library</title><p>Menu{links}<div>Since 2.0</div><div class=title>Sprite Class</div><p>{prose}"
            ),
            "Sprite Class",
        );
        check_among(
            &others,
            &format!("<title>The library</title><p>Menu{links}<div><b>Sprite Class</b></div><p>{prose}"),
            "Sprite Class",
        );
        check_among(
            &others,
            &format!("<title>The library</title><p>Menu<p>{prose}<p>By Ann"),
            "The library",
        );
    }

    #[test]
    fn bylines() {
        byline("<meta name=author content='Ann B'><a rel=author>No</a>", "Ann B");
        byline(
            "<meta property=article:author content='https://x.org/ann'><a rel=author href=x>Ann</a>",
            "Ann",
        );
        byline("<span itemprop=author><b>Ann</b></span>", "Ann");
        byline("<p class='post-byline'>By Ann B</p>", "Ann B");
        byline("<p class=author>— Ann B</p>", "Ann B");
        byline("<blockquote>x<p class=author>Bob</p></blockquote>", "nothing");
        byline("<p class=quote-author>Bob</p><p class=author>Ann</p>", "Ann");
        byline(
            "<meta name=citation_author content=A><meta name=citation_author content=B>",
            "A, B",
        );
        byline(
            "<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"Person\",\"@id\":\"#a\",\"name\":\"Ann\"},\
            {\"@type\":[\"Thing\",\"BlogPosting\"],\"author\":[{\"@id\":\"#a\"},{\"name\":\"Bob\"},\"Cy\"]}]}</script>",
            "Ann, Bob, Cy",
        );
    }

    #[test]
    fn dates() {
        published(
            "<meta property=article:published_time content='2008-10-14T09:05:00Z'>",
            "2008-10-14T09:05:00Z",
        );
        published("<meta name=date content='14 October 2008'>", "2008-10-14");
        published(
            "<i itemprop=datePublished datetime=2008-10-14>x</i>",
            "2008-10-14",
        );
        published(
            "<div class=byline><time datetime='2008-10-14T10:00'>then</time></div>",
            "2008-10-14",
        );
        published("<ul><li><time datetime=2008-10-14>then</time></ul>", "nothing");
        published(
            "<h2 class=date-header>Wednesday, October 22, 2008</h2>",
            "2008-10-22",
        );
        published("<p class=date>1 May 2008<p class=date>2 May 2008", "nothing");
        published("<p class=date>today", "nothing");
        published("<div class=comment><p class=date>1 May 2008</div>", "nothing");
        published(
            "<meta name=date content=2001-01-01><script type=application/ld+json>[{\"@type\":\"WebPage\",\
            \"datePublished\":\"2008-10-14\",}]</script>",
            "2008-10-14",
        );
        check(
            "<meta property=article:modified_time content=2009-01-02>",
            |metadata| metadata.modified.clone(),
            "2009-01-02",
        );
    }

    #[test]
    fn broken_json_is_read_or_left() {
        published(
            "<script type=application/ld+json>//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"a\nb\",\"datePublished\":\"2008-10-14\"};\n//]]></script>",
            "2008-10-14",
        );
        published("<script type=application/ld+json>{\"@type\":</script>", "nothing");
    }

    #[test]
    fn languages_addresses_and_the_rest() {
        let language = |metadata: &Metadata| metadata.language.clone();
        check(
            "<html lang=de_AT><meta property=og:locale content=en_US>",
            language,
            "de-AT",
        );
        check("<meta property=og:locale content=en_US>", language, "en-US");
        check("<html lang='{{lang}}'>", language, "nothing");
        let canonical = |metadata: &Metadata| metadata.canonical.as_ref().map(Url::to_string);
        check(
            "<link rel=canonical href=/c>",
            canonical,
            "https://www.example.org/c",
        );
        check(
            "<link rel=canonical href='javascript:x'><meta property=og:url content=/o>",
            canonical,
            "https://www.example.org/o",
        );
        let image = |metadata: &Metadata| metadata.image.as_ref().map(Url::to_string);
        check(
            "<meta property=og:image content=i.png>",
            image,
            "https://www.example.org/dir/i.png",
        );
        check(
            "<script type=application/ld+json>{\"@type\":\"Article\",\"image\":[{\"url\":\"/i\"}]}</script>",
            image,
            "https://www.example.org/i",
        );
        check(
            "<meta name=Description content=d>",
            |metadata| metadata.description.clone(),
            "d",
        );
        check(
            "<script type=application/ld+json>{\"@type\":\"WebSite\",\"name\":\"S\"}</script>",
            |metadata| metadata.site_name.clone(),
            "S",
        );
    }
}
