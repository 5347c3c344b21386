//! Facts about the links of a page and the elements around them.
//!
//! They are counted in a few walks over the page, so that questions about any part are cheap.

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use indexmap::IndexSet;
use url::Url;

use super::numbers::MOST_LINKS;
use crate::extraction::Extraction;
use crate::hints::{Hint, Hints};
use crate::lexicon;
use crate::links::{Address, MAX_ADDRESS, SameSite, base_url};
use crate::measure::{Amount, Measures, is_never_shown};

/// The links of a page and what is around them.
pub(super) struct Survey<'a> {
    pub(super) extraction: &'a Extraction,
    pub(super) dom: &'a Dom,
    /// The address of the page.
    pub(super) own: Address,
    /// All visible links, in document order.
    pub(super) links: Vec<Link>,
    /// The fewest path segments of any URL of the site.
    pub(super) shortest: usize,
    measures: Measures,
    /// The same without the template.
    content: Measures,
    /// The number of links, active marks, and headings or fields before each node.
    links_before: Vec<u32>,
    marks_before: Vec<u32>,
    fields_before: Vec<u32>,
    elements: Vec<Element>,
}

/// A link.
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) url: Option<Url>,
    pub(super) target: Target,
    /// The share of the compared pages that have it.
    pub(super) verbatim: f64,
    pub(super) has_words: bool,
}

/// The target of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A page of the site, by its number, and its path segments.
    Site { page: usize, steps: usize },
    /// A page of another site, by its number.
    Elsewhere { page: usize },
    /// The page itself or a place on it.
    Here { is_place: bool },
    /// None: it opens a submenu or runs a script.
    Nowhere,
}

/// Facts about an element with links.
#[derive(Debug, Clone, Copy, Default)]
struct Element {
    /// Its hints, and those of the ancestors without further links.
    block: Hints,
    /// The next ancestor with further links.
    around: Option<NodeId>,
    /// Its hints and those of all ancestors.
    above: Hints,
    /// Whether it is in a list item.
    is_in_item: bool,
    /// Number of parts with links, without wrappers.
    branches: u32,
    lists: Lists,
}

/// The lists directly below an element, ignoring wrappers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lists {
    pub(super) count: u32,
    /// Links in them.
    pub(super) links: u32,
    /// How many, from the second on, have a caption.
    pub(super) captioned: u32,
    first_has_caption: bool,
}

impl<'a> Survey<'a> {
    pub(super) fn of(extraction: &'a Extraction) -> Self {
        let dom = &extraction.key_page.dom;
        let template = &extraction.template;
        let mut survey = Self {
            extraction,
            dom,
            own: Address::of(&extraction.key_page.url),
            links: Vec::new(),
            shortest: 0,
            measures: Measures::of(dom),
            content: Measures::of_those(dom, |node| !template.contains(node)),
            links_before: Vec::with_capacity(dom.len() + 1),
            marks_before: Vec::with_capacity(dom.len() + 1),
            fields_before: Vec::with_capacity(dom.len() + 1),
            elements: vec![Element::default(); dom.len()],
        };
        survey.collect_links();
        survey.look_at_names();
        survey.look_at_lists();
        survey
    }

    fn collect_links(&mut self) {
        let dom = self.dom;
        let mut targets = Targets::of(self.extraction, &self.own);
        let (mut marks, mut fields, mut hidden_until) = (0, 0, 0);
        for node in dom.nodes() {
            self.links_before.push(self.links.len() as u32);
            self.marks_before.push(marks);
            self.fields_before.push(fields);
            if is_never_shown(dom, node) {
                hidden_until = hidden_until.max(dom.range(node).end);
            }
            if node.index() < hidden_until || dom.kind(node) != NodeKind::Element {
                continue;
            }
            marks += u32::from(is_marked_active(dom, node));
            fields += u32::from(FIELDS.contains(dom.name(node)));
            if let Some(href) = href(dom, node) {
                let (url, target) = targets.find(href);
                self.links.push(Link {
                    node,
                    url,
                    target,
                    verbatim: self.verbatim(node),
                    has_words: self.measures.of_subtree(dom, node).words > 0,
                });
            }
        }
        self.links_before.push(self.links.len() as u32);
        self.marks_before.push(marks);
        self.fields_before.push(fields);
        self.shortest = targets.shortest;
    }

    /// The share of the compared pages that have a node with the same words; 1 if there are none.
    fn verbatim(&self, node: NodeId) -> f64 {
        match self.extraction.template.compared() {
            0 => 1.0,
            pages => f64::from(self.extraction.template.support(node).verbatim) / pages as f64,
        }
    }

    /// Top down: the hints of each element with links.
    fn look_at_names(&mut self) {
        let dom = self.dom;
        for node in dom.nodes() {
            if dom.kind(node) != NodeKind::Element || self.link_count(node) == 0 || is_frame(dom, node) {
                continue;
            }
            let own = Hints::of(dom, node);
            let parent = dom.parent(node).filter(|&parent| !is_frame(dom, parent));
            let above = parent.map_or(Element::default(), |parent| self.elements[parent.index()]);
            let is_wrapped = parent.is_some_and(|parent| self.link_count(parent) == self.link_count(node));
            self.elements[node.index()] = Element {
                block: if is_wrapped { own.or(above.block) } else { own },
                around: if is_wrapped { above.around } else { parent },
                above: own.or(above.above),
                is_in_item: above.is_in_item
                    || parent.is_some_and(|parent| dom.is_element(parent, &name!("li"))),
                ..Element::default()
            };
        }
    }

    /// Bottom up: the parts of each element, and its lists.
    fn look_at_lists(&mut self) {
        let dom = self.dom;
        let captions = self.captions();
        for node in dom.nodes().rev() {
            let Some(parent) = dom.parent(node) else { continue };
            let links = self.link_count(node);
            if links == 0 || dom.kind(node) != NodeKind::Element {
                continue;
            }
            let mut kids = self.kids(node);
            let first = kids.next();
            let more = kids.count() as u32;
            self.elements[node.index()].branches = match first {
                Some(only) if more == 0 && !self.is_link(only) => self.elements[only.index()].branches,
                Some(_) => more + 1,
                None => 0,
            };
            let below = if is_list(dom, node) {
                let has_caption = captions[node.index()];
                Lists {
                    count: 1,
                    links,
                    captioned: 0,
                    first_has_caption: has_caption,
                }
            } else {
                self.elements[node.index()].lists
            };
            // The walk goes backwards: what the parent has so far comes after this one.
            let behind = self.elements[parent.index()].lists;
            self.elements[parent.index()].lists = below.then(behind);
        }
    }

    /// Which lists have words before them that are no link and not in another list.
    fn captions(&self) -> Vec<bool> {
        let dom = self.dom;
        let mut captions = vec![false; dom.len()];
        // The list of each node, and the position of the last words.
        let mut lists: Vec<Option<NodeId>> = Vec::with_capacity(dom.len());
        let mut last: Option<(Option<NodeId>, bool)> = None;
        for node in dom.nodes() {
            let parent = dom.parent(node);
            let list = parent.and_then(|parent| {
                if is_list(dom, parent) {
                    Some(parent)
                } else {
                    lists[parent.index()]
                }
            });
            lists.push(list);
            if is_list(dom, node) {
                captions[node.index()] = last == Some((list, false));
            } else if dom.kind(node) == NodeKind::Text {
                let amount = self.amount(node);
                if amount.words > 0 {
                    last = Some((list, amount.linked_words > 0));
                }
            }
        }
        captions
    }

    /// The links in a subtree.
    pub(super) fn links_in(&self, node: NodeId) -> &[Link] {
        let range = self.dom.range(node);
        &self.links[self.links_before[range.start] as usize..self.links_before[range.end] as usize]
    }

    pub(super) fn link_count(&self, node: NodeId) -> u32 {
        count(&self.links_before, self.dom, node)
    }

    pub(super) fn is_link(&self, node: NodeId) -> bool {
        self.links_in(node).first().is_some_and(|link| link.node == node)
    }

    /// The children with links.
    pub(super) fn kids(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        self.dom
            .children(node)
            .filter(|&child| self.link_count(child) > 0)
    }

    pub(super) fn has_mark(&self, node: NodeId) -> bool {
        count(&self.marks_before, self.dom, node) > 0
    }

    pub(super) fn has_field(&self, node: NodeId) -> bool {
        count(&self.fields_before, self.dom, node) > 0
    }

    pub(super) fn amount(&self, node: NodeId) -> Amount {
        self.measures.of_subtree(self.dom, node)
    }

    /// Whether an element has words before its first link.
    pub(super) fn has_label(&self, node: NodeId) -> bool {
        let first = self.links_in(node).first().map_or(node, |link| link.node);
        self.measures.of_range(node.index()..first.index()).words > 0
    }

    /// The share of the words outside of the template before a node.
    pub(super) fn share_of_content_before(&self, node: NodeId) -> f64 {
        let all = self.content.of_range(0..self.dom.len()).words;
        f64::from(self.content.of_range(0..node.index()).words) / f64::from(all.max(1))
    }

    /// The hints of an element and its wrappers.
    pub(super) fn block_hints(&self, node: NodeId) -> Hints {
        self.elements[node.index()].block
    }

    /// The same with those of the block around it.
    pub(super) fn near_hints(&self, node: NodeId) -> Hints {
        let around = self.elements[node.index()].around;
        let around = around.map_or(Hints::default(), |around| self.block_hints(around));
        self.block_hints(node).or(around)
    }

    /// Whether a block is not navigation by its names.
    pub(super) fn is_no_navigation(&self, node: NodeId) -> bool {
        let near = self.near_hints(node);
        near.has_any(&NO_NAVIGATION) || near.has(Hint::Contents) && self.leads_about_the_page(node)
    }

    /// Whether a block is not a main menu by its names.
    pub(super) fn is_something_else(&self, node: NodeId) -> bool {
        self.near_hints(node).has(Hint::Tags) || self.is_no_navigation(node)
    }

    /// Whether most links lead to places on the page. Other tables of contents are those of a book or a site: a menu.
    fn leads_about_the_page(&self, node: NodeId) -> bool {
        let links = self.links_in(node);
        let links = &links[..links.len().min(MOST_LINKS)];
        let places = links
            .iter()
            .filter(|link| link.target == Target::Here { is_place: true });
        2 * places.count() > links.len()
    }

    /// The hints of an element or any ancestor.
    pub(super) fn hints_above(&self, node: NodeId) -> Hints {
        self.elements[node.index()].above
    }

    pub(super) fn is_in_item(&self, node: NodeId) -> bool {
        self.elements[node.index()].is_in_item
    }

    pub(super) fn branches(&self, node: NodeId) -> u32 {
        self.elements[node.index()].branches
    }

    pub(super) fn lists(&self, node: NodeId) -> Lists {
        self.elements[node.index()].lists
    }

    /// Whether a node is template.
    pub(super) fn is_template(&self, node: NodeId) -> bool {
        self.extraction.template.contains(node)
    }

    /// Whether an element cannot be a block of links.
    pub(super) fn is_frame(&self, node: NodeId) -> bool {
        is_frame(self.dom, node)
    }
}

impl Lists {
    /// Lists followed by others.
    fn then(self, behind: Self) -> Self {
        if self.count == 0 {
            return behind;
        }
        Self {
            count: self.count + behind.count,
            links: self.links + behind.links,
            captioned: self.captioned
                + behind.captioned
                + u32::from(behind.count > 0 && behind.first_has_caption),
            first_has_caption: self.first_has_caption,
        }
    }
}

fn count(before: &[u32], dom: &Dom, node: NodeId) -> u32 {
    let range = dom.range(node);
    before[range.end] - before[range.start]
}

/// Elements that make a block more than links: forms, and the heading of the page.
const FIELDS: [Name; 3] = [name!("form"), name!("input"), name!("h1")];

fn is_frame(dom: &Dom, node: NodeId) -> bool {
    dom.kind(node) != NodeKind::Element || [name!("html"), name!("body")].contains(dom.name(node))
}

/// Whether an element is a list by its name.
pub(super) fn is_list(dom: &Dom, node: NodeId) -> bool {
    const LISTS: [Name; 5] = [name!("ul"), name!("ol"), name!("dl"), name!("menu"), name!("nav")];
    dom.kind(node) == NodeKind::Element && LISTS.contains(dom.name(node))
}

fn href(dom: &Dom, node: NodeId) -> Option<&str> {
    let is_link = dom.is_element(node, &name!("a")) || dom.is_element(node, &name!("area"));
    let href = is_link.then(|| dom.attribute(node, &name!("href")))??.trim();
    (href.len() <= MAX_ADDRESS).then_some(href)
}

/// Whether an element is marked as the current page.
pub(super) fn is_marked_active(dom: &Dom, node: NodeId) -> bool {
    let is_current = dom
        .attribute(node, &name!("aria-current"))
        .is_some_and(|value| !value.is_empty() && value != "false");
    is_current
        || dom.attribute(node, &name!("class")).is_some_and(|names| {
            names.split(|letter: char| !letter.is_alphanumeric()).any(|word| {
                lexicon::entries("active")
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
            })
        })
}

/// Resolves links and numbers their pages.
struct Targets<'a> {
    page: &'a Url,
    base: Url,
    own: &'a Address,
    pages: IndexSet<Address>,
    shortest: usize,
}

impl<'a> Targets<'a> {
    fn of(extraction: &'a Extraction, own: &'a Address) -> Self {
        Self {
            page: &extraction.key_page.url,
            base: base_url(&extraction.key_page),
            own,
            pages: IndexSet::new(),
            shortest: steps(own),
        }
    }

    fn find(&mut self, href: &str) -> (Option<Url>, Target) {
        if href.starts_with('#') {
            // `#` alone is a button written as a link.
            let url = (href.len() > 1).then(|| self.page.join(href).ok()).flatten();
            return (url, Target::Here { is_place: true });
        }
        let url = self.base.join(href).ok().filter(|url| self.is_allowed(url));
        let Some(url) = url else {
            return (None, Target::Nowhere);
        };
        if !matches!(url.scheme(), "http" | "https" | "file") {
            return (Some(url), Target::Nowhere);
        }
        let address = Address::of(&url);
        if address == *self.own {
            let is_place = url.fragment().is_some();
            return (Some(url), Target::Here { is_place });
        }
        let is_of_site = SameSite::Host.holds(self.page, &url);
        let steps = steps(&address);
        let page = self.pages.insert_full(address).0;
        let target = if is_of_site {
            self.shortest = self.shortest.min(steps);
            Target::Site { page, steps }
        } else {
            Target::Elsewhere { page }
        };
        (Some(url), target)
    }

    /// Whether a link may be passed on: to a page, a mail address or a telephone number.
    fn is_allowed(&self, url: &Url) -> bool {
        match url.scheme() {
            "http" | "https" | "mailto" | "tel" => true,
            // A page from the web must not link to files.
            "file" => self.page.scheme() == "file",
            _ => false,
        }
    }
}

fn steps(address: &Address) -> usize {
    address.as_str().matches('/').count()
}

/// Hints at blocks that are not navigation.
const NO_NAVIGATION: [Hint; 7] = [
    Hint::Social,
    Hint::Login,
    Hint::Search,
    Hint::Related,
    Hint::Comments,
    Hint::Consent,
    Hint::Advertisement,
];
