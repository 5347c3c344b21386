//! Facts about the links of a page and the elements around them.
//!
//! They are counted in a few walks over the page, so that questions about any part are cheap.

use husk_dom::{Dom, Name, NodeId, NodeKind, name};
use indexmap::IndexSet;
use url::Url;

use super::numbers::{MOST_LINKS, MOST_OTHER_WORDS};
use super::parts::Parts;
use crate::extraction::Extraction;
use crate::hints::{Hint, Hints};
use crate::lexicon;
use crate::links::{Address, MAX_ADDRESS, SameSite, base_url};
use crate::measure::{Amount, Measures, is_never_shown};
use crate::work::check;

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
    /// The number of links, lists, active marks, and headings or fields before each node.
    links_before: Vec<u32>,
    lists_before: Vec<u32>,
    marks_before: Vec<u32>,
    fields_before: Vec<u32>,
    elements: Vec<Element>,
}

/// A link.
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) url: Option<Url>,
    pub(super) target: Target,
    /// The sum over this link and all before it of the share of the compared pages that have the link.
    verbatim_sum: f64,
    pub(super) has_words: bool,
    /// Whether it is for logging in or registering, by its names or its target.
    pub(super) is_login: bool,
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

impl Target {
    /// The path segments of a page of the site.
    pub(super) fn steps(self) -> Option<usize> {
        match self {
            Self::Site { steps, .. } => Some(steps),
            _ => None,
        }
    }
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
    /// Whether it is in an item of a list, or in a group of a menu.
    is_in_item: bool,
    /// Number of parts with links, without wrappers.
    branches: u32,
    /// The element below its wrappers: a list, or the first with several parts.
    unwrapped: Option<NodeId>,
    /// Whether its parts are the entries of one menu.
    is_grouped: bool,
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
            lists_before: Vec::with_capacity(dom.len() + 1),
            marks_before: Vec::with_capacity(dom.len() + 1),
            fields_before: Vec::with_capacity(dom.len() + 1),
            elements: vec![Element::default(); dom.len()],
        };
        survey.collect_links();
        survey.look_at_parts();
        survey.look_at_names();
        survey
    }

    fn collect_links(&mut self) {
        let dom = self.dom;
        let mut targets = Targets::of(self.extraction, &self.own);
        let (mut lists, mut marks, mut fields, mut hidden_until) = (0, 0, 0, 0);
        for node in dom.nodes() {
            check();
            self.links_before.push(self.links.len() as u32);
            self.lists_before.push(lists);
            self.marks_before.push(marks);
            self.fields_before.push(fields);
            if is_never_shown(dom, node) {
                hidden_until = hidden_until.max(dom.range(node).end);
            }
            if node.index() < hidden_until || dom.kind(node) != NodeKind::Element {
                continue;
            }
            lists += u32::from(is_list(dom, node));
            marks += u32::from(is_marked_active(dom, node));
            fields += u32::from(is_field(dom, node));
            if let Some(href) = href(dom, node) {
                let (url, target) = targets.find(href);
                let is_login = Hints::of(dom, node)
                    .or(target_hints(url.as_ref()))
                    .has(Hint::Login);
                let before = self.links.last().map_or(0.0, |last| last.verbatim_sum);
                self.links.push(Link {
                    node,
                    url,
                    target,
                    verbatim_sum: before + self.verbatim(node),
                    has_words: self.measures.of_subtree(dom, node).words > 0,
                    is_login,
                });
            }
        }
        self.links_before.push(self.links.len() as u32);
        self.lists_before.push(lists);
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

    /// Bottom up: the parts of each element.
    fn look_at_parts(&mut self) {
        let dom = self.dom;
        for node in dom.nodes().rev() {
            if self.link_count(node) == 0 || dom.kind(node) != NodeKind::Element {
                continue;
            }
            let mut kids = self.kids(node);
            let first = kids.next();
            let more = kids.count() as u32;
            let below = first.filter(|&only| more == 0 && !self.is_link(only));
            let below = below.map(|only| self.elements[only.index()]);
            let is_menu = more > 0 && !self.is_frame(node) && self.is_template(node) && !self.is_text(node);
            self.elements[node.index()] = Element {
                branches: below.map_or(more + u32::from(first.is_some()), |below| below.branches),
                unwrapped: below
                    .filter(|_| !is_list(dom, node))
                    .map_or(Some(node), |below| below.unwrapped),
                is_grouped: is_menu && Parts::of(self, node).are_one_menu(self.link_count(node)),
                ..Element::default()
            };
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
            let is_item = parent.is_some_and(|parent| dom.is_element(parent, &name!("li")));
            let element = &mut self.elements[node.index()];
            element.block = if is_wrapped { own.or(above.block) } else { own };
            element.around = if is_wrapped { above.around } else { parent };
            element.above = own.or(above.above);
            element.is_in_item = above.is_in_item || above.is_grouped || is_item;
        }
    }

    /// The links in a subtree.
    pub(super) fn links_in(&self, node: NodeId) -> &[Link] {
        let range = self.dom.range(node);
        &self.links[self.links_before[range.start] as usize..self.links_before[range.end] as usize]
    }

    /// The mean share of the compared pages that have a link in a subtree.
    pub(super) fn verbatim_in(&self, node: NodeId) -> f64 {
        let range = self.dom.range(node);
        let sum = |at: usize| match self.links_before[at] as usize {
            0 => 0.0,
            count => self.links[count - 1].verbatim_sum,
        };
        (sum(range.end) - sum(range.start)) / f64::from(self.link_count(node).max(1))
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

    /// Whether there are words from a position up to a node.
    pub(super) fn has_words_between(&self, start: usize, end: NodeId) -> bool {
        self.measures.of_range(start..end.index().max(start)).words > 0
    }

    /// Whether an element has words before its first link.
    pub(super) fn has_label(&self, node: NodeId) -> bool {
        let first = self.links_in(node).first().map_or(node, |link| link.node);
        self.has_words_between(node.index(), first)
    }

    /// Whether an element is text with links rather than a block of links.
    pub(super) fn is_text(&self, node: NodeId) -> bool {
        let amount = self.amount(node);
        amount.words - amount.linked_words > MOST_OTHER_WORDS * (self.link_count(node) + 1)
    }

    /// Whether an element is or has a list.
    pub(super) fn has_list(&self, node: NodeId) -> bool {
        count(&self.lists_before, self.dom, node) > 0
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

    /// Whether the parts of an element are the entries of one menu.
    pub(super) fn is_grouped(&self, node: NodeId) -> bool {
        self.elements[node.index()].is_grouped
    }

    pub(super) fn branches(&self, node: NodeId) -> u32 {
        self.elements[node.index()].branches
    }

    /// The first element below an element's wrappers that is a list or has several parts.
    pub(super) fn unwrapped(&self, node: NodeId) -> NodeId {
        self.elements[node.index()].unwrapped.unwrap_or(node)
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

fn count(before: &[u32], dom: &Dom, node: NodeId) -> u32 {
    let range = dom.range(node);
    before[range.end] - before[range.start]
}

/// Whether an element makes a block more than links: a form, or the heading of the page.
fn is_field(dom: &Dom, node: NodeId) -> bool {
    // A box to tick unfolds a menu without a script.
    let is_switch = || dom.attribute(node, &name!("type")) == Some("checkbox");
    match &**dom.name(node) {
        "form" | "h1" => true,
        "input" => !is_switch(),
        _ => false,
    }
}

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

/// The hints of the last name in a URL's path, without its ending.
fn target_hints(url: Option<&Url>) -> Hints {
    let path = url.map_or("", |url| url.path()).trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    Hints::of_names(name.split('.').next().unwrap_or_default())
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
